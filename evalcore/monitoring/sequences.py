"""Confidence sequences: intervals that hold at all looks together, however often one looks.

An interval for one look misses in 5% of looks; of many looks some are sure to miss. A sequence of
intervals with level 95% holds the true value at every look, in 95% of streams.
"""

from math import log, sqrt

import numpy as np
from scipy.special import betaln, xlog1py, xlogy

from evalcore.intervals.closed import Interval
from evalcore.outcomes import Floats

TIGHTEST_AT = 1000.0
"""Rows at which the asymptotic sequence is tightest; chosen before any row is seen."""


def beta_mixture(right: Floats, rows: Floats, level: float) -> tuple[Floats, Floats]:
    """Return the ends for a share of rows, given (K,) right ones of (K,) rows up to each look.

    A share p is in it as long as the likelihood, averaged evenly over all shares, is less than
    1 / (1 - level) times that of p: exact at any number of rows. Source: Robbins (1970), Annals of
    Mathematical Statistics 41; Howard, Ramdas, McAuliffe and Sekhon (2021), Annals of Statistics
    49(2).

    >>> low, high = beta_mixture(np.array([9.0]), np.array([10.0]), 0.95)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.455], [1.0])
    """
    wrong = rows - right
    # log of the mean likelihood, less the log of 1 / alpha
    least = betaln(right + 1, wrong + 1) + log(1 - level)

    def inside(share: Floats) -> Floats:
        return np.asarray(xlogy(right, share) + xlog1py(wrong, -share) >= least)

    top = np.divide(right, rows, out=np.full(len(rows), 0.5), where=rows > 0)
    ends = []
    for outer in (np.zeros(len(rows)), np.ones(len(rows))):
        good, bad = top.copy(), outer.copy()
        for _ in range(60):
            middle = (good + bad) / 2
            held = inside(middle)
            good, bad = np.where(held, middle, good), np.where(held, bad, middle)
        ends.append(np.where(inside(outer), outer, good))
    return ends[0], ends[1]


def asymptotic(value: float, error: float, units: float, level: float) -> Interval:
    """Return the interval of a mean whose standard error is known, at one of many looks.

    Holds for large samples, as the usual normal interval does. Source: Waudby-Smith, Arbour, Sinha,
    Kennedy and Ramdas (2024), Annals of Statistics 52(6), theorem 2.2, with Robbins' normal mixture
    tuned to `TIGHTEST_AT` rows (their equation for rho).

    >>> round(float(asymptotic(0.0, 1.0, TIGHTEST_AT, 0.95).high), 2)
    3.04
    """
    alpha = 1 - level
    inner = -2 * log(alpha)
    grown = units * (inner + log(inner + 1)) / TIGHTEST_AT
    reach = error * sqrt((grown + 1) / grown * (log(grown + 1) + inner))
    return Interval(
        np.float64(value - reach), np.float64(value + reach), "asymptotic-sequence", level
    )
