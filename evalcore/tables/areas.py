"""Areas under the ROC and the precision-recall curve, summed from whole counts."""

import numpy as np

from evalcore.outcomes import Floats
from evalcore.tables.blocks import blocks
from evalcore.tables.hull import with_origin
from evalcore.tables.scores import ScoreTable
from evalcore.tables.weights import Counts

_LARGEST = 2**62
"""Sums of products of counts below it stay exact in int64."""


def roc_area(table: ScoreTable) -> float:
    """Return the share of positive-negative pairs ranked rightly, ties as one half.

    NaN where one class has no rows. Source: Hanley and McNeil (1982), Radiology 143(1).

    >>> roc_area(ScoreTable.from_scores(np.array([0.9, 0.4, 0.4]), np.array([1, 1, 0])))
    0.75
    """
    pairs = 2 * table.positives * table.negatives
    if not pairs:
        return np.nan
    tp, fp = table.tp, table.fp
    if pairs >= _LARGEST:
        tp, fp = tp.astype(np.float64), fp.astype(np.float64)
    twice = sum(
        np.einsum("i,i->", rise(fp, rows), tp[rows] + _before(tp, rows)).item()
        for rows in blocks(len(tp))
    )
    return float(twice / pairs)


def average_precision(table: ScoreTable) -> float:
    """Return the mean precision over the positives, each at its own score.

    One step per distinct score, no interpolation; NaN where there are no positives.
    Source: Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, 8.4.

    >>> average_precision(ScoreTable.from_scores(np.array([0.9, 0.5, 0.4]), np.array([1, 0, 1])))
    0.8333333333333333
    """
    tp, fp = table.tp, table.fp
    total = sum(
        np.einsum("i,i->", rise(tp, rows), _precision(tp, fp, rows)).item()
        for rows in blocks(len(tp))
    )
    return float(total / table.positives) if table.positives else np.nan


def precision_recall_area(table: ScoreTable) -> float | Floats:
    """Return the area under straight lines between the points, from (0, first precision).

    Too kind to a model, since precision does not move along straight lines; NaN where there are
    no positives. Running counts of shape (..., m) have (...) areas.
    Source: Davis and Goadrich (2006), ICML, on what is wrong with it.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.5, 0.4]), np.array([1, 0, 1]))
    >>> precision_recall_area(table)
    0.7916666666666666
    """
    tp, called = with_origin(table.tp), with_origin(table.tp + table.fp)
    precision = np.divide(tp, called, out=np.zeros(tp.shape), where=called > 0)
    # The first point has none before it; rows of a draw that hold nothing come before it.
    before = np.where(called[..., :-1] > 0, precision[..., :-1], precision[..., 1:])
    twice = np.einsum("...i,...i->...", np.diff(tp), precision[..., 1:] + before)
    area = np.full(twice.shape, np.nan)
    np.divide(twice, 2 * tp[..., -1], out=area, where=tp[..., -1] > 0)
    return area if area.ndim else float(area)


def _before(cumulative: Counts, rows: slice) -> Counts:
    """Return the running counts one row earlier, 0 before the first."""
    if rows.start:
        return cumulative[rows.start - 1 : rows.stop - 1]
    return np.concatenate([np.zeros(1, cumulative.dtype), cumulative[: rows.stop - 1]])


def rise(cumulative: Counts, rows: slice) -> Counts:
    """Return what running counts rise by at each of some rows."""
    return cumulative[rows] - _before(cumulative, rows)


def _precision(tp: Counts, fp: Counts, rows: slice) -> Counts:
    return tp[rows] / (tp[rows] + fp[rows])
