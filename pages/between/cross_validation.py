"""Compare by folds: would a method be better if its models were retrained?"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.comparison import from_folds
from evalcore.comparison.candidates import FoldMean, fold_means
from evalcore.comparison.results import Comparison, TestedPair
from evalcore.errors import Notice
from evalcore.metrics.metric import Estimate
from evalcore.metrics.ranking import ROC_AUC
from evalcore.options import Options
from evalcore.predictions import FoldScores
from evalcore.tables.scores import ScoreTable
from evalcore.text import counted
from evalread.dataset import Dataset, Task
from evalview import escape, figures, words
from evalview.figures import folds, lessons, theme
from evalview.text import MINUS, abbreviate, decimals, interval, low_to_high, number, percent, size
from pages.session import computed, current, findings
from pages.widgets import chart, comparing, guard, inputs, notices, tables
from pages.widgets.comparing import BAYES
from pages.widgets.tables import ShownMetrics, below_headings, roomy, written_cell


def page() -> None:
    """Show the scores of models fold by fold, their means, the tests over folds, and curves."""
    dataset = guard.need_dataset()
    top, choices = guard.top_and_choices()
    options = current.options(dataset)
    with choices:
        metric = comparing.pick_metric(dataset)
    if len(dataset.models) == 1:
        show(dataset, metric, options, top=top)
        st.stop()
    scores = findings.fold_scores(dataset, metric, options)
    made = findings.of_folds(dataset, metric, options, None)
    if made is None or scores is None:
        guard.show_unfit("at least two folds on which the metric has a value")
        st.stop()
    told = [*made.notices, *odd(scores, made)]
    with top:
        if dataset.models:
            guard.headline(*comparing.reasons(made))
            st.caption(TWO_QUESTIONS)
        else:
            guard.headline(*comparing.verdict(made))
        notices.warnings(told)
    scene = chart.of_all(dataset)
    fold_by_fold(scene, made, scores)
    ranks(scene, made, scores)
    comparing.tests(made, of_rows=False)
    means(made, scores)
    likely(dataset, metric, made, scores)
    curves(dataset)
    notices.remarks(told)


CHANCES = {
    "first_better": "the first is better",
    "practically_equal": "no difference",
    "second_better": "the second is better",
}
TWO_QUESTIONS = (
    "Rows: are these predictions better? Folds: would the method be better if retrained? The two "
    "answers may differ."
)

HEIGHT = 340
"""Height of the figure of folds, which the one beside it shares."""

POOLING = (
    "Pooling assumes scores are comparable across folds; averaging does not. If the two "
    "differ much, the folds are on different scales."
)


def fold_by_fold(scene: theme.Scene, made: Comparison, scores: FoldScores) -> None:
    """Show what each model scored on each fold, pairs joined, and how far models are apart."""
    left, right = st.columns(2)
    with left:
        figure = figures.draw_fold_scores(scene, scores, made.metric_name, made.better)
        chart.show(
            figure, figures.fold_scores_alt(scores, made.metric_name, made.better), key="folds"
        )
    with right:
        comparing.apart(scene, made, height=HEIGHT)


def means(made: Comparison, scores: FoldScores) -> None:
    """Show the mean of each model with its errors, and how many folds it won, tied and lost."""
    with st.expander("Means over the folds; folds won, tied and lost", key="fold-means"):
        found = fold_means(scores, made.better)
        rows = [_row(made, name, found[name]) for name in made.order]
        written_cell(rows, "model", key="means", alt="Means over the folds")
        st.caption(
            "The standard error assumes independent folds; the interval allows for the training "
            "rows that they share. A fold is tied if several models share the best value."
        )


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
        for one in folds.odd_folds(scores)
    ]


def ranks(scene: theme.Scene, made: Comparison, scores: FoldScores) -> None:
    """Show the mean ranks of models over data sets, and their places on each."""
    if made.unit != "data sets" or len(scores.models) < 3:
        return
    found = from_folds.ranked(scores, made.level)
    places = folds.places_by_block(found)
    left, right = st.columns(2)
    with left:
        chart.show(figures.draw_ranks(scene, found), figures.ranks_alt(found), key="ranks")
    with right:
        figure = figures.draw_slopes(scene, places, "data set")
        chart.show(figure, figures.slopes_alt(places, "data set"), key="slopes-data set")


def likely(dataset: Dataset, metric: str, made: Comparison, scores: FoldScores) -> None:
    """Offer how likely each of two models is better by more than makes a difference."""
    from evalcore.compare import default_fold_rope

    if not any(tested.test == BAYES for tested in made.tests):
        return
    part = guard.opened("How likely is a difference that matters?", key="likely-difference")
    if part is None:
        return
    with part:
        rope = comparing.pick_rope(default_fold_rope(scores), metric)
        asked = findings.of_folds(dataset, metric, current.options(dataset), rope) or made
        rows = [_chances(asked, one) for one in asked.tests if one.test == BAYES]
        frame = pd.DataFrame(rows, dtype=object)
        tables.show(
            frame.style.format(str),
            hide_index=True,
            column_config={**below_headings(frame), "models": roomy(frame["models"])},
            key="likely",
            alt="How likely a difference that matters is, for each pair of models",
        )
        st.caption(
            f"Probability of being better by more than {size(rope)}, with a flat "
            "prior (Bayesian "
            "correlated t)."
        )


def curves(dataset: Dataset) -> None:
    """Offer the ROC curve of each fold, of all folds pooled, and their mean, for one model."""
    if dataset.roles.task is not Task.BINARY or dataset.fold is None:
        return
    if part := guard.opened("ROC, fold by fold", key="fold-roc"):
        with part:
            _curves(dataset)


def _curves(dataset: Dataset) -> None:
    model = inputs.pick_model(dataset)
    tables, whole = _cross_validation_tables(dataset, model), computed.tables(dataset)[model].scores
    who = words.at_start(words.spoken(dataset, model))
    if whole is None or len(tables) < 2:
        st.caption(escape.markdown(f"{who} gives no scores on at least two folds."))
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
    st.caption(POOLING)


def _cross_validation_tables(dataset: Dataset, model: str) -> Mapping[str, ScoreTable]:
    found = computed.tables(dataset)[model].folds
    return {
        f"fold {name}": part.scores
        for name, part in found.items()
        if part.scores is not None and part.scores.positives and part.scores.negatives
    }


def _chances(made: Comparison, tested: TestedPair) -> dict[str, object]:
    found = dict(tested.finding.details)
    one, other, turned = comparing.in_order(made, tested)
    pair = f"{escape.visible(one)} {MINUS} {escape.visible(other)}"
    titles = dict(zip(CHANCES, [*CHANCES.values()][:: -1 if turned else 1], strict=True))
    shares = {title: found.get(key, float("nan")) for key, title in titles.items()}
    shares = {title: shares[title] for title in CHANCES.values()}
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
        "folds won": ShownMetrics(found.won, str(found.won)),
        "tied": ShownMetrics(found.tied, str(found.tied)),
        "lost": ShownMetrics(found.lost, str(found.lost)),
    }


def _shown(value: float, places: int) -> ShownMetrics:
    return ShownMetrics(value, "–" if value != value else number(value, places))


def _fold(scores: FoldScores, place: int) -> str:
    dataset, repeat, fold = scores.names[place]
    parts = (dataset, f"repeat {repeat}" if repeat else "", f"fold {fold}")
    said = ", ".join(part for part in parts if part)
    return said[:1].upper() + said[1:]


POOLED = "all folds pooled"


def show(dataset: Dataset, metric: str, options: Options, *, top: DeltaGenerator) -> None:
    """Show the score of each fold, their mean and what pooling the folds gives."""
    made = findings.over_folds(dataset, metric, options)
    if made is None or not made.mean.folds:
        guard.show_unfit("at least two folds on which the metric has a value")
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


def finding(made: folds.OverFolds) -> tuple[str, str]:
    """Return the mean over the folds with its interval, and what pooling gives."""
    name, mean = made.metric.name, made.mean
    low, high = float(made.interval.low), float(made.interval.high)
    ends = f", 95% interval {low_to_high(number(low), number(high))}" if np.isfinite(low) else ""
    return (
        f"{name}: mean {number(mean.mean)} over {counted(mean.folds, 'fold')}{ends}",
        f"Pooling the rows of all folds gives {number(made.merged)}. The interval is for models "
        "retrained this way on rows like these; it allows for the training rows that folds share.",
    )


def _picture(made: folds.OverFolds) -> None:
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
    known = {POOLED: made.merged}
    figure = figures.draw_rounds(
        theme.Scene(names=(name,), look=chart.look()), says, shown, known, height=420
    )
    chart.show(figure, figures.rounds_alt(says, shown, known), key="folds-alone")


def _one_model_folds_tables(made: folds.OverFolds) -> None:
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
    guard.section("Standard error of the mean")
    st.caption(
        f"{number(made.corrected)} with the correction of Nadeau and Bengio (2003), on which the "
        f"interval (Student's t) rests; {number(mean.error)} if folds were independent. Standard "
        f"deviation of the folds {number(mean.deviation)}."
    )


def _cell(value: float) -> object:
    return ShownMetrics(value, number(value)) if np.isfinite(value) else "undefined"
