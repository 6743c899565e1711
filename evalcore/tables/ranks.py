"""Truth and prediction as ranks: the table behind every rank correlation."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Codes, Floats, Number, ReadOnly
from evalcore.tables.ordering import ends_of_runs
from evalcore.tables.residuals import ResidualMoments


class Pairs(NamedTuple):
    """Pairs of rows by how truth and prediction order them; tied pairs may be tied in both.

    Numbers, or arrays of them for many resamples.
    """

    total: Number
    discordant: Number
    tied_truth: Number
    tied_prediction: Number
    tied_both: Number

    @property
    def concordant(self) -> Number:
        """Pairs that both order the same way."""
        tied = self.tied_truth + self.tied_prediction - self.tied_both
        return self.total - tied - self.discordant


@dataclass(frozen=True, eq=False)
class Ranks(ReadOnly):
    """The place of each row's values among the distinct values, 0 being the smallest.

    Attributes:
        truth: (n,) places of the true values.
        prediction: (n,) places of the predicted values.
        weight: (n,) how often each row counts; None where every row counts once.
    """

    truth: Codes
    prediction: Codes
    weight: Floats | None = None

    @classmethod
    def from_values(cls, truth: Floats, prediction: Floats, weight: Floats | None = None) -> Self:
        """Rank (n,) finite values, leaving out the rows of weight 0.

        >>> Ranks.from_values(np.array([5.0, 1.0, 5.0]), np.array([2.0, 3.0, 4.0])).truth
        array([1, 0, 1])
        """
        if weight is not None:
            used = np.flatnonzero(weight)
            truth, prediction, weight = truth[used], prediction[used], weight[used]
        return cls(_places(truth), _places(prediction), weight)

    @property
    def n(self) -> float:
        """Codes, or the sum of their weights."""
        return float(len(self.truth) if self.weight is None else self.weight.sum())

    @cached_property
    def moments(self) -> ResidualMoments:
        """The moments of the ranks themselves, from 1, equal values sharing their mean rank."""
        return ResidualMoments.from_values(
            _mid_ranks(self.truth, self.weight),
            _mid_ranks(self.prediction, self.weight),
            self.weight,
        )

    @cached_property
    def pairs(self) -> Pairs:
        """The pairs of rows, counted in O(n log n); a row of weight w makes w (w - 1) / 2 ties.

        Source: Knight (1966), Journal of the American Statistical Association 61, whose merge
        sort is done here for all blocks of one size at once.
        """
        width = int(self.prediction.max(initial=-1)) + 1
        cell = self.truth * width + self.prediction
        order = None if self.weight is None else np.argsort(cell, kind="stable")
        cell = np.sort(cell) if order is None else cell[order]
        weight = None if self.weight is None or order is None else self.weight[order]
        running = np.arange(1, len(cell) + 1) if weight is None else np.cumsum(weight)
        return Pairs(
            total=self.n * (self.n - 1) / 2,
            discordant=inversions(cell % max(width, 1), weight),
            tied_truth=_within(np.bincount(self.truth, weights=self.weight)),
            tied_prediction=_within(np.bincount(self.prediction, weights=self.weight)),
            tied_both=_within(np.diff(running[ends_of_runs(cell)], prepend=0)),
        )


def inversions(values: Codes, weight: Floats | None = None) -> float:
    """Return how many pairs of (n,) whole numbers stand in falling order, or their weight.

    >>> inversions(np.array([2, 1, 1])), inversions(np.array([2, 1]), np.array([2.0, 3.0]))
    (2.0, 6.0)
    """
    n = len(values)
    size = 1 << max(n - 1, 0).bit_length()
    largest = int(values.max(initial=0))
    rows: Codes = np.full(size, largest, dtype=np.int32 if largest < 2**30 else np.int64)
    rows[:n] = values
    if weight is not None:
        # A row that only fills up to a power of two weighs nothing.
        weight = np.pad(weight, (0, size - n))
    total, half = 0.0, 1
    while half < size:
        shape = (-1, 2 * half)
        if weight is None:
            rows, falling = _merge(rows.reshape(shape), half)
        else:
            rows, weight, falling = _merge_weighted(
                rows.reshape(shape), weight.reshape(shape), half
            )
        total, half = total + falling, 2 * half
    return total


def _merge(rows: Codes, half: int) -> tuple[Codes, float]:
    """Sort each row, made of two sorted halves, and count its pairs in falling order."""
    keys = rows << 1
    keys[:, half:] |= 1
    keys.sort(axis=1)
    # Of the half * half pairs of a row those are in order whose left value comes first, which
    # the places of the right values tell.
    right = (keys & 1).sum(axis=0) @ np.arange(2 * half)
    return keys >> 1, float(len(rows) * (half * half + half * (half - 1) // 2) - int(right))


def _merge_weighted(rows: Codes, weight: Floats, half: int) -> tuple[Codes, Floats, float]:
    order = np.argsort(rows, axis=1, kind="stable")
    weight = np.take_along_axis(weight, order, axis=1)
    left = np.where(order < half, weight, 0.0)
    left_after = left.sum(axis=1, keepdims=True) - left.cumsum(axis=1)
    falling = float((left_after * (weight - left)).sum())
    return np.take_along_axis(rows, order, axis=1), weight, falling


def _places(values: Floats) -> Codes:
    order = np.argsort(values)
    ordered = values[order]
    steps = np.zeros(len(values), dtype=np.int64)
    np.not_equal(ordered[1:], ordered[:-1], out=steps[1:], casting="unsafe")
    places = np.empty_like(steps)
    places[order] = np.cumsum(steps)
    return places


def _mid_ranks(places: Codes, weight: Floats | None) -> Floats:
    counts = np.bincount(places, weights=weight).astype(np.float64)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks


def _within(sizes: NDArray[Any]) -> float:
    """Return the number of pairs inside groups of these sizes."""
    return float((sizes * (sizes - 1.0)).sum() / 2)
