"""What decisions between several classes cost, and what weighing the costs would save."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from evalcore.errors import EvalError
from evalcore.outcomes import ClassOutcomes, Codes, Floats
from evalcore.resampling.interval import Interval, wald_interval
from evalcore.tables.classes import LossMoments, most_likely
from evalcore.tables.confusion import ConfusionMatrix


def least_costly(probabilities: Floats, costs: Floats) -> Codes:
    """Return (n,) codes of the class that is cheapest to decide for, of tied ones the first.

    `probabilities` are (n, K), a missing one being 0; `costs` are (K, K), row = truth, column =
    decision. Source: Elkan (2001), The foundations of cost-sensitive learning, IJCAI.

    >>> least_costly(np.array([[0.8, 0.2], [0.95, 0.05]]), np.array([[0, 1], [10, 0]])).tolist()
    [1, 0]
    """
    expected = np.where(np.isnan(probabilities), 0.0, probabilities) @ costs
    codes: Codes = expected.argmin(axis=1)
    return codes


def shares_of_rows(outcomes: ClassOutcomes) -> Floats:
    """Return the (K,) shares of the classes among the rows; NaN without rows."""
    rows = np.bincount(outcomes.truth, outcomes.weight, len(outcomes.classes))
    shares: Floats = rows / (rows.sum() or np.nan)
    return shares


@dataclass(frozen=True, eq=False)
class Decided:
    """One way of deciding: its confusion matrix and the mean cost of a row."""

    confusion: ConfusionMatrix
    cost: float
    interval: Interval


@dataclass(frozen=True, eq=False)
class ClassCosts:
    """What two ways of deciding cost on the same rows.

    Attributes:
        likeliest: Deciding for the likeliest class.
        cheapest: Deciding for the class of lowest expected cost.
        saved: What the second saves per row.
        saved_interval: Its interval, from the differences row by row.
        changed: Share of the rows that are decided otherwise.
    """

    likeliest: Decided
    cheapest: Decided
    saved: float
    saved_interval: Interval
    changed: float

    @classmethod
    def of(
        cls,
        outcomes: ClassOutcomes,
        costs: Floats,
        shares: Sequence[float] | Floats | None = None,
        level: float = 0.95,
    ) -> Self:
        """Decide every row both ways; `costs` are (K, K), row = truth, column = decision.

        `shares` are those of the (K,) classes where decisions are made, in proportion; None for
        those of the rows. The mean of each class then counts by its share, and the cheapest class
        is that of the probabilities moved to the shares: rows of a class are taken to look there
        as they do here. Source: Saerens, Latinne and Decaestecker (2002), Adjusting the outputs
        of a classifier to new a priori probabilities, Neural Computation 14(1).

        Raises EvalError where the model gives no probabilities, or shares are not 0 or more.
        """
        if outcomes.probabilities is None:
            raise EvalError("labels-only", "Weighing costs needs a probability for each class.")
        told = None if shares is None else _checked(shares)
        weighed = costs if told is None else costs * _moved(outcomes, told)[:, np.newaxis]
        first = most_likely(outcomes.probabilities)
        second = least_costly(outcomes.probabilities, weighed)
        mean = _Mean(outcomes, told, level)
        saved, ends = mean.of(costs[outcomes.truth, first] - costs[outcomes.truth, second])
        changed, _ = mean.of((first != second).astype(np.float64))
        one, other = (mean.decided(codes, costs) for codes in (first, second))
        return cls(one, other, saved, ends, changed)


def _checked(shares: Sequence[float] | Floats) -> Floats:
    """Return shares that add up to 1."""
    given = np.asarray(shares, dtype=np.float64)
    if not (np.isfinite(given) & (given >= 0)).all() or not given.any():
        raise EvalError("bad-shares", "Shares of classes must be 0 or more, and not all of them 0.")
    added: Floats = given / given.sum()
    return added


def _moved(outcomes: ClassOutcomes, shares: Floats) -> Floats:
    """Return how many times as common each class is where decisions are made; 1 if unknown."""
    here = shares_of_rows(outcomes)
    times = np.divide(shares, here, out=np.ones(len(here)), where=here > 0)
    return np.where(shares > 0, times, 0.0)


@dataclass(frozen=True, eq=False)
class _Mean:
    """How losses of rows make the mean of a case, given (K,) shares of the classes that add to 1.

    The mean is undefined where a class has a share and no rows.
    """

    outcomes: ClassOutcomes
    shares: Floats | None
    level: float

    def of(self, loss: Floats) -> tuple[float, Interval]:
        """Return the mean of (n,) losses and its interval."""
        truth, weight = self.outcomes.truth, self.outcomes.weight
        if self.shares is None:
            mean, error = LossMoments.of(loss, weight).mean_and_error
            return mean, wald_interval(mean, error, self.level)
        used = np.flatnonzero(self.shares)
        rows = [np.flatnonzero(truth == code) for code in used]
        parts = [LossMoments.of(loss[at], None if weight is None else weight[at]) for at in rows]
        means, errors = np.array([part.mean_and_error for part in parts]).T
        mean, error = self.shares[used] @ means, np.hypot.reduce(self.shares[used] * errors)
        return float(mean), wald_interval(float(mean), float(error), self.level)

    def decided(self, codes: Codes, costs: Floats) -> Decided:
        """Return what (n,) decisions cost."""
        told = self.outcomes
        matrix = ConfusionMatrix.from_codes(told.truth, codes, told.classes, told.weight)
        return Decided(matrix, *self.of(costs[told.truth, codes]))
