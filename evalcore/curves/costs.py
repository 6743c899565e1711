"""Expected cost against threshold, and cost curves."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from evalcore.curves.roc import RocCurve
from evalcore.outcomes import Floats, ReadOnly
from evalcore.resampling.proportions import of_two_rates
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.costs import Stakes
from evalcore.tables.partial import rates
from evalcore.tables.scores import ScoreTable


@dataclass(frozen=True, eq=False)
class ExpectedCost(ReadOnly):
    """The mean cost of a case at each threshold, with its interval.

    The interval holds at each threshold by itself, for a share of positives that is known.

    Attributes:
        threshold: (m + 1,) falling from +inf, where nothing is flagged.
        cost: (m + 1,) in the unit of the costs; NaN with one class.
        low: (m + 1,) lower ends.
        high: (m + 1,) upper ends.
        level: Confidence level of the interval.
    """

    threshold: Floats
    cost: Floats
    low: Floats
    high: Floats
    level: float

    @classmethod
    def from_table(cls, table: ScoreTable, stakes: Stakes, level: float = 0.95) -> Self:
        """Return the curve through every row of a score table.

        >>> table = ScoreTable.from_scores(np.array([0.9, 0.2]), np.array([1, 0]))
        >>> stakes = Stakes(tn=0, fp=1, fn=10, tp=0, prevalence=0.5)
        >>> ExpectedCost.from_table(table, stakes).cost.tolist()
        [5.0, 0.0, 0.5]
        """
        cost = np.asarray(stakes.expected(rates(table.tp), rates(table.fp)), dtype=np.float64)
        ends = _ends(table.at(table.threshold), stakes, level)
        return cls(
            np.append(np.inf, table.threshold),
            cost,
            np.append(cost[:1], ends[0]),
            np.append(cost[:1], ends[1]),
            level,
        )


def _ends(counts: BinaryCounts, stakes: Stakes, level: float) -> tuple[Floats, Floats]:
    around = of_two_rates(counts, -stakes.of_finding, stakes.of_flagging, level)
    nothing = stakes.of_nothing
    return np.asarray(nothing + around.low), np.asarray(nothing + around.high)


@dataclass(frozen=True, eq=False)
class CostCurve(ReadOnly):
    """The lowest normalised expected cost that any threshold reaches: a line with k corners.

    Attributes:
        probability_cost: (k,) from 0 to 1, the part of the avoidable cost that lies with positives.
        cost: (k,) expected cost over that of always being wrong; NaN with one class.

    Source: Drummond and Holte (2006), Cost curves, Machine Learning 65.
    """

    probability_cost: Floats
    cost: Floats

    @classmethod
    def from_table(cls, table: ScoreTable) -> Self:
        """Return the envelope of the lines of all thresholds, "all" and "nothing" among them.

        Each corner of the ROC curve's hull is a line; where two neighbours cross is a corner.

        >>> table = ScoreTable.from_scores(np.array([0.9, 0.6, 0.2]), np.array([1, 0, 1]))
        >>> curve = CostCurve.from_table(table)
        >>> curve.probability_cost.round(3).tolist(), curve.cost.round(3).tolist()
        ([0.0, 0.0, 0.667, 1.0], [0.0, 0.0, 0.333, 0.0])
        """
        hull = RocCurve.hull_of(table)
        run, rise = np.diff(hull.fpr), np.diff(hull.tpr)
        if not len(run) or not np.isfinite(run + rise).all():
            return cls(np.array([0.0, 1.0]), np.array([np.nan, np.nan]))
        x = np.concatenate([[0.0], run / (run + rise), [1.0]])
        corner = np.append(0, np.arange(len(hull.fpr)))
        y = normalised_cost(hull.tpr[corner], hull.fpr[corner], x)
        return cls(x, np.asarray(y))

    def at(self, probability_cost: float | Floats) -> float | Floats:
        """Return the lowest cost at shares within [0, 1]."""
        return np.interp(probability_cost, self.probability_cost, self.cost)


def normalised_cost(
    tpr: float | Floats, fpr: float | Floats, probability_cost: float | Floats
) -> float | Floats:
    """Return (1 - TPR) x + FPR (1 - x) for the share x of the cost that lies with positives.

    >>> normalised_cost(0.75, 0.5, 0.5)
    0.375
    """
    return (1 - tpr) * probability_cost + fpr * (1 - probability_cost)


@dataclass(frozen=True, eq=False)
class CostLine(ReadOnly):
    """The normalised expected cost of one threshold, with its interval, on a grid of shares x.

    Attributes:
        probability_cost: (g,) rising from 0 to 1.
        cost: (g,) one straight line.
        low: (g,) lower ends.
        high: (g,) upper ends.
    """

    probability_cost: Floats
    cost: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, counts: BinaryCounts, level: float = 0.95, points: int = 51) -> Self:
        """Return the line of the counts at a threshold."""
        x = np.linspace(0, 1, points)
        around = of_two_rates(counts, -x, 1 - x, level)
        cost = normalised_cost(
            np.divide(counts.tp, counts.positives or np.nan),
            np.divide(counts.fp, counts.negatives or np.nan),
            x,
        )
        return cls(x, np.asarray(cost), np.asarray(x + around.low), np.asarray(x + around.high))
