"""Intervals for the mean of a loss per row, such as the Brier score, from the score table.

Rows of one class with one score have the same loss: they are a cell, and a resample of the rows is
a multinomial draw of the cells. Many cells are first put together with those of nearly the same
loss, the largest losses least. A mean over more than `NORMAL_ROWS` rows has a normal distribution
to any number of digits that matters. A weight is a number of rows.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Self

import numpy as np

from evalcore.outcomes import Floats
from evalcore.resampling.bootstrap import (
    PLAN,
    Plan,
    chunks,
    draw_cells,
    percentile_bootstrap,
)
from evalcore.resampling.interval import Interval, normal_quantile
from evalcore.resampling.ranking_bins import EXACT_CELLS, coarse
from evalcore.tables.scores import ScoreTable
from evalcore.tables.weights import quotient

NORMAL_ROWS = 100_000
"""Above so many rows nothing is drawn."""

_DRAWS = 256
"""Draws that are made at once."""

Losses = Callable[[Floats], tuple[Floats, Floats]]
"""Maps (m,) scores to the (m,) losses of a positive row and of a negative row."""


def mean_loss_intervals(
    table: ScoreTable, losses: Sequence[Losses], rng: np.random.Generator, plan: Plan = PLAN
) -> list[Interval]:
    """Return an interval for each mean loss, between its smallest and its largest loss.

    Method "bootstrap-percentile", or "normal-mean" where nothing was drawn. NaN without rows, and
    where a loss is infinite. Each is the same as it would be by itself.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.8, 0.3]), np.array([1, 0, 0]))
    >>> def squared(p):
    ...     return (1 - p) ** 2, p**2
    >>> [interval] = mean_loss_intervals(table, [squared], np.random.default_rng(0))
    >>> round(interval.low, 2), round(interval.high, 2)
    (0.01, 0.64)
    """
    draws = _Draws(rng, plan.resamples)
    return [_interval(_Cells.of(table, each), draws, plan.level) for each in losses]


class _Draws:
    """Draws of cells; losses that put the same rows together share them."""

    def __init__(self, rng: np.random.Generator, resamples: int) -> None:
        self._runs = list(chunks(resamples, rng, _DRAWS))
        self._made: dict[bytes, list[Floats]] = {}

    def of(self, rows: Floats) -> list[Floats]:
        """Return (b, c) draws of (c,) rows, in runs."""
        key = rows.tobytes()
        if key not in self._made:
            # The generators are copied, so that the next cells are drawn from the same start.
            runs = [(size, deepcopy(child)) for size, child in self._runs]
            self._made[key] = [draw_cells(rows, *run) for run in runs]
        return self._made[key]


def _interval(cells: "_Cells", draws: _Draws, level: float) -> Interval:
    if not len(cells.loss) or not np.isfinite(cells.loss).all():
        return Interval(np.nan, np.nan, "bootstrap-percentile", level)
    if cells.rows.sum() > NORMAL_ROWS:
        return _normal(cells, level)
    few = cells.grouped()
    means = np.concatenate([_means(few, drawn) for drawn in draws.of(few.rows)])
    return percentile_bootstrap(cells.within(means), level).interval


@dataclass(frozen=True, eq=False)
class _Cells:
    """(c,) losses and the rows that have them."""

    loss: Floats
    rows: Floats

    @classmethod
    def of(cls, table: ScoreTable, losses: Losses) -> Self:
        loss, rows = np.concatenate(losses(table.threshold)), np.concatenate(table.steps())
        filled = np.flatnonzero(rows)
        return cls(loss[filled], rows[filled].astype(np.float64))

    @property
    def mean(self) -> float:
        return float(np.sum(self.loss * self.rows) / np.sum(self.rows))

    def within(self, means: Floats | list[float]) -> Floats:
        """Keep means between the smallest and the largest loss, which rounding may leave."""
        return np.clip(means, self.loss.min(), self.loss.max())

    def grouped(self) -> "_Cells":
        """Put cells of neighbouring losses together if there are many, at their mean loss."""
        if len(self.loss) <= EXACT_CELLS:
            return self
        order = np.argsort(-self.loss)
        loss, rows = self.loss[order], self.rows[order]
        starts = np.append(0, coarse(np.cumsum(rows)) + 1)[:-1]
        total = np.add.reduceat(rows, starts)
        return _Cells(np.add.reduceat(loss * rows, starts) / total, total)


def _normal(cells: _Cells, level: float) -> Interval:
    n = np.sum(cells.rows)
    variance = np.sum(cells.rows * (cells.loss - cells.mean) ** 2) / (n - 1)
    reach = normal_quantile(level) * np.sqrt(variance / n)
    low, high = cells.within([cells.mean - reach, cells.mean + reach])
    return Interval(low, high, "normal-mean", level, degenerate=bool(reach == 0))


def _means(cells: _Cells, drawn: Floats) -> Floats:
    return quotient(np.einsum("bc,c->b", drawn, cells.loss), drawn.sum(axis=1))
