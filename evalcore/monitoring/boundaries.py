"""Limits of a CUSUM that is looked at again and again, at a false-alarm rate of the whole plan.

A CUSUM adds up the log-likelihood ratios of a shift against none, and starts again at 0 whenever
it would fall below (Page, 1954, Biometrika 41): no scheme finds a shift that begins at an unknown
time sooner, at the same rate of false alarms (Moustakides, 1986, Annals of Statistics 14). Its
limits spend the error look by look (Lan and DeMets, 1983, Biometrika 70), each found by the
distribution of the CUSUM so far, integrated numerically from look to look (Armitage, McPherson and
Rowe, 1969, JRSS A 132; Brook and Evans, 1972, Biometrika 59).
"""

from typing import Any

import numpy as np
from scipy.signal import fftconvolve
from scipy.special import gammainc, ndtr

from evalcore.outcomes import Floats

_TOP = 30.0
"""Where the grid ends: a CUSUM without a shift never gets there."""

_STEPS, _MOST_STEPS = 8, 1 << 14
"""Steps of the grid for a standard deviation of what a look adds, and in all."""

_COARSEST = 0.05

_NORMAL = 1e-3
"""With less skewness a distribution is taken for a normal one."""


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


class Cusum:
    """The distribution of a CUSUM without a shift, among streams that have raised no alarm yet.

    Args:
        smallest: The smallest shift, in standard deviations of a look, that it will be told of;
            the grid is made fine enough for it.
    """

    def __init__(self, smallest: float) -> None:
        self._step = max(min(_COARSEST, smallest / _STEPS), _TOP / _MOST_STEPS)
        self._size = int(_TOP / self._step)
        self._mass = np.zeros(self._size + 1)
        self._mass[0] = 1.0
        self._beyond = 0.0

    @property
    def alive(self) -> float:
        """The chance that no limit was crossed up to now."""
        return float(self._mass.sum()) + self._beyond

    def look(self, shift: float, skewness: float = 0.0) -> None:
        """Add one more look: `shift` times a standardised value, less half of its square."""
        step, size = self._step, self._size
        ends: Floats = (np.arange(-size, size + 2, dtype=np.float64) - 0.5) * step
        cumulative = below((ends + shift**2 / 2) / shift, skewness)
        spread = fftconvolve(self._mass, np.diff(cumulative))[size : 2 * size + 1]
        # Rounding of the transform is below what any look may spend.
        spread = np.maximum(spread, 0.0)
        over = 1 - cumulative[size + 1 :][::-1]  # from each place to above the grid
        self._beyond += float(self._mass @ over)
        total = float(self._mass.sum()) - float(self._mass @ over)
        spread[0] = total - float(spread[1:].sum())
        self._mass = spread

    def above(self, limit: float) -> float:
        """Return the chance of a CUSUM at or above a limit, and of no alarm before."""
        place = limit / self._step + 0.5
        first = int(place)
        part = 1 - (place - first)
        return float(self._mass[first + 1 :].sum() + part * self._mass[first]) + self._beyond

    def stop(self, limit: float) -> float:
        """Take out the streams at or above a limit above 0; return their share."""
        share = self.above(limit)
        place = limit / self._step + 0.5
        first = int(place)
        self._mass[first + 1 :] = 0.0
        self._mass[first] *= place - first
        self._beyond = 0.0
        return share

    def limit(self, share: float) -> float:
        """Return the limit that this share of streams lies above; infinite if there is none."""
        tail: Any = self._beyond + np.cumsum(self._mass[::-1])
        place = int(np.searchsorted(tail, share))
        if self._beyond >= share or place >= self._size:
            return np.inf
        # Between two places the tail is exponential, as that of a CUSUM is.
        nearer, farther = np.log(tail[place]), np.log(max(float(tail[place - 1]), 1e-300))
        within = (np.log(share) - farther) / (nearer - farther) if nearer > farther else 1.0
        return float((self._size - (place - 1) - within - 0.5) * self._step) if place else np.inf


class Spending:
    """Limits that spend an error evenly over so many looks; afterwards there is none left.

    Args:
        error: The chance of an alarm without a shift, over all looks together.
        looks: How many looks are planned.
        smallest: As `Cusum` takes it.
    """

    def __init__(self, error: float, looks: int, smallest: float) -> None:
        self._error, self._looks = error, looks
        self._cusum = Cusum(smallest)
        self._spent, self._used = 0.0, 0

    def next(self, shift: float, skewness: float = 0.0) -> float:
        """Return the limit of the next look; infinite once the planned looks are used."""
        self._used += 1
        if self._used > self._looks:
            return np.inf
        self._cusum.look(shift, skewness)
        limit = self._cusum.limit(self._error * self._used / self._looks - self._spent)
        if limit > 0 and np.isfinite(limit):
            self._spent += self._cusum.stop(limit)
            return limit
        return np.inf
