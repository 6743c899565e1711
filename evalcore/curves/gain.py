"""Cumulative gain and lift: what share of the positives lies in the highest-scored rows."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from evalcore.outcomes import Floats, ReadOnly
from evalcore.tables.partial import rates
from evalcore.tables.scores import ScoreTable


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

        >>> table = ScoreTable.from_scores(np.array([0.9, 0.4, 0.4]), np.array([1, 1, 0]))
        >>> float(GainCurve.from_table(table).gain_at(2 / 3))
        0.75
        """
        return np.interp(share, self.share, self.gain)

    def lift_at(self, share: float | Floats) -> float | Floats:
        """Return how many times more positives than in as many random rows; share in (0, 1]."""
        return self.gain_at(share) / share
