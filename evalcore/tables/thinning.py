"""Which rows of a score table carry the shape of its curves."""

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Floats
from evalcore.tables.weights import Counts

_ROC_SHARE = 0.75
"""Share of the rows that the ROC curve may use; most curves need half of it."""


def vertices(tp: Counts, fp: Counts, limit: int) -> NDArray[np.intp]:
    """Choose at most `limit` of m rows, the first and the last among them; limit >= 50.

    No dropped point of the ROC curve lies further than 2 / limit from the line through the kept
    ones, and the precision-recall curve keeps its lowest and highest precision in each of at
    least limit / 8 equal columns of recall, so that it looks the same when drawn.
    """
    roc = _along_roc(tp, fp, int(_ROC_SHARE * limit))
    columns = (limit - len(roc)) // 2
    return np.union1d(roc, _along_precision(tp, fp, columns))


def _along_roc(tp: Counts, fp: Counts, limit: int) -> NDArray[np.intp]:
    """Walk along the curve in strides of at most 4 / limit, measured as rise plus run.

    Two strides together are longer than that, since they were not one, and the curve is 2 long:
    hence the limit. Rise and run of a stride bound how far the curve can stray from its chord,
    to 1 / sqrt(8) of the stride.
    """
    travelled = _share(tp) + _share(fp)
    stride, last = 4 / (limit - 2), len(tp) - 1
    rows = [0]
    while rows[-1] < last:
        reach = travelled.searchsorted(travelled[rows[-1]] + stride, side="right") - 1
        rows.append(max(int(reach), rows[-1] + 1))
    return np.array(rows, dtype=np.intp)


def _along_precision(tp: Counts, fp: Counts, columns: int) -> NDArray[np.intp]:
    """Return the rows of lowest and highest precision in each column of recall."""
    precision = tp / (tp + fp)
    column = np.minimum((_share(tp) * columns).astype(np.intp), columns - 1)
    starts = np.flatnonzero(np.diff(column, prepend=-1))
    sizes = np.diff(starts, append=len(column))
    extremes = []
    for extreme in (np.minimum, np.maximum):
        hits = np.flatnonzero(precision == np.repeat(extreme.reduceat(precision, starts), sizes))
        first = np.diff(column[hits], prepend=-1) > 0
        extremes.append(hits[first])
    return np.concatenate(extremes)


def _share(counts: Counts) -> Floats:
    """Return running counts as shares of their total, all 0 where there is none."""
    return counts.astype(np.float64) / (counts[-1] or 1)
