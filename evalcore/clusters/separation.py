"""How far clusters lie apart, and how wide they are."""

from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from evalcore.clusters.distance import EUCLIDEAN, Distance, Measure, Tile, measure
from evalcore.clusters.groups import Groups, grouped
from evalcore.clusters.tiles import places, tiles, triangle
from evalcore.clusters.watch import UNWATCHED, in_order
from evalcore.outcomes import Measurable


@dataclass(frozen=True)
class Separation:
    """The two extremes that the Dunn index compares.

    Attributes:
        gap: Smallest distance between points of two clusters; NaN where there are no two clusters
            or every point is alone in its own.
        diameter: Largest distance between points of one cluster; NaN likewise.
    """

    gap: float
    diameter: float


class _Extreme(NamedTuple):
    """A distance, and the places of the two points."""

    distance: float
    first: int
    second: int


def separation(points: Measurable, distance: Distance = EUCLIDEAN) -> Separation:
    """Find both extremes among all n^2 / 2 pairs of points.

    Raises:
        EvalError: "zero-vector" for a cosine.

    >>> from evalcore.outcomes import Points
    >>> features = np.array([[0.0], [1.0], [9.0], [10.0]])
    >>> points = Points(names=("a", "b"), cluster=np.array([0, 0, 1, 1]), features=features)
    >>> separation(points)
    Separation(gap=8.0, diameter=1.0)
    """
    groups = grouped(points)
    if not groups.comparable:
        return Separation(np.nan, np.nan)
    pieces = triangle(groups.n)
    work = partial(_extremes, measure(points, groups.order, distance), groups)
    found = list(in_order(work, pieces, [len(piece) for piece in pieces], UNWATCHED))
    gap, diameter = min(near for near, _ in found), max(wide for _, wide in found)
    return Separation(*(_exact(points, groups, extreme, distance) for extreme in (gap, diameter)))


def _extremes(measure: Measure, groups: Groups, cuts: list[slice]) -> tuple[_Extreme, _Extreme]:
    """Return the nearest pair of two clusters and the widest of one, from the first run on."""
    first, code = cuts[0], groups.code
    nearest, widest = _Extreme(np.inf, 0, 0), _Extreme(-np.inf, 0, 0)
    for run, tile in tiles(measure, places(first), cuts, UNWATCHED):
        none_shared = code[first.stop - 1] < code[run.start]
        one_cluster = code[first.start] == code[run.stop - 1]
        same = code[first][:, np.newaxis] == code[run]
        if not none_shared:
            within = tile if one_cluster else np.where(same, tile, -1)
            widest = max(widest, _at(within, int(within.argmax()), first, run))
        if not one_cluster:
            between = tile if none_shared else np.where(same, np.inf, tile)
            nearest = min(nearest, _at(between, int(between.argmin()), first, run))
    return nearest, widest


def _at(tile: Tile, cell: int, first: slice, run: slice) -> _Extreme:
    row, column = divmod(cell, tile.shape[1])
    return _Extreme(float(tile[row, column]), first.start + row, run.start + column)


def _exact(points: Measurable, groups: Groups, extreme: _Extreme, distance: Distance) -> float:
    """Measure a pair alone, which tiles do fast and therefore less exactly."""
    pair = groups.order[[extreme.first, extreme.second]]
    alone = measure(points, pair, replace(distance, precision="float64"))
    return float(alone.start(np.array([0]))(slice(1, 2))[0, 0]) * alone.unit
