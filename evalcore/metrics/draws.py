"""Score tables of many bootstrap draws at once: running counts of shape (..., m)."""

from collections.abc import Callable

import numpy as np

from evalcore.metrics.spec import Number
from evalcore.tables.scores import ScoreTable


def each(function: Callable[[ScoreTable], float]) -> Callable[[ScoreTable], Number]:
    """Let a function of one score table serve a batch of draws, one after the other."""

    def compute(table: ScoreTable) -> Number:
        if table.tp.ndim == 1:
            return function(table)
        pairs = zip(table.tp, table.fp, strict=True)
        return np.array([function(ScoreTable(table.threshold, tp, fp)) for tp, fp in pairs])

    return compute
