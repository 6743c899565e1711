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
        draws = zip(table.tp, table.fp, (table.tp + table.fp) > 0, strict=True)
        # A draw may hold none of the highest scores, which then are no rows of its table.
        return np.array(
            [function(ScoreTable(table.threshold[k], tp[k], fp[k])) for tp, fp, k in draws]
        )

    return compute
