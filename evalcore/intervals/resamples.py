"""Resamples of rows, or of groups of rows, shared by several models.

Rows are dealt at random into groups, and groups are drawn with replacement. With up to `GROUPS`
rows each is a group of its own, which is the bootstrap of the rows. With more, the spread of the
draws is that of sums over drawn rows but for what chance puts together, some 1.6% of it; the cost
of a draw then no longer grows with the rows.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from evalcore.intervals.closed import Interval
from evalcore.outcomes import Codes, Floats, Places, ReadOnly
from evalcore.tables.confusion import ConfusionMatrix, as_counts, blocks, quotient
from evalcore.tables.residuals import TERMS, Centre, Pairs, ResidualMoments, row_terms

GROUPS = 2000
"""Up to so many groups are made of the rows."""

_MOST_ROWS = 20_000_000
"""Up to so many rows of weight 1, a row of weight w is dealt as w rows; above, as one."""

_EXACT_SUMS = 1 << 20
"""With fewer rows, counts of draws are whole numbers that float32 holds, at half the cost."""

_DRAWN = 1 << 21
"""Groups that are drawn at once, which bounds the memory."""

_BLOCK = 1 << 16
"""Rows whose terms are held at once."""

Rows = Places | slice
"""Which rows are meant: their places, or a run of them."""


@dataclass(frozen=True, eq=False)
class Resamples:
    """B resamples of n rows, the same for every model.

    Attributes:
        times: (B, G) how often each group is drawn.
        group: (r,) group of each row dealt.
        row: (r,) which of the n rows it is; None where it is the row at the same place.
        weight: (r,) what it counts, where that is not 1.
        within: What is drawn within, or drawn whole: "strata", "clusters"; "" for rows at large.
    """

    times: NDArray[np.float32]
    group: Places
    row: Places | None = None
    weight: Floats | None = None
    within: Literal["", "strata", "clusters"] = ""

    @classmethod
    def of(
        cls, n: int, weight: Floats | None, rng: np.random.Generator, resamples: int = 2000
    ) -> Self:
        """Deal n rows, and draw. Rows of weight 0 are left out; a weight is a number of rows."""
        row, left = _dealt(n, weight)
        rows = n if row is None else len(row)
        groups = min(rows, GROUPS)
        group = _deal(rows, groups, rng)
        return cls(times_drawn(groups, resamples, rng), group, row, left)

    @classmethod
    def of_strata(
        cls, stratum: Codes, weight: Floats | None, rng: np.random.Generator, resamples: int = 2000
    ) -> Self:
        """Deal and draw the rows of each of the (n,) strata by themselves, each keeping its size.

        >>> rows = np.array([0, 0, 0, 1])
        >>> draws = Resamples.of_strata(rows, None, np.random.default_rng(0), 50)
        >>> np.unique(draws.counts(rows, 2), axis=0)
        array([[3., 1.]])
        """
        row, left = _dealt(len(stratum), weight)
        taken = stratum if row is None else stratum[row]
        codes = np.unique(taken)
        group = np.zeros(len(taken), dtype=np.intp)
        times = [np.zeros((resamples, 0), dtype=np.float32)]
        most = len(taken) if len(taken) <= GROUPS else GROUPS // len(codes)
        for code, child in zip(codes, rng.spawn(len(codes)), strict=True):
            places = np.flatnonzero(taken == code)
            groups = max(1, min(len(places), most))
            group[places] = sum(drawn.shape[1] for drawn in times)
            group[places] += _deal(len(places), groups, child)
            times.append(times_drawn(groups, resamples, child))
        return cls(np.concatenate(times, axis=1), group, row, left, "strata")

    @classmethod
    def of_clusters(
        cls, cluster: Codes, weight: Floats | None, rng: np.random.Generator, resamples: int = 2000
    ) -> Self:
        """Draw the rows of each of the (n,) clusters together; a code below 0 is one by itself.

        >>> rows = np.array([0, 0, 1, 1, 1])
        >>> draws = Resamples.of_clusters(rows, None, np.random.default_rng(0), 50)
        >>> np.unique(draws.n)
        array([4., 5., 6.])
        """
        alone = np.flatnonzero(cluster < 0)
        named = cluster.astype(np.int64)
        named[alone] = cluster.max(initial=-1) + 1 + np.arange(len(alone))
        there = np.bincount(named) > 0
        clusters, place = int(there.sum()), np.cumsum(there)[named] - 1
        groups = min(clusters, GROUPS)
        dealt = _deal(clusters, groups, rng)
        return cls(times_drawn(groups, resamples, rng), dealt[place], None, weight, "clusters")

    def jackknife(self) -> Self:
        """Return the samples that leave out one group each."""
        groups = self.times.shape[1]
        return replace(self, times=1 - np.eye(groups, dtype=np.float32))

    @property
    def method(self) -> str:
        """How intervals made of the draws are called."""
        if self.within:
            return f"bootstrap-{self.within}"
        exact = len(self.group) == self.times.shape[1]
        return "bootstrap-percentile" if exact else "bootstrap-grouped"

    @cached_property
    def n(self) -> Floats:
        """(B,) rows in each draw, or the sum of their weights."""
        sizes = np.bincount(self.group, self.weight, self.times.shape[1])
        rows: Floats = np.matmul(self.times, sizes, dtype=np.float64)
        return rows

    def counts(self, cell: Codes, cells: int) -> Floats:
        """Return (B, cells): how often each cell is drawn, given the (n,) cells of the rows."""
        taken = cell if self.row is None else cell[self.row]
        groups = self.times.shape[1]
        of_groups = np.bincount(self.group * cells + taken, self.weight, groups * cells)
        of_groups = of_groups.reshape(groups, cells)
        if self.weight is None and len(self.group) < _EXACT_SUMS:
            return (self.times @ of_groups.astype(np.float32)).astype(np.float64)
        counts: Floats = np.matmul(self.times, of_groups, dtype=np.float64)
        return counts

    def sums(self, terms: Callable[[Rows], Floats]) -> Floats:
        """Return (B, T) sums, given a function from some rows to their (T, ...) terms."""
        groups, parts = self.times.shape[1], []
        for part in blocks(len(self.group), _BLOCK):
            values = terms(part if self.row is None else self.row[part])
            weighed = values if self.weight is None else values * self.weight[part]
            parts.append([np.bincount(self.group[part], term, groups) for term in weighed])
        with np.errstate(invalid="ignore", over="ignore"):  # an infinite term, drawn no times
            drawn: Floats = np.matmul(self.times, np.sum(parts, axis=0).T, dtype=np.float64)
        return drawn

    def moments(
        self, truth: Floats, predictions: Sequence[Floats], weight: Floats | None
    ) -> list[ResidualMoments]:
        """Return the table of each (n,) prediction over resamples, (B,) draws of each number."""
        both = [(one, Centre.of(truth, one, weight)) for one in predictions]

        def terms(rows: Rows) -> Floats:
            return np.concatenate([row_terms(truth[rows], one[rows], at) for one, at in both])

        ends = zip(self.sums(terms).T.reshape(len(both), TERMS, -1), both, strict=True)
        return [ResidualMoments.from_sums(self.n, sums, at) for sums, (_, at) in ends]

    def medians(self, values: Floats) -> Floats:
        """Return the (B,) medians of (n,) values."""
        distinct, code = np.unique(values, return_inverse=True)
        upto = self.counts(code, len(distinct)).cumsum(axis=1)
        half = upto[:, -1:] / 2
        lower, upper = ((upto < half).sum(axis=1), (upto <= half).sum(axis=1))
        medians: Floats = (distinct[lower] + distinct[upper]) / 2
        return medians

    def rank_correlations(self, truth: Floats, prediction: Floats) -> Floats:
        """Return (B,) values of Spearman's correlation of (n,) values; NaN of equal values.

        Equal values share their mean rank, rows drawn twice among them.
        """
        drawn = [_correlations(truth, prediction, part) for part in self.parts()]
        return np.concatenate(drawn)

    def pairs(self, truth: Floats, prediction: Floats) -> Pairs:
        """Return how (n,) values order the pairs of rows of each resample, (B,) of each number.

        A row drawn twice is a pair tied in both. Time and memory grow with the square of n.
        """
        first, second = (
            np.unique(values, return_inverse=True)[1] for values in (truth, prediction)
        )
        both = np.unique(first * (second.max(initial=0) + 1) + second, return_inverse=True)[1]
        total = self.n * (self.n - 1) / 2
        tied = [_tied(codes, self) for codes in (first, second, both)]
        surplus = _surplus(first, second, self)
        return Pairs(total, (total - tied[0] - tied[1] + tied[2] - surplus) / 2, *tied)

    def parts(self) -> Iterator[Self]:
        """Cut the draws into as many as are held at once."""
        for at in blocks(len(self.times), _AT_ONCE):
            yield replace(self, times=self.times[at])


def _deal(rows: int, groups: int, rng: np.random.Generator) -> Places:
    """Return the group of each row: its own where there are as many, else at random."""
    return np.arange(rows) if rows <= groups else rng.permutation(rows) % groups


def _dealt(n: int, weight: Floats | None) -> tuple[Places | None, Floats | None]:
    """Return which rows are dealt, and what each counts where that is not 1."""
    if weight is None:
        return None, None
    counts = as_counts(weight)
    if counts.dtype == np.int64 and counts.sum() <= _MOST_ROWS:
        return np.repeat(np.arange(n), counts.astype(np.int64)), None
    used = np.flatnonzero(weight)
    return used, weight[used]


def times_drawn(groups: int, resamples: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return (resamples, groups): how often each group is drawn, as many in all as there are."""
    drawn = [np.zeros((0, groups), dtype=np.float32)]
    for some, child in chunks(resamples, rng, 1 + _DRAWN // max(groups, 1)):
        places = child.integers(max(groups, 1), size=(some, groups))
        places += groups * np.arange(some)[:, np.newaxis]
        counts = np.bincount(places.ravel(), minlength=some * groups)
        drawn.append(counts.reshape(some, groups).astype(np.float32))
    return np.concatenate(drawn)


_AT_ONCE = 250
"""Resamples whose rows are held at once, which bounds the memory."""

_EXACT_COUNTS = 1 << 24
"""With fewer rows, their number is one that float32 holds."""


def _correlations(truth: Floats, prediction: Floats, resamples: Resamples) -> Floats:
    times = resamples.counts(np.arange(len(truth)), len(truth))
    first, second = (_ranks(values, times, resamples) for values in (truth, prediction))
    spread = (times * first**2).sum(axis=1) * (times * second**2).sum(axis=1)
    both = (times * first * second).sum(axis=1)
    return np.clip(quotient(both, np.sqrt(spread)), -1, 1)


def _ranks(values: Floats, times: Floats, resamples: Resamples) -> Floats:
    """Return (B, n) ranks less their mean, but for a constant."""
    distinct, code = np.unique(values, return_inverse=True)
    counts = resamples.counts(code, len(distinct))
    middle = (counts.cumsum(axis=1) - counts / 2)[:, code]
    # The mean of all places is the half of their number; in halves this is exact.
    centred: Floats = middle - times.sum(axis=1, keepdims=True) / 2
    return centred


def _tied(codes: Codes, resamples: Resamples) -> Floats:
    counts = resamples.counts(codes, int(codes.max(initial=0)) + 1)
    pairs: Floats = (counts * (counts - 1)).sum(axis=1) / 2
    return pairs


def _surplus(first: Codes, second: Codes, resamples: Resamples) -> Floats:
    """Return (B,) pairs that both order alike less those that they order differently."""
    n = len(first)
    exact = resamples.weight is None and resamples.n.max(initial=0.0) < _EXACT_COUNTS
    kind = np.float32 if exact else np.float64
    signs = np.sign(first[:, np.newaxis] - first) * np.sign(second[:, np.newaxis] - second)
    signs = signs.astype(kind)
    surplus = []
    for part in resamples.parts():
        times = part.counts(np.arange(n), n)
        surplus.append((times * (times.astype(kind) @ signs)).sum(axis=1) / 2)
    return np.concatenate(surplus)


def drawn_roc_areas(tp: Floats, fp: Floats) -> Floats:
    """Return (B,) areas of (B, m) running counts; NaN where a draw lacks a class."""
    before = np.concatenate([np.zeros((len(tp), 1)), tp[:, :-1]], axis=1)
    twice = np.einsum("bm,bm->b", np.diff(fp, axis=1, prepend=0.0), tp + before)
    return quotient(twice / 2, tp[:, -1] * fp[:, -1])


DRAWN_AREAS: Mapping[str, Callable[[Floats, Floats], Floats]] = MappingProxyType(
    {
        "roc_auc": drawn_roc_areas,
        "gini": lambda tp, fp: 2 * drawn_roc_areas(tp, fp) - 1,
    }
)
"""The metrics that need no loop over the draws, by key."""


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
