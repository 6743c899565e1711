"""Truth against prediction: sums and ranks, the tables behind every regression metric.

All of it comes from one sum over the rows of `row_terms`, so that bootstrap draws of those sums
give bootstrap draws of the table.
"""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Codes, Floats, Number, NumericOutcomes, ReadOnly, frozen
from evalcore.tables.confusion import blocks
from evalcore.tables.scores import ends_of_runs
from evalcore.work import once

TERMS = 14
"""Number of terms that `row_terms` gives for each row."""

_BLOCK = 1 << 16


@dataclass(frozen=True)
class Centre:
    """What is subtracted before squaring, so that targets of 1e9 keep their precision."""

    truth: float
    prediction: float
    error: float

    @classmethod
    def of(cls, truth: Floats, prediction: Floats, weight: Floats | None) -> Self:
        """Return the means; where all values are equal, exactly that value."""
        return cls(
            _mean(truth, weight), _mean(prediction, weight), _mean(prediction - truth, weight)
        )


@dataclass(frozen=True, eq=False)
class ResidualMoments:
    """Means, centred sums of squares, and sums of losses of truth y, prediction f, error f - y.

    Each is a number, or an array of one common shape. Tables of two halves of a file add up.

    Attributes:
        n: Rows, or the sum of their weights.
        mean_truth: Mean of y.
        mean_prediction: Mean of f.
        mean_error: Mean of f - y, the bias.
        truth_ss: Sum of squares of y about its mean.
        prediction_ss: Sum of squares of f about its mean.
        error_ss: Sum of squares of f - y about its mean.
        product_ss: Sum of products of y and f, each about its mean.
        absolute_error: Sum of |f - y|.
        absolute_truth: Sum of |y|.
        relative_error: Sum of |f - y| / |y| over the rows with y != 0.
        nonzero: Rows with y != 0.
        symmetric_error: Sum of 2 |f - y| / (|y| + |f|), a row with y = f = 0 adding 0.
        log_error: Sum of |log(1 + f) - log(1 + y)|; NaN if a value is -1 or less.
        log_squared_error: Sum of its squares; NaN if a value is -1 or less.
    """

    n: Number
    mean_truth: Number
    mean_prediction: Number
    mean_error: Number
    truth_ss: Number
    prediction_ss: Number
    error_ss: Number
    product_ss: Number
    absolute_error: Number
    absolute_truth: Number
    relative_error: Number
    nonzero: Number
    symmetric_error: Number
    log_error: Number
    log_squared_error: Number

    def __post_init__(self) -> None:
        for field in fields(self):
            value = np.asarray(getattr(self, field.name), dtype=np.float64)
            object.__setattr__(self, field.name, frozen(value) if value.ndim else float(value))

    @classmethod
    def from_values(
        cls, truth: Floats, prediction: Floats, weight: Floats | None = None
    ) -> "ResidualMoments":
        """Sum up (n,) finite values in one unit, each row `weight` times; weight 0 is no row.

        >>> table = ResidualMoments.from_values(np.array([1.0, 3.0]), np.array([2.0, 6.0]))
        >>> table.mean_error, table.error_ss, table.absolute_error
        (2.0, 2.0, 4.0)
        """
        if weight is not None and not weight.all():
            used = np.flatnonzero(weight)
            truth, prediction, weight = truth[used], prediction[used], weight[used]
        centre = Centre.of(truth, prediction, weight)
        total = np.zeros(TERMS)
        for rows in blocks(len(truth), _BLOCK):
            terms = row_terms(truth[rows], prediction[rows], centre)
            with np.errstate(over="ignore", invalid="ignore"):  # squares of numbers beyond 1e154
                total += terms.sum(axis=1) if weight is None else terms @ weight[rows]
        n = float(len(truth) if weight is None else weight.sum())
        return cls.from_sums(n, total, centre)

    @classmethod
    def of(cls, outcomes: NumericOutcomes) -> "ResidualMoments":
        """Return the table of checked numbers, summed up once however often it is asked for."""
        return _summed(outcomes)

    @classmethod
    def from_sums(cls, n: Number, sums: Floats, centre: Centre) -> "ResidualMoments":
        """Return the table of (14, ...) sums of `row_terms` about a centre."""
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            shift = sums[:3] / n
            squares = np.maximum(sums[3:6] - n * shift**2, 0.0)
            product = sums[6] - n * shift[0] * shift[1]
        # What a resample of equal rows leaves behind is rounding, not variation.
        rounding = 8 * np.finfo(np.float64).eps * sums[3:6]
        squares[np.isfinite(rounding) & (squares <= rounding)] = 0.0
        means = np.array([centre.truth, centre.prediction, centre.error])
        values = (n, *(means + shift.T).T, *squares, product, *sums[7:])
        return cls(**dict(zip((field.name for field in fields(cls)), values, strict=True)))

    @property
    def bias_ss(self) -> Number:
        """The part of the squared errors that is due to the bias: n times its square."""
        return self.n * self.mean_error * self.mean_error

    def __add__(self, other: "ResidualMoments") -> "ResidualMoments":
        if not self.n or not other.n:
            return self if self.n else other
        n = self.n + other.n
        share, cross = other.n / n, self.n * other.n / n
        y, f, e = (getattr(other, name) - getattr(self, name) for name in _MEANS)
        gaps = {"truth_ss": y * y, "prediction_ss": f * f, "error_ss": e * e, "product_ss": y * f}
        means = {
            name: getattr(self, name) + share * d for name, d in zip(_MEANS, (y, f, e), strict=True)
        }
        sums = {
            field.name: getattr(self, field.name) + getattr(other, field.name)
            for field in fields(self)
        }
        spread = {name: sums[name] + cross * gap for name, gap in gaps.items()}
        return ResidualMoments(**(sums | means | spread))


@once
def _summed(outcomes: NumericOutcomes) -> ResidualMoments:
    return ResidualMoments.from_values(outcomes.truth, outcomes.prediction, outcomes.weight)


_MEANS = ("mean_truth", "mean_prediction", "mean_error")


def row_terms(truth: Floats, prediction: Floats, centre: Centre) -> Floats:
    """Return (14, n): for each row what `ResidualMoments.from_sums` needs the sum of.

    Three deviations from the centre, their squares, the product of the first two, then the
    losses in the order of the table's fields.
    """
    error = prediction - truth
    terms = np.empty((TERMS, len(truth)))
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        terms[0], terms[1] = truth - centre.truth, prediction - centre.prediction
        terms[2] = error - centre.error
        np.square(terms[:3], out=terms[3:6])
        terms[6] = terms[0] * terms[1]
        terms[7], terms[8] = np.abs(error), np.abs(truth)
        terms[9] = np.where(truth != 0, terms[7] / terms[8], 0.0)
        terms[10] = truth != 0
        size = terms[8] + np.abs(prediction)
        terms[11] = np.where(size > 0, 2 * terms[7] / size, 0.0)
        terms[12] = np.abs(_log1p(prediction) - _log1p(truth))
        terms[13] = terms[12] ** 2
    return terms


def _log1p(values: Floats) -> Floats:
    return np.log1p(np.where(values > -1, values, np.nan))


def _mean(values: Floats, weight: Floats | None) -> float:
    if not len(values):
        return float("nan")
    first = values[0]
    shift = np.average(values - first, weights=weight)
    return float(first + shift)


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
        """Rank (n,) finite values, leaving out the rows of weight 0."""
        if weight is not None:
            used = np.flatnonzero(weight)
            truth, prediction, weight = truth[used], prediction[used], weight[used]
        _, rank_of_truth = np.unique(truth, return_inverse=True)
        _, rank_of_prediction = np.unique(prediction, return_inverse=True)
        return cls(rank_of_truth, rank_of_prediction, weight)

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
    """Return how many pairs of (n,) whole numbers stand in falling order, or their weight."""
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


def _mid_ranks(places: Codes, weight: Floats | None) -> Floats:
    counts = np.bincount(places, weights=weight).astype(np.float64)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks


def _within(sizes: NDArray[Any]) -> float:
    """Return the number of pairs inside groups of these sizes."""
    return float((sizes * (sizes - 1.0)).sum() / 2)
