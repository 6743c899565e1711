"""Leaderboard: how do all models stand, by every metric?"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import pandas as pd
import streamlit as st

from evalcore.comparison.from_folds import Ranked, ranked
from evalcore.comparison.results import Comparison
from evalcore.comparison.spec import Design
from evalcore.errors import EvalError
from evalcore.metrics.metric import Better
from evalcore.options import Options
from evalcore.outcomes import FoldScores
from evalread.dataset import Dataset, Task
from pages import figures, text
from pages.escape import markdown, visible
from pages.figures.theme import Scene
from pages.session import comparisons, current, link
from pages.session.comparisons import Verdicts
from pages.widgets import chart as chart_widgets, comparing, guard
from pages.widgets.chart import chart
from pages.widgets.comparing import called, in_closed_form, offered
from pages.widgets.guard import headline
from pages.widgets.notices import remarks, warnings
from pages.widgets.progress import drawn_one_by_one
from pages.widgets.tables import ShownMetrics, written_cell


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
        headline(*comparing.finding(main))
        warnings(main.notices)
    scene = chart_widgets.of_all(dataset)
    table(found)
    folds = comparisons.fold_scores(dataset, next(iter(found)), options)
    pictures(scene, found, folds)
    # How rows are decided is said below the table.
    remarks([notice for notice in main.notices if notice.code != "decisions"])


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
    keys = offered(dataset)
    if len(keys) == 1:
        return keys
    usual = [key for key in USUAL.get(dataset.roles.task, keys) if key in keys]
    usual = usual[:1] if len(dataset.models) > MANY else usual
    link.pick_several("metrics", {key: called(key) for key in keys}, usual[:MOST_METRICS])
    picked: list[str] = st.multiselect(
        "Metrics, the first decides the order",
        keys,
        max_selections=MOST_METRICS,
        key="metrics",
        format_func=called,
    )
    return picked or usual[:1] or keys[:1]


def judged(dataset: Dataset, metrics: Sequence[str], options: Options) -> Verdicts:
    """Return what is concluded by each metric; a click elsewhere stops the work, to be resumed."""
    shown, found = st.empty(), {}
    for place, metric in enumerate(metrics):
        shown.progress(place / len(metrics), f"Comparing by {called(metric)}")
        if dataset.models and not in_closed_form(metric):
            with suppress(EvalError):  # said where nothing is found by any metric
                drawn_one_by_one(comparisons.draws(dataset, metric, options))
        found |= comparisons.verdicts(dataset, [metric], options)
    shown.empty()
    return found


def table(found: Verdicts) -> None:
    """Show every model by every metric, with intervals and letters."""
    order = next(iter(found.values())).order
    known = dict.fromkeys([*order, *(name for made in found.values() for name in made.models)])
    columns = {visible(made.metric_name): _column(made, list(known)) for made in found.values()}
    models = pd.Series([visible(name) for name in known], dtype=object)
    frame = pd.DataFrame({"model": models, **columns})
    written_cell(
        frame,
        "model",
        key="leaderboard",
        alt="Every model by every metric, with intervals and letters",
    )
    st.caption(markdown(" ".join([_legend(found), *_decided(found)])))


def pictures(scene: Scene, found: Verdicts, scores: FoldScores | None) -> None:
    """Show who beats whom for sure, and the places by each metric and on each fold or data set."""
    main = next(iter(found.values()))
    shown = [
        lambda: chart(
            figures.draw_pairwise(scene, main), figures.pairwise_alt(main), key="pairwise"
        )
    ]
    if len(found) > 1:
        places = {made.metric_name: _places(made) for made in found.values()}
        shown.append(lambda: _slopes(scene, places, "metric"))
    by_rank = None if scores is None or len(scores.models) < 3 else ranked(scores, main.level)
    if scores is not None and by_rank is not None and by_rank.n > 1:
        told = figures.draw_ranks(scene, by_rank), figures.ranks_alt(by_rank)
        shown.append(lambda: chart(*told, key="ranks"))
        places_by_block = _by_block(by_rank)
        shown.append(lambda: _slopes(scene, places_by_block, by_rank.unit.removesuffix("s")))
    for start in range(0, len(shown), 2):
        for column, draw in zip(st.columns(2), shown[start : start + 2], strict=False):
            with column:
                draw()
    if by_rank is not None and by_rank.unit == "folds":
        st.caption(OVER_FOLDS)


def _slopes(scene: Scene, places: figures.Places, by: str) -> None:
    chart(
        figures.draw_slopes(scene, places, by), figures.slopes_alt(places, by), key=f"slopes-{by}"
    )


def _legend(found: Verdicts) -> str:
    made = next(iter(found.values()))
    apart = made.design is Design.INDEPENDENT
    where = "each judged on rows of its own" if apart else f"judged on the same {made.unit}"
    return LEGEND.format(where=where)


def _decided(found: Verdicts) -> Iterator[str]:
    """Say how rows were decided, for the metrics that judge decisions."""
    told: dict[str, list[str]] = {}
    for made in found.values():
        for notice in made.notices:
            if notice.code == "decisions":
                told.setdefault(notice.message, []).append(visible(made.metric_name))
    return (
        f"{', '.join(names)}: {message[:1].lower()}{visible(message[1:])}"
        for message, names in told.items()
    )


def _column(made: Comparison, names: Sequence[str]) -> pd.Series:
    marks = made.verdict.letters
    cells = [
        ShownMetrics(
            e.value, f"{text.with_interval(e, text.low_dash_high)} {marks.get(name, '')}".strip()
        )
        if (e := made.models.get(name)) is not None
        else ShownMetrics(float("nan"), "")
        for name in names
    ]
    return pd.Series(cells, dtype=object)


def _places(made: Comparison) -> Mapping[str, float]:
    """Return the place of each model; equal values share their mean place."""
    values = pd.Series({name: e.value for name, e in made.models.items()}, dtype=float)
    rank = values.rank(ascending=made.better is Better.LOWER)
    return {str(name): float(place) for name, place in rank.items()}


def _by_block(made: Ranked) -> figures.Places:
    return {name: dict(zip(made.order, p, strict=True)) for name, p in made.places.items()}
