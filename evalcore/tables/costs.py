"""What a yes-or-no decision costs, and how common positives are where it is made."""

from dataclasses import dataclass
from math import isfinite

import numpy as np

from evalcore.errors import EvalError
from evalcore.outcomes import Number
from evalcore.tables.areas import rates
from evalcore.tables.scores import ScoreTable

LARGEST = 1e12
"""Costs of this size and below can be added up over any number of cases."""


@dataclass(frozen=True)
class UnitCosts:
    """The cost of each of the four outcomes of a case, and the share of positive cases.

    Attributes:
        tn: Cost of a negative passed; below 0 it is a gain, as for the others.
        fp: Cost of a negative called positive.
        fn: Cost of a positive that is missed.
        tp: Cost of a positive called positive.
        prevalence: Share of the cases that are positive, in [0, 1]; it need not be that of the
            rows, since the rates of the rows are weighed by it.
    """

    tn: float
    fp: float
    fn: float
    tp: float
    prevalence: float

    def __post_init__(self) -> None:
        costs = (self.tn, self.fp, self.fn, self.tp)
        if not all(isfinite(cost) and abs(cost) <= LARGEST for cost in costs):
            raise EvalError("bad-costs", f"Costs must be numbers of {LARGEST:g} at most.")
        if not 0 <= self.prevalence <= 1:
            raise EvalError("bad-prevalence", "The share of positives must lie between 0 and 1.")

    @property
    def of_finding(self) -> float:
        """What finding all positives saves, per case."""
        return self.prevalence * (self.fn - self.tp)

    @property
    def of_flagging(self) -> float:
        """What flagging all negatives costs, per case."""
        return (1 - self.prevalence) * (self.fp - self.tn)

    @property
    def of_nothing(self) -> float:
        """What a case costs if nothing is flagged."""
        return self.prevalence * self.fn + (1 - self.prevalence) * self.tn

    @property
    def probability_cost(self) -> float:
        """Part of the avoidable cost that lies with the positives; NaN where none is avoidable.

        Source: Drummond and Holte (2006), Cost curves, Machine Learning 65.
        """
        whole = self.of_finding + self.of_flagging
        return self.of_finding / whole if whole else np.nan

    def expected(self, tpr: Number, fpr: Number) -> Number:
        """Return the mean cost of a case at these rates."""
        return self.of_nothing - self.of_finding * tpr + self.of_flagging * fpr


@dataclass(frozen=True)
class Choice:
    """A threshold with what it does; +inf flags nothing.

    Attributes:
        threshold: Rows with a score >= threshold are called positive.
        cost: Mean cost of a case.
        tpr: Share of the positives found.
        fpr: Share of the negatives flagged.
    """

    threshold: float
    cost: float
    tpr: float
    fpr: float


def cheapest(table: ScoreTable, unit_costs: UnitCosts) -> Choice:
    """Return the threshold of lowest expected cost, of equal ones the highest; NaN with one class.

    >>> table = ScoreTable.from_scores(np.array([1, 0, 1]), np.array([0.9, 0.6, 0.2]))
    >>> cheapest(table, UnitCosts(tn=0, fp=1, fn=10, tp=0, prevalence=0.5)).threshold
    0.2
    """
    if not (table.positives and table.negatives):
        return Choice(np.nan, np.nan, np.nan, np.nan)
    tpr, fpr = rates(table.tp), rates(table.fp)
    cost = np.asarray(unit_costs.expected(tpr, fpr))
    at = int(cost.argmin())
    threshold = float(table.threshold[at - 1]) if at else np.inf
    return Choice(threshold, float(cost[at]), float(tpr[at]), float(fpr[at]))
