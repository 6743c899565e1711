"""Rows in groups of about equal size or by a code, and scores counted in fewer groups."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Floats, Places
from evalcore.tables.scores import ScoreTable, ends_of_runs

_MANTISSA = 52
_BITS = 16
_FEWEST_BITS = 4


def grouped(table: ScoreTable, most: int) -> ScoreTable:
    """Return the lowest score of each group that shares its leading bits; all if at most `most`.

    Scores of a group lie within 1 part in 65,536 of each other, or further apart where that many
    groups are still too many. Every row is a real score with its exact counts, so tables that
    were grouped apart add up to exact counts as well; powers of two, such as 0.5, part groups.
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


def equal_groups(by: Floats, groups: int, weight: Floats | None = None) -> Places:
    """Return (n,) the group of each of n finite values, 0 being that of the smallest.

    Equal values share a group, so that there may be fewer groups; none is empty.
    """
    if not len(by):
        return np.empty(0, dtype=np.intp)
    starts = _smallest(by, groups) if weight is None else _smallest_weighted(by, groups, weight)
    return np.unique(starts).searchsorted(by, side="right") - 1


def by_code(codes: NDArray[np.integer[Any]]) -> Iterator[tuple[int, Places]]:
    """Yield each code from 0 on that occurs, with the places where it does, in order.

    >>> [(code, places.tolist()) for code, places in by_code(np.array([1, -1, 0, 1]))]
    [(0, [2]), (1, [0, 3])]
    """
    order = np.argsort(codes, kind="stable")
    bounds = np.searchsorted(codes[order], np.arange(codes.max(initial=-1) + 2))
    for code, (start, end) in enumerate(pairwise(bounds)):
        if end > start:
            yield code, order[start:end]


def _smallest(by: Floats, groups: int) -> Floats:
    """Return the smallest value of each group, without putting all rows in order."""
    places = len(by) * np.arange(groups) // groups
    smallest: Floats = np.partition(by, places)[places]
    return smallest


def _smallest_weighted(by: Floats, groups: int, weight: Floats) -> Floats:
    order = np.argsort(by)
    upto = np.cumsum(weight[order])
    targets = upto[-1] * np.arange(groups) / groups
    first = int(np.searchsorted(upto, 0.0, side="right"))
    places = np.searchsorted(upto, targets, side="right").clip(first, len(by) - 1)
    smallest: Floats = by[order[places]]
    # Rows of no weight below the first that counts belong to its group.
    smallest[0] = by[order[0]]
    return smallest
