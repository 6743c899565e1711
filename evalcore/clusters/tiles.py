"""All distances from some points, tile by tile, so that memory stays small."""

from collections.abc import Iterator, Sequence

import numpy as np

from evalcore.clusters.distance import Measure, Tile
from evalcore.clusters.watch import Watch
from evalcore.tables.contingency import Places

SIDE = 512
"""Points on the longer side of a tile: 2 MB in float64, which a processor keeps at hand."""


def runs(n: int, length: int = SIDE) -> list[slice]:
    """Cut n places into runs of `length`, the last one shorter."""
    return [slice(start, min(start + length, n)) for start in range(0, n, length)]


def triangle(n: int) -> list[list[slice]]:
    """Return for each run of n places that run and those after it: every pair of places once."""
    cuts = runs(n)
    return [cuts[place:] for place in range(len(cuts))]


def places(run: slice) -> Places:
    """Return the places in a run."""
    return np.arange(run.start, run.stop)


def tiles(
    measure: Measure, rows: Places, columns: Sequence[slice], watch: Watch
) -> Iterator[tuple[slice, Tile]]:
    """Yield each run of columns with its distances from the rows, exactly 0 to itself."""
    to = measure.start(rows)
    for run in columns:
        watch.check()
        tile = to(run)
        here = np.flatnonzero((rows >= run.start) & (rows < run.stop))
        tile[here, rows[here] - run.start] = 0
        yield run, tile
