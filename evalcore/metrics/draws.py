"""Score tables of many bootstrap draws at once: running counts of shape (..., m)."""

from collections.abc import Callable

import numpy as np

from evalcore.metrics.spec import Number
from evalcore.tables.blocks import blocks
from evalcore.tables.scores import ScoreTable

_DRAWS = 64
"""Draws that are worked on at once: what is made of them stays in the processor's cache."""


def each(function: Callable[[ScoreTable], Number]) -> Callable[[ScoreTable], Number]:
    """Let a function of one score table serve many draws, one after the other."""

    def compute(table: ScoreTable) -> Number:
        draws = zip(table.tp, table.fp, (table.tp + table.fp) > 0, strict=True)
        # A draw may hold none of the highest scores, which then are no rows of its table.
        return np.array(
            [function(ScoreTable(table.threshold[k], tp[k], fp[k])) for tp, fp, k in draws]
        )

    return compute


def in_parts(function: Callable[[ScoreTable], Number]) -> Callable[[ScoreTable], Number]:
    """Let a function that takes many draws at once have few of them at a time."""

    def compute(table: ScoreTable) -> Number:
        if table.tp.ndim == 1:
            return function(table)
        parts = blocks(len(table.tp), _DRAWS)
        return np.concatenate(
            [function(ScoreTable(table.threshold, table.tp[p], table.fp[p])) for p in parts]
        )

    return compute
