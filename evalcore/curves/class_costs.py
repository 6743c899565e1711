"""What decisions between several classes cost, and what weighing the costs would save."""

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
    def of(cls, outcomes: ClassOutcomes, costs: Floats, level: float = 0.95) -> Self:
        """Decide every row both ways; `costs` are (K, K), row = truth, column = decision.

        Raises EvalError where the model gives no probabilities.
        """
        if outcomes.probabilities is None:
            raise EvalError("labels-only", "Weighing costs needs a probability for each class.")
        first = most_likely(outcomes.probabilities)
        second = least_costly(outcomes.probabilities, costs)
        difference = costs[outcomes.truth, first] - costs[outcomes.truth, second]
        saved = LossMoments.of(difference, outcomes.weight)
        changed = LossMoments.of((first != second).astype(np.float64), outcomes.weight)
        return cls(
            _decided(outcomes, first, costs, level),
            _decided(outcomes, second, costs, level),
            saved.mean,
            wald_interval(*saved.mean_and_error, level),
            changed.mean,
        )


def _decided(outcomes: ClassOutcomes, codes: Codes, costs: Floats, level: float) -> Decided:
    cost = LossMoments.of(costs[outcomes.truth, codes], outcomes.weight)
    matrix = ConfusionMatrix.from_codes(outcomes.truth, codes, outcomes.classes, outcomes.weight)
    return Decided(matrix, cost.mean, wald_interval(*cost.mean_and_error, level))
