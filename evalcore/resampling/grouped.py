"""The bootstrap of everything made of sums over rows, for several models on the same draws.

Rows are dealt at random into groups, and groups are drawn with replacement. With up to `GROUPS`
rows each is a group of its own, which is the bootstrap of the rows. With more, the spread of the
draws is that of sums over drawn rows but for what chance puts together, some 1.6% of it; the cost
of a draw then no longer grows with the rows.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Codes, Floats, Places
from evalcore.resampling.bootstrap import chunks
from evalcore.tables.blocks import blocks
from evalcore.tables.weights import as_counts

GROUPS = 2000
"""Up to so many groups are made of the rows."""

_MOST_ROWS = 20_000_000
"""Up to so many rows of weight 1, a row of weight w is dealt as w rows; above, as one."""

_EXACT = 1 << 20
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
        return cls(_times(groups, resamples, rng), group, row, left)

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
        group, times = (
            np.zeros(len(taken), dtype=np.intp),
            [np.zeros((resamples, 0), dtype=np.float32)],
        )
        most = len(taken) if len(taken) <= GROUPS else GROUPS // len(codes)
        for code, child in zip(codes, rng.spawn(len(codes)), strict=True):
            places = np.flatnonzero(taken == code)
            groups = max(1, min(len(places), most))
            group[places] = sum(made.shape[1] for made in times) + _deal(len(places), groups, child)
            times.append(_times(groups, resamples, child))
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
        named[alone] = -1 - np.arange(len(alone))
        _, place = np.unique(named, return_inverse=True)
        clusters = int(place.max(initial=-1)) + 1
        groups = min(clusters, GROUPS)
        dealt = _deal(clusters, groups, rng)
        return cls(_times(groups, resamples, rng), dealt[place], None, weight, "clusters")

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
        if self.weight is None and len(self.group) < _EXACT:
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


def _times(groups: int, resamples: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return (resamples, groups): how often each group is drawn, as many in all as there are."""
    drawn = [np.zeros((0, groups), dtype=np.float32)]
    for some, child in chunks(resamples, rng, 1 + _DRAWN // max(groups, 1)):
        places = child.integers(max(groups, 1), size=(some, groups))
        places += groups * np.arange(some)[:, np.newaxis]
        counts = np.bincount(places.ravel(), minlength=some * groups)
        drawn.append(counts.reshape(some, groups).astype(np.float32))
    return np.concatenate(drawn)
