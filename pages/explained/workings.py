"""From a number back to what it is made of."""

from collections.abc import Callable, Mapping
from math import isnan
from types import MappingProxyType

import numpy as np

from evalcore.metrics.catalog import by_key
from evalcore.metrics.metric import Estimate, Family, Metric
from evalcore.outcomes import NumericOutcomes
from evalcore.results import ClusteringEvaluation, ModelTables
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.residuals import ResidualMoments
from evalcore.tables.scores import ScoreTable, shortest
from pages.explained.arithmetic import Working
from pages.explained.of_scores import OF_CURVES, OF_PROBABILITIES, OF_SCORES

_BEST_OF = MappingProxyType({"best_f1": "f1", "best_youden": "youden_j", "best_mcc": "mcc"})

OF_TABLE: Mapping[str, Callable[[Metric, ScoreTable], Working]] = MappingProxyType(
    {**OF_SCORES, **OF_CURVES, **OF_PROBABILITIES}
)
"""The workings of all numbers of a score table, by key."""


def of_decisions(metric: Metric, confusion: ConfusionMatrix) -> Working | None:
    """Return the working of a metric of decisions; None where it is more than arithmetic."""
    from pages.explained.of_matrices import OF_MATRIX, of_chance, of_counts

    counts = confusion.counts.astype(np.float64)
    if len(confusion.classes) > 2:
        make = OF_MATRIX.get(metric.key)
        return None if make is None else make(counts)
    if metric.needs is not BinaryCounts:
        return None
    return (
        of_chance(counts)
        if metric.key == "accuracy_p_value"
        else of_counts(metric, confusion.binary())
    )


def of_tables(metric: Metric, estimate: Estimate, tables: ModelTables) -> Working | None:
    """Return the working of a metric of scores, probabilities or numbers; None without one."""
    from pages.explained.of_scores import OF_CLASSES

    if not estimate.defined:
        return None
    if tables.scores is not None:
        return of_scores(metric, estimate, tables.scores)
    if tables.class_scores is not None:
        of_classes = OF_CLASSES.get(metric.key)
        return None if of_classes is None else of_classes(metric, tables.class_scores)
    return None if tables.numbers is None else _of_numbers(metric.key, tables.numbers)


def of_scores(metric: Metric, estimate: Estimate, table: ScoreTable) -> Working | None:
    """Return the working of a metric of a score table, that of a class against the rest too."""
    from pages.explained.of_matrices import of_counts

    if estimate.at is not None and metric.key in _BEST_OF:
        found = of_counts(by_key()[_BEST_OF[metric.key]], table.at(estimate.at))
        return found and Working(found.formula, found.values, shortest(table, estimate.at))
    make = OF_TABLE.get(metric.key)
    return None if make is None else make(metric, table)


def of_clustering(metric: Metric, estimate: Estimate, made: ClusteringEvaluation) -> Working | None:
    """Return the working of a metric of a clustering; None without one."""
    from pages.explained.of_matrices import of_agreement, of_points

    if not estimate.defined:
        return None
    if metric.family is Family.POINTS:
        return of_points(metric, made)
    found = None if made.contingency is None else of_agreement(metric, made.contingency)
    # With one class or one cluster a value is set by convention, and 0 / 0 leads to none.
    return None if found is None or isnan(found.result) else found


def _of_numbers(key: str, numbers: NumericOutcomes) -> Working | None:
    from pages.explained.of_numbers import OF_NUMBERS, OF_ROWS, first_rows

    if key in OF_ROWS:
        made = OF_ROWS[key](numbers)
    elif key in OF_NUMBERS:
        made = OF_NUMBERS[key](ResidualMoments.of(numbers))
    else:
        return None
    rows = first_rows(numbers, key)
    return made if rows is None else made.of_parts(rows)
