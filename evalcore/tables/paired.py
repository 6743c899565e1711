"""Truth against the decisions of two models on the same rows: the table behind paired tests."""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from evalcore.errors import EvalError
from evalcore.outcomes import Codes, Floats, ReadOnly
from evalcore.tables.confusion import Counts, as_counts

_DENSE = 1_000_000
"""Up to so many cells, all of them are counted; with more, those that occur."""


class Rightness(NamedTuple):
    """Rows, or sums of weights, by which of two models is right."""

    both: float
    only_first: float
    only_second: float
    neither: float

    @property
    def n(self) -> float:
        """All rows."""
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def difference(self) -> float:
        """Accuracy of the second model minus that of the first; NaN without rows."""
        return (self.only_second - self.only_first) / self.n if self.n else float("nan")


@dataclass(frozen=True, eq=False)
class PairedTable(ReadOnly):
    """How often each combination of truth and two decisions occurs; those that do, in order.

    Attributes:
        classes: The K class names.
        truth: (m,) codes of the truth of each combination.
        first: (m,) codes of the first model's decision.
        second: (m,) codes of the second model's decision.
        counts: (m,) rows; int64, or float64 where weights are fractional.
    """

    classes: tuple[str, ...]
    truth: Codes
    first: Codes
    second: Codes
    counts: Counts

    @classmethod
    def from_codes(
        cls,
        classes: tuple[str, ...],
        codes: tuple[Codes, Codes, Codes],
        weight: Floats | None = None,
    ) -> Self:
        """Count (n,) codes of the truth and of two decisions, each row `weight` times."""
        size = len(classes)
        truth, first, second = (part.astype(np.int64) for part in codes)
        cell = (truth * size + first) * size + second
        counts = np.ones(len(cell), dtype=np.int64) if weight is None else as_counts(weight)
        return cls._of_cells(classes, cell, counts)

    @classmethod
    def _of_cells(cls, classes: tuple[str, ...], cell: Codes, counts: Counts) -> Self:
        """Add up the counts of equal cells."""
        size = len(classes)
        if size**3 <= _DENSE:
            sums, cell = np.bincount(cell, counts, size**3), np.arange(size**3)
        else:
            cell, place = np.unique(cell, return_inverse=True)
            sums = np.bincount(place, counts)
        cell, sums = cell[sums > 0], sums[sums > 0].astype(counts.dtype)
        return cls(classes, cell // size**2, cell // size % size, cell % size, sums)

    @property
    def rightness(self) -> Rightness:
        """Which of the two models is right, counted."""
        first, second = self.first == self.truth, self.second == self.truth
        cells = (first & second, first & ~second, ~first & second, ~first & ~second)
        return Rightness(*(float(self.counts[cell].sum()) for cell in cells))

    @property
    def identical(self) -> bool:
        """Whether both models decide the same on every row."""
        return bool(np.array_equal(self.first, self.second))

    def __add__(self, other: "PairedTable") -> "PairedTable":
        if self.classes != other.classes:
            raise EvalError("different-classes", "Only tables of the same classes add up.")
        cells = np.concatenate([self._cells, other._cells])
        return self._of_cells(self.classes, cells, np.concatenate([self.counts, other.counts]))

    @property
    def _cells(self) -> Codes:
        size = len(self.classes)
        cells: Codes = (self.truth * size + self.first) * size + self.second
        return cells
