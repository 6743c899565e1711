"""Every distinct score with the counts above it: the table behind every threshold question."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Codes, Floats, ReadOnly
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.ordering import ordered, ordered_by_each
from evalcore.tables.thinning import vertices
from evalcore.tables.weights import Counts


@dataclass(frozen=True, eq=False)
class ScoreTable(ReadOnly):
    """Counts of positives and negatives at or above each distinct score.

    Attributes:
        threshold: (m,) distinct scores, falling.
        tp: (m,) positives with score >= threshold; int64, or float64 where weights are fractional.
        fp: (m,) negatives with score >= threshold; of the same type.
    """

    threshold: Floats
    tp: Counts
    fp: Counts

    @classmethod
    def from_scores(cls, score: Floats, truth: Codes, weight: Floats | None = None) -> Self:
        """Condense (n,) finite scores and their truth (1 = positive), each row `weight` times.

        >>> table = ScoreTable.from_scores(np.array([0.9, 0.4, 0.4]), np.array([1, 1, 0]))
        >>> table.threshold.tolist(), table.tp.tolist(), table.fp.tolist()
        ([0.9, 0.4], [1, 2], [0, 1])
        """
        return cls(*ordered(score, truth, weight))

    @classmethod
    def from_both(
        cls, score: Floats, truth: Codes, label: Codes, weight: Floats | None = None
    ) -> tuple[Self, Self]:
        """Condense scores with their truth, and with their label, by one sort where it can."""
        by_truth, by_label = ordered_by_each(score, (truth, label), weight)
        return cls(*by_truth), cls(*by_label)

    @cached_property
    def positives(self) -> float:
        """Positive rows, or the sum of their weights."""
        return self.tp[-1].item() if len(self.tp) else 0

    @cached_property
    def negatives(self) -> float:
        """Negative rows, or the sum of their weights."""
        return self.fp[-1].item() if len(self.fp) else 0

    @property
    def n(self) -> float:
        """All rows, or the sum of their weights."""
        return self.positives + self.negatives

    def at(self, threshold: float | Floats) -> BinaryCounts:
        """Return the counts when rows with score >= threshold are called positive.

        `threshold` is a number or an array of any shape; nothing is called positive at NaN.

        >>> ScoreTable.from_scores(np.array([0.9, 0.4]), np.array([1, 0])).at(0.5)
        BinaryCounts(tp=1.0, fp=0.0, fn=0.0, tn=1.0)
        """
        rows = self._rows_above(threshold)
        tp, fp = _up_to(rows, self.tp), _up_to(rows, self.fp)
        return BinaryCounts(tp, fp, self.positives - tp, self.negatives - fp)

    def steps(self) -> tuple[Counts, Counts]:
        """Return (m,) positives and (m,) negatives whose score equals each threshold."""
        return np.diff(self.tp, prepend=0), np.diff(self.fp, prepend=0)

    def thinned(self, limit: int, keep: Sequence[float] = ()) -> "ScoreTable":
        """Return a table of at most `limit` of the rows, enough to draw every curve from.

        Each row is a real score with its exact counts; see `thinning.vertices` for the choice.
        Above the limit come only the rows that decide the thresholds in `keep`, at which `at`
        answers as the full table does. Areas and averages are those of the full table alone.
        """
        if len(self.threshold) <= limit:
            return self
        deciding = self._rows_above(np.asarray(keep, dtype=np.float64)) - 1
        rows = np.union1d(vertices(self.tp, self.fp, limit), deciding[deciding >= 0])
        return ScoreTable(self.threshold[rows], self.tp[rows], self.fp[rows])

    def __add__(self, other: "ScoreTable") -> "ScoreTable":
        threshold = np.union1d(self.threshold, other.threshold)[::-1]
        here, there = self.at(threshold), other.at(threshold)
        dtype = np.result_type(self.tp, other.tp)
        tp, fp = here.tp + there.tp, here.fp + there.fp
        return ScoreTable(threshold, np.asarray(tp, dtype), np.asarray(fp, dtype))

    def __sub__(self, part: "ScoreTable") -> "ScoreTable":
        """Return the rows that are not in `part`, all of whose rows are here."""
        counts, dtype = part.at(self.threshold), np.result_type(self.tp, part.tp)
        tp, fp = self.tp - np.asarray(counts.tp), self.fp - np.asarray(counts.fp)
        # Fractional weights leave rounding errors where no row is left.
        held = np.diff(tp + fp, prepend=0.0) > 1e-12 * self.n
        return ScoreTable(self.threshold[held], tp[held].astype(dtype), fp[held].astype(dtype))

    def _rows_above(self, threshold: float | Floats) -> NDArray[np.intp]:
        return len(self.threshold) - self._rising.searchsorted(threshold)

    @cached_property
    def _rising(self) -> Floats:
        return self.threshold[::-1]


def _up_to(rows: NDArray[np.intp], cumulative: Counts) -> float | Floats:
    """Return the running count after each number of rows, which may be none."""
    if rows.ndim == 0:
        return float(cumulative[rows - 1]) if rows else 0.0
    if not len(cumulative):
        return np.zeros(rows.shape)
    return np.where(rows > 0, cumulative[rows - 1], 0).astype(np.float64)
