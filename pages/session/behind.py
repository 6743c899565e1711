"""What stands behind a number of the data looked at: its working, and where it is found."""

from typing import NamedTuple

import streamlit as st

from evalcore.intake.model import Dataset
from evalcore.metrics.calibration import ECE
from evalcore.metrics.calibration_tests import SPIEGELHALTER_P
from evalcore.metrics.spec import Estimate, Metric
from evalcore.options import Options
from evalcore.results import ModelTables
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.tables.reliability import ReliabilityTable
from pages.explained import workings
from pages.explained.of_matrices import of_average, of_class
from pages.explained.of_probabilities import of_bins
from pages.explained.snippets import Place
from pages.explained.working import Working
from pages.session import computed, current

DAY = 24 * 3600

ROUNDING = 1e-5
"""Probabilities that sum to 1 but for so much are taken to do so, as scikit-learn takes them."""


class Part(NamedTuple):
    """Where a number of a class, or an average over classes, is found.

    Attributes:
        model: Whose it is.
        where: "ranking" or, say, "decisions.labels".
        name: The class, or the name of the average.
    """

    model: str
    where: str
    name: str


def working(
    dataset: Dataset, model: str, where: str, metric: Metric, estimate: Estimate
) -> Working | None:
    """Return how a number is worked out; `where` is its group, "ranking" or "decisions.labels"."""
    _, _, way = where.partition(".")
    if way:
        made = computed.decisions(dataset, model, current.threshold(dataset, model))[way]
        return workings.of_decisions(metric, made.confusion)
    tables = computed.tables(dataset)[model]
    return _of_tables(dataset.digest, model, metric.key, metric, estimate, tables)


def clustering_working(
    dataset: Dataset, name: str, metric: Metric, estimate: Estimate
) -> Working | None:
    """Return how a number of a clustering is worked out."""
    return workings.of_clustering(metric, estimate, computed.clustering(dataset, name))


def average_working(dataset: Dataset, part: Part, metric: Metric) -> Working | None:
    """Return how a mean over classes is worked out."""
    return of_average(metric, _confusion(dataset, part), part.name)


def class_working(
    dataset: Dataset, part: Part, metric: Metric, estimate: Estimate
) -> Working | None:
    """Return how a number of one class against all others is worked out."""
    code = dataset.classes.index(part.name)
    if part.where != "ranking":
        return of_class(metric, _confusion(dataset, part), code)
    scores = computed.tables(dataset)[part.model].class_scores
    table = None if scores is None else scores.one_vs_rest[code]
    return None if table is None else workings.of_scores(metric, estimate, table)


def calibration_working(
    dataset: Dataset, part: Part, metric: Metric, estimate: Estimate, options: Options
) -> Working | None:
    """Return how a number of a class's probabilities is worked out; None of adjusted p values.

    `part.name` is "" for the likeliest class of each row.
    """
    scores = computed.tables(dataset)[part.model].class_scores
    if scores is None or not estimate.defined or metric.key == SPIEGELHALTER_P.key:
        return None
    each = dict(zip(scores.classes, scores.one_vs_rest, strict=True))
    table = each[part.name] if part.name else scores.top_label
    if table is None:
        return None
    if metric is ECE:
        return of_bins(ReliabilityTable.from_scores(table, options.bins, options.binning))
    return workings.of_scores(metric, estimate, table)


def _confusion(dataset: Dataset, part: Part) -> ConfusionMatrix:
    _, _, way = part.where.partition(".")
    at = current.threshold(dataset, part.model)
    return computed.decisions(dataset, part.model, at)[way].confusion


def place(dataset: Dataset, model: str, where: str, part: str = "") -> Place:
    """Return where the numbers of a group are found; `part` as `Place` has it."""
    group, _, way = where.partition(".")
    scores = computed.tables(dataset)[model].class_scores
    return Place(
        files=tuple(current.file_names()),
        choices=current.view().choices,
        model=model,
        group=group,
        way=way,
        threshold=current.threshold(dataset, model),
        classes=len(dataset.classes),
        weighted=dataset.models[model].weight is not None,
        sums=scores is None or scores.largest_gap < ROUNDING,
        part=part,
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
