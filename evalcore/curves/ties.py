"""Ties: rows that share a score with rows of the other class, and what their order would change."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from evalcore.outcomes import Floats, ReadOnly
from evalcore.tables.areas import roc_area
from evalcore.tables.scores import ScoreTable


@dataclass(frozen=True, eq=False)
class Ties(ReadOnly):
    """What the scores leave open.

    Where rows of both classes share a score, the ROC curve crosses a box in a straight line. Its
    best order runs along the top left of the box, its worst along the bottom right.

    Attributes:
        share: Share of the rows that score the same as a row of the other class.
        low: AUC with the negatives first inside every tie; NaN with one class.
        high: AUC with the positives first.
        boxes: (k, 4) their fpr and tpr at the lower left, fpr and tpr at the upper right; the
            largest area first.
    """

    share: float
    low: float
    high: float
    boxes: Floats

    @classmethod
    def of(cls, table: ScoreTable) -> Self:
        """Return the ties of a score table.

        >>> ties = Ties.of(ScoreTable.from_scores(np.array([0.9, 0.4, 0.4]), np.array([1, 1, 0])))
        >>> ties.low, ties.high, ties.boxes.tolist()
        (0.5, 1.0, [[0.0, 0.5, 1.0, 1.0]])
        """
        positives, negatives = table.steps()
        mixed = np.flatnonzero((positives > 0) & (negatives > 0))
        boxes = np.column_stack(
            [
                (table.fp[mixed] - negatives[mixed]) / (table.negatives or 1),
                (table.tp[mixed] - positives[mixed]) / (table.positives or 1),
                table.fp[mixed] / (table.negatives or 1),
                table.tp[mixed] / (table.positives or 1),
            ]
        )
        area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
        tied = (positives[mixed] + negatives[mixed]).sum()
        middle, half = roc_area(table), float(area.sum()) / 2
        largest_first = np.argsort(-area, kind="stable")
        share = float(tied / table.n) if table.n else np.nan
        return cls(share, float(middle - half), float(middle + half), boxes[largest_first])
