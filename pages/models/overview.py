"""Summary: which model is best, what it gets wrong, how sure that is, and what to do next."""

from functools import partial
from importlib import import_module
from types import ModuleType

import streamlit as st

from evalcore.comparison.results import Comparison
from evalcore.errors import Notice
from evalread.dataset import Dataset, Task
from evalview.explained import cards
from pages.session import current, findings
from pages.widgets import comparing, guard, inputs, notices, summary

PARTS = {
    Task.BINARY: "overview_binary",
    Task.MULTICLASS: "overview_classes",
    Task.REGRESSION: "overview_values",
    Task.CLUSTERING: "overview_clusters",
    Task.CORRECT: "overview_items",
}
"""The module with what the page shows, by task; imported when it is first shown."""


def page() -> None:
    """Show the verdict, the best models in counts, and where to go on; the rest when opened."""
    dataset = guard.need_dataset()
    parts = import_module(f"pages.models.{PARTS[dataset.roles.task]}")
    headline = guard.reserve("summary-verdict")
    with st.container(key="summary-choices", horizontal=True, vertical_alignment="bottom"):
        metric = _pick_metric(dataset)
        model = inputs.pick_model(dataset, side_by_side=0)
        way = summary.pick_way(dataset, model)
    order = _order(dataset, metric)
    names = cards.rows_shown(order, model)
    # Decisions are told of in a way of deciding, numbers by what they are judged by.
    by = metric if dataset.roles.task is Task.REGRESSION else way
    told = parts.told(dataset, model, names, by)
    shown = partial(summary.table, told, names, model, all_shown=len(names) == len(order))
    with st.container(key="slide-summary"):
        with (table := st.empty()).container():
            shown()
        summary.misses(told)
    steps = guard.reserve("summary-steps")

    with headline:
        found, said, known = _verdict(dataset, parts, metric)
        guard.headline(said, summary.facts(dataset, known))
    with table.container():
        shown(found=found)
    with steps:
        summary.steps(told, found, dataset)
    notices.folded(_doubts(dataset, parts, model, found))
    _more(dataset, parts, model)


def _pick_metric(dataset: Dataset) -> str:
    """Show by which metric models are judged, if there are several; return its key."""
    if len(dataset.models) < 2:
        return ""
    options = {key: PLAIN.get(key, comparing.called(key)) for key in comparing.judging(dataset)}
    return inputs.list_box("Judged by", options, key="metric", width=230)


PLAIN = {
    "roc_auc": "ranking (ROC AUC)",
    "accuracy": "rows right (accuracy)",
    "brier": "probabilities (Brier score)",
    "rmse": "large errors (RMSE)",
    "mae": "mean error (MAE)",
}
"""Metrics in the words of people who do not know them."""


def _order(dataset: Dataset, metric: str) -> tuple[str, ...]:
    """Return models or clusterings, the best first."""
    if metric:
        return findings.by_value(dataset, metric, current.options(dataset))
    names = current.names(dataset)
    if not dataset.clusterings:
        return names
    best = filter(None, (findings.best_agreeing(dataset), findings.best_apart(dataset)))
    return tuple(dict.fromkeys([*best, *names]))


def _verdict(dataset: Dataset, parts: ModuleType, metric: str) -> tuple[summary.Found, str, str]:
    """Return the comparison, the headline, and what is known besides."""
    if not metric:
        return None, *parts.alone(dataset)
    with st.spinner(f"Comparing {len(dataset.models)} models"):
        return summary.verdict(dataset, metric)


def _doubts(dataset: Dataset, parts: ModuleType, model: str, found: summary.Found) -> list[Notice]:
    """Return what must be known before trusting the numbers of a model, and the verdict."""
    told = [*dataset.notices, *findings.side_by_side(dataset), *parts.remarks(dataset, model)]
    if isinstance(found, Comparison):
        told += [one for one in found.notices if one.code in comparing.CONDITIONS]
    return list(dict.fromkeys(told))


def _more(dataset: Dataset, parts: ModuleType, model: str) -> None:
    """Show every number and the pictures, made when they are opened."""
    metrics = st.expander("All metrics", key="numbers", bind="query-params")
    pictures = st.expander(parts.PICTURES, key="curves", bind="query-params")
    if metrics.open:
        with metrics:
            parts.numbers(dataset, model)
            parts.all_models(dataset, model)
    if pictures.open:
        with pictures:
            parts.pictures(dataset, model)
