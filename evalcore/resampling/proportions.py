"""Intervals for k of n, and for sums of two such rates: closed forms, for numbers or arrays.

`successes` and `trials` are counts or sums of weights; a row of weight 2 counts as two rows, so
fractional weights are read as fractions of a row. Without trials there is no interval (NaN).
Sources: Brown, Cai and DasGupta (2001), Statistical Science 16(2), who compare all five.
"""

import numpy as np

from evalcore.outcomes import Floats
from evalcore.resampling.interval import Interval, normal_quantile
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.weights import Counts

Number = float | Counts
"""Rows or sums of weights: a number, or an array of any shape."""


def wilson(successes: Number, trials: Number, level: float = 0.95) -> Interval:
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


def clopper_pearson(successes: Number, trials: Number, level: float = 0.95) -> Interval:
    """Invert the binomial test: never covers too seldom. Source: Clopper and Pearson (1934)."""
    k, n = _counts(successes, trials)
    low = _beta_quantile(k, n - k + 1, (1 - level) / 2)
    high = _beta_quantile(k + 1, n - k, (1 + level) / 2)
    return Interval(*_exact_ends(k, n, low, high), "clopper-pearson", level)


def agresti_coull(successes: Number, trials: Number, level: float = 0.95) -> Interval:
    """Take the normal interval after adding z^2 / 2 rows of each kind, cut off at 0 and 1.

    Source: Agresti and Coull (1998), The American Statistician 52(2).
    """
    k, n = _counts(successes, trials)
    z = normal_quantile(level)
    larger = n + z**2
    centre = (k + z**2 / 2) / larger
    half = z * np.sqrt(centre * (1 - centre) / larger)
    return Interval(*_clipped(centre - half, centre + half), "agresti-coull", level)


def jeffreys(successes: Number, trials: Number, level: float = 0.95) -> Interval:
    """Take the central part of the posterior under Jeffreys' prior, 0 and 1 kept as ends."""
    k, n = _counts(successes, trials)
    low = _beta_quantile(k + 0.5, n - k + 0.5, (1 - level) / 2)
    high = _beta_quantile(k + 0.5, n - k + 0.5, (1 + level) / 2)
    return Interval(*_exact_ends(k, n, low, high), "jeffreys", level)


def normal(successes: Number, trials: Number, level: float = 0.95) -> Interval:
    """Take the textbook's interval, cut off at 0 and 1: too narrow unless n is large."""
    k, n = _counts(successes, trials)
    share = k / n
    half = normal_quantile(level) * np.sqrt(share * (1 - share) / n)
    flat = bool(np.any((k == 0) | (k == n)))
    return Interval(*_clipped(share - half, share + half), "normal", level, degenerate=flat)


def of_two_rates(
    counts: BinaryCounts, by_tpr: float | Floats, by_fpr: float | Floats, level: float = 0.95
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


def _counts(successes: Number, trials: Number) -> tuple[Floats, Floats]:
    """Return both as float64, NaN where there are no trials."""
    k, n = np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    return k, np.where(n > 0, n, np.nan)


def _beta_quantile(a: Floats, b: Floats, share: float) -> Floats:
    from scipy.special import betaincinv

    # A parameter of 0 is the end of the range, which _bounded puts in place.
    quantile: Floats = betaincinv(np.where(a > 0, a, np.nan), np.where(b > 0, b, np.nan), share)
    return quantile


def _exact_ends(k: Floats, n: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Put an end at exactly 0 or 1 where no row, or every row, is a success."""
    some = ~np.isnan(n)
    low, high = np.where(some & (k == 0), 0.0, low), np.where(some & (k == n), 1.0, high)
    return _clipped(low, high)


def _clipped(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    return np.clip(low, 0, 1), np.clip(high, 0, 1)
