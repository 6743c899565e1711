"""Compare by all metrics: does the same model lead by every metric?"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import pandas as pd
import streamlit as st

from evalcore.comparison import results, spec
from evalcore.errors import EvalError
from evalcore.metrics.metric import Estimate
from evalcore.options import Options
from evalread.dataset import Dataset, Task
from evalview import escape, figures, text
from evalview.conclusions import of_metrics, places_of
from evalview.figures import theme
from pages.session import current, findings, link
from pages.widgets import chart, comparing, guard, inputs, notices, progress, tables


def page() -> None:
    """Show all models by several metrics, and where each stands by every one."""
    dataset = guard.need_dataset()
    top = guard.reserve("finding")
    options = current.options(dataset)
    scene = chart.of_all(dataset)
    with st.container(horizontal=True):
        metrics = pick_metrics(dataset)
        cells = pick_cells(len(scene.names) * len(metrics))
    found = judged(dataset, metrics, options)
    if not found:
        guard.show_unfit("a metric that at least two models have")
        st.stop()
    main = next(iter(found.values()))
    with top:
        guard.headline(*of_metrics(found))
        notices.warnings(main.notices)
    table(found, cells)
    pictures(scene, found)
    # How rows are decided is said below the table.
    others = [one for one in main.notices if one.code != "decisions" and one.severity != "warning"]
    notices.folded(others)


USUAL: Mapping[Task, Sequence[str]] = {
    Task.BINARY: ("roc_auc", "average_precision", "f1", "mcc", "brier"),
    Task.MULTICLASS: ("accuracy", "balanced_accuracy", "f1", "mcc"),
    Task.REGRESSION: ("rmse", "mae", "r2"),
}
MOST_METRICS = 8
"""More columns do not fit beside each other."""
MANY = 15
"""With more models one metric is shown until more are chosen: five of 60 models take 20 s."""

CELLS = {"leads": "who leads", "values": "values", "intervals": "intervals"}
"""What the cells of the table may show."""

FEW = 15
"""So many values are taken in at once; of more, marks show who leads until values are asked for."""

LETTERS = "Models that share a letter are too close to call by that metric"


def pick_metrics(dataset: Dataset) -> list[str]:
    """Show the metrics to pick from; return the keys of those picked, the first of them leading."""
    keys = comparing.offered(dataset)
    if len(keys) == 1:
        return keys
    usual = [key for key in USUAL.get(dataset.roles.task, keys) if key in keys]
    usual = usual[:1] if len(dataset.models) > MANY else usual
    link.pick_several("metrics", {key: comparing.called(key) for key in keys}, usual[:MOST_METRICS])
    picked: list[str] = st.multiselect(
        "Metrics (sorted by the first)",
        keys,
        max_selections=MOST_METRICS,
        key="metrics",
        format_func=comparing.called,
    )
    return picked or usual[:1] or keys[:1]


def pick_cells(values: int) -> str:
    """Show what the cells of so many values may show; return what they shall show."""
    usual = "values" if values <= FEW else "leads"
    return inputs.pick_one("Cells show", CELLS, key="numbers", usual=usual)


def judged(dataset: Dataset, metrics: Sequence[str], options: Options) -> findings.Verdicts:
    """Return what is concluded by each metric; a click elsewhere stops the work, to be resumed."""
    shown, found = st.empty(), {}
    for place, metric in enumerate(metrics):
        shown.progress(place / len(metrics), f"Comparing by {comparing.called(metric)}")
        if dataset.models and not comparing.in_closed_form(metric):
            with suppress(EvalError):  # said where nothing is found by any metric
                progress.drawn_one_by_one(findings.draws(dataset, metric, options))
        if (made := findings.by_metric(dataset, metric, options)) is not None:
            found[metric] = made
    shown.empty()
    return found


def table(found: findings.Verdicts, cells: str) -> None:
    """Show where every model stands by every metric, with its values or intervals as asked for."""
    order = next(iter(found.values())).order
    known = dict.fromkeys([*order, *(name for made in found.values() for name in made.models)])
    columns = {
        escape.visible(made.metric_name): _column(made, list(known), cells)
        for made in found.values()
    }
    models = pd.Series([escape.visible(name) for name in known], dtype=object)
    frame = pd.DataFrame({"model": models, **columns})
    tables.written_cell(frame, "model", key="leaderboard", alt="Every model by every metric")
    st.caption(escape.markdown(" ".join([_legend(found, cells), *_decided(found)])))


def pictures(scene: theme.Scene, found: findings.Verdicts) -> None:
    """Show who is shown to be better than whom, and the places by each metric."""
    main = next(iter(found.values()))
    left, right = st.columns(2)
    pairs = figures.draw_pairwise(scene, main)
    places = {made.metric_name: places_of(made) for made in found.values()}
    slopes = figures.draw_slopes(scene, places, "metric")
    theme.level(pairs, slopes)
    with left:
        chart.show(pairs, figures.pairwise_alt(main), key="pairwise")
    if len(found) > 1:
        with right:
            chart.show(slopes, figures.slopes_alt(places, "metric"), key="slopes-metric")


def _legend(found: findings.Verdicts, cells: str) -> str:
    made = next(iter(found.values()))
    apart = made.design is spec.Design.INDEPENDENT
    where = "each judged on its own rows" if apart else f"judged on the same {made.unit}"
    places = {place for made in found.values() for place in made.verdict.standings.values()}
    said = LETTERS if cells == "intervals" else tables.legend(places)
    return f"{said}, {where}; p values adjusted for all pairs (Holm)."


def _decided(found: findings.Verdicts) -> Iterator[str]:
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


def _column(made: results.Comparison, names: Sequence[str], cells: str) -> pd.Series:
    shown = [
        tables.ShownMetrics(
            estimate.value if (estimate := made.models.get(name)) else float("nan"),
            "" if estimate is None else _cell(made, name, estimate, cells),
        )
        for name in names
    ]
    return pd.Series(shown, dtype=object)


def _cell(made: results.Comparison, name: str, estimate: Estimate, cells: str) -> str:
    if cells == "intervals":
        letters = made.verdict.letters.get(name, "")
        return f"{text.with_interval(estimate, text.low_dash_high)} {letters}".strip()
    mark = tables.MARKS[made.verdict.standings[name]]
    return mark + text.number(estimate.value, text.decimals(estimate)) * (cells == "values")
