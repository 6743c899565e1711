"""Where scores stand along the slider: by size, or by rank where size would heap them up."""

from typing import Any

import numpy as np

from evalcore.outcomes import Floats
from evalcore.tables.histogram import ScoreHistogram
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.scores import ScoreTable
from evalcore.tables.weights import Counts

BINS = 50
CROWDED = 0.5
"""By rank, when one bin of the histogram would hold more than this share of rows and scores."""


def axis(table: ScoreTable) -> dict[str, Any]:
    """Return the kind of scale and its ends."""
    if _is_crowded(table):
        return {
            "kind": "rank",
            "low": float(table.threshold[-1]),
            "high": float(table.threshold[0]),
        }
    edges = ScoreHistogram.from_table(table, BINS).edges
    return {"kind": "size", "low": float(edges[0]), "high": float(edges[-1])}


def histogram(table: ScoreTable) -> list[dict[str, float]]:
    """Return bins, each from one score to another and from one place on the slider to another.

    `left` and `right` are places, 0 being the left end and 1 the right.
    """
    if not table.n:
        return []
    return _by_rank(table) if _is_crowded(table) else _by_size(table)


def _is_crowded(table: ScoreTable) -> bool:
    """Whether nearly all scores would stand in one spot: some near 1, say, and one at 1e300."""
    by_size = ScoreHistogram.from_table(table, BINS)
    edges = by_size.edges
    if (edges[0], edges[-1]) == (0, 1) or len(table.threshold) <= 2:
        return False
    rows = by_size.positives + by_size.negatives
    scores = -np.diff(table.threshold[::-1].searchsorted(edges[::-1]))
    return bool(rows.max() > CROWDED * table.n and scores.max() > CROWDED * len(table.threshold))


def _by_size(table: ScoreTable) -> list[dict[str, float]]:
    by_size = ScoreHistogram.from_table(table, BINS)
    places = np.arange(BINS + 1) / BINS
    return _bins(by_size.edges, places, by_size.positives, by_size.negatives)


def _by_rank(table: ScoreTable) -> list[dict[str, float]]:
    by_rank = ReliabilityTable.from_scores(table, BINS, "quantile")
    places = np.append(0.0, np.cumsum(by_rank.n, dtype=np.float64) / table.n)
    return _bins(by_rank.edges, places, by_rank.positives, by_rank.n - by_rank.positives)


def _bins(
    edges: Floats, places: Floats, positives: Counts, negatives: Counts
) -> list[dict[str, float]]:
    names = ("from", "to", "left", "right", "positives", "negatives")
    columns = (edges[:-1], edges[1:], places[:-1], places[1:], positives, negatives)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [dict(zip(names, row, strict=True)) for row in rows]
