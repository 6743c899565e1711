"""Intervals for the mean of a loss per row, such as the Brier score, from the score table.

Rows of one class with one score have the same loss: they are a cell, and a resample of the rows is
a multinomial draw of the cells. Many cells are first put together with those of nearly the same
loss, the largest losses least. A mean over more than `NORMAL_ROWS` rows has a normal distribution
to any number of digits that matters. A weight is a number of rows.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass

import numpy as np

from evalcore.outcomes import Floats
from evalcore.resampling.bootstrap import (
    PLAN,
    Jackknife,
    Plan,
    bca_bootstrap,
    chunks,
    draw_cells,
    percentile_bootstrap,
)
from evalcore.resampling.interval import Interval, normal_quantile
from evalcore.resampling.ranking_bins import EXACT_CELLS, coarse
from evalcore.tables.scores import ScoreTable

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

    Method "bootstrap-percentile", "bootstrap-bca", or "normal-mean" where nothing was drawn. NaN
    without rows, and where a loss is infinite. Each is the same as it would be by itself.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.8, 0.3]), np.array([1, 0, 0]))
    >>> def squared(p):
    ...     return (1 - p) ** 2, p**2
    >>> [interval] = mean_loss_intervals(table, [squared], np.random.default_rng(0))
    >>> round(interval.low, 2), round(interval.high, 2)
    (0.01, 0.64)
    """
    draws = _Draws(rng, plan.resamples)
    return [_interval(list(_strata(table, each)), draws, plan) for each in losses]


class _Draws:
    """Draws of cells; losses that put the same rows together share them."""

    def __init__(self, rng: np.random.Generator, resamples: int) -> None:
        self._runs = list(chunks(resamples, rng, _DRAWS))
        self._made: dict[tuple[bytes, ...], list[list[Floats]]] = {}

    def of(self, strata: list[Floats]) -> list[list[Floats]]:
        """Return (b, c) draws of the (c,) rows of each stratum, in runs."""
        key = tuple(rows.tobytes() for rows in strata)
        if key not in self._made:
            # The generators are copied, so that the next cells are drawn from the same start.
            runs = [(size, deepcopy(child)) for size, child in self._runs]
            self._made[key] = [[draw_cells(rows, *run) for rows in strata] for run in runs]
        return self._made[key]


def _interval(strata: list["_Cells"], draws: _Draws, plan: Plan) -> Interval:
    cells = _Cells.joined(strata)
    if not len(cells.loss) or not np.isfinite(cells.loss).all():
        return Interval(np.nan, np.nan, "bootstrap-percentile", plan.level)
    if cells.rows.sum() > NORMAL_ROWS:
        return _normal(cells, plan.level)
    return _drawn(cells, strata if plan.stratified else [cells], draws, plan)


@dataclass(frozen=True, eq=False)
class _Cells:
    """(c,) losses and the rows that have them."""

    loss: Floats
    rows: Floats

    @classmethod
    def joined(cls, parts: list["_Cells"]) -> "_Cells":
        return cls(
            np.concatenate([part.loss for part in parts]),
            np.concatenate([part.rows for part in parts]),
        )

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


def _strata(table: ScoreTable, losses: Losses) -> Iterator[_Cells]:
    for loss, rows in zip(losses(table.threshold), table.steps(), strict=True):
        filled = np.flatnonzero(rows)
        yield _Cells(loss[filled], rows[filled].astype(np.float64))


def _normal(cells: _Cells, level: float) -> Interval:
    n = np.sum(cells.rows)
    variance = np.sum(cells.rows * (cells.loss - cells.mean) ** 2) / (n - 1)
    reach = normal_quantile(level) * np.sqrt(variance / n)
    low, high = cells.within([cells.mean - reach, cells.mean + reach])
    return Interval(low, high, "normal-mean", level, degenerate=bool(reach == 0))


def _drawn(cells: _Cells, strata: list[_Cells], draws: _Draws, plan: Plan) -> Interval:
    parts = [part.grouped() for part in strata if len(part.loss)]
    runs = draws.of([part.rows for part in parts])
    means = cells.within(np.concatenate([_means(parts, drawn) for drawn in runs]))
    if plan.method == "percentile":
        return percentile_bootstrap(means, plan.level).interval
    # Leaving a row out moves the mean by its loss, on a scale that does not matter here.
    acceleration = Jackknife(-cells.loss, cells.rows).acceleration
    return bca_bootstrap(means, plan.level, observed=cells.mean, acceleration=acceleration).interval


def _means(strata: list[_Cells], drawn: list[Floats]) -> Floats:
    total = sum(
        np.einsum("bc,c->b", rows, part.loss) for part, rows in zip(strata, drawn, strict=True)
    )
    n = sum(rows.sum(axis=1) for rows in drawn)
    means = np.full(len(drawn[0]), np.nan)
    np.divide(total, n, out=means, where=n > 0)
    return means
