"""The corners of the convex hull of the ROC curve."""

import numpy as np
from numpy.typing import NDArray

from evalcore.tables.scores import ScoreTable
from evalcore.tables.weights import Counts


def hull_corners(table: ScoreTable) -> NDArray[np.intp]:
    """Return which points of the ROC curve, counted from 0 at the origin, are corners of its hull.

    Exact for whole counts: a point on the line between two others is no corner. Whole passes first
    drop points on or below the line between their neighbours, which can be no corners; a walk
    settles the few that are left.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.6, 0.2]), np.array([1, 0, 0]))
    >>> hull_corners(table).tolist()
    [0, 1, 3]
    """
    x, y = np.append(0, table.fp), np.append(0, table.tp)
    kept = np.arange(len(x))
    while len(kept) > 2:
        corner = np.ones(len(kept), dtype=np.bool_)
        corner[1:-1] = _turns_right(x[kept], y[kept])
        if corner.sum() > 0.9 * len(kept):
            break
        kept = kept[corner]
    return kept[_walk(x[kept].tolist(), y[kept].tolist())]


def _turns_right(x: Counts, y: Counts) -> NDArray[np.bool_]:
    run, rise = np.diff(x), np.diff(y)
    turns: NDArray[np.bool_] = rise[:-1] * run[1:] > rise[1:] * run[:-1]
    return turns


def _walk(x: list[float], y: list[float]) -> list[int]:
    """Return the corners by Andrew's monotone chain (1979), Information Processing Letters 9(5)."""
    corners: list[int] = []
    for point in range(len(x)):
        while len(corners) > 1:
            first, middle = corners[-2], corners[-1]
            before = (y[middle] - y[first]) * (x[point] - x[middle])
            after = (y[point] - y[middle]) * (x[middle] - x[first])
            if before > after:
                break
            corners.pop()
        corners.append(point)
    return corners
