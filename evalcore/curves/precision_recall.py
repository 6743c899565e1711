"""The precision-recall curve: share of right alarms against share of positives found."""

from dataclasses import dataclass
from typing import Self

from evalcore.outcomes import Floats, ReadOnly
from evalcore.tables.partial import rates
from evalcore.tables.scores import ScoreTable


@dataclass(frozen=True, eq=False)
class PrecisionRecallCurve(ReadOnly):
    """One point per distinct score, in falling order; a step from each recall to the next.

    Between two points no straight line is meant: precision does not move along one. Nor is there
    a point at recall 0, where precision is undefined.

    Attributes:
        recall: (m,) rising; NaN where there are no positives.
        precision: (m,) between 0 and 1.
        threshold: (m,) falling; a row is called positive when its score >= threshold.
    """

    recall: Floats
    precision: Floats
    threshold: Floats

    @classmethod
    def from_table(cls, table: ScoreTable) -> Self:
        """Return the curve through every row of a score table.

        >>> import numpy as np
        >>> table = ScoreTable.from_scores(np.array([0.9, 0.5, 0.4]), np.array([1, 0, 1]))
        >>> curve = PrecisionRecallCurve.from_table(table)
        >>> curve.recall.tolist(), curve.precision.tolist()
        ([0.5, 0.5, 1.0], [1.0, 0.5, 0.6666666666666666])
        """
        return cls(rates(table.tp)[1:], table.tp / (table.tp + table.fp), table.threshold)
