"""What stands behind a number of the data looked at: its working, and where it is found."""

import streamlit as st

from evalcore.intake.model import Dataset
from evalcore.metrics.spec import Estimate, Metric
from evalcore.results import ModelTables
from pages.explained import workings
from pages.explained.snippets import Place
from pages.explained.working import Working
from pages.session import computed, current

DAY = 24 * 3600

ROUNDING = 1e-5
"""Probabilities that sum to 1 but for so much are taken to do so, as scikit-learn takes them."""


def working(
    dataset: Dataset, model: str, where: str, metric: Metric, estimate: Estimate
) -> Working | None:
    """Return how a number is worked out; `where` is its group, "ranking" or "decisions.labels"."""
    _, _, way = where.partition(".")
    if way:
        made = computed.decisions(dataset, model, current.threshold(dataset))[way]
        return workings.of_decisions(metric, made.confusion)
    tables = computed.tables(dataset)[model]
    return _of_tables(dataset.digest, model, metric.key, metric, estimate, tables)


def place(dataset: Dataset, model: str, where: str) -> Place:
    """Return where the numbers of a group are found."""
    group, _, way = where.partition(".")
    scores = computed.tables(dataset)[model].class_scores
    return Place(
        files=tuple(current.file_names()),
        choices=current.view().choices,
        model=model,
        group=group,
        way=way,
        threshold=current.threshold(dataset),
        classes=len(dataset.classes),
        weighted=dataset.models[model].weight is not None,
        sums=scores is None or scores.largest_gap < ROUNDING,
    )


def clustering_place(dataset: Dataset, name: str, group: str) -> Place:
    """Return where the numbers of a clustering are found; `group` is "points" or "agreement"."""
    return Place(
        files=tuple(current.file_names()),
        choices=current.view().choices,
        model=name,
        group=group,
        threshold=current.threshold(dataset),
        classes=0,
        among="clusterings",
    )


@st.cache_resource(max_entries=400, ttl=DAY, show_spinner=False)
def _of_tables(
    digest: str, model: str, key: str, _metric: Metric, _estimate: Estimate, _tables: ModelTables
) -> Working | None:
    return workings.of_tables(_metric, _estimate, _tables)
