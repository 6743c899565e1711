"""The corners of the convex hull of the ROC curve."""

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Floats
from evalcore.tables.scores import ScoreTable
from evalcore.tables.weights import Counts


def hull_corners(table: ScoreTable) -> NDArray[np.intp]:
    """Return which points of the ROC curve, counted from 0 at the origin, are corners of its hull.

    (h,) places, or (..., h) for running counts of shape (..., m): there the shorter hulls repeat
    their last corner. Exact for whole counts: a point on the line between two others is no corner.
    Source: Fawcett and Niculescu-Mizil (2007), PAV and the ROC convex hull, Machine Learning 68.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.6, 0.2]), np.array([1, 0, 0]))
    >>> hull_corners(table).tolist()
    [0, 1, 3]
    """
    x, y = with_origin(table.fp), with_origin(table.tp)
    left, end = _highest(x)
    x, y = x.ravel()[left], y.ravel()[left]
    while True:
        corner = end.copy()
        corner[1:-1] |= _turns_right(x, y)
        if corner.all():
            break
        left, x, y, end = left[corner], x[corner], y[corner], end[corner]
    return _padded(left, table.fp.shape[-1] + 1).reshape(*table.fp.shape[:-1], -1)


def hull_counts(table: ScoreTable) -> tuple[Floats, Floats]:
    """Return (..., h) true and false positives at the corners of the hull."""
    place = hull_corners(table)
    before = np.maximum(place - 1, 0)
    # At the origin nothing is called positive; a table may have no row besides.
    held = [c if c.shape[-1] else with_origin(c) for c in (table.tp, table.fp)]
    tp, fp = (np.where(place, np.take_along_axis(c, before, axis=-1), 0.0) for c in held)
    return tp, fp


def with_origin(cumulative: Counts) -> Counts:
    """Return running counts of shape (..., m) after a first 0."""
    none = np.zeros((*cumulative.shape[:-1], 1), cumulative.dtype)
    return np.concatenate([none, cumulative], axis=-1)


def _highest(x: Counts) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return the places of the last point at each x, and whether it begins or ends a curve."""
    end, last = np.zeros(x.shape, dtype=np.bool_), np.zeros(x.shape, dtype=np.bool_)
    end[..., [0, -1]] = True
    np.less(x[..., :-1], x[..., 1:], out=last[..., :-1])
    places = np.flatnonzero(last | end)
    return places, end.ravel()[places]


def _turns_right(x: Counts, y: Counts) -> NDArray[np.bool_]:
    """Return whether the way turns right at each inner point: only there can a corner be."""
    run, rise = np.diff(x), np.diff(y)
    turns: NDArray[np.bool_] = rise[:-1] * run[1:] > rise[1:] * run[:-1]
    return turns


def _padded(places: NDArray[np.intp], size: int) -> NDArray[np.intp]:
    """Return the places within each curve as rows of one length."""
    ends = np.append(np.flatnonzero(places % size == 0)[1:], len(places))
    counts = np.diff(ends, prepend=0)
    at = np.minimum(np.arange(counts.max()), (counts - 1)[:, np.newaxis])
    rows: NDArray[np.intp] = places[at + (ends - counts)[:, np.newaxis]] % size
    return rows
