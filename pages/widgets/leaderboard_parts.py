"""The leaderboard, part by part."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from evalcore.comparison.letters import letters
from evalcore.comparison.ranked import ranked
from evalcore.comparison.results import Comparison
from evalcore.fold_scores import FoldScores
from evalcore.intake.model import Dataset, Task
from evalcore.metrics.spec import Better
from evalcore.options import Options
from pages.escape import visible
from pages.figures import pairwise, slopes, words
from pages.figures import ranks as rank_figure
from pages.figures.scene import Scene
from pages.session import rivals
from pages.session.rivals import Verdicts
from pages.widgets.chart import chart
from pages.widgets.comparison_metric import called, offered
from pages.widgets.metric_table import Shown

USUAL: Mapping[Task, Sequence[str]] = {
    Task.BINARY: ("roc_auc", "average_precision", "f1", "mcc", "brier"),
    Task.MULTICLASS: ("accuracy", "balanced_accuracy", "f1", "mcc"),
    Task.REGRESSION: ("rmse", "mae", "r2"),
}
MOST_METRICS = 8
LEGEND = (
    "Models with a letter in common cannot be told apart by that metric: on the same rows, "
    "p values adjusted for all pairs (Holm)."
)
OVER_FOLDS = (
    "Folds of one data set share training rows, so that this test is too sure of itself; it is "
    "made for scores on several data sets."
)


def pick_metrics(dataset: Dataset) -> list[str]:
    """Show the metrics to pick from; return the keys of those picked, the first of them leading."""
    keys = offered(dataset)
    usual = [key for key in USUAL.get(dataset.roles.task, keys) if key in keys]
    picked: list[str] = st.multiselect(
        "Metrics, the first decides the order",
        keys,
        default=usual[:MOST_METRICS],
        max_selections=MOST_METRICS,
        key="metrics",
        bind="query-params",
        format_func=called,
    )
    return picked or usual[:1] or keys[:1]


def judged(dataset: Dataset, metrics: Sequence[str], options: Options) -> Verdicts:
    """Return what is concluded by each metric; a click elsewhere stops the work, to be resumed."""
    shown, found = st.empty(), {}
    for place, metric in enumerate(metrics):
        shown.progress(place / len(metrics), f"Comparing by {called(metric)}")
        found |= rivals.verdicts(dataset, [metric], options)
    shown.empty()
    return found


def table(found: Verdicts) -> None:
    """Show every model by every metric, with intervals and letters."""
    order = next(iter(found.values())).standing.order
    known = dict.fromkeys([*order, *(name for made in found.values() for name in made.models)])
    columns = {made.metric_name: _column(made, list(known)) for made in found.values()}
    names = pd.Series([visible(name) for name in known], dtype=object)
    frame = pd.DataFrame({"model": names, **columns})
    st.dataframe(
        frame.style.format(str),
        hide_index=True,
        column_config={"model": st.column_config.Column(pinned=True)},
        key="leaderboard",
        alt="Every model by every metric, with intervals and letters",
    )
    st.caption(LEGEND)


def pictures(scene: Scene, found: Verdicts) -> None:
    """Show who surely beats whom by the first metric, and places by one metric after the other."""
    main = next(iter(found.values()))
    left, right = st.columns(2) if len(found) > 1 else (st.container(), None)
    with left:
        chart(pairwise.draw(scene, main), pairwise.alt(main), key="pairwise")
    if right is not None:
        places = {made.metric_name: _places(made) for made in found.values()}
        with right:
            chart(slopes.draw(scene, places, "metric"), slopes.alt(places, "metric"), key="slopes")


def ranks(scene: Scene, scores: FoldScores | None, main: Comparison) -> None:
    """Show mean ranks over data sets, or folds, and which models lie too near each other."""
    if scores is None or len(scores.models) < 3:
        return
    made = ranked(scores, main.level)
    if made.n < 2:
        return
    left, right = st.columns(2)
    with left:
        chart(rank_figure.draw(scene, made), rank_figure.alt(made), key="ranks")
        if made.unit == "folds":
            st.caption(OVER_FOLDS)
    with right:
        places = _fold_places(scores, main.better)
        chart(slopes.draw(scene, places, "fold"), slopes.alt(places, "fold"), key="fold-slopes")


def _column(made: Comparison, names: Sequence[str]) -> pd.Series:
    marks = letters(made)
    cells = [
        Shown(e.value, f"{words.with_interval(e)} {marks.get(name, '')}".strip())
        if (e := made.models.get(name)) is not None
        else Shown(float("nan"), "")
        for name in names
    ]
    return pd.Series(cells, dtype=object)


def _places(made: Comparison) -> Mapping[str, float]:
    """Return the place of each model; equal values share their mean place."""
    return _ranked({name: e.value for name, e in made.models.items()}, made.better)


def _fold_places(scores: FoldScores, better: Better) -> Mapping[str, Mapping[str, float]]:
    found = {}
    for place, name in enumerate(scores.names):
        values = dict(zip(scores.models, scores.score[:, place].tolist(), strict=True))
        found["·".join(filter(None, name))] = _ranked(values, better)
    return found


def _ranked(values: Mapping[str, float], better: Better) -> Mapping[str, float]:
    rank = pd.Series(values, dtype=float).rank(ascending=better is Better.LOWER)
    return {str(name): float(place) for name, place in rank.items()}
