"""What holds at every look, however often one looks: limits of a CUSUM, and intervals.

A CUSUM adds up the log-likelihood ratios of a shift against none, and starts again at 0 whenever
it would fall below (Page, 1954, Biometrika 41): no scheme finds a shift that begins at an unknown
time sooner, at the same rate of false alarms (Moustakides, 1986, Annals of Statistics 14). Its
limits spend the error look by look (Lan and DeMets, 1983, Biometrika 70), each found by the
distribution of the CUSUM so far, integrated numerically from look to look (Armitage, McPherson and
Rowe, 1969, JRSS A 132; Brook and Evans, 1972, Biometrika 59).

An interval for one look misses in 5% of looks; of many looks some are sure to miss. A confidence
sequence, of intervals with level 95%, holds the true value at every look, in 95% of streams.
"""

from math import ceil, log, log1p, log2, sqrt
from typing import NamedTuple

import numpy as np
from scipy import fft
from scipy.special import betaln, gammainc, ndtr, xlog1py, xlogy

from evalcore.intervals.closed import Interval
from evalcore.outcomes import Floats

_COARSEST, _STEPS, _MOST_STEPS = 0.05, 8, 1 << 14
"""The largest step of the grid, its steps for a standard deviation of a look, and in all."""

_MANY = 1000
"""Steps that are faster added by a Fourier transform."""

_NORMAL = 1e-3
"""With less skewness a distribution is taken for a normal one."""

_STEEPEST = 4.0
"""A shift beyond all that is possible is not taken for infinitely likelier than none."""


class Law(NamedTuple):
    """The (m,) values that a look can come to without a change, and their (m,) chances."""

    values: Floats
    chances: Floats


class Ratio(NamedTuple):
    """The log-likelihood ratio of a shift against none: `slope` times a value, less `offset`."""

    slope: float
    offset: float


def ratio(shift: float, law: Law | float) -> Ratio:
    """Return the ratio of a shift, in standard deviations, by the law of a look or its skewness.

    The shifted law is the one without a shift, tilted exponentially, as one binomial law is of
    another; its mean is the shift, by the first three moments. Source: Siegmund (1985), Sequential
    Analysis, chapter 2.

    >>> ratio(1.0, 0.0)
    Ratio(slope=1.0, offset=0.5)
    """
    skewness = float(law.chances @ law.values**3) if isinstance(law, Law) else law
    slope = shift / max(1 + shift * skewness / 2, 1 / _STEEPEST)
    if isinstance(law, Law):
        return Ratio(slope, log(law.chances @ np.exp(slope * law.values)))
    if abs(skewness) < _NORMAL:
        return Ratio(slope, slope**2 / 2)
    part = slope * skewness / 2
    return Ratio(slope, -(log1p(-part) + part) * 4 / skewness**2)


def below(value: Floats, skewness: float) -> Floats:
    """Return the distribution function of a standardised sum with some skewness.

    Pearson's type III (a shifted gamma distribution) has the right first three moments; the sum of
    few rows that are seldom wrong lies far from a normal one where alarms are. Source: Johnson,
    Kotz and Balakrishnan (1994), Continuous Univariate Distributions, volume 1, chapter 17.

    >>> below(np.array([0.0, 1.96]), 0.0).round(3).tolist()
    [0.5, 0.975]
    """
    if abs(skewness) < _NORMAL:
        return np.asarray(ndtr(value))
    shape = 4 / skewness**2
    along = shape + np.sign(skewness) * value * np.sqrt(shape)
    share = gammainc(shape, np.maximum(along, 0.0))
    return np.asarray(share if skewness > 0 else 1 - share)


def _fast_convolve(one: Floats, other: Floats) -> Floats:
    """Return what `np.convolve` does, by a Fourier transform."""
    # scipy.signal has this too, and takes 2 seconds to import.
    length = len(one) + len(other) - 1
    fast = fft.next_fast_len(length, real=True)
    return np.asarray(fft.irfft(fft.rfft(one, fast) * fft.rfft(other, fast), fast)[:length])


class Cusum:
    """The distribution of a CUSUM without a shift, among streams that have raised no alarm yet.

    What a look adds is rounded to the steps of a grid, in the streams as in their distribution:
    it is then exact for any law of a look.

    Args:
        smallest: The smallest slope of a ratio that it will be told of; the grid is made fine
            enough for it.
        top: Where the grid ends; all beyond is one.
    """

    def __init__(self, smallest: float, top: float) -> None:
        finer = max(ceil(log2(_COARSEST * _STEPS / smallest)), 0)
        self.step = max(_COARSEST / 2**finer, top / _MOST_STEPS)
        self._size = ceil(top / self.step)
        self._mass = np.zeros(self._size + 1)
        self._mass[0] = 1.0
        self._beyond = 0.0

    @property
    def alive(self) -> float:
        """The chance that no limit was crossed up to now."""
        return float(self._mass.sum()) + self._beyond

    def steps(self, z: Floats, by: Ratio) -> Floats:
        """Return what standardised values add, in steps."""
        return np.asarray(np.rint((by.slope * z - by.offset) / self.step))

    def look(self, by: Ratio, law: Law | float) -> None:
        """Add one more look, by the law of its standardised value, or by its skewness."""
        size = self._size
        if isinstance(law, Law):
            places = np.clip(self.steps(law.values, by), -size, size + 1).astype(np.int64)
            chances = np.bincount(places + size, law.chances, 2 * size + 2).astype(np.float64)
        else:
            ends: Floats = (np.arange(-size, size + 2) - 0.5) * self.step
            chances = np.diff(below((ends + by.offset) / by.slope, law), append=1.0)
        added = _fast_convolve if size > _MANY else np.convolve
        spread = added(self._mass, chances[:-1])[size : 2 * size + 1]
        # Rounding of the transform is below what any look may spend.
        spread = np.maximum(spread, 0.0)
        over = float(self._mass @ np.cumsum(chances[::-1])[: size + 1])  # of each place
        spread[0] = float(self._mass.sum()) - over - float(spread[1:].sum())
        self._beyond += over
        self._mass = spread

    def stop(self, limit: int) -> float:
        """Take out the streams at or above a limit above 0, in steps; return their share."""
        share = self._beyond + float(self._mass[limit:].sum())
        self._mass[limit:] = 0.0
        self._beyond = 0.0
        return share

    def limit(self, share: float) -> int | None:
        """Return the lowest limit that at most this share of streams reaches, in steps."""
        tail = self._beyond + np.cumsum(self._mass[::-1])
        few = int(np.searchsorted(tail, share, "right"))
        return max(self._size + 1 - few, 1) if few else None


class Spending:
    """Limits that spend an error evenly over so many looks; afterwards there is none left.

    What a look cannot spend, as its values are few, a later one may.

    Args:
        error: The chance of an alarm without a shift, over all looks together.
        looks: How many looks are planned.
        smallest: As `Cusum` takes it.
    """

    def __init__(self, error: float, looks: int, smallest: float) -> None:
        self._error, self._looks = error, looks
        # A sum of log-likelihood ratios gets as far as h with a chance of exp(-h) at most.
        self.cusum = Cusum(smallest, log(looks / error) + 1)
        self.spent, self._used = 0.0, 0

    def next(self, by: Ratio, law: Law | float) -> float:
        """Return the limit of the next look, in steps; infinite once the error is spent."""
        self._used += 1
        if self._used > self._looks:
            return np.inf
        self.cusum.look(by, law)
        limit = self.cusum.limit(self._error * self._used / self._looks - self.spent)
        if limit is None:
            return np.inf
        self.spent += self.cusum.stop(limit)
        return limit


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
