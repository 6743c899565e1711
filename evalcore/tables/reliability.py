"""Probabilities in bins, each with what happened: the table behind every calibration number."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import EvalError
from evalcore.outcomes import Floats, ReadOnly
from evalcore.tables.confusion import Counts, quotient
from evalcore.tables.scores import ScoreTable


@dataclass(frozen=True, eq=False)
class ReliabilityTable(ReadOnly):
    """Rows, sum of probabilities and positives in each of K bins [a, b), the last one closed.

    Attributes:
        edges: (K + 1,) rising.
        n: (K,) rows; int64, or float64 where weights are fractional.
        probability_sum: (K,) sum of the rows' probabilities.
        positives: (K,) positive rows; of the type of `n`.
    """

    edges: Floats
    n: Counts
    probability_sum: Floats
    positives: Counts

    @classmethod
    def from_scores(
        cls, table: ScoreTable, bins: int = 10, binning: Literal["uniform", "quantile"] = "uniform"
    ) -> Self:
        """Bin the probabilities of a score table.

        "uniform": K = `bins` of equal width in [0, 1], whose edges are the quotients k / K.
        "quantile": at most `bins` of counts as equal as ties allow, since equal probabilities
        share a bin; edges are real scores.
        """
        score, positive, count = _rising(table)
        if binning == "uniform":
            edges = np.arange(bins + 1) / bins
        else:
            edges = _quantile_edges(score, count, bins)
        bounds = np.append(score.searchsorted(edges[:-1]), len(score))
        return cls(
            edges, _sums(count, bounds), _sums(score * count, bounds), _sums(positive, bounds)
        )

    @property
    def mean_probability(self) -> Floats:
        """(K,) mean probability in each bin; NaN where it is empty."""
        return quotient(self.probability_sum, self.n)

    @property
    def share_positive(self) -> Floats:
        """(K,) share of rows that are positive in each bin; NaN where it is empty."""
        return quotient(self.positives, self.n)

    def __add__(self, other: "ReliabilityTable") -> "ReliabilityTable":
        if not np.array_equal(self.edges, other.edges):
            raise EvalError("different-bins", "Only reliability tables of the same bins add up.")
        return ReliabilityTable(
            self.edges,
            self.n + other.n,
            self.probability_sum + other.probability_sum,
            self.positives + other.positives,
        )


def rising_shares(positive: Floats, rows: Floats) -> Floats:
    """Return the rising shares that fit (m,) positives of (m,) rows best, by squared distance.

    Neighbours are pooled until shares rise: isotonic regression.
    """
    from scipy.optimize import isotonic_regression

    counted = rows > 0  # beside much larger weights, what small ones add may be lost
    if not counted.any():
        return np.zeros(len(rows))
    fit = isotonic_regression(positive[counted] / rows[counted], weights=rows[counted]).x
    shares: Floats = fit[np.maximum(np.cumsum(counted) - 1, 0)]
    return shares


def _quantile_edges(score: Floats, count: Counts, bins: int) -> Floats:
    """Return the lowest score of each bin of nearly equal counts, and the highest score."""
    if not len(score):
        return np.array([0.0, 1.0])
    starts = _starts_of_equal_counts(np.cumsum(count), bins)
    return np.append(score[starts], score[-1])


def _starts_of_equal_counts(cumulative: Counts, bins: int) -> list[int]:
    """Cut m tie groups, given by running counts, into at most `bins` runs.

    Without ties these are the rows between the quantiles of type 7 (Hyndman and Fan 1996, The
    American Statistician 50(4)). A group larger than its share is a bin of its own, and the
    other bins share what remains.
    """
    unit = 1 if np.issubdtype(cumulative.dtype, np.integer) else 0
    rest = float(cumulative[-1]) - unit
    starts, base, share, left = [0], 0.0, 1, bins
    while share < left:
        target = base + (rest - base) * share / left
        end = int(cumulative.searchsorted(target, side="right"))
        overshoot = cumulative[end] - unit - target
        if end > starts[-1] and overshoot > target - cumulative[end - 1]:
            end -= 1
        if end == len(cumulative) - 1:
            break
        starts.append(end + 1)
        share += 1
        if cumulative[end] > base + (rest - base) * share / left:
            base, share, left = float(cumulative[end]), 1, left - share + 1
    return starts


def _rising(table: ScoreTable) -> tuple[Floats, Counts, Counts]:
    """Return the distinct scores, rising, with the positives and all rows at each."""
    positive, negative = table.steps()
    return table.threshold[::-1], positive[::-1], (positive + negative)[::-1]


def _sums(values: NDArray[Any], bounds: NDArray[np.intp]) -> NDArray[Any]:
    """Sum the values between neighbouring bounds, each stretch by itself to lose no digits."""
    sums = [values[start:stop].sum() for start, stop in pairwise(bounds)]
    return np.array(sums, dtype=values.dtype)
