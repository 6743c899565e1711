"""Truth against the decisions of one model or of two, counted: what count metrics are made of."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, final

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import EvalError
from evalcore.outcomes import Codes, Floats, Number, ReadOnly, as_float64

BLOCK = 1 << 15
"""Rows that are usually looked at in one go."""


def blocks(rows: int, size: int = BLOCK) -> Iterator[slice]:
    """Cut so many rows into slices of `size`, the last one shorter."""
    return (slice(start, min(start + size, rows)) for start in range(0, rows, size))


NO_PREDICTION = "(no prediction)"
"""What is decided where a model gave no answer: never right, and no class of its own."""

EXACT = 2.0**53
"""Largest sum up to which every whole float64 is exact."""

Counts = NDArray[np.integer[Any] | np.floating[Any]]
"""int64, or float64 where weights are fractional."""


def as_counts(weight: NDArray[Any]) -> Counts:
    """Return weights as int64 where all of them are whole numbers, else as float64."""
    exact = np.asarray(weight, dtype=np.float64)
    if np.array_equal(exact, np.rint(exact)) and exact.sum() < EXACT:
        return exact.astype(np.int64)
    return exact


def in_order(values: Floats, weight: Floats | None) -> tuple[Floats, Floats]:
    """Return the values rising, with how many rows there are up to each; weight 0 is no row."""
    if weight is None:
        return np.sort(values), np.arange(1.0, len(values) + 1)
    used = np.flatnonzero(weight)
    order = used[np.argsort(values[used])]
    return values[order], np.cumsum(weight[order])


def quotient(part: NDArray[Any], whole: NDArray[Any], *, empty: float = np.nan) -> Floats:
    """Return part / whole, and `empty` where there is nothing of which to take a part."""
    shares: Floats = np.full(np.broadcast_shapes(part.shape, whole.shape), empty)
    np.divide(part, whole, out=shares, where=whole > 0, dtype=np.float64)
    return shares


@final
@dataclass(frozen=True)
class BinaryCounts:
    """The four counts of a yes-or-no decision, each a number or an array of one common shape.

    Integers are taken as float64, so that products of counts do not overflow.

    Attributes:
        tp: Positives called positive.
        fp: Negatives called positive.
        fn: Positives called negative.
        tn: Negatives called negative.
    """

    tp: Number
    fp: Number
    fn: Number
    tn: Number

    def __post_init__(self) -> None:
        for name in ("tp", "fp", "fn", "tn"):
            object.__setattr__(self, name, as_float64(getattr(self, name)))

    @property
    def positives(self) -> Number:
        """Rows that are positive."""
        return self.tp + self.fn

    @property
    def negatives(self) -> Number:
        """Rows that are negative."""
        return self.fp + self.tn

    @property
    def predicted_positive(self) -> Number:
        """Rows called positive."""
        return self.tp + self.fp

    @property
    def predicted_negative(self) -> Number:
        """Rows called negative."""
        return self.fn + self.tn

    @property
    def total(self) -> Number:
        """All rows."""
        return self.positives + self.negatives


@final
@dataclass(frozen=True, eq=False)
class ConfusionMatrix(ReadOnly):
    """How often each class was decided for each true class; many matrices in a bootstrap.

    Attributes:
        classes: The K class names.
        counts: (K, K), or (b, K, K) for b draws; rows = truth, columns = decision; int64, or
            float64 where weights are fractional.
    """

    classes: tuple[str, ...]
    counts: Counts

    @classmethod
    def from_codes(
        cls, truth: Codes, decision: Codes, classes: tuple[str, ...], weight: Floats | None = None
    ) -> Self:
        """Count (n,) codes of truth and decision, each row `weight` times.

        >>> truth, decision = np.array([0, 1, 1]), np.array([0, 1, 0])
        >>> ConfusionMatrix.from_codes(truth, decision, ("no", "yes")).counts
        array([[1, 0],
               [1, 1]])
        """
        size = len(classes)
        count = None if weight is None else as_counts(weight)
        found = np.zeros(size * size, np.int64 if count is None else count.dtype)
        # Not more cells than rows in a slice: adding up the slices costs less than counting them.
        for rows in blocks(len(truth), max(BLOCK, len(found))):
            cell = truth[rows].astype(np.intp)
            cell *= size
            cell += decision[rows]
            found += _tally(cell, len(found), None if count is None else count[rows])
        return cls(classes, found.reshape(size, size))

    def binary(self) -> BinaryCounts:
        """Return the counts of a two-class matrix, class 1 being the positive one."""
        if len(self.classes) != 2:
            raise EvalError("not-binary", f"The matrix has {len(self.classes)} classes, not two.")
        (tn, fp), (fn, tp) = np.moveaxis(self.counts, (-2, -1), (0, 1)).astype(np.float64)
        return BinaryCounts(tp, fp, fn, tn)

    def one_vs_rest(self) -> BinaryCounts:
        """Return (..., K) counts of each class taken as positive, all others as negative.

        Those of `NO_PREDICTION`, which is no class, are 0: every average leaves it out.
        """
        counts, others = self.counts.astype(np.float64), 1 - np.eye(len(self.classes))
        hits, wrong = counts.diagonal(axis1=-2, axis2=-1), counts * others
        called, missed = wrong.sum(axis=-2), wrong.sum(axis=-1)
        rest = (hits + missed).sum(axis=-1, keepdims=True) - hits - called - missed
        if self.counts.dtype.kind == "f":  # what subtracting weights leaves of none is not quite 0
            rest = ((others @ counts) * others).sum(axis=-1)
        known = np.not_equal(self.classes, NO_PREDICTION)
        return BinaryCounts(hits, called * known, missed, rest * known)

    @property
    def total(self) -> float:
        """All rows, or the sum of their weights."""
        return float(self.counts.sum())

    def _columns(self) -> Mapping[str, Sequence[Any]]:
        if self.counts.ndim != 2:
            return {"draws": [len(self.counts)]}
        said = zip(self.classes, self.counts.T.tolist(), strict=True)
        return {"truth": self.classes, **{f"called {name}": rows for name, rows in said}}

    def __add__(self, other: "ConfusionMatrix") -> "ConfusionMatrix":
        if self.classes != other.classes:
            raise EvalError("different-classes", "Only matrices of the same classes add up.")
        return ConfusionMatrix(self.classes, self.counts + other.counts)


def _tally(cell: NDArray[np.intp], cells: int, count: Counts | None) -> Counts:
    tally = np.bincount(cell, count, cells)
    return tally if count is None else tally.astype(count.dtype)


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
