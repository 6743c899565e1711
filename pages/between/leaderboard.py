"""Leaderboard: how do all models stand, by every metric?"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import pandas as pd
import streamlit as st

from evalcore.comparison import from_folds, results, spec
from evalcore.errors import EvalError
from evalcore.metrics.metric import Better
from evalcore.options import Options
from evalcore.outcomes import FoldScores
from evalread.dataset import Dataset, Task
from pages import escape, figures, text
from pages.figures.theme import Scene
from pages.session import comparisons, current, link
from pages.widgets import chart, comparing, guard, notices, progress, tables


def page() -> None:
    """Show all models by several metrics, and where each stands by every one."""
    dataset = guard.need_dataset()
    top = st.container()
    options = current.options(dataset)
    metrics = pick_metrics(dataset)
    found = judged(dataset, metrics, options)
    if not found:
        guard.show_unfit("a metric that two models or more give")
        st.stop()
    main = next(iter(found.values()))
    with top:
        guard.headline(*comparing.finding(main))
        notices.warnings(main.notices)
    scene = chart.of_all(dataset)
    table(found)
    folds = comparisons.fold_scores(dataset, next(iter(found)), options)
    pictures(scene, found, folds)
    # How rows are decided is said below the table.
    notices.remarks([notice for notice in main.notices if notice.code != "decisions"])


USUAL: Mapping[Task, Sequence[str]] = {
    Task.BINARY: ("roc_auc", "average_precision", "f1", "mcc", "brier"),
    Task.MULTICLASS: ("accuracy", "balanced_accuracy", "f1", "mcc"),
    Task.REGRESSION: ("rmse", "mae", "r2"),
}
MOST_METRICS = 8
"""More columns do not fit beside each other."""
MANY = 60
"""With more models, one metric is shown until more are chosen."""

LEGEND = (
    "Models with a letter in common cannot be told apart by that metric, {where}; p values "
    "adjusted for all pairs (Holm)."
)
OVER_FOLDS = (
    "Folds of one data set share training rows, so that this test is too sure of itself; it is "
    "made for scores on several data sets."
)


def pick_metrics(dataset: Dataset) -> list[str]:
    """Show the metrics to pick from; return the keys of those picked, the first of them leading."""
    keys = comparing.offered(dataset)
    if len(keys) == 1:
        return keys
    usual = [key for key in USUAL.get(dataset.roles.task, keys) if key in keys]
    usual = usual[:1] if len(dataset.models) > MANY else usual
    link.pick_several("metrics", {key: comparing.called(key) for key in keys}, usual[:MOST_METRICS])
    picked: list[str] = st.multiselect(
        "Metrics, the first decides the order",
        keys,
        max_selections=MOST_METRICS,
        key="metrics",
        format_func=comparing.called,
    )
    return picked or usual[:1] or keys[:1]


def judged(dataset: Dataset, metrics: Sequence[str], options: Options) -> comparisons.Verdicts:
    """Return what is concluded by each metric; a click elsewhere stops the work, to be resumed."""
    shown, found = st.empty(), {}
    for place, metric in enumerate(metrics):
        shown.progress(place / len(metrics), f"Comparing by {comparing.called(metric)}")
        if dataset.models and not comparing.in_closed_form(metric):
            with suppress(EvalError):  # said where nothing is found by any metric
                progress.drawn_one_by_one(comparisons.draws(dataset, metric, options))
        found |= comparisons.verdicts(dataset, [metric], options)
    shown.empty()
    return found


def table(found: comparisons.Verdicts) -> None:
    """Show every model by every metric, with intervals and letters."""
    order = next(iter(found.values())).order
    known = dict.fromkeys([*order, *(name for made in found.values() for name in made.models)])
    columns = {
        escape.visible(made.metric_name): _column(made, list(known)) for made in found.values()
    }
    models = pd.Series([escape.visible(name) for name in known], dtype=object)
    frame = pd.DataFrame({"model": models, **columns})
    tables.written_cell(
        frame,
        "model",
        key="leaderboard",
        alt="Every model by every metric, with intervals and letters",
    )
    st.caption(escape.markdown(" ".join([_legend(found), *_decided(found)])))


def pictures(scene: Scene, found: comparisons.Verdicts, scores: FoldScores | None) -> None:
    """Show who beats whom for sure, and the places by each metric and on each fold or data set."""
    main = next(iter(found.values()))
    shown = [
        lambda: chart.show(
            figures.draw_pairwise(scene, main), figures.pairwise_alt(main), key="pairwise"
        )
    ]
    if len(found) > 1:
        places = {made.metric_name: _places(made) for made in found.values()}
        shown.append(lambda: _slopes(scene, places, "metric"))
    ranked = scores is not None and len(scores.models) > 2
    by_rank = from_folds.ranked(scores, main.level) if ranked else None
    if by_rank is not None and by_rank.n > 1:
        told = figures.draw_ranks(scene, by_rank), figures.ranks_alt(by_rank)
        shown.append(lambda: chart.show(*told, key="ranks"))
        places_by_block = _by_block(by_rank)
        shown.append(lambda: _slopes(scene, places_by_block, by_rank.unit.removesuffix("s")))
    for start in range(0, len(shown), 2):
        for column, draw in zip(st.columns(2), shown[start : start + 2], strict=False):
            with column:
                draw()
    if by_rank is not None and by_rank.unit == "folds":
        st.caption(OVER_FOLDS)


def _slopes(scene: Scene, places: figures.Places, by: str) -> None:
    chart.show(
        figures.draw_slopes(scene, places, by), figures.slopes_alt(places, by), key=f"slopes-{by}"
    )


def _legend(found: comparisons.Verdicts) -> str:
    made = next(iter(found.values()))
    apart = made.design is spec.Design.INDEPENDENT
    where = "each judged on rows of its own" if apart else f"judged on the same {made.unit}"
    return LEGEND.format(where=where)


def _decided(found: comparisons.Verdicts) -> Iterator[str]:
    """Say how rows were decided, for the metrics that judge decisions."""
    told: dict[str, list[str]] = {}
    for made in found.values():
        for notice in made.notices:
            if notice.code == "decisions":
                told.setdefault(notice.message, []).append(escape.visible(made.metric_name))
    return (
        f"{', '.join(names)}: {message[:1].lower()}{escape.visible(message[1:])}"
        for message, names in told.items()
    )


def _column(made: results.Comparison, names: Sequence[str]) -> pd.Series:
    marks = made.verdict.letters
    cells = [
        tables.ShownMetrics(
            e.value, f"{text.with_interval(e, text.low_dash_high)} {marks.get(name, '')}".strip()
        )
        if (e := made.models.get(name)) is not None
        else tables.ShownMetrics(float("nan"), "")
        for name in names
    ]
    return pd.Series(cells, dtype=object)


def _places(made: results.Comparison) -> Mapping[str, float]:
    """Return the place of each model; equal values share their mean place."""
    values = pd.Series({name: e.value for name, e in made.models.items()}, dtype=float)
    rank = values.rank(ascending=made.better is Better.LOWER)
    return {str(name): float(place) for name, place in rank.items()}


def _by_block(made: from_folds.Ranked) -> figures.Places:
    return {name: dict(zip(made.order, p, strict=True)) for name, p in made.places.items()}
