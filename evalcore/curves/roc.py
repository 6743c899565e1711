"""ROC, precision-recall, gain and lift curves, and the thresholds along them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from evalcore.outcomes import Floats, ReadOnly
from evalcore.tables.areas import hull_corners, rates, roc_area
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

        >>> table = ScoreTable.from_scores(np.array([1, 1, 0]), np.array([0.9, 0.4, 0.4]))
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
        >>> table = ScoreTable.from_scores(np.array([1, 0, 1]), np.array([0.9, 0.5, 0.4]))
        >>> curve = PrecisionRecallCurve.from_table(table)
        >>> curve.recall.tolist(), curve.precision.tolist()
        ([0.5, 0.5, 1.0], [1.0, 0.5, 0.6666666666666666])
        """
        return cls(rates(table.tp)[1:], table.tp / (table.tp + table.fp), table.threshold)


@dataclass(frozen=True, eq=False)
class GainCurve(ReadOnly):
    """One point per distinct score, in falling order, after (0, 0) at threshold +inf.

    Attributes:
        share: (m + 1,) share of all rows at or above the threshold; NaN without rows.
        gain: (m + 1,) share of the positives among them; NaN where there are no positives.
        threshold: (m + 1,) falling.
    """

    share: Floats
    gain: Floats
    threshold: Floats

    @classmethod
    def from_table(cls, table: ScoreTable) -> Self:
        """Return the curve through every row of a score table."""
        threshold = np.append(np.inf, table.threshold)
        return cls(rates(table.tp + table.fp), rates(table.tp), threshold)

    def gain_at(self, share: float | Floats) -> float | Floats:
        """Return the share of positives in the first `share` of the rows, within [0, 1].

        Rows of equal score are taken in proportion, as a random order among them would on
        average.
        """
        return np.interp(share, self.share, self.gain)

    def lift_at(self, share: float | Floats) -> float | Floats:
        """Return how many times more positives than in as many random rows; share in (0, 1]."""
        return self.gain_at(share) / share


def threshold_finding(table: ScoreTable, recall: float) -> float:
    """Return the highest score at which at least this share of the positives is found.

    `recall` lies in (0, 1]; NaN where there are no positives.

    >>> table = ScoreTable.from_scores(np.array([1, 0, 1]), np.array([0.9, 0.5, 0.4]))
    >>> threshold_finding(table, 0.9), threshold_finding(table, 0.5)
    (0.4, 0.9)
    """
    if not table.positives:
        return np.nan
    found = table.tp / table.positives
    return float(table.threshold[found.searchsorted(recall)])


def threshold_flagging(table: ScoreTable, share: float) -> float:
    """Return the lowest score at which at most this share of the rows is flagged.

    NaN where the highest score alone is shared by more rows.

    >>> table = ScoreTable.from_scores(np.array([1, 0, 1]), np.array([0.9, 0.5, 0.4]))
    >>> threshold_flagging(table, 0.7), threshold_flagging(table, 0.1)
    (0.5, nan)
    """
    if not table.n:
        return np.nan
    flagged = (table.tp + table.fp) / table.n
    rows = int(flagged.searchsorted(share, side="right"))
    return float(table.threshold[rows - 1]) if rows else np.nan


def threshold_precise(table: ScoreTable, precision: float) -> float:
    """Return the lowest score at which at least this share of the flagged rows is positive.

    NaN where no threshold reaches it.

    >>> table = ScoreTable.from_scores(np.array([1, 0, 1]), np.array([0.9, 0.5, 0.4]))
    >>> threshold_precise(table, 0.6), threshold_precise(table, 1.0)
    (0.4, 0.9)
    """
    reached = np.flatnonzero(table.tp / (table.tp + table.fp) >= precision)
    return float(table.threshold[reached[-1]]) if len(reached) else np.nan


def threshold_flagging_rows(table: ScoreTable, rows: float) -> float:
    """Return the lowest score at which at most so many rows are flagged; NaN where none is.

    >>> table = ScoreTable.from_scores(np.array([1, 0, 1]), np.array([0.9, 0.5, 0.4]))
    >>> threshold_flagging_rows(table, 2)
    0.5
    """
    flagged = int((table.tp + table.fp).searchsorted(rows, side="right"))
    return float(table.threshold[flagged - 1]) if flagged else np.nan


POINTS = 401
"""Places on the axis at which the curves are averaged."""


def mean_roc(tables: Sequence[ScoreTable], weights: Sequence[float]) -> RocCurve:
    """Return the mean recall of the classes at each false positive rate; no threshold is shared.

    A class without rows of both kinds takes no part; all NaN where none does.
    Source: Fawcett (2006), Pattern Recognition Letters 27(8), vertical averaging.
    """
    fpr = np.linspace(0, 1, POINTS)
    pairs = zip(tables, weights, strict=True)
    used = [(table, weight) for table, weight in pairs if table.positives and table.negatives]
    curves = [np.interp(fpr, rates(table.fp), rates(table.tp)) for table, _ in used]
    tpr = _mean(curves, [weight for _, weight in used], POINTS)
    return RocCurve(np.append(0.0, fpr), np.append(0.0, tpr), np.full(POINTS + 1, np.nan))


def mean_precision_recall(
    tables: Sequence[ScoreTable], weights: Sequence[float]
) -> PrecisionRecallCurve:
    """Return the mean precision of the classes at each recall, each at its first threshold there.

    A class without positives takes no part; all NaN where none does.
    """
    recall = np.linspace(0, 1, POINTS)[1:]
    pairs = zip(tables, weights, strict=True)
    used = [(table, weight) for table, weight in pairs if table.positives]
    curves = [_precision_at(table, recall) for table, _ in used]
    precision = _mean(curves, [weight for _, weight in used], len(recall))
    return PrecisionRecallCurve(recall, precision, np.full(len(recall), np.nan))


def _precision_at(table: ScoreTable, recall: Floats) -> Floats:
    # A billionth forgives the rounding of shares.
    place = np.searchsorted(table.tp / table.positives, recall - 1e-9)
    precision: Floats = (table.tp / (table.tp + table.fp))[np.minimum(place, len(table.tp) - 1)]
    return precision


def _mean(curves: Sequence[Floats], weights: Sequence[float], points: int) -> Floats:
    mean: Floats = (
        np.average(curves, axis=0, weights=weights) if curves else np.full(points, np.nan)
    )
    return mean


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

        >>> ties = Ties.of(ScoreTable.from_scores(np.array([1, 1, 0]), np.array([0.9, 0.4, 0.4])))
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
