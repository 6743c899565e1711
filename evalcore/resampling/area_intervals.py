"""Intervals and variances of areas under ROC curves from the area and little else."""

import numpy as np

from evalcore.resampling.interval import Interval, normal_quantile


def logit_interval(area: float, variance: float, level: float = 0.95) -> Interval:
    """Return an interval symmetric in log odds, for an area strictly between 0 and 1.

    Source: Pepe (2003), The Statistical Evaluation of Medical Tests, 5.2.
    """
    slope = area * (1 - area)
    reach = normal_quantile(level) * np.sqrt(variance) / slope
    odds = np.log(area / (1 - area))
    with np.errstate(over="ignore"):  # an end at 0
        low, high = (1 / (1 + np.exp(-end)) for end in (odds - reach, odds + reach))
    return Interval(low, high, "delong-logit", level)


def hanley_variance(area: float, rows: tuple[float, float]) -> float:
    """Return the variance of an area from the area and the two class sizes alone.

    Source: Hanley and McNeil (1982), Radiology 143(1).

    >>> round(hanley_variance(0.75, (40, 40)) ** 0.5, 4)
    0.0547
    """
    spread = area * (1 - area)
    above, below = area / (2 - area) - area**2, 2 * area**2 / (1 + area) - area**2
    return (spread + (rows[1] - 1) * above + (rows[0] - 1) * below) / (rows[0] * rows[1])


def newcombe_interval(area: float, rows: tuple[float, float], level: float = 0.95) -> Interval:
    """Return the areas whose own variance reaches the observed one, from the two class sizes.

    The variance is that of Hanley and McNeil with balanced classes.
    Source: Newcombe (2006), Statistics in Medicine 25(4), method 5.

    >>> interval = newcombe_interval(1.0, (6, 6))
    >>> round(interval.low, 3), interval.high
    (0.689, 1.0)
    """
    if np.isnan(area):
        return Interval(np.nan, np.nan, "newcombe", level)
    from scipy.optimize import brentq

    def excess(other: float) -> float:
        spread = 1 + (sum(rows) / 2 - 1) * ((1 - other) / (2 - other) + other / (1 + other))
        distance = (area - other) ** 2 / (other * (1 - other))
        return float(distance * rows[0] * rows[1] - normal_quantile(level) ** 2 * spread)

    least, most = 1e-15, 1 - 1e-15
    # With less than a row, as small weights leave it, no area is too far off.
    low = brentq(excess, least, min(area, most)) if area > 0 and excess(least) > 0 else 0.0
    high = brentq(excess, max(area, least), most) if area < 1 and excess(most) > 0 else 1.0
    return Interval(low, high, "newcombe", level, degenerate=True)
