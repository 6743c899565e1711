"""Class probabilities condensed: the tables behind every K-class ranking and probability metric."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np

from evalcore.outcomes import Codes, Floats, ReadOnly
from evalcore.tables.areas import average_errors
from evalcore.tables.confusion import Counts
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.scores import ScoreTable
from evalcore.work import once


@dataclass(frozen=True)
class LossMoments:
    """The sum and the sum of squares of a loss over n rows, from which its mean follows."""

    n: float
    total: float
    squares: float

    @classmethod
    def of(cls, loss: Floats, weight: Floats | Counts | None = None) -> Self:
        """Add up (n,) losses, each row `weight` times."""
        count = np.ones(len(loss)) if weight is None else weight.astype(np.float64)
        # Where no row is concerned an infinite loss must not become 0 x inf = NaN.
        if np.isinf(loss).any():
            loss = np.where(count > 0, loss, 0.0)
        total = np.einsum("i,i->", count, loss)
        return cls(float(count.sum()), float(total), float(np.einsum("i,i,i->", count, loss, loss)))

    @property
    def mean(self) -> float:
        """Mean loss; NaN without rows."""
        return self.total / self.n if self.n else np.nan

    @property
    def standard_error(self) -> float:
        """Standard error of the mean; NaN for one row, or where a loss is infinite."""
        if self.n <= 1 or not np.isfinite(self.squares):
            return np.nan
        variance = max(self.squares / self.n - self.mean**2, 0.0) * self.n / (self.n - 1)
        return float(np.sqrt(variance / self.n))

    @property
    def mean_and_error(self) -> tuple[float, float]:
        """The mean and its standard error."""
        return self.mean, self.standard_error

    def __add__(self, other: "LossMoments") -> "LossMoments":
        return LossMoments(self.n + other.n, self.total + other.total, self.squares + other.squares)


@once
def loss_moments(
    table: ScoreTable, losses: Callable[[Floats], tuple[Floats, Floats]]
) -> LossMoments:
    """Return the moments of the losses of all rows, added up once: a mean and its interval ask.

    `losses` gives for (m,) probabilities those of a positive row and of a negative.
    """
    parts = zip(losses(table.threshold), table.steps(), strict=True)
    of_positive, of_negative = (LossMoments.of(loss, rows) for loss, rows in parts)
    return of_positive + of_negative


@dataclass(frozen=True, eq=False)
class ClassReliability:
    """What the most likely class, and each class by itself, was worth in bins of probability."""

    top_label: ReliabilityTable
    one_vs_rest: tuple[ReliabilityTable | None, ...]


@dataclass(frozen=True, eq=False)
class ClassScores(ReadOnly):
    """The probabilities of K classes, condensed.

    A class for which the model gives no probability has None in `one_vs_rest`.

    Attributes:
        classes: The K class names.
        one_vs_rest: A score table per class, that class being the positive one.
        micro: The score table of all (row, class) pairs together.
        top_label: The largest probability of each row; positive where that class is right.
        places: (K, K) rows whose true class has a classes above it and b besides it, at [a, b].
        log_loss: -ln of the probability of the true class, rows divided by their sum.
        brier: Squared distances to the truth, added up over the classes.
        wins: (K, K) at [i, j]: pairs of a row of class i and one of class j in which the first
            has the higher probability of class i, ties one half.
        support: (K,) rows of each true class.
        errors: Standard errors of averages over classes, by their keys.
        off_sum: How many rows have probabilities that do not sum to 1, but for rounding at 1e-9.
        largest_gap: The largest distance of such a sum from 1.
    """

    classes: tuple[str, ...]
    one_vs_rest: tuple[ScoreTable | None, ...]
    micro: ScoreTable
    top_label: ScoreTable
    places: Floats
    log_loss: LossMoments
    brier: LossMoments
    wins: Floats
    support: Floats
    errors: Mapping[str, float]
    off_sum: int = 0
    largest_gap: float = 0.0

    @classmethod
    def from_probabilities(
        cls,
        truth: Codes,
        probabilities: Floats,
        classes: tuple[str, ...],
        weight: Floats | None = None,
    ) -> Self:
        """Condense (n,) codes of the truth and (n, K) probabilities, each row `weight` times."""
        size = len(classes)
        given = np.array([not np.isnan(column).all() for column in probabilities.T])
        filled = np.where(np.isnan(probabilities), 0.0, probabilities)
        # Copied so that each class lies in one piece of memory, which sorting likes.
        columns = np.ascontiguousarray(filled.T)
        tables = tuple(
            ScoreTable.from_scores(_is(truth, code), column, weight) if given[code] else None
            for code, column in enumerate(columns)
        )
        micro = _micro(truth, columns[given], np.flatnonzero(given), weight)
        of_truth = filled[np.arange(len(truth)), truth]
        top_is_right, gap = _is(truth, most_likely(filled)), np.abs(filled.sum(axis=1) - 1)
        return cls(
            classes,
            tables,
            micro,
            ScoreTable.from_scores(top_is_right, filled.max(axis=1), weight),
            _places(filled, of_truth, weight),
            LossMoments.of(log_losses(filled, of_truth), weight),
            LossMoments.of(_squares(filled, of_truth), weight),
            _all_wins(tables, truth, columns, weight),
            np.bincount(truth, weight, size).astype(np.float64),
            average_errors(tables, micro, truth, columns, weight),
            int((gap > 1e-9).sum()),
            float(gap.max(initial=0.0)),
        )

    def reliability(
        self, bins: int = 10, binning: Literal["uniform", "quantile"] = "uniform"
    ) -> ClassReliability:
        """Bin the probabilities of the most likely class and of each class."""
        return ClassReliability(
            ReliabilityTable.from_scores(self.top_label, bins, binning),
            tuple(
                None if table is None else ReliabilityTable.from_scores(table, bins, binning)
                for table in self.one_vs_rest
            ),
        )


def most_likely(probabilities: Floats) -> Codes:
    """Return (n,) codes of the largest of (n, K) probabilities; of tied ones the first."""
    codes: Codes = np.where(np.isnan(probabilities), -1.0, probabilities).argmax(axis=1)
    return codes


def _is(truth: Codes, code: int | Codes) -> Codes:
    return np.equal(truth, code).astype(np.int8)


def _micro(truth: Codes, columns: Floats, codes: Codes, weight: Floats | None) -> ScoreTable:
    hits = (
        np.concatenate([_is(truth, code) for code in codes]) if len(codes) else _is(truth, -1)[:0]
    )
    repeated = None if weight is None else np.tile(weight, len(codes))
    return ScoreTable.from_scores(hits, columns.ravel(), repeated)


def _places(filled: Floats, of_truth: Floats, weight: Floats | None) -> Floats:
    size = filled.shape[1]
    above = (filled > of_truth[:, np.newaxis]).sum(axis=1)
    beside = (filled == of_truth[:, np.newaxis]).sum(axis=1) - 1
    return (
        np.bincount(above * size + beside, weight, size**2).reshape(size, size).astype(np.float64)
    )


def log_losses(filled: Floats, of_truth: Floats) -> Floats:
    """Return (n,) -ln of the probability of the true class, rows of (n, K) divided by their sum."""
    with np.errstate(divide="ignore", invalid="ignore"):
        losses: Floats = -np.log(of_truth / np.nansum(filled, axis=1))
    losses[of_truth == 0] = np.inf
    return losses


def _squares(filled: Floats, of_truth: Floats) -> Floats:
    squares: Floats = np.einsum("ij,ij->i", filled, filled) - of_truth**2 + (1 - of_truth) ** 2
    return squares


def _all_wins(
    tables: tuple[ScoreTable | None, ...], truth: Codes, columns: Floats, weight: Floats | None
) -> Floats:
    wins = np.full((len(tables), len(tables)), np.nan)
    for row, table, column in zip(wins, tables, columns, strict=True):
        if table is not None:
            pairs = _beaten_by(table, column)
            row[:] = np.bincount(
                truth, pairs if weight is None else pairs * weight, minlength=len(tables)
            )
    return wins


def _beaten_by(table: ScoreTable, score: Floats) -> Floats:
    """Return the positives of a table that lie above each of (n,) of its scores, ties one half."""
    step, _ = table.steps()
    if not len(step):
        return np.zeros(len(score))
    place = np.minimum(np.searchsorted(-table.threshold, -score), len(step) - 1)
    above: Floats = table.tp[place] - step[place] / 2
    return above
