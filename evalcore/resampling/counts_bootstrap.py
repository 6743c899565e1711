"""The bootstrap of anything computed from counts: one multinomial draw of the cells.

Drawing n rows with replacement and counting them gives multinomial counts, so this is the
bootstrap of the rows exactly, at a cost that does not depend on n. A weight is a number of rows:
where weights are fractional, draws hold as many rows as the weights add up to, rounded, and are
scaled back to that sum.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

import numpy as np

from evalcore.outcomes import Floats
from evalcore.resampling.bootstrap import (
    PLAN,
    Bootstrap,
    Plan,
    chunks,
    draw_cells,
    percentile_bootstrap,
)
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix

_CELLS = 1 << 21
"""Cells that are drawn at once, which bounds the memory."""

Table = TypeVar("Table", BinaryCounts, ConfusionMatrix)
Statistic = Callable[[Table], float | Floats]
"""Maps a table of (b,) or (b, K, K) counts to (b, ...) values."""


def bootstrap_counts(
    table: Table,
    statistics: Mapping[str, Statistic[Table]],
    rng: np.random.Generator,
    plan: Plan = PLAN,
) -> dict[str, Bootstrap]:
    """Return each statistic over the same draws of a table, with percentile intervals.

    >>> counts = BinaryCounts(tp=40, fp=5, fn=10, tn=45)
    >>> recall = {"recall": lambda counts: counts.tp / counts.positives}
    >>> interval = bootstrap_counts(counts, recall, np.random.default_rng(0))["recall"].interval
    >>> round(interval.low, 2), round(interval.high, 2)
    (0.68, 0.9)
    """
    batches = [
        {name: np.asarray(statistic(draws)) for name, statistic in statistics.items()}
        for draws in draw_counts(table, rng, plan)
    ]
    return {
        name: percentile_bootstrap(np.concatenate([batch[name] for batch in batches]), plan.level)
        for name in statistics
    }


def draw_counts(table: Table, rng: np.random.Generator, plan: Plan = PLAN) -> Iterator[Table]:
    """Yield tables of (b,) or (b, K, K) drawn counts, until there are `plan.resamples`."""
    cells = _cells(table)
    total, size = cells.sum(), max(1, _CELLS // cells.size)
    # What one drawn row stands for, so that the rows add up to the total.
    row = total / max(round(total), 1)
    for draws, child in chunks(plan.resamples, rng, size):
        drawn = draw_cells(cells.ravel(), draws, child) * row
        yield _rebuilt(table, drawn.reshape(draws, *cells.shape))


def _cells(table: BinaryCounts | ConfusionMatrix) -> Floats:
    """Return the counts as a matrix, rows = truth, columns = decision, in float64."""
    if isinstance(table, ConfusionMatrix):
        return table.counts.astype(np.float64)
    return np.array([[table.tn, table.fp], [table.fn, table.tp]], dtype=np.float64)


def _rebuilt(like: Table, cells: Floats) -> Table:
    if isinstance(like, ConfusionMatrix):
        return ConfusionMatrix(like.classes, cells)
    tn, fp, fn, tp = np.moveaxis(cells.reshape(-1, 4), 1, 0)
    return BinaryCounts(tp, fp, fn, tn)
