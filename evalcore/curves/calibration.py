"""Calibration curves of probabilities in bins."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from evalcore.intervals.closed import wilson
from evalcore.outcomes import Floats, ReadOnly
from evalcore.tables.confusion import Counts
from evalcore.tables.reliability import ReliabilityTable


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
