"""The bootstrap of everything made of sums over rows, for several models on the same draws.

Rows are dealt at random into groups, and groups are drawn with replacement. With up to `GROUPS`
rows each is a group of its own, which is the bootstrap of the rows. With more, the spread of the
draws is that of sums over drawn rows but for what chance puts together, some 1.6% of it; the cost
of a draw then no longer grows with the rows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Codes, Floats
from evalcore.resampling.bootstrap import chunks
from evalcore.tables.weights import as_counts

GROUPS = 2000
"""Up to so many groups are made of the rows."""

_MOST_ROWS = 20_000_000
"""Up to so many rows of weight 1, a row of weight w is dealt as w rows; above, as one."""

_DRAWN = 1 << 21
"""Groups that are drawn at once, which bounds the memory."""

_BLOCK = 1 << 16
"""Rows whose terms are held at once."""

Places = NDArray[np.intp]
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
    """

    times: Floats
    group: Places
    row: Places | None = None
    weight: Floats | None = None

    @classmethod
    def of(
        cls, n: int, weight: Floats | None, rng: np.random.Generator, resamples: int = 2000
    ) -> Self:
        """Deal n rows, and draw. Rows of weight 0 are left out; a weight is a number of rows."""
        row, left = _dealt(n, weight)
        rows = n if row is None else len(row)
        groups = min(rows, GROUPS)
        group = np.arange(rows) if rows <= GROUPS else rng.permutation(rows) % groups
        return cls(_times(groups, resamples, rng), group, row, left)

    @property
    def method(self) -> str:
        """How intervals made of the draws are called."""
        exact = len(self.group) == self.times.shape[1]
        return "bootstrap-percentile" if exact else "bootstrap-grouped"

    @cached_property
    def n(self) -> Floats:
        """(B,) rows in each draw, or the sum of their weights."""
        sizes = np.bincount(self.group, self.weight, self.times.shape[1])
        return self.times @ sizes.astype(np.float64)

    def counts(self, cell: Codes, cells: int) -> Floats:
        """Return (B, cells): how often each cell is drawn, given the (n,) cells of the rows."""
        taken = cell if self.row is None else cell[self.row]
        groups = self.times.shape[1]
        of_groups = np.bincount(self.group * cells + taken, self.weight, groups * cells)
        return self.times @ of_groups.reshape(groups, cells)

    def sums(self, terms: Callable[[Rows], Floats]) -> Floats:
        """Return (B, T) sums, given a function from some rows to their (T, ...) terms."""
        groups, parts = self.times.shape[1], []
        for start in range(0, len(self.group), _BLOCK):
            part = slice(start, start + _BLOCK)
            values = terms(part if self.row is None else self.row[part])
            weighed = values if self.weight is None else values * self.weight[part]
            parts.append([np.bincount(self.group[part], term, groups) for term in weighed])
        with np.errstate(invalid="ignore"):  # an infinite term, drawn no times
            drawn: Floats = self.times @ np.sum(parts, axis=0).T
        return drawn


def _dealt(n: int, weight: Floats | None) -> tuple[Places | None, Floats | None]:
    """Return which rows are dealt, and what each counts where that is not 1."""
    if weight is None:
        return None, None
    counts = as_counts(weight)
    if counts.dtype == np.int64 and counts.sum() <= _MOST_ROWS:
        return np.repeat(np.arange(n), counts.astype(np.int64)), None
    used = np.flatnonzero(weight)
    return used, weight[used]


def _times(groups: int, resamples: int, rng: np.random.Generator) -> Floats:
    """Return (resamples, groups): how often each group is drawn, as many in all as there are."""
    drawn = [np.zeros((0, groups))]
    for some, child in chunks(resamples, rng, 1 + _DRAWN // max(groups, 1)):
        places = child.integers(max(groups, 1), size=(some, groups))
        places += groups * np.arange(some)[:, np.newaxis]
        counts = np.bincount(places.ravel(), minlength=some * groups)
        drawn.append(counts.reshape(some, groups).astype(np.float64))
    return np.concatenate(drawn)
