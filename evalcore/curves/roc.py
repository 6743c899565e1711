"""The ROC curve: share of positives found against share of negatives called positive."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from evalcore.outcomes import Floats, ReadOnly
from evalcore.tables.hull import hull_corners
from evalcore.tables.partial import rates
from evalcore.tables.scores import ScoreTable


@dataclass(frozen=True, eq=False)
class RocCurve(ReadOnly):
    """One point per distinct score, in falling order, after (0, 0) at threshold +inf.

    Attributes:
        fpr: (m + 1,) false positive rate; NaN where there are no negatives.
        tpr: (m + 1,) true positive rate; NaN where there are no positives.
        threshold: (m + 1,) falling; a row is called positive when its score >= threshold.
    """

    fpr: Floats
    tpr: Floats
    threshold: Floats

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
        corner = hull_corners(table)
        return cls(curve.fpr[corner], curve.tpr[corner], curve.threshold[corner])

    @property
    def area(self) -> float:
        """Area under straight lines between the points; NaN with one class."""
        return float(np.trapezoid(self.tpr, self.fpr)) if len(self.fpr) > 1 else np.nan
