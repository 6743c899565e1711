"""The corners of the convex hull of the ROC curve."""

import numpy as np
from numpy.typing import NDArray

from evalcore.tables.scores import ScoreTable
from evalcore.tables.weights import Counts


def hull_corners(table: ScoreTable) -> NDArray[np.intp]:
    """Return which points of the ROC curve, counted from 0 at the origin, are corners of its hull.

    The hull is the isotonic regression of the truth on the score: scores that it pools lie on one
    edge. Exact for whole counts: a point on the line between two others is no corner.
    Source: Fawcett and Niculescu-Mizil (2007), PAV and the ROC convex hull, Machine Learning 68.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.6, 0.2]), np.array([1, 0, 0]))
    >>> hull_corners(table).tolist()
    [0, 1, 3]
    """
    from scipy.optimize import isotonic_regression

    if not len(table.threshold):
        return np.zeros(1, dtype=np.intp)
    positive, negative = table.steps()
    # A row of a bootstrap draw may hold nothing, and is no point of its own.
    used = np.flatnonzero(positive + negative)
    count = (positive + negative)[used].astype(np.float64)
    pooled = isotonic_regression(positive[used] / count, weights=count, increasing=False)
    ends = np.append(0, used + 1)[pooled.blocks]
    corner = np.ones(len(ends), dtype=np.bool_)
    corner[1:-1] = _turns_right(np.append(0, table.fp)[ends], np.append(0, table.tp)[ends])
    corners: NDArray[np.intp] = ends[corner].astype(np.intp)
    return corners


def _turns_right(x: Counts, y: Counts) -> NDArray[np.bool_]:
    run, rise = np.diff(x), np.diff(y)
    turns: NDArray[np.bool_] = rise[:-1] * run[1:] > rise[1:] * run[:-1]
    return turns
