"""Silhouettes, centres, spread and separation of clusters.

For silhouettes of few clusters each distance is measured once and added both ways; of many, the
table of points by clusters would not fit, so each distance is measured from both ends.

Source: Rousseeuw (1987), Silhouettes: a graphical aid to the interpretation and validation of
cluster analysis, Journal of Computational and Applied Mathematics 20.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from evalcore.clustering.distance import (
    EUCLIDEAN,
    SIDE,
    Distance,
    Measure,
    measure,
    places,
    tiles,
    triangle,
)
from evalcore.intervals.closed import Interval, normal_quantile
from evalcore.outcomes import Clustering, Floats, Measurable, Places, Points, ReadOnly
from evalcore.tables.confusion import blocks
from evalcore.tables.contingency import Whole
from evalcore.work import NO_PROGRESS, Progress, in_order


class Sized(ReadOnly):
    """The k clusters that hold points, by their sizes."""

    sizes: Whole

    @property
    def n(self) -> int:
        """Points in any cluster."""
        return int(self.sizes.sum())

    @property
    def k(self) -> int:
        """Clusters that hold points."""
        return len(self.sizes)

    @property
    def comparable(self) -> bool:
        """Whether there are clusters to compare: two or more, not every point alone."""
        return 2 <= self.k < self.n


@dataclass(frozen=True, eq=False)
class Groups(Sized):
    """The points that are in a cluster, cluster by cluster; noise and empty clusters left out.

    Attributes:
        order: (m,) place of each point in the clustering.
        code: (m,) its cluster, counted from 0 among the k that hold points; rising.
        sizes: (k,) points per cluster.
        names: (k,) where each cluster stands among all names.
    """

    order: Places
    code: Places
    sizes: Whole
    names: Places


def grouped(clustering: Clustering) -> Groups:
    """Sort the points of a clustering by cluster, those of one cluster in the order of the file."""
    order = np.argsort(clustering.cluster, kind="stable")
    order = order[np.count_nonzero(clustering.noise) :]
    names, code, sizes = np.unique(
        clustering.cluster[order], return_inverse=True, return_counts=True
    )
    return Groups(order, code, sizes, names.astype(np.intp))


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


def from_all(measure: Measure, groups: Groups, progress: Progress) -> Nearness:
    """Return the nearness of every point, in the order of the groups."""
    if groups.n * groups.k > _LARGEST:
        return from_rows(measure, groups, np.arange(groups.n), progress)
    return _nearness(_sums_both_ways(measure, groups, progress), groups.code, groups)


def from_rows(measure: Measure, groups: Groups, rows: Places, progress: Progress) -> Nearness:
    """Return the nearness of the points at some places to all points."""
    height = int(np.clip(_LARGEST // (2 * groups.k), 1, SIDE))
    stripes = [rows[run] for run in blocks(len(rows), height)]
    work = partial(_stripe_nearness, measure, groups, progress)
    parts = list(in_order(work, stripes, [len(stripe) for stripe in stripes], progress))
    names = ("own", "next", "nearest")
    return Nearness(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def _stripe_nearness(
    measure: Measure, groups: Groups, progress: Progress, rows: Places
) -> Nearness:
    sums = np.zeros((len(rows), groups.k))
    for run, tile in tiles(measure, rows, blocks(groups.n, SIDE), progress):
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


def _sums_both_ways(measure: Measure, groups: Groups, progress: Progress) -> Floats:
    """Return (n, k) sums of the distances from each point to each cluster."""
    pieces = triangle(groups.n)
    work = partial(_stripe_both_ways, measure, groups, progress)
    sums = np.zeros((groups.n, groups.k))
    done = in_order(work, pieces, [len(piece) for piece in pieces], progress)
    for (first, *_), (across, down) in zip(pieces, done, strict=True):
        sums[first] += across
        sums[first.start :, _clusters(groups, first)] += down
    return sums


def _stripe_both_ways(
    measure: Measure, groups: Groups, progress: Progress, cuts: list[slice]
) -> tuple[Floats, Floats]:
    """Sum the tiles right of the diagonal, from the points of the first run.

    Returns (points of the run, k) sums across the rows and, for the points from that run on,
    (points, clusters of the run) sums down the columns, where the tile on the diagonal adds none.
    """
    first = cuts[0]
    across = np.zeros((first.stop - first.start, groups.k))
    here = _clusters(groups, first)
    down = np.zeros((groups.n - first.start, here.stop - here.start))
    for run, tile in tiles(measure, places(first), cuts, progress):
        across[:, _clusters(groups, run)] += tile @ _members(groups, run)
        if run is not first:
            rows = slice(run.start - first.start, run.stop - first.start)
            down[rows] += tile.T @ _members(groups, first)
    return across, down


def _clusters(groups: Groups, run: slice) -> slice:
    """Return the clusters that the points of a run are of: neighbours, since points are sorted."""
    code = groups.code[run]
    return slice(int(code[0]), int(code[-1]) + 1)


def _members(groups: Groups, run: slice) -> Floats:
    """Return (points, clusters) of a run: 1 where the point is of the cluster, else 0."""
    clusters = _clusters(groups, run)
    is_of = groups.code[run][:, np.newaxis] == np.arange(clusters.start, clusters.stop)
    members: Floats = is_of.astype(np.float64)
    return members


EXACT_UP_TO = 50_000
"""So many points are judged one by one; of more, a sample is, unless all are asked for."""

_BUDGET = 1 << 30
"""Distances that a sample may cost."""

_FEWEST = 1000
"""Points in a sample, at least."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Silhouette(ReadOnly):
    """The silhouettes of a clustering of n points into K clusters.

    A point scores (b - a) / max(a, b), with a its mean distance to the others of its cluster and b
    that to the nearest other cluster; 0 where it is alone in its cluster, or where a = b = 0.

    Attributes:
        values: (n,) in [-1, 1]; NaN for noise, for points that were not sampled, and for all where
            there are no two clusters or every point is alone.
        nearest: (n,) code of the nearest other cluster; -1 where the value is NaN.
        cluster_means: (K,) mean value of each cluster; NaN where no point of it has one.
        cluster_sizes: (K,) points in each cluster.
        mean: Mean value, or its unbiased estimate.
        standard_error: Of the estimate; 0 where every point was judged.
        method: "exact", or "sample": some points against all points.
        scored: Number of points with a value.
        noise: Number of points in no cluster.
    """

    values: Floats
    nearest: NDArray[np.intp]
    cluster_means: Floats
    cluster_sizes: Whole
    mean: float
    standard_error: float
    method: Literal["exact", "sample"]
    scored: int
    noise: int

    def interval(self, level: float = 0.95) -> Interval:
        """Return where the mean over all points lies; NaN ends where it is known."""
        half = normal_quantile(level) * self.standard_error if self.method == "sample" else np.nan
        return Interval(max(self.mean - half, -1.0), min(self.mean + half, 1.0), "sample", level)


def silhouette(
    points: Measurable, distance: Distance = EUCLIDEAN, *, progress: Progress = NO_PROGRESS
) -> Silhouette:
    """Judge every point; n^2 / 2 distances.

    Raises:
        EvalError: "cancelled", or "zero-vector" for a cosine.

    >>> from evalcore.outcomes import Points
    >>> features = np.array([[0.0], [1.0], [9.0], [10.0]])
    >>> points = Points(names=("a", "b"), cluster=np.array([0, 0, 1, 1]), features=features)
    >>> silhouette(points).values.round(3).tolist()
    [0.895, 0.882, 0.882, 0.895]
    """
    groups = grouped(points)
    if not groups.comparable:
        none = np.empty(0, dtype=np.intp)
        return _assembled(points, groups, none, Nearness(np.empty(0), np.empty(0), none))
    nearness = from_all(measure(points, groups.order, distance), groups, progress)
    return _assembled(points, groups, np.arange(groups.n), nearness)


def estimated_silhouette(
    points: Measurable, distance: Distance = EUCLIDEAN, *, rng: np.random.Generator
) -> Silhouette:
    """Judge a random sample of the points, each against all points, so that no value is biased."""
    groups = grouped(points)
    wanted = max(_FEWEST, _BUDGET // max(groups.n, 1))
    if wanted >= groups.n or not groups.comparable:
        return silhouette(points, distance)
    rows = np.sort(rng.choice(groups.n, wanted, replace=False))
    nearness = from_rows(measure(points, groups.order, distance), groups, rows, NO_PROGRESS)
    return _assembled(points, groups, rows, nearness)


def usual_silhouette(
    points: Measurable, distance: Distance, *, rng: np.random.Generator
) -> Silhouette:
    """Judge all points up to 50,000, above that a sample of them."""
    if points.n > EXACT_UP_TO:
        return estimated_silhouette(points, distance, rng=rng)
    return silhouette(points, distance)


def _assembled(points: Measurable, groups: Groups, rows: Places, nearness: Nearness) -> Silhouette:
    """Put the scores of the points at some places of the groups, or none, in the file's order."""
    scores, code = _scores(nearness, groups.sizes[groups.code[rows]]), groups.code[rows]
    values = np.full(points.n, np.nan)
    values[groups.order[rows]] = scores
    nearest = np.full(points.n, -1, dtype=np.intp)
    nearest[groups.order[rows]] = groups.names[nearness.nearest]
    return Silhouette(
        values=values,
        nearest=nearest,
        cluster_means=_of_names(points, groups, _means(scores, code, groups.k), np.nan),
        cluster_sizes=_of_names(points, groups, groups.sizes, 0),
        mean=float(scores.mean()) if len(rows) else np.nan,
        standard_error=_standard_error(scores, groups.n),
        method="exact" if len(rows) in (0, groups.n) else "sample",
        scored=len(rows),
        noise=points.n - groups.n,
    )


def _scores(nearness: Nearness, sizes: Whole) -> Floats:
    larger = np.maximum(nearness.own, nearness.next)
    scores = np.zeros(len(larger))
    judged = (sizes > 1) & (larger > 0)
    np.divide(nearness.next - nearness.own, larger, out=scores, where=judged)
    return scores


def _means(scores: Floats, code: Places, k: int) -> Floats:
    n = np.bincount(code, minlength=k)
    means: Floats = np.bincount(code, weights=scores, minlength=k) / np.where(n > 0, n, np.nan)
    return means


def _standard_error(scores: Floats, n: int) -> float:
    """Return that of the mean of a sample drawn without replacement from n; 0 for all of them."""
    if len(scores) in (0, n):
        return 0.0
    return float(scores.std(ddof=1) * np.sqrt((1 - len(scores) / n) / len(scores)))


def _of_names(points: Measurable, groups: Groups, per_group: Any, empty: float) -> Any:
    """Spread (k,) values over all K names."""
    per_name = np.full(len(points.names), empty, dtype=per_group.dtype)
    per_name[groups.names] = per_group
    return per_name


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


def _at(tile: Floats, cell: int, first: slice, run: slice) -> _Extreme:
    row, column = divmod(cell, tile.shape[1])
    return float(tile[row, column]), first.start + row, run.start + column


def _exact(points: Measurable, groups: Groups, extreme: _Extreme, distance: Distance) -> float:
    """Measure a pair alone, which tiles do fast and therefore less exactly."""
    pair = groups.order[list(extreme[1:])]
    alone = measure(points, pair, distance)
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
    return ClusterTables(
        usual_silhouette(points, distance, rng=rng),
        Centroids.from_points(points) if isinstance(points, Points) else None,
        None if points.n > EXACT_UP_TO else separation(points, distance),
    )
