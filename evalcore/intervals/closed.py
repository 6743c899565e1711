"""Intervals in closed form, and p values adjusted for their number.

`successes` and `trials` are counts or sums of weights; a row of weight 2 counts as two rows, so
fractional weights are read as fractions of a row. Without trials there is no interval (NaN).
Source: Brown, Cai and DasGupta (2001), Statistical Science 16(2), for shares.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

import numpy as np

from evalcore.outcomes import Floats, Number, as_float64
from evalcore.tables.confusion import BinaryCounts, Counts, in_order


@dataclass(frozen=True, eq=False)
class Interval:
    """The two ends, numbers or arrays of one shape; NaN where there is no interval.

    The `method` is how it was made, such as "wilson"; a `degenerate` one understates what is not
    known, since the data show no variation.
    """

    low: Number
    high: Number
    method: str
    level: float
    degenerate: bool = False

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            object.__setattr__(self, name, as_float64(getattr(self, name)))


@cache
def normal_quantile(level: float) -> float:
    """Return the distance in standard deviations that a two-sided level reaches."""
    from scipy.special import ndtri

    return float(ndtri((1 + level) / 2))


def p_of_z(z: float) -> float:
    """Return the two-sided p value of a standard normal statistic."""
    from scipy.special import ndtr

    return float(2 * ndtr(-abs(z)))


def t_quantile(level: float, freedom: float) -> float:
    """Return the distance in standard errors that a level reaches by Student's t; NaN without any.

    >>> round(t_quantile(0.95, 39), 4)
    2.0227
    """
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + level) / 2)) if freedom > 0 else np.nan


def p_of_t(t: float, freedom: float) -> float:
    """Return the two-sided p value of a statistic with Student's distribution."""
    from scipy.special import stdtr

    return float(2 * stdtr(freedom, -abs(t))) if freedom > 0 else np.nan


def wald_interval(value: float, error: float, level: float) -> Interval:
    """Return the value plus and minus its standard error, as often as the level asks."""
    reach = normal_quantile(level) * error
    return Interval(value - reach, value + reach, "wald", level, degenerate=reach == 0)


CountOrCounts = float | Counts
"""Rows or sums of weights: a number, or an array of any shape."""


def wilson(successes: CountOrCounts, trials: CountOrCounts, level: float = 0.95) -> Interval:
    """Invert the score test: good for every n. Source: Wilson (1927), JASA 22.

    >>> interval = wilson(9, 10)
    >>> round(interval.low, 6), round(interval.high, 6)
    (0.59585, 0.982124)
    """
    k, n = _counts(successes, trials)
    z = normal_quantile(level)
    centre = (k + z**2 / 2) / (n + z**2)
    half = z / (n + z**2) * np.sqrt(k * (n - k) / n + z**2 / 4)
    return Interval(*_exact_ends(k, n, centre - half, centre + half), "wilson", level)


def of_two_rates(
    counts: BinaryCounts, by_tpr: float | Floats, by_fpr: float | Floats, level: float = 0.95
) -> Interval:
    """Return the interval of by_tpr * TPR + by_fpr * FPR, for factors that are known.

    Wilson's intervals of both rates, which are independent, are put together by the method of
    variance estimates recovery. NaN with one class.
    Source: Zou and Donner (2008), Statistics in Medicine 27(10).
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


_FEW = 10
"""So many rows count as much as the binomial variance, which needs none: simulated best."""


def effective_wilson(share: float, variance: float, rows: float, level: float = 0.95) -> Interval:
    """Return Wilson's interval with as many trials as would make the share vary so much.

    With few rows the trials are moved towards their number, since resamples of few rows vary too
    little. Source: Korn and Graubard (1998), Survey Methodology 24(2), for effective trials.

    >>> round(wilson(45, 50).low, 2), round(effective_wilson(0.9, 0.9 * 0.1 / 50, 50).low, 2)
    (0.79, 0.79)
    """
    inflation = 1.0
    if 0 < share < 1 and variance > 0:
        smoothed = (rows * share + 0.5) / (rows + 1)
        seen = rows * variance / (smoothed * (1 - smoothed))
        inflation = (rows * seen + _FEW) / (rows + _FEW)
    trials = rows / inflation
    ends = wilson(share * trials, trials, level)
    return Interval(ends.low, ends.high, "wilson-bootstrap", level)


class Scale(NamedTuple):
    """A scale without ends, on which errors are nearly normal, and the way back."""

    to: Callable[[Floats], Floats]
    back: Callable[[Floats], Floats]


LINEAR = Scale(np.positive, np.positive)
"""For a number without ends."""

LOG = Scale(np.log, np.exp)
"""For a loss, which is above 0."""

LOG_LOST = Scale(lambda value: np.log(1 - value), lambda lost: 1 - np.exp(lost))
"""For a share that is accounted for, which is below 1."""

ATANH = Scale(np.arctanh, np.tanh)
"""For a correlation."""


def interval_on_scale(
    value: float, draws: Floats, scale: Scale, rows: float, level: float = 0.95
) -> Interval:
    """Return Student's interval on a scale, with the standard deviation of the draws there.

    Draws vary too little by a factor of (n - 1) / n, which is put right. NaN where there is no
    such deviation. Source: Efron and Tibshirani (1993), An Introduction to the Bootstrap, 12.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        middle, there = float(scale.to(np.array(value))), scale.to(draws)
    there = there[np.isfinite(there)]
    if not np.isfinite(middle):
        return Interval(value, value, "bootstrap-se", level, degenerate=True)
    if len(there) < 2 or not rows > 1:
        return Interval(np.nan, np.nan, "bootstrap-se", level)
    error = there.std(ddof=1) * np.sqrt(rows / (rows - 1))
    reach = t_quantile(level, rows - 1) * error
    low, high = sorted(float(scale.back(middle + side * reach)) for side in (-1, 1))
    return Interval(low, high, "bootstrap-se", level, degenerate=low == high)


def _counts(successes: CountOrCounts, trials: CountOrCounts) -> tuple[Floats, Floats]:
    """Return both as float64, NaN where there are no trials."""
    k, n = np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    return k, np.where(n > 0, n, np.nan)


def _exact_ends(k: Floats, n: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Put an end at exactly 0 or 1 where no row, or every row, is a success."""
    some = ~np.isnan(n)
    low, high = np.where(some & (k == 0), 0.0, low), np.where(some & (k == n), 1.0, high)
    return np.minimum(np.maximum(low, 0), 1), np.minimum(np.maximum(high, 0), 1)


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


def holm(p_values: Sequence[float], *, of: int = 0) -> tuple[float, ...]:
    """Adjust p values for their number, step by step; an undefined one (NaN) does not count.

    Where they are some `of` many that might have been looked at, for that number: none is then
    smaller than if all had been. Source: Holm (1979), Scandinavian Journal of Statistics 6(2).

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    >>> holm([0.01, 0.03], of=3)
    (0.03, 0.06)
    """
    given = np.asarray(p_values, dtype=np.float64)
    places = np.flatnonzero(~np.isnan(given))
    order = places[np.argsort(given[places], kind="stable")]
    left_out = max(of - len(given), 0)
    factors = np.arange(len(order), 0, -1) + left_out
    adjusted = np.full(len(given), np.nan)
    adjusted[order] = np.minimum(np.maximum.accumulate(factors * given[order]), 1.0)
    return tuple(adjusted.tolist())
