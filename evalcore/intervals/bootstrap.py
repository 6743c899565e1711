"""The bootstrap of a table: percentile, basic and BCa intervals, and draws of its counts.

Sources: Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapters 13 and 14.

Drawing n rows with replacement and counting them gives multinomial counts, so this is the
bootstrap of the rows exactly, at a cost that does not depend on n. A weight is a number of rows:
where weights are fractional, draws hold as many rows as the weights add up to, rounded.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.intervals.closed import Interval
from evalcore.outcomes import Floats, ReadOnly
from evalcore.tables.confusion import ConfusionMatrix


@dataclass(frozen=True)
class Plan:
    """How to resample: the number of draws, the level of the interval, and the draws' seed."""

    resamples: int = 2000
    level: float = 0.95
    seed: int = 0


PLAN = Plan()
"""2,000 draws, percentiles at 95%."""


@dataclass(frozen=True, eq=False)
class Bootstrap(ReadOnly):
    """A statistic over B resamples.

    Attributes:
        interval: Its ends have the shape of the statistic; degenerate where no draw differs.
        values: (B, ...) the draws; NaN or infinite where the statistic failed.
        failed: How many draws are not finite; they are left out of the interval.
    """

    interval: Interval
    values: Floats
    failed: int


class Percentiles(NamedTuple):
    """The (K,) ends of percentile intervals, and how many of `draws` had no finite value."""

    low: Floats
    high: Floats
    failed: NDArray[np.int64]
    draws: int
    level: float
    method: str = "bootstrap-percentile"

    def part(self, places: slice) -> "Percentiles":
        """Return some of the K."""
        low, high, failed = self.low[places], self.high[places], self.failed[places]
        return self._replace(low=low, high=high, failed=failed)

    def intervals(self) -> Iterator[Interval]:
        """Yield the K intervals one by one."""
        for low, high in zip(self.low.tolist(), self.high.tolist(), strict=True):
            yield Interval(low, high, self.method, self.level, degenerate=low == high)


def acceleration(values: Floats) -> float:
    """Return the skewness of the influence of a row, over 6; NaN where no row has influence.

    `values` are (n,) of a statistic without one row each.
    """
    influence = np.sum(values) / (len(values) or np.nan) - values
    square, cube = (np.sum(influence**power) for power in (2, 3))
    return float(cube / (6 * square**1.5)) if square > 0 else np.nan


def percentiles(draws: Floats, level: float) -> Percentiles:
    """Cut (B, K) draws at both ends; those that are not finite are counted and left out.

    NaN where fewer than two are finite.
    """
    if not len(draws):
        none = np.full(draws.shape[1], np.nan)
        return Percentiles(none, none, np.zeros(draws.shape[1], dtype=np.int64), 0, level)
    finite = np.isfinite(draws)
    ordered = np.sort(np.where(finite, draws, np.nan).T, axis=1)
    used = finite.sum(axis=0)
    low, high = (_cut(ordered, used, share) for share in ((1 - level) / 2, (1 + level) / 2))
    return Percentiles(low, high, len(draws) - used, len(draws), level)


def _cut(ordered: Floats, used: NDArray[np.int64], share: float) -> Floats:
    """Return the quantile of type 7 of the first `used` of each of (K, B) rising values."""
    last, row = np.maximum(used - 1, 0), np.arange(len(ordered))
    place = last * share
    below = place.astype(np.intp)
    above = np.minimum(below + 1, last)
    weight = place - below
    cut = (1 - weight) * ordered[row, below] + weight * ordered[row, above]
    return np.where(used > 1, cut, np.nan)


def percentile_bootstrap(values: Floats, level: float) -> Bootstrap:
    """Return the interval between the outer percentiles of (B,) or (B, ...) draws."""
    ends = percentiles(values.reshape(len(values), math.prod(values.shape[1:])), level)
    low, high = (end.reshape(values.shape[1:]) for end in (ends.low, ends.high))
    interval = Interval(
        low, high, "bootstrap-percentile", level, degenerate=bool(np.any(low == high))
    )
    return Bootstrap(interval, values, int(np.sum(~np.isfinite(values))))


def bca_bootstrap(
    values: Floats, level: float, *, observed: float, acceleration: float
) -> Bootstrap:
    """Return percentiles of (B,) draws, moved for bias and for skewness.

    Where that cannot be done, as when the observed value lies outside all draws or no row has
    influence (acceleration NaN), the plain percentiles are returned, and the method says so.
    """
    from scipy.special import ndtr, ndtri

    plain = percentile_bootstrap(values, level)
    finite = values[np.isfinite(values)]
    below = (np.mean(finite < observed) + np.mean(finite <= observed)) / 2 if len(finite) else 0.0
    bias = ndtri(below)
    reach = bias + ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
    if plain.interval.degenerate or not np.all(np.isfinite(reach) & (acceleration * reach < 1)):
        return plain
    low, high = np.quantile(finite, ndtr(bias + reach / (1 - acceleration * reach)))
    return Bootstrap(Interval(low, high, "bootstrap-bca", level), values, plain.failed)


def basic_interval(observed: float, drawn: Interval) -> Interval:
    """Return an interval turned round at the observed value, which resampling shifts.

    The value is within. Source: Davison and Hinkley (1997), Bootstrap Methods and their
    Application, 5.2.
    """
    low, high = (2 * observed - float(end) for end in (drawn.high, drawn.low))
    low, high = min(low, observed), max(high, observed)
    return Interval(low, high, "bootstrap-basic", drawn.level, degenerate=drawn.degenerate)


def chunks(
    resamples: int, rng: np.random.Generator, size: int
) -> Iterator[tuple[int, np.random.Generator]]:
    """Cut resamples into runs of at most `size`, each with a generator of its own.

    So that results do not depend on how many threads work on the runs.
    """
    starts = range(0, resamples, size)
    for start, child in zip(starts, rng.spawn(len(starts)), strict=True):
        yield min(size, resamples - start), child


def draw_cells(counts: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Draw (draws, c) counts as often as the (c,) counts add up to, rounded, with replacement."""
    total, filled = counts.sum(), np.flatnonzero(counts)
    drawn = np.zeros((draws, len(counts)))
    if round(total):
        drawn[:, filled] = rng.multinomial(round(total), counts[filled] / total, size=draws)
    return drawn


_CELLS = 1 << 21
"""Cells that are drawn at once, which bounds the memory."""


def draw_shares(
    matrix: ConfusionMatrix, rng: np.random.Generator, plan: Plan = PLAN
) -> Iterator[ConfusionMatrix]:
    """Yield matrices of (b, K, K) counts that the observed ones leave open.

    They are draws of what is known of the cells after these rows, from Jeffreys' prior for each
    class against the rest: half a row decided right and half a row decided wrong, the latter
    spread over the other classes. So a cell without rows is not taken to be impossible, and the
    draws of a perfect model vary. Source: Jeffreys (1961), Theory of Probability, 3.2.
    """
    cells = matrix.counts.astype(np.float64)
    classes, filled = len(cells), np.flatnonzero(cells)
    actual = cells.sum(axis=1)
    used = cells.sum(axis=0) + actual > 0
    others = max(np.count_nonzero(used) - 1, 1)
    # Nothing is taken to be known of a class without rows.
    same, prior = np.eye(classes, dtype=bool), np.outer(actual > 0, used)
    for draws, child in chunks(plan.resamples, rng, max(1, _CELLS // cells.size)):
        drawn = np.zeros((draws, classes, classes))
        seen = child.standard_gamma(cells.ravel()[filled], (draws, len(filled)))
        drawn.reshape(draws, -1)[:, filled] = seen
        right, wrong = child.standard_gamma(0.5, (2, draws, classes, 1))
        drawn += np.where(same, right, wrong / others) * prior
        drawn *= cells.sum() / drawn.sum(axis=(1, 2), keepdims=True)
        # Draws side by side: sums over a few classes are then many times as fast.
        yield ConfusionMatrix(matrix.classes, np.asfortranarray(drawn))
