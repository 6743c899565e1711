"""Where on a plane points lie nearer to another cluster, counted place by place."""

from dataclasses import dataclass

import numpy as np

from evalcore.clusters.layout import Layout
from evalcore.outcomes import Floats, ReadOnly
from evalcore.tables.contingency import Whole

COLUMNS, LINES = 24, 16


@dataclass(frozen=True, eq=False)
class Crowds(ReadOnly):
    """Points counted in the m cells of a grid that hold any.

    Attributes:
        x: (m,) middles of the cells, in the units of the first axis.
        y: (m,) in those of the second.
        counts: (m,) points in each cell.
        nearer: (m,) those of them that are nearer to another cluster.
    """

    x: Floats
    y: Floats
    counts: Whole
    nearer: Whole


def crowds(plane: Layout, silhouette: Floats) -> Crowds:
    """Count the points of a plane by place; `silhouette` is (n,), below 0 nearer to another.

    >>> plane = Layout(np.arange(3), np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, 1.0]))
    >>> found = crowds(plane, np.array([0.5, -0.5, -0.5]))
    >>> found.counts.tolist(), found.nearer.tolist()
    ([2, 1], [1, 1])
    """
    column, across = _cells(plane.x, COLUMNS)
    line, upwards = _cells(plane.y, LINES)
    place = line * COLUMNS + column
    below = silhouette[plane.place] < 0
    counts = np.bincount(place, minlength=COLUMNS * LINES)
    nearer = np.bincount(place[below], minlength=COLUMNS * LINES)
    kept = np.flatnonzero(counts)
    return Crowds(across[kept % COLUMNS], upwards[kept // COLUMNS], counts[kept], nearer[kept])


def _cells(values: Floats, cells: int) -> tuple[Whole, Floats]:
    """Return the cell of each value, and the middles of the cells from lowest to highest."""
    low, high = values.min(initial=np.inf), values.max(initial=-np.inf)
    # Halves, since a difference of large numbers may overflow.
    width = high / 2 - low / 2
    share = (values / 2 - low / 2) / width if width > 0 else np.zeros(len(values))
    found = np.minimum((share * cells).astype(np.int64), cells - 1)
    along = (np.arange(cells) + 0.5) / cells
    return found, low * (1 - along) + high * along if width > 0 else np.full(cells, low)
