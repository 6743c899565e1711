"""Closed intervals for a mean, for a median, and for a correlation."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evalcore.outcomes import Floats, Number
from evalcore.resampling.interval import Interval, normal_quantile
from evalcore.tables.weights import in_order


def mean_interval(mean: Number, deviation: Number, n: Number, level: float = 0.95) -> Interval:
    """Return Student's interval for the mean of n values with this standard deviation.

    No interval (NaN) with fewer than two values. Source: Student (1908), Biometrika 6(1).

    >>> interval = mean_interval(10.0, 2.0, 4)
    >>> round(interval.low, 3), round(interval.high, 3)
    (6.818, 13.182)
    """
    from scipy.special import stdtrit

    n = np.asarray(n, dtype=np.float64)
    known = np.where(n > 1, n, np.nan)
    reach = stdtrit(known - 1, (1 + level) / 2) * deviation / np.sqrt(known)
    return Interval(mean - reach, mean + reach, "t", level, degenerate=bool(np.any(reach == 0)))


def shared_rows_error(deviation: float, rounds: int, test_over_train: float) -> float:
    """Return the standard error of the mean over rounds that share training rows.

    Source: Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52.

    >>> round(shared_rows_error(0.02, 10, 1 / 9), 6)
    0.009189
    """
    return deviation * float(np.sqrt(1 / rounds + test_over_train))


@dataclass(frozen=True)
class Median:
    """A median with its interval; both NaN where there are no values."""

    middle: float
    interval: Interval


def median_interval(values: Floats, weight: Floats | None = None, level: float = 0.95) -> Median:
    """Return the median and the values between whose ranks it lies, whatever the distribution.

    With too few values for the level there is no interval (NaN). Source: Conover (1999),
    Practical Nonparametric Statistics, 3.2.

    >>> found = median_interval(np.arange(1.0, 11.0))
    >>> found.middle, found.interval.low, found.interval.high
    (5.5, 2.0, 9.0)
    """
    ordered, upto = in_order(values, weight)
    n = float(upto[-1]) if len(upto) else 0.0
    if not n:
        return Median(np.nan, Interval(np.nan, np.nan, "order-statistics", level))

    def ranked(place: float, side: Literal["left", "right"] = "left") -> float:
        return float(ordered[min(int(np.searchsorted(upto, place, side)), len(upto) - 1)])

    middle = (ranked(n / 2) + ranked(n / 2, "right")) / 2
    first = _outer_rank(n, level)
    if not first:
        return Median(middle, Interval(np.nan, np.nan, "order-statistics", level))
    low, high = ranked(first), ranked(n - first, "right")
    return Median(middle, Interval(low, high, "order-statistics", level, degenerate=low == high))


def fisher_interval(
    correlation: float, error_of: Callable[[float], float], level: float = 0.95
) -> Interval:
    """Return an interval for a correlation, symmetric on the scale of atanh, within [-1, 1].

    `error_of` gives the standard error on that scale; no interval where that is not positive.
    Source: Fisher (1921), Metron 1.

    >>> interval = fisher_interval(0.5, lambda r: 1 / np.sqrt(28 - 3))
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.156, 0.736)
    """
    if not abs(correlation) < 1:
        flat = abs(correlation) == 1
        return Interval(correlation, correlation, "fisher-z", level, degenerate=flat)
    error = error_of(correlation)
    reach = normal_quantile(level) * (error if error > 0 else np.nan)
    middle = np.arctanh(correlation)
    return Interval(np.tanh(middle - reach), np.tanh(middle + reach), "fisher-z", level)


def _outer_rank(n: float, level: float) -> int:
    """Return the largest rank that the median stays above with the chance wanted; 0 for none."""
    from scipy.special import bdtr

    share = (1 - level) / 2
    near = int(n / 2 - normal_quantile(level) * np.sqrt(n) / 2)
    ranks = np.arange(max(near - 10, 0), near + 10)
    allowed = ranks[bdtr(ranks, round(n), 0.5) <= share]
    return int(allowed[-1]) + 1 if len(allowed) else 0
