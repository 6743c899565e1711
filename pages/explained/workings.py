"""From a number back to what it is made of."""

from types import MappingProxyType

import numpy as np

from evalcore.metrics.catalog import by_key
from evalcore.metrics.spec import Estimate, Metric
from evalcore.results import ModelTables
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.residuals import ResidualMoments
from evalcore.tables.scores import ScoreTable
from pages.explained.of_matrices import OF_MATRIX, of_counts
from pages.explained.of_numbers import OF_NUMBERS
from pages.explained.of_scores import OF_CLASSES, OF_SCORES
from pages.explained.working import Working

_BEST_OF = MappingProxyType({"best_f1": "f1", "best_youden": "youden_j", "best_mcc": "mcc"})


def of_decisions(metric: Metric, confusion: ConfusionMatrix) -> Working | None:
    """Return the working of a metric of decisions; None where it is more than arithmetic."""
    if len(confusion.classes) == 2:
        return of_counts(metric, confusion.binary()) if metric.needs is BinaryCounts else None
    make = OF_MATRIX.get(metric.key)
    return None if make is None else make(confusion.counts.astype(np.float64))


def of_tables(metric: Metric, estimate: Estimate, tables: ModelTables) -> Working | None:
    """Return the working of a metric of scores, probabilities or numbers; None without one."""
    if not estimate.defined:
        return None
    if tables.scores is not None:
        return _of_scores(metric, estimate, tables.scores)
    if tables.class_scores is not None:
        of_classes = OF_CLASSES.get(metric.key)
        return None if of_classes is None else of_classes(tables.class_scores)
    if tables.numbers is not None and metric.key in OF_NUMBERS:
        numbers = tables.numbers
        moments = ResidualMoments.from_values(numbers.truth, numbers.prediction, numbers.weight)
        return OF_NUMBERS[metric.key](moments)
    return None


def _of_scores(metric: Metric, estimate: Estimate, table: ScoreTable) -> Working | None:
    if estimate.at is not None and metric.key in _BEST_OF:
        found = of_counts(by_key()[_BEST_OF[metric.key]], table.at(estimate.at))
        return found and Working(found.formula, found.values, estimate.at)
    make = OF_SCORES.get(metric.key)
    return None if make is None else make(metric, table)
