"""Sums of distances from points to clusters, and which clusters they show to be near.

With few clusters each distance is measured once and added both ways; with many, the table of
points by clusters would not fit, so each distance is measured from both ends.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.clusters.distance import Measure
from evalcore.clusters.groups import Groups
from evalcore.clusters.tiles import SIDE, places, tiles, triangle
from evalcore.clusters.watch import Watch, in_order
from evalcore.outcomes import Floats, Places
from evalcore.tables.blocks import blocks

_LARGEST = 1 << 23
"""Cells of a table of points by clusters: 64 MB."""


@dataclass(frozen=True, eq=False)
class Nearness:
    """How near (r,) points are to their own cluster and to the next one.

    Attributes:
        own: Mean distance to the others of its cluster; 0 where there is no other.
        next: Mean distance to the nearest other cluster.
        nearest: Which one that is, among those of the groups.
    """

    own: Floats
    next: Floats
    nearest: Places


def from_all(measure: Measure, groups: Groups, watch: Watch) -> Nearness:
    """Return the nearness of every point, in the order of the groups."""
    if groups.n * groups.k > _LARGEST:
        return from_rows(measure, groups, np.arange(groups.n), watch)
    return _nearness(_sums_both_ways(measure, groups, watch), groups.code, groups)


def from_rows(measure: Measure, groups: Groups, rows: Places, watch: Watch) -> Nearness:
    """Return the nearness of the points at some places to all points."""
    height = int(np.clip(_LARGEST // (2 * groups.k), 1, SIDE))
    stripes = [rows[run] for run in blocks(len(rows), height)]
    work = partial(_stripe_nearness, measure, groups, watch)
    parts = list(in_order(work, stripes, [len(stripe) for stripe in stripes], watch))
    names = ("own", "next", "nearest")
    return Nearness(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def _stripe_nearness(measure: Measure, groups: Groups, watch: Watch, rows: Places) -> Nearness:
    sums = np.zeros((len(rows), groups.k))
    for run, tile in tiles(measure, rows, blocks(groups.n, SIDE), watch):
        starts = np.flatnonzero(np.diff(groups.code[run], prepend=-1))
        sums[:, _clusters(groups, run)] += np.add.reduceat(tile, starts, axis=1)
    return _nearness(sums, groups.code[rows], groups)


def _nearness(sums: Floats, code: Places, groups: Groups) -> Nearness:
    """Compare (r, k) sums of distances from r points of known clusters; the sums are used up."""
    each = np.arange(len(code))
    own = sums[each, code] / np.maximum(groups.sizes[code] - 1, 1)
    sums /= groups.sizes
    sums[each, code] = np.inf
    nearest = sums.argmin(axis=1)
    return Nearness(own, sums[each, nearest], nearest)


def _sums_both_ways(measure: Measure, groups: Groups, watch: Watch) -> Floats:
    """Return (n, k) sums of the distances from each point to each cluster."""
    pieces = triangle(groups.n)
    work = partial(_stripe_both_ways, measure, groups, watch)
    sums = np.zeros((groups.n, groups.k))
    done = in_order(work, pieces, [len(piece) for piece in pieces], watch)
    for (first, *_), (across, down) in zip(pieces, done, strict=True):
        sums[first] += across
        sums[first.start :, _clusters(groups, first)] += down
    return sums


def _stripe_both_ways(
    measure: Measure, groups: Groups, watch: Watch, cuts: list[slice]
) -> tuple[Floats, Floats]:
    """Sum the tiles right of the diagonal, from the points of the first run.

    Returns (points of the run, k) sums across the rows and, for the points from that run on,
    (points, clusters of the run) sums down the columns, where the tile on the diagonal adds none.
    """
    first = cuts[0]
    across = np.zeros((first.stop - first.start, groups.k))
    here = _clusters(groups, first)
    down = np.zeros((groups.n - first.start, here.stop - here.start))
    for run, tile in tiles(measure, places(first), cuts, watch):
        across[:, _clusters(groups, run)] += tile @ _members(groups, run, tile.dtype)
        if run is not first:
            rows = slice(run.start - first.start, run.stop - first.start)
            down[rows] += tile.T @ _members(groups, first, tile.dtype)
    return across, down


def _clusters(groups: Groups, run: slice) -> slice:
    """Return the clusters that the points of a run are of: neighbours, since points are sorted."""
    code = groups.code[run]
    return slice(int(code[0]), int(code[-1]) + 1)


def _members(groups: Groups, run: slice, dtype: np.dtype[Any]) -> NDArray[np.floating[Any]]:
    """Return (points, clusters) of a run: 1 where the point is of the cluster, else 0."""
    clusters = _clusters(groups, run)
    is_of = groups.code[run][:, np.newaxis] == np.arange(clusters.start, clusters.stop)
    members: NDArray[np.floating[Any]] = is_of.astype(dtype)
    return members
