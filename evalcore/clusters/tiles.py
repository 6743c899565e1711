"""All distances from some points, tile by tile, so that memory stays small."""

from collections.abc import Iterable, Iterator

import numpy as np

from evalcore.clusters.distance import Measure, Tile
from evalcore.clusters.watch import Watch
from evalcore.outcomes import Places
from evalcore.tables.blocks import blocks

SIDE = 512
"""Points on the longer side of a tile: 2 MB in float64, which a processor keeps at hand."""


def triangle(n: int) -> list[list[slice]]:
    """Return for each run of n places that run and those after it: every pair of places once."""
    cuts = list(blocks(n, SIDE))
    return [cuts[place:] for place in range(len(cuts))]


def places(run: slice) -> Places:
    """Return the places in a run."""
    return np.arange(run.start, run.stop)


def tiles(
    measure: Measure, rows: Places, columns: Iterable[slice], watch: Watch
) -> Iterator[tuple[slice, Tile]]:
    """Yield each run of columns with its distances from the rows, exactly 0 to itself."""
    to = measure.start(rows)
    for run in columns:
        watch.check()
        tile = to(run)
        here = np.flatnonzero((rows >= run.start) & (rows < run.stop))
        tile[here, rows[here] - run.start] = 0
        yield run, tile
