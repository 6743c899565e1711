"""Centres, spread and separation of clusters."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Self

import numpy as np

from evalcore.clustering.distance import (
    EUCLIDEAN,
    Distance,
    Measure,
    Tile,
    measure,
    places,
    tiles,
    triangle,
)
from evalcore.clustering.silhouette import (
    EXACT_UP_TO,
    Groups,
    Silhouette,
    Sized,
    estimated_silhouette,
    grouped,
    silhouette,
)
from evalcore.outcomes import Floats, Measurable, Places, Points
from evalcore.tables.contingency import Whole
from evalcore.work import NO_PROGRESS, in_order


@dataclass(frozen=True, eq=False, kw_only=True)
class Centroids(Sized):
    """The centres of the k clusters that hold points; noise is left out.

    Attributes:
        names: (k,) where each cluster stands among all names.
        sizes: (k,) points per cluster.
        mean: (d,) mean of each feature over all points.
        offsets: (k, d) centre of each cluster, from that mean.
        within: (k,) sum of the squared distances of a cluster's points from its centre.
        spread: (k,) mean distance of a cluster's points from its centre.
        total: Sum of the squared distances of all points from the mean.
    """

    names: Places
    sizes: Whole
    mean: Floats
    offsets: Floats
    within: Floats
    spread: Floats
    total: float

    @classmethod
    def from_points(cls, points: Points) -> Self:
        """Condense the points of a clustering, in their own units.

        >>> features = np.array([[0.0], [2.0], [9.0], [11.0]])
        >>> points = Points(names=("a", "b"), cluster=np.array([0, 0, 1, 1]), features=features)
        >>> centroids = Centroids.from_points(points)
        >>> centroids.centres.tolist(), centroids.within.tolist(), centroids.total
        ([[1.0], [10.0]], [2.0, 2.0], 85.0)
        """
        groups = grouped(points)
        # Sums run about the mean: those of features far from the origin would lose digits.
        features = points.features[groups.order]
        mean = features.sum(axis=0) / max(groups.n, 1)
        features -= mean
        starts = np.cumsum(groups.sizes) - groups.sizes
        offsets = np.add.reduceat(features, starts, axis=0) / groups.sizes[:, np.newaxis]
        total = float((features**2).sum())
        features -= offsets[groups.code]
        squares = np.einsum("ij,ij->i", features, features)
        return cls(
            names=groups.names,
            sizes=groups.sizes,
            mean=mean,
            offsets=offsets,
            within=np.add.reduceat(squares, starts),
            spread=np.add.reduceat(np.sqrt(squares), starts) / groups.sizes,
            total=total,
        )

    @property
    def centres(self) -> Floats:
        """(k, d) mean of each feature over the points of each cluster."""
        return self.mean + self.offsets

    @property
    def between(self) -> float:
        """Sum of the squared distances of the centres from the mean, each point counting."""
        return float(self.sizes @ np.einsum("ij,ij->i", self.offsets, self.offsets))


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


_Extreme = tuple[float, int, int]
"""A distance, and the places of the two points."""


def separation(points: Measurable, distance: Distance = EUCLIDEAN) -> Separation:
    """Find both extremes among all n^2 / 2 pairs of points.

    Raises:
        EvalError: "zero-vector" for a cosine.
    """
    groups = grouped(points)
    if not groups.comparable:
        return Separation(np.nan, np.nan)
    pieces = triangle(groups.n)
    work = partial(_extremes, measure(points, groups.order, distance), groups)
    found = list(in_order(work, pieces, [len(piece) for piece in pieces], NO_PROGRESS))
    gap, diameter = min(near for near, _ in found), max(wide for _, wide in found)
    return Separation(*(_exact(points, groups, extreme, distance) for extreme in (gap, diameter)))


def _extremes(measure: Measure, groups: Groups, cuts: list[slice]) -> tuple[_Extreme, _Extreme]:
    """Return the nearest pair of two clusters and the widest of one, from the first run on."""
    first, code = cuts[0], groups.code
    nearest, widest = (np.inf, 0, 0), (-np.inf, 0, 0)
    for run, tile in tiles(measure, places(first), cuts, NO_PROGRESS):
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
    return float(tile[row, column]), first.start + row, run.start + column


def _exact(points: Measurable, groups: Groups, extreme: _Extreme, distance: Distance) -> float:
    """Measure a pair alone, which tiles do fast and therefore less exactly."""
    pair = groups.order[list(extreme[1:])]
    alone = measure(points, pair, replace(distance, precision="float64"))
    return float(alone.start(np.array([0]))(slice(1, 2))[0, 0]) * alone.unit


@dataclass(frozen=True, eq=False)
class ClusterTables:
    """What every number of a clustering is a function of.

    Attributes:
        silhouette: Of every point, or of a sample.
        centroids: None where there are distances or categories, and so no mean.
        separation: None where a sample was judged: extremes of a sample say little.
    """

    silhouette: Silhouette
    centroids: Centroids | None
    separation: Separation | None


def condense(
    points: Measurable,
    distance: Distance = EUCLIDEAN,
    *,
    rng: np.random.Generator,
) -> ClusterTables:
    """Judge a clustering: all pairs of points up to 50,000, above that a sample drawn by `rng`.

    Centroids are in the units of the features, whatever the distance. Raises EvalError:
    "zero-vector" for a cosine.
    """
    centroids = Centroids.from_points(points) if isinstance(points, Points) else None
    if points.n > EXACT_UP_TO:
        return ClusterTables(estimated_silhouette(points, distance, rng=rng), centroids, None)
    return ClusterTables(silhouette(points, distance), centroids, separation(points, distance))
