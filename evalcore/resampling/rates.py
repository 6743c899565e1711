"""Intervals for sums of a true and a false positive rate, each times a known factor."""

import numpy as np

from evalcore.outcomes import Floats
from evalcore.resampling.interval import Interval
from evalcore.resampling.proportions import wilson
from evalcore.tables.confusion import BinaryCounts

Number = float | Floats


def of_two_rates(
    counts: BinaryCounts, by_tpr: Number, by_fpr: Number, level: float = 0.95
) -> Interval:
    """Return the interval of by_tpr * TPR + by_fpr * FPR, for factors that are known.

    Wilson's intervals of both rates, which are independent, are put together by the method of
    variance estimates recovery. NaN with one class.
    Source: Zou and Donner (2008), Statistics in Medicine 27(10).

    >>> counts = BinaryCounts(tp=9, fp=0, fn=1, tn=10)
    >>> interval = of_two_rates(counts, 1.0, 0.0)
    >>> round(interval.low, 6), round(interval.high, 6)
    (0.59585, 0.982124)
    """
    middle, below, above = 0.0 * np.asarray(counts.tp), 0.0, 0.0
    for k, n, factor in (
        (counts.tp, counts.positives, by_tpr),
        (counts.fp, counts.negatives, by_fpr),
    ):
        ends = wilson(k, n, level)
        with np.errstate(invalid="ignore", divide="ignore"):
            rate = np.asarray(k) / np.asarray(n)
        reach = (factor * (rate - ends.low), factor * (ends.high - rate))
        rising = np.asarray(factor) >= 0
        below = below + np.where(rising, reach[0], reach[1]) ** 2
        above = above + np.where(rising, reach[1], reach[0]) ** 2
        middle = middle + factor * rate
    return Interval(middle - np.sqrt(below), middle + np.sqrt(above), "wilson-mover", level)
