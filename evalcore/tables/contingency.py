"""Classes against clusters, counted: the table behind every number of agreement."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import EvalError
from evalcore.outcomes import Codes, Places, ReadOnly, Rows
from evalcore.tables.confusion import BinaryCounts

Whole = NDArray[np.int64]

_SMALL = 1 << 20
"""Up to so many cells a table is counted in place; a larger one, mostly empty, by sorting."""


@dataclass(frozen=True, eq=False)
class Contingency(ReadOnly):
    """How many rows each class shares with each cluster; empty cells take no room.

    The classes are the truth or another clustering. B tables that share the sizes of classes and
    clusters, as those do that chance gives, make one table of (B, m) cells.

    Attributes:
        classes: The R class names.
        clusters: The C cluster names.
        row: (m,) the class of each cell.
        column: (m,) the cluster of each cell.
        cells: (..., m) rows in each cell.
    """

    classes: tuple[str, ...]
    clusters: tuple[str, ...]
    row: Places
    column: Places
    cells: Whole

    @classmethod
    def from_codes(
        cls,
        truth: Codes,
        cluster: Codes,
        classes: tuple[str, ...],
        clusters: tuple[str, ...],
        count: Rows | None = None,
    ) -> Self:
        """Count (n,) codes of class and cluster; a row with a code of -1, no group, is left out.

        `count` says how many rows each stands for.
        """
        used = (truth >= 0) & (cluster >= 0)
        key = truth[used].astype(np.int64) * len(clusters) + cluster[used]
        place, cells = _tally(key, len(classes) * len(clusters))
        if count is not None:
            cells = np.zeros(len(place), np.int64)
            np.add.at(cells, np.searchsorted(place, key), count[used])
        row, column = np.divmod(place, max(len(clusters), 1))
        return cls(classes, clusters, row, column, cells)

    @property
    def counts(self) -> Whole:
        """(..., R, C) rows of every cell, empty ones too."""
        shape = (*self.cells.shape[:-1], len(self.classes), len(self.clusters))
        counts = np.zeros(shape, dtype=np.int64)
        counts[..., self.row, self.column] = self.cells
        return counts

    def among(self, classes: Sequence[int], clusters: Sequence[int]) -> Whole:
        """Return (r, c) rows of some classes and clusters, in the order given."""
        down = _places(classes, len(self.classes))[self.row]
        across = _places(clusters, len(self.clusters))[self.column]
        kept = (down >= 0) & (across >= 0)
        counts = np.zeros((len(classes), len(clusters)), dtype=np.int64)
        counts[down[kept], across[kept]] = self.cells[kept]
        return counts

    @property
    def class_sizes(self) -> Whole:
        """(R,) rows of each class."""
        return self._sizes(self.row, len(self.classes))

    @property
    def cluster_sizes(self) -> Whole:
        """(C,) rows of each cluster."""
        return self._sizes(self.column, len(self.clusters))

    @property
    def n(self) -> int:
        """Rows in all."""
        return int(self.class_sizes.sum())

    def pairs(self) -> BinaryCounts:
        """Return the pairs of rows, a pair being positive when both are of one class.

        `tp` pairs are together in class and cluster, `fn` in class only, `fp` in cluster only, `tn`
        in neither; each (...) like the cells, counted exactly up to 3e9 rows, then as float64.
        Source: Hubert and Arabie (1985), Journal of Classification 2.
        """
        both = _pairs(self.cells)
        of_class, of_cluster = _pairs(self.class_sizes), _pairs(self.cluster_sizes)
        apart = _pairs(np.array([self.n])) - of_class - of_cluster + both
        counts = (both, of_cluster - both, of_class - both, apart)
        return BinaryCounts(*(count.astype(np.float64) for count in counts))

    def __add__(self, other: "Contingency") -> "Contingency":
        if (self.classes, self.clusters) != (other.classes, other.clusters):
            raise EvalError("different-classes", "Only tables of the same groups add up.")
        joined = (np.concatenate([getattr(self, n), getattr(other, n)]) for n in ("row", "column"))
        key = np.ravel_multi_index(tuple(joined), (len(self.classes), len(self.clusters)))
        place, part = np.unique(key, return_inverse=True)
        cells = np.zeros(len(place), dtype=np.int64)
        np.add.at(cells, part, np.concatenate([self.cells, other.cells]))
        row, column = np.divmod(place, len(self.clusters))
        return Contingency(self.classes, self.clusters, row, column, cells)

    def _sizes(self, place: Places, groups: int) -> Whole:
        one = self.cells[(0,) * (self.cells.ndim - 1)]
        return np.bincount(place, weights=one, minlength=groups).astype(np.int64)


def _tally(key: Whole, cells: int) -> tuple[Places, Whole]:
    """Return the values that occur, rising, and how often."""
    if cells > max(len(key), _SMALL):
        return np.unique(key, return_counts=True)
    counts = np.bincount(key, minlength=cells)
    place = np.flatnonzero(counts)
    return place, counts[place]


def _places(chosen: Sequence[int], groups: int) -> Places:
    """Return (groups,) the place of each group among the chosen, -1 where it is not chosen."""
    place = np.full(groups, -1, dtype=np.intp)
    place[list(chosen)] = np.arange(len(chosen))
    return place


def _pairs(sizes: Whole) -> Whole:
    pairs: Whole = (sizes * (sizes - 1) // 2).sum(axis=-1)
    return pairs
