"""Cross-validation: does the same model win fold after fold?"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.comparison.candidates import FoldMean, OverFolds, fold_means, odd_folds
from evalcore.comparison.results import Comparison, TestedPair
from evalcore.errors import Notice
from evalcore.metrics.metric import Estimate
from evalcore.metrics.ranking import ROC_AUC
from evalcore.options import Options
from evalcore.outcomes import FoldScores
from evalcore.tables.scores import ScoreTable
from evalcore.text import counted
from evalread.dataset import Dataset, Task
from pages import escape, figures
from pages.between import comparison
from pages.figures import folds, lessons, theme, words
from pages.session import comparisons, computed, current
from pages.text import abbreviate, decimals, interval, low_to_high, number, percent
from pages.widgets import chart, comparing, guard, inputs, notices, tables
from pages.widgets.tables import ShownMetrics, below_headings, roomy, written_cell


def page() -> None:
    """Show the scores of models fold by fold, their curves, and the tests over folds."""
    from evalcore.compare import default_fold_rope

    dataset = guard.need_dataset()
    top, choices = st.container(), st.container(horizontal=True, vertical_alignment="bottom")
    options = current.options(dataset)
    with choices:
        metric = comparing.pick_metric(dataset)
    if len(dataset.models) == 1:
        show(dataset, metric, options, top=top)
        st.stop()
    with choices:
        scores = comparisons.fold_scores(dataset, metric, options)
        rope = (
            comparing.pick_rope(default_fold_rope(scores), metric) if scores is not None else None
        )
    made = comparisons.of_folds(dataset, metric, options, rope)
    if made is None or scores is None:
        guard.show_unfit("two folds or more on which the metric has a value")
        st.stop()
    told = [*made.notices, *odd(scores, made)]
    with top:
        if dataset.models:
            guard.headline(*comparing.finding_by(comparing.BY_FOLDS, made))
            st.caption(comparing.TWO_QUESTIONS)
        else:
            guard.headline(*comparing.finding(made))
        notices.warnings(told)
    scene = chart.of_all(dataset)
    fold_by_fold(scene, made, scores)
    likely(made)
    curves(dataset)
    guard.section("The tests")
    comparison.tests_table(made)
    comparison.refused(made)
    notices.remarks(told)


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


def fold_by_fold(scene: theme.Scene, made: Comparison, scores: FoldScores) -> None:
    """Show what each model scored on each fold, pairs joined, and the means with their errors."""
    left, right = st.columns(2)
    with left:
        figure = figures.draw_fold_scores(scene, scores, made.metric_name, made.better)
        chart.show(
            figure, figures.fold_scores_alt(scores, made.metric_name, made.better), key="folds"
        )
    with right:
        comparing.apart(scene, made, height=HEIGHT)
    guard.section(
        "Means over the folds",
        "The standard error takes folds for independent; the interval allows for the training "
        "rows that they share.",
    )
    found = fold_means(scores, made.better)
    rows = [_row(made, name, found[name]) for name in made.order]
    frame = pd.DataFrame(rows, dtype=object)
    written_cell(frame, "model", key="means", alt="Means over the folds")


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
    guard.section(
        "How likely is a difference that matters?",
        f"By more than {comparing.amount(made.rope)}, with a flat prior (Bayesian correlated t).",
    )
    frame = pd.DataFrame(rows, dtype=object)
    alt = "How likely a difference that matters is, for each pair of models"
    tables.show(
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
    guard.section("ROC, fold by fold")
    model = inputs.pick_model(dataset)
    tables, whole = _cross_validation_tables(dataset, model), computed.tables(dataset)[model].scores
    who = words.at_start(words.spoken(dataset, model))
    if whole is None or len(tables) < 2:
        st.caption(escape.markdown(f"{who} gives no scores on two folds or more."))
        return
    negative, positive = (words.named(label) for label in dataset.classes)
    style = replace(chart.of_all(dataset).style(model), dash="solid")
    scene = theme.Scene(
        names=tuple(tables), positive=positive, negative=negative, look=chart.look(), alike=style
    )
    areas = {name: folds.area_with_interval(table) for name, table in tables.items()}
    made = folds.FoldRoc(who, tables, areas, whole, folds.area_with_interval(whole))
    left, right = st.columns(2)
    with left:
        chart.show(
            figures.draw_fold_roc(scene, made), figures.fold_roc_alt(scene, made), key="roc-folds"
        )
    with right:
        figure = figures.draw_intervals(scene, ROC_AUC, areas, height=HEIGHT)
        chart.show(figure, figures.intervals_alt(ROC_AUC, areas), key="fold-areas")
    st.caption(MERGING)


def _cross_validation_tables(dataset: Dataset, model: str) -> Mapping[str, ScoreTable]:
    found = computed.tables(dataset)[model].folds
    return {
        f"fold {name}": part.scores
        for name, part in found.items()
        if part.scores is not None and part.scores.positives and part.scores.negatives
    }


def _chances(tested: TestedPair) -> dict[str, object]:
    found = tested.finding.details
    pair = f"{escape.visible(tested.first or '')} · {escape.visible(tested.second or '')}"
    shares = {title: found.get(key, float("nan")) for key, title in CHANCES.items()}
    return {"models": pair} | {title: ShownMetrics(p, percent(p)) for title, p in shares.items()}


def _row(made: Comparison, name: str, found: FoldMean) -> dict[str, object]:
    mean = Estimate(found.mean, made.models[name].low, made.models[name].high)
    places = decimals(mean)
    spreads = {"standard deviation": found.deviation, "standard error": found.error}
    return {
        "model": escape.visible(name),
        "mean": _shown(found.mean, places),
        **{title: _shown(value, places + 1) for title, value in spreads.items()},
        f"{made.level:.0%} interval": interval(mean),
        "folds": ShownMetrics(found.folds, str(found.folds)),
        "folds won": ShownMetrics(found.won, str(found.won)),
    }


def _shown(value: float, places: int) -> ShownMetrics:
    return ShownMetrics(value, "–" if value != value else number(value, places))


def _fold(scores: FoldScores, place: int) -> str:
    dataset, repeat, fold = scores.names[place]
    parts = (dataset, f"repeat {repeat}" if repeat else "", f"fold {fold}")
    said = ", ".join(part for part in parts if part)
    return said[:1].upper() + said[1:]


MERGED = "all folds merged"


def show(dataset: Dataset, metric: str, options: Options, *, top: DeltaGenerator) -> None:
    """Show the score of each fold, their mean and what merging the folds gives."""
    made = comparisons.over_folds(dataset, metric, options)
    if made is None or not made.mean.folds:
        guard.show_unfit("two folds or more on which the metric has a value")
        return
    with top:
        guard.headline(*finding(made))
        notices.warnings(odd_by(made.scores, f"the {made.metric.name}"))
    left, right = st.columns(2)
    with left:
        _picture(made)
    with right:
        _one_model_folds_tables(made)
    curves(dataset)


def finding(made: OverFolds) -> tuple[str, str]:
    """Return the mean over the folds with its interval, and how far merging is from it."""
    name, mean = made.metric.name, made.mean
    low, high = float(made.interval.low), float(made.interval.high)
    ends = f", 95% interval {low_to_high(number(low), number(high))}" if np.isfinite(low) else ""
    return (
        f"{name}: mean {number(mean.mean)} over {counted(mean.folds, 'fold')}{ends}",
        f"Merging the rows of all folds gives {number(made.merged)}. The interval is about models "
        "made this way from other rows of the kind; it allows for training rows that folds share.",
    )


def _picture(made: OverFolds) -> None:
    name = abbreviate(made.scores.models[0], 20)
    shown = {
        name: lessons.Rounds(
            made.scores.score[0],
            made.mean.mean,
            float(made.interval.low),
            float(made.interval.high),
        )
    }
    says = theme.Words(
        title="Each fold, and their mean",
        subtitle="A dot is a fold, the diamond the mean, the bar its 95% interval",
        x=made.metric.name,
    )
    known = {MERGED: made.merged}
    figure = figures.draw_rounds(
        theme.Scene(names=(name,), look=chart.look()), says, shown, known, height=420
    )
    chart.show(figure, figures.rounds_alt(says, shown, known), key="folds-alone")


def _one_model_folds_tables(made: OverFolds) -> None:
    scores, mean = made.scores, made.mean
    sizes = scores.n_test if scores.n_test is not None else np.full(len(scores.fold), np.nan)
    rows = [
        {
            "fold": escape.visible(fold),
            "rows": ShownMetrics(size, f"{size:,.0f}"),
            made.metric.name: _cell(value),
        }
        for fold, size, value in zip(scores.fold, sizes, scores.score[0], strict=True)
    ]
    frame = pd.DataFrame(rows, dtype=object)
    tables.show(frame.style.format(str), hide_index=True, key="each-fold",
                 alt="The score of each fold")  # fmt: skip
    guard.section("The error of the mean")
    st.caption(
        f"Standard deviation of the folds {number(mean.deviation)}; standard error "
        f"{number(mean.error)} if folds were independent, {number(made.corrected)} with the "
        "correction of Nadeau and Bengio (2003), which the interval (Student's t) is made of."
    )


def _cell(value: float) -> object:
    return ShownMetrics(value, number(value)) if np.isfinite(value) else "undefined"
