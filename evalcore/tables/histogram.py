"""Scores in bins by class: the table behind the picture of what a model says."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from evalcore.outcomes import Floats, ReadOnly
from evalcore.tables.scores import ScoreTable


@dataclass(frozen=True, eq=False)
class ScoreHistogram(ReadOnly):
    """Positives and negatives in each of K bins [a, b) of equal width, the last one closed.

    Attributes:
        edges: (K + 1,) rising; from 0 to 1 where every score lies there.
        positives: (K,) positive rows, or the sum of their weights.
        negatives: (K,) negative rows, or the sum of their weights.
    """

    edges: Floats
    positives: Floats
    negatives: Floats

    @classmethod
    def from_table(cls, table: ScoreTable, bins: int = 40) -> Self:
        """Count the rows of a score table in `bins` bins.

        >>> table = ScoreTable.from_scores(np.array([0.1, 0.5, 1.0]), np.array([0, 1, 1]))
        >>> histogram = ScoreHistogram.from_table(table, 2)
        >>> histogram.positives.tolist(), histogram.negatives.tolist()
        ([0.0, 2.0], [1.0, 0.0])
        """
        edges = _edges(table, bins)
        above = table.at(edges[:-1])
        return cls(edges, _between(np.asarray(above.tp)), _between(np.asarray(above.fp)))


def _between(at_or_above: Floats) -> Floats:
    between: Floats = at_or_above - np.append(at_or_above[1:], 0.0)
    return between


def _edges(table: ScoreTable, bins: int) -> Floats:
    low, high = _range(table)
    share = np.arange(bins + 1) / bins
    # Not low + share * (high - low): the difference of two huge scores may overflow.
    edges = low * (1 - share) + high * share
    edges[0], edges[-1] = low, high
    return edges


def _range(table: ScoreTable) -> tuple[float, float]:
    if not len(table.threshold):
        return 0.0, 1.0
    low, high = float(table.threshold[-1]), float(table.threshold[0])
    if low >= 0 and high <= 1:
        return 0.0, 1.0
    if low == high:
        room = max(0.5, abs(low) / 1000)
        return low - room, high + room
    return low, high
