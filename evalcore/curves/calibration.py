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
    """

    low: Floats
    high: Floats
    n: Counts
    mean_probability: Floats
    share_positive: Floats
    share_low: Floats
    share_high: Floats
    level: float

    @property
    def strays(self) -> NDArray[np.bool_]:
        """(k,) whether the mean probability lies outside the interval of what came true."""
        said: Floats = self.mean_probability
        outside: NDArray[np.bool_] = (said < self.share_low) | (said > self.share_high)
        return outside

    @classmethod
    def from_table(cls, table: ReliabilityTable, level: float = 0.95, share: float = 1.0) -> Self:
        """Return the curve of a reliability table, empty bins left out.

        `share` is how many independent rows each row tells as much as.
        """
        filled = np.flatnonzero(table.n)
        n, positives = table.n[filled], table.positives[filled]
        interval = wilson(positives * share, n * share, level)
        return cls(
            low=table.edges[:-1][filled],
            high=table.edges[1:][filled],
            n=n,
            mean_probability=table.mean_probability[filled],
            share_positive=table.share_positive[filled],
            share_low=np.asarray(interval.low),
            share_high=np.asarray(interval.high),
            level=level,
        )
