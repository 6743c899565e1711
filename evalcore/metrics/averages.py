"""One number for K classes: the mean over classes, or the metric of their summed counts.

A class counts when it has rows or was decided; a class whose metric is undefined is left out, and
`Average` says how many took part.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from evalcore.metrics.f_measure import F0_5, F1, F2
from evalcore.metrics.rates import PRECISION, RECALL, SPECIFICITY
from evalcore.metrics.spec import Metric, Number, ratio, scalar
from evalcore.outcomes import Floats
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix

AVERAGED = (PRECISION, RECALL, SPECIFICITY, F1, F0_5, F2)
"""The metrics that are averaged over classes."""


@dataclass(frozen=True, eq=False)
class Average:
    """An average over classes.

    Attributes:
        value: A number, or (...) numbers for (..., K) counts; NaN where no class is defined.
        used: How many classes took part, of the same shape.
        present: How many classes have rows or were decided, of the same shape.
    """

    value: Number
    used: Number
    present: Number


def macro(metric: Metric, counts: BinaryCounts) -> Average:
    """Return the mean of a metric over the classes, each counting the same.

    >>> counts = BinaryCounts(tp=[1, 3], fp=[0, 1], fn=[1, 0], tn=[3, 1])
    >>> macro(RECALL, counts)
    Average(value=0.75, used=2.0, present=2.0)
    """
    return _mean(metric, counts, np.ones_like(counts.tp))


def weighted(metric: Metric, counts: BinaryCounts) -> Average:
    """Return the mean of a metric over the classes, each counting by its rows in the truth.

    >>> counts = BinaryCounts(tp=[1, 3], fp=[0, 1], fn=[1, 0], tn=[3, 1])
    >>> weighted(RECALL, counts).value
    0.8
    """
    return _mean(metric, counts, np.asarray(counts.positives))


def micro(metric: Metric, counts: BinaryCounts) -> Average:
    """Return the metric of the counts summed over the classes.

    >>> counts = BinaryCounts(tp=[1, 3], fp=[0, 1], fn=[1, 0], tn=[3, 1])
    >>> micro(RECALL, counts).value
    0.8
    """
    present = scalar(_present(counts).sum(axis=-1).astype(np.float64))
    cells = (np.sum(cell, axis=-1) for cell in (counts.tp, counts.fp, counts.fn, counts.tn))
    return Average(metric(BinaryCounts(*cells)), present, present)


AVERAGES: Mapping[str, Callable[[Metric, BinaryCounts], Average]] = MappingProxyType(
    {"macro": macro, "micro": micro, "weighted": weighted}
)
"""The averages by their names in the JSON."""


def of_matrix(metric: Metric, matrix: ConfusionMatrix) -> Number:
    """Return a count metric of one matrix, or of (b, K, K) many, as a whole.

    Of two classes that of the positive one; of several the mean over them if it is about one class.

    >>> of_matrix(RECALL, ConfusionMatrix(("a", "b", "c"), np.diag([1, 2, 3])))
    1.0
    """
    if len(matrix.classes) == 2:
        return metric(matrix.binary())
    if metric.over_classes is not None:
        return metric.over_classes(matrix.counts)
    return macro(metric, matrix.one_vs_rest()).value


def _mean(metric: Metric, counts: BinaryCounts, weights: Floats) -> Average:
    values, present = np.asarray(metric(counts)), _present(counts)
    defined = present & ~np.isnan(values)
    weights = np.where(defined, weights, 0.0)
    total = (weights * np.where(defined, values, 0.0)).sum(axis=-1)
    return Average(
        ratio(total, weights.sum(axis=-1)),
        scalar(defined.sum(axis=-1).astype(np.float64)),
        scalar(present.sum(axis=-1).astype(np.float64)),
    )


def _present(counts: BinaryCounts) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    return np.asarray((counts.positives + counts.fp) > 0)
