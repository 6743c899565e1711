"""Fewer rows of a score table, each with its exact counts: what makes very many scores add up."""

import numpy as np

from evalcore.tables.ordering import ends_of_runs
from evalcore.tables.scores import ScoreTable

_MANTISSA = 52
_BITS = 16
_FEWEST_BITS = 4


def grouped(table: ScoreTable, most: int) -> ScoreTable:
    """Return the lowest score of each group that shares its leading bits; all if at most `most`.

    Scores of a group lie within 1 part in 65,536 of each other, or further apart where that many
    groups are still too many. Every row is a real score with its exact counts, so tables that
    were grouped apart add up to exact counts as well; powers of two, such as 0.5, part groups.

    >>> scores = np.array([0.9, 0.700001, 0.7, 0.5, 0.499999])
    >>> grouped(ScoreTable.from_scores(scores, np.array([1, 1, 0, 1, 0])), 4).tp.tolist()
    [1, 2, 3, 3]
    """
    for bits in range(_BITS, _FEWEST_BITS, -1):
        if len(table.threshold) <= most:
            break
        rows = ends_of_runs(
            np.ascontiguousarray(table.threshold).view(np.int64) >> _MANTISSA - bits
        )
        table = ScoreTable(table.threshold[rows], table.tp[rows], table.fp[rows])
    return table


def area_in_doubt(table: ScoreTable) -> float:
    """Return how far the ROC area of grouped scores can be from that of the scores themselves.

    It is half the share of pairs of a positive and a negative that stand in one row; NaN where
    there is no such pair at all.
    """
    tp, fp = (steps.astype(np.float64) for steps in table.steps())
    pairs = table.positives * table.negatives
    return float(np.dot(tp, fp)) / (2 * pairs) if pairs else np.nan
