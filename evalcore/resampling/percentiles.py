"""Percentile intervals of many statistics at once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Floats


class Percentiles(NamedTuple):
    """The (K,) ends of percentile intervals, and how many of `draws` had no finite value."""

    low: Floats
    high: Floats
    failed: NDArray[np.int64]
    draws: int

    def part(self, places: slice) -> "Percentiles":
        """Return some of the K."""
        return Percentiles(self.low[places], self.high[places], self.failed[places], self.draws)


def percentiles(draws: Floats, level: float) -> Percentiles:
    """Cut (B, K) draws at both ends; those that are not finite are counted and left out.

    NaN where fewer than two are finite.

    >>> percentiles(np.arange(101.0)[:, np.newaxis], 0.5).low
    array([25.])
    """
    if not len(draws):
        none = np.full(draws.shape[1], np.nan)
        return Percentiles(none, none, np.zeros(draws.shape[1], dtype=np.int64), 0)
    finite = np.isfinite(draws)
    ordered = np.sort(np.where(finite, draws, np.nan).T, axis=1)
    used = finite.sum(axis=0)
    low, high = (_cut(ordered, used, share) for share in ((1 - level) / 2, (1 + level) / 2))
    return Percentiles(low, high, len(draws) - used, len(draws))


def _cut(ordered: Floats, used: NDArray[np.int64], share: float) -> Floats:
    """Return the quantile of type 7 of the first `used` of each of (K, B) rising values."""
    last, row = np.maximum(used - 1, 0), np.arange(len(ordered))
    place = last * share
    below = place.astype(np.intp)
    above = np.minimum(below + 1, last)
    weight = place - below
    cut = (1 - weight) * ordered[row, below] + weight * ordered[row, above]
    return np.where(used > 1, cut, np.nan)
