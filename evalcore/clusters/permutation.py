"""What chance makes of a table: its rows dealt at random, group sizes kept.

Shuffling the cluster of every row gives tables whose sizes are those of the data and whose cells
are hypergeometric; they are drawn cell by cell, which costs the same for any number of rows.
"""

from collections.abc import Iterator

import numpy as np

from evalcore.errors import EvalError
from evalcore.tables.contingency import Contingency

_AT_ONCE = 1 << 20
"""Cells drawn in one go."""

_FEW = 80_000
"""With fewer rows than this, or than 20 per cell, shuffling them is the quicker way."""

_MOST_ROWS = 10**9
"""numpy draws hypergeometric numbers from fewer rows than this."""


def permuted(table: Contingency, draws: int, rng: np.random.Generator) -> Iterator[Contingency]:
    """Yield tables that chance would give, `draws` in all, many in one where cells are few.

    Raises:
        EvalError: The table holds a billion rows or more.
    """
    if table.n >= _MOST_ROWS:
        raise EvalError("too-many-rows", "Chance can be drawn for fewer than a billion rows.")
    grid = len(table.classes) * len(table.clusters)
    if 20 * grid > max(table.n, _FEW):
        yield from (_shuffled(table, rng) for _ in range(draws))
        return
    at_once = max(1, _AT_ONCE // max(grid, 1))
    for start in range(0, draws, at_once):
        yield _dealt(table, min(at_once, draws - start), rng)


def _shuffled(table: Contingency, rng: np.random.Generator) -> Contingency:
    truth, cluster = np.repeat(table.row, table.cells), np.repeat(table.column, table.cells)
    return Contingency.from_codes(truth, rng.permutation(cluster), table.classes, table.clusters)


def _dealt(table: Contingency, draws: int, rng: np.random.Generator) -> Contingency:
    """Deal the rows of each cluster to the classes, one class after the other."""
    counts = np.zeros((draws, len(table.classes), len(table.clusters)), dtype=np.int64)
    left = np.tile(table.class_sizes, (draws, 1))
    for column, size in enumerate(table.cluster_sizes):
        wanted = np.full(draws, size)
        others = left.sum(axis=1)
        for row in range(len(table.classes)):
            others = others - left[:, row]
            counts[:, row, column] = rng.hypergeometric(left[:, row], others, wanted)
            wanted -= counts[:, row, column]
        left -= counts[:, :, column]
    rows, columns = np.indices(counts.shape[1:]).reshape(2, -1)
    return Contingency(table.classes, table.clusters, rows, columns, counts.reshape(draws, -1))
