"""Where on a plane points lie nearer to another cluster, counted place by place."""

from dataclasses import dataclass

import numpy as np

from evalcore.clusters.layout import Layout
from evalcore.outcomes import Floats, ReadOnly
from evalcore.tables.cloud import Axis
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
    across, upwards = Axis.of(plane.x, COLUMNS), Axis.of(plane.y, LINES)
    place = upwards.place(plane.y) * COLUMNS + across.place(plane.x)
    below = silhouette[plane.place] < 0
    counts = np.bincount(place, minlength=COLUMNS * LINES)
    nearer = np.bincount(place[below], minlength=COLUMNS * LINES)
    kept = np.flatnonzero(counts)
    x, y = across.middles[kept % COLUMNS], upwards.middles[kept // COLUMNS]
    return Crowds(x, y, counts[kept], nearer[kept])
