"""ROC, precision-recall and calibration curves, and the thresholds along them."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from evalcore.intervals.closed import wilson
from evalcore.outcomes import Floats, ReadOnly
from evalcore.tables.areas import hull_corners, rates
from evalcore.tables.confusion import Counts
from evalcore.tables.reliability import ReliabilityTable
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


@dataclass(frozen=True, eq=False)
class CalibrationCurve(ReadOnly):
    """One point for each of the k bins that hold rows.

    Attributes:
        low: (k,) lower edge of the bin, which belongs to it.
        high: (k,) upper edge, which belongs to it in the last bin only.
        n: (k,) rows.
        mean_probability: (k,) mean of the rows' probabilities.
        share_positive: (k,) share of the rows that are positive.
        share_low: (k,) lower end of Wilson's interval for that share.
        share_high: (k,) upper end of it.
        level: Confidence level of the interval.
        strays: (k,) whether the mean probability lies outside an interval that is so much wider
            that all bins together hold at this level (Bonferroni).
    """

    low: Floats
    high: Floats
    n: Counts
    mean_probability: Floats
    share_positive: Floats
    share_low: Floats
    share_high: Floats
    level: float
    strays: NDArray[np.bool_]

    @classmethod
    def from_table(cls, table: ReliabilityTable, level: float = 0.95, share: float = 1.0) -> Self:
        """Return the curve of a reliability table, empty bins left out.

        `share` is how many independent rows each row tells as much as.
        """
        filled = np.flatnonzero(table.n)
        n, positives = table.n[filled], table.positives[filled]
        interval = wilson(positives * share, n * share, level)
        said = table.mean_probability[filled]
        wide = wilson(positives * share, n * share, 1 - (1 - level) / max(1, len(filled)))
        return cls(
            low=table.edges[:-1][filled],
            high=table.edges[1:][filled],
            n=n,
            mean_probability=said,
            share_positive=table.share_positive[filled],
            share_low=np.asarray(interval.low),
            share_high=np.asarray(interval.high),
            level=level,
            strays=(said < wide.low) | (said > wide.high),
        )
