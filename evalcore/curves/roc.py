"""The ROC curve: share of positives found against share of negatives called positive."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Floats, frozen
from evalcore.tables.partial import Along, partial_area, rates
from evalcore.tables.scores import ScoreTable
from evalcore.tables.weights import Counts


@dataclass(frozen=True, eq=False)
class RocCurve:
    """One point per distinct score, in falling order, after (0, 0) at threshold +inf.

    Attributes:
        fpr: (m + 1,) false positive rate; NaN where there are no negatives.
        tpr: (m + 1,) true positive rate; NaN where there are no positives.
        threshold: (m + 1,) falling; a row is called positive when its score >= threshold.
    """

    fpr: Floats
    tpr: Floats
    threshold: Floats

    def __post_init__(self) -> None:
        for name in ("fpr", "tpr", "threshold"):
            object.__setattr__(self, name, frozen(getattr(self, name)))

    @classmethod
    def from_table(cls, table: ScoreTable) -> Self:
        """Return the curve through every row of a score table.

        >>> table = ScoreTable.from_scores(np.array([0.9, 0.4, 0.4]), np.array([1, 1, 0]))
        >>> curve = RocCurve.from_table(table)
        >>> curve.fpr.tolist(), curve.tpr.tolist(), curve.threshold.tolist()
        ([0.0, 0.0, 1.0], [0.0, 0.5, 1.0], [inf, 0.9, 0.4])
        """
        return cls(rates(table.fp), rates(table.tp), np.append(np.inf, table.threshold))

    @classmethod
    def hull_of(cls, table: ScoreTable) -> Self:
        """Return the corners of the convex hull, which mixtures of two thresholds can reach.

        Source: Provost and Fawcett (2001), Machine Learning 42.
        """
        curve = cls.from_table(table)
        corner = _upper_hull(np.append(0, table.fp), np.append(0, table.tp))
        return cls(curve.fpr[corner], curve.tpr[corner], curve.threshold[corner])

    @property
    def area(self) -> float:
        """Area under straight lines between the points; NaN with one class."""
        return float(np.trapezoid(self.tpr, self.fpr)) if len(self.fpr) > 1 else np.nan

    def partial_area(
        self, low: float, high: float, *, along: Along = "fpr", standardised: bool = True
    ) -> float:
        """Return the area where a rate lies in [low, high]; see `partial.partial_area`."""
        return partial_area(self.fpr, self.tpr, (low, high), along=along, standardised=standardised)


def _upper_hull(x: Counts, y: Counts) -> NDArray[np.intp]:
    """Return the corners of the concave line above points whose x and y both rise.

    Whole passes first drop the points that lie on or below the line between their neighbours,
    which can be no corners; a walk settles the few that are left.
    """
    kept = np.arange(len(x))
    while len(kept) > 2:
        corner = np.ones(len(kept), dtype=np.bool_)
        corner[1:-1] = _turns_right(x[kept], y[kept])
        if corner.sum() > 0.9 * len(kept):
            break
        kept = kept[corner]
    return kept[_walk(x[kept].tolist(), y[kept].tolist())]


def _turns_right(x: Counts, y: Counts) -> NDArray[np.bool_]:
    run, rise = np.diff(x), np.diff(y)
    turns: NDArray[np.bool_] = rise[:-1] * run[1:] > rise[1:] * run[:-1]
    return turns


def _walk(x: list[float], y: list[float]) -> list[int]:
    """Return the corners by Andrew's monotone chain (1979), Information Processing Letters 9(5)."""
    corners: list[int] = []
    for point in range(len(x)):
        while len(corners) > 1:
            first, middle = corners[-2], corners[-1]
            before = (y[middle] - y[first]) * (x[point] - x[middle])
            after = (y[point] - y[middle]) * (x[middle] - x[first])
            if before > after:
                break
            corners.pop()
        corners.append(point)
    return corners
