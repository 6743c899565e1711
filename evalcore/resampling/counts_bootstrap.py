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
    Jackknife,
    Plan,
    bca_bootstrap,
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
    """Return each statistic over the same draws of a table.

    BCa serves statistics that are one number; others get percentiles.

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
        name: _summary(table, statistic, np.concatenate([batch[name] for batch in batches]), plan)
        for name, statistic in statistics.items()
    }


def draw_counts(table: Table, rng: np.random.Generator, plan: Plan = PLAN) -> Iterator[Table]:
    """Yield tables of (b,) or (b, K, K) drawn counts, until there are `plan.resamples`."""
    cells = _cells(table)
    strata = cells if plan.stratified else cells.reshape(1, -1)
    size = max(1, _CELLS // cells.size)
    for draws, child in chunks(plan.resamples, rng, size):
        yield _rebuilt(table, _drawn(strata, draws, child).reshape(draws, *cells.shape))


def _drawn(strata: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Draw the cells of each row of (s, c) counts, keeping its total."""
    drawn = [draw_cells(counts, draws, rng) * _row_weight(counts.sum()) for counts in strata]
    return np.stack(drawn, axis=1)


def _row_weight(total: float) -> float:
    """Return what one drawn row stands for, so that the rows add up to the total."""
    return total / max(round(total), 1)


def _summary(table: Table, statistic: Statistic[Table], values: Floats, plan: Plan) -> Bootstrap:
    if plan.method == "percentile" or values.ndim > 1:
        return percentile_bootstrap(values, plan.level)
    return bca_bootstrap(
        values,
        plan.level,
        observed=float(statistic(table)),
        acceleration=_jackknife(table, statistic).acceleration,
    )


def _jackknife(table: Table, statistic: Statistic[Table]) -> Jackknife:
    """Leave one row out of each filled cell in turn; all rows of a cell give the same value."""
    cells = _cells(table)
    filled = np.flatnonzero(cells)
    values = [np.empty(0)]
    for some in np.array_split(filled, 1 + filled.size * cells.size // _CELLS):
        without = np.tile(cells.ravel(), (len(some), 1))
        without[np.arange(len(some)), some] -= np.minimum(without[np.arange(len(some)), some], 1)
        values.append(np.asarray(statistic(_rebuilt(table, without.reshape(-1, *cells.shape)))))
    return Jackknife(np.concatenate(values), cells.ravel()[filled])


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
