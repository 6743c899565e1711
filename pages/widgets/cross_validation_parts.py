"""The page about folds, part by part."""

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd
import streamlit as st

from evalcore.comparison.fold_means import FoldMean, fold_means
from evalcore.comparison.odd_folds import odd_folds
from evalcore.comparison.results import Comparison, TestedPair
from evalcore.errors import Notice
from evalcore.fold_scores import FoldScores
from evalcore.intake.model import Dataset, Task
from evalcore.metrics.ranking import ROC_AUC
from evalcore.metrics.spec import Estimate
from evalcore.resampling.delong import delong_interval
from evalcore.tables.areas import roc_area
from evalcore.tables.scores import ScoreTable
from pages.escape import markdown, visible
from pages.figures import fold_roc, folds, intervals
from pages.figures.fold_roc import FoldRoc
from pages.figures.scene import Scene
from pages.figures.spoken import at_start, spoken
from pages.figures.words import decimals, interval, named, number, percent
from pages.session import computed
from pages.widgets import comparison_pictures, scenes
from pages.widgets.chart import chart, look
from pages.widgets.columns import below_headings, roomy, written
from pages.widgets.comparison_words import amount
from pages.widgets.headline import section
from pages.widgets.metric_table import Shown
from pages.widgets.pickers import pick_model

CHANCES = {
    "first_better": "the first is better",
    "practically_equal": "no difference",
    "second_better": "the second is better",
}
BAYES = "bayes_correlated_t"

HEIGHT = 340
"""Height of the figure of folds, which the one beside it shares."""

MERGING = (
    "Merging takes scores of different folds, that is of different models, for comparable; the "
    "mean does not. Where the two are far apart, the folds are on different scales."
)


def fold_by_fold(scene: Scene, made: Comparison, scores: FoldScores) -> None:
    """Show what each model scored on each fold, pairs joined, and the means with their errors."""
    left, right = st.columns(2)
    with left:
        figure = folds.draw(scene, scores, made.metric_name, made.better)
        chart(figure, folds.alt(scores, made.metric_name, made.better), key="folds")
    with right:
        comparison_pictures.apart(scene, made, height=HEIGHT)
    section("Means over the folds", "The standard error takes folds for independent; the interval "
            "allows for the training rows that they share.")  # fmt: skip
    found = fold_means(scores, made.better)
    rows = [_row(made, name, found[name]) for name in made.standing.order]
    frame = pd.DataFrame(rows, dtype=object)
    written(frame, "model", key="means", alt="Means over the folds")


def odd(scores: FoldScores, made: Comparison) -> list[Notice]:
    """Return which folds are unlike the others."""
    return odd_by(scores, f"the mean {made.metric_name} of the models")


def odd_by(scores: FoldScores, what: str) -> list[Notice]:
    """Return which folds are unlike the others by this, as it stands in a sentence."""
    return [
        Notice(
            "odd-fold",
            f"{_fold(scores, one.place)} is unlike the others: {what} is {number(one.mean)} there, "
            f"the median over the folds {number(one.median)}. Look at how these rows were "
            "collected or split.",
            "warning",
        )
        for one in odd_folds(scores)
    ]


def likely(made: Comparison) -> None:
    """Show how likely each of two models is better by more than makes a difference."""
    rows = [_chances(tested) for tested in made.tests if tested.test == BAYES]
    if not rows:
        return
    section(
        "How likely is a difference that matters?",
        f"By more than {amount(made.rope)}, with a flat prior (Bayesian correlated t).",
    )
    frame = pd.DataFrame(rows, dtype=object)
    alt = "How likely a difference that matters is, for each pair of models"
    st.dataframe(
        frame.style.format(str),
        hide_index=True,
        column_config={**below_headings(frame), "models": roomy(frame["models"])},
        key="likely",
        alt=alt,
    )


def curves(dataset: Dataset) -> None:
    """Show the ROC curve of each fold, of all folds merged, and their mean, for one model."""
    if dataset.roles.task is not Task.BINARY or dataset.fold is None:
        return
    section("ROC, fold by fold")
    model = pick_model(dataset)
    tables, whole = _tables(dataset, model), computed.tables(dataset)[model].scores
    who = at_start(spoken(dataset, model))
    if whole is None or len(tables) < 2:
        st.caption(markdown(f"{who} gives no scores on two folds or more."))
        return
    negative, positive = (named(label) for label in dataset.classes)
    style = replace(scenes.of_rivals(dataset).style(model), dash="solid")
    scene = Scene(
        names=tuple(tables), positive=positive, negative=negative, look=look(), alike=style
    )
    areas = {name: _area(table) for name, table in tables.items()}
    made = FoldRoc(who, tables, areas, whole, _area(whole))
    left, right = st.columns(2)
    with left:
        chart(fold_roc.draw(scene, made), fold_roc.alt(scene, made), key="roc-folds")
    with right:
        figure = intervals.draw(scene, ROC_AUC, areas, height=HEIGHT)
        chart(figure, intervals.alt(ROC_AUC, areas), key="fold-areas")
    st.caption(MERGING)


def _tables(dataset: Dataset, model: str) -> Mapping[str, ScoreTable]:
    found = computed.tables(dataset)[model].folds
    return {
        f"fold {name}": part.scores
        for name, part in found.items()
        if part.scores is not None and part.scores.positives and part.scores.negatives
    }


def _chances(tested: TestedPair) -> dict[str, object]:
    found = tested.finding.details
    pair = f"{visible(tested.first or '')} · {visible(tested.second or '')}"
    shares = {title: found.get(key, float("nan")) for key, title in CHANCES.items()}
    return {"models": pair} | {title: Shown(p, percent(p)) for title, p in shares.items()}


def _area(table: ScoreTable) -> Estimate:
    ends = delong_interval(table)
    return Estimate(roc_area(table), float(ends.low), float(ends.high), ends.method, ends.level)


def _row(made: Comparison, name: str, found: FoldMean) -> dict[str, object]:
    mean = Estimate(found.mean, made.models[name].low, made.models[name].high)
    places = decimals(mean)
    spreads = {"standard deviation": found.deviation, "standard error": found.error}
    return {
        "model": visible(name),
        "mean": _shown(found.mean, places),
        **{title: _shown(value, places + 1) for title, value in spreads.items()},
        f"{made.level:.0%} interval": interval(mean),
        "folds": Shown(found.folds, str(found.folds)),
        "folds won": Shown(found.won, str(found.won)),
    }


def _shown(value: float, places: int) -> Shown:
    return Shown(value, "–" if value != value else number(value, places))


def _fold(scores: FoldScores, place: int) -> str:
    dataset, repeat, fold = scores.names[place]
    parts = (dataset, f"repeat {repeat}" if repeat else "", f"fold {fold}")
    said = ", ".join(part for part in parts if part)
    return said[:1].upper() + said[1:]
