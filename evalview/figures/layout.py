"""What clusters are drawn from: bars of silhouettes, and points in two dimensions.

The dimensions are two of their features, most spread, distances, or neighbourhoods.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np

from evalcore.clustering.distance import EUCLIDEAN, measure
from evalcore.clustering.points import Silhouette
from evalcore.errors import EvalError
from evalcore.outcomes import (
    Clustering,
    Floats,
    Measurable,
    Places,
    Points,
    ReadOnly,
    Rows,
    data_rows,
)
from evalcore.tables.contingency import Whole
from evalview.escape import visible
from evalview.figures.lines import Axis

BARS_AT_MOST = 1200
"""Bars in all; of larger clusters every k-th point has one, in the order of its value."""

CLUSTERS_AT_MOST = 24
"""Clusters that are drawn; of more, the largest."""

COLOURED_AT_MOST = 10
"""Clusters with a colour of their own, the largest; the others share one."""


def coloured(clustering: Clustering) -> list[int]:
    """Return the clusters with a colour of their own, in the order of their names."""
    codes = clustering.cluster[clustering.cluster >= 0]
    sizes = np.bincount(codes, minlength=len(clustering.names))
    return sorted(np.argsort(-sizes, kind="stable")[:COLOURED_AT_MOST].tolist())


@dataclass(frozen=True, eq=False)
class ClusterBars(ReadOnly):
    """One cluster of a silhouette plot.

    Attributes:
        name: Its label in the file.
        n: Its points.
        mean: Mean silhouette of its points.
        negative: Points of it that are nearer to another cluster: those below zero.
        values: (m,) silhouettes, falling.
        rows: (m,) data row numbers of these points, 1 being the first.
        scored: Its points that have a silhouette; fewer than `n` where a sample was judged.
        color: Its place among the clusters with a colour of their own; None if it has none.
    """

    name: str
    n: int
    mean: float
    negative: int
    values: Floats
    rows: Rows
    scored: int
    color: int | None = None


def silhouette_bars(
    clustering: Clustering,
    judged: Silhouette,
    bars: int = BARS_AT_MOST,
    clusters: int = CLUSTERS_AT_MOST,
) -> tuple[ClusterBars, ...]:
    """Return the clusters in the order of their names, each with its points in falling order.

    Source: Rousseeuw (1987), Journal of Computational and Applied Mathematics 20.
    """
    known = np.flatnonzero(np.isfinite(judged.values))
    sizes = np.bincount(clustering.cluster[known], minlength=len(clustering.names))
    kept = np.sort(np.argsort(-sizes, kind="stable")[:clusters])
    step = max(1, -(-int(sizes[kept].sum()) // bars))
    colors = {code: place for place, code in enumerate(coloured(clustering))}
    found = []
    for code in kept[sizes[kept] > 0].tolist():
        places = known[clustering.cluster[known] == code]
        values = judged.values[places]
        falling = np.argsort(-values, kind="stable")[::step]
        one = ClusterBars(
            clustering.names[code],
            int(judged.cluster_sizes[code]),
            float(judged.cluster_means[code]),
            int((values < 0).sum()),
            values[falling],
            data_rows(clustering, places[falling]),
            len(places),
            colors.get(code),
        )
        found.append(one)
    return tuple(found)


SHOWN_AT_MOST = 1500
"""Of more points, so many drawn at random are laid out; more would hide each other."""

FEWEST_FOR_NEIGHBOURS = 5


@dataclass(frozen=True, eq=False)
class Layout(ReadOnly):
    """Where some points of a clustering lie on a plane.

    Attributes:
        place: (m,) their places among the n points, rising.
        x: (m,) in the units of the first axis.
        y: (m,) in those of the second.
        shares: The shares of the spread that the two axes keep; empty where that has no meaning.
    """

    place: Places
    x: Floats
    y: Floats
    shares: tuple[float, ...] = ()


def standardised(points: Points) -> Points:
    """Return the points with each feature less its mean and divided by its standard deviation.

    A constant feature becomes 0, so that it tells no two points apart.

    >>> features = np.array([[1.0, 5.0], [3.0, 5.0]])
    >>> points = Points(names=("a",), cluster=np.zeros(2, int), features=features)
    >>> standardised(points).features.tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """
    off = points.features - points.features.mean(axis=0)
    size = np.abs(off).max(axis=0, initial=0.0)
    # Rounding of the mean leaves behind what is no spread.
    tiny = size <= 1e-12 * np.abs(points.features).max(axis=0, initial=0.0)
    unit = np.where(tiny | (size == 0), np.inf, size)
    scaled = off / unit
    spread = scaled.std(axis=0)
    return replace(points, features=scaled / np.where(spread == 0, 1.0, spread))


def by_features(points: Points, across: int, upwards: int, rng: np.random.Generator) -> Layout:
    """Lay out points by two of their features."""
    place = _shown(points.n, rng)
    return Layout(place, points.features[place, across], points.features[place, upwards])


def by_spread(points: Points, rng: np.random.Generator) -> Layout:
    """Lay out points on the plane of most spread: their first two principal components.

    The signs are such that the largest loading of each component is positive. Source: Pearson
    (1901), On lines and planes of closest fit, Philosophical Magazine 2(11).
    """
    place = _shown(points.n, rng)
    off = points.features - points.features.mean(axis=0)
    unit = np.abs(off).max(initial=0.0) or 1.0
    off = off / unit
    value, axes = _components(off)
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
    flat = np.zeros((len(place), 2))
    flat[:, : axes.shape[1]] = off[place] @ axes * unit
    total = float(np.vdot(off, off))
    shares = tuple((np.maximum(value, 0) / total).tolist()) if total > 0 else ()
    return Layout(place, flat[:, 0], flat[:, 1], shares)


def _components(off: Floats) -> tuple[Floats, Floats]:
    """Return the two largest sums of squares of (n, d) along an axis, and the (d, 2) axes."""
    from scipy.linalg import eigh

    # Points and features have the same spread along an axis; the smaller square is quicker.
    wide = 0 < len(off) < off.shape[1]
    square = off @ off.T if wide else off.T @ off
    last = len(square) - 1
    value, axes = eigh(square, subset_by_index=(max(last - 1, 0), last))
    value, axes = value[::-1], axes[:, ::-1]
    if wide:
        axes = off.T @ axes
        size = np.linalg.norm(axes, axis=0)
        axes = axes / np.where(size > 0, size, 1.0)
    return value, axes


def by_distances(points: Measurable, rng: np.random.Generator) -> Layout:
    """Lay out points so that their distances are kept as well as a plane can: classical scaling.

    The shares are those of the absolute eigenvalues, since distances that fit in no space have
    negative ones. Source: Torgerson (1952), Multidimensional scaling: I. Theory and method,
    Psychometrika 17; shares by Mardia (1978), Communications in Statistics 7(13).
    """
    place = _shown(points.n, rng)
    apart = _apart(points, place)
    unit = apart.max(initial=0.0) or 1.0
    squares = (apart / unit) ** 2
    off = squares - squares.mean(axis=0)
    off -= off.mean(axis=1, keepdims=True)
    value, vector = np.linalg.eigh(-(off + off.T) / 4)
    kept = np.argsort(value)[::-1][:2]
    axes = vector[:, kept] * np.sqrt(np.maximum(value[kept], 0))
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])]) * unit
    flat = np.zeros((len(place), 2))
    flat[:, : axes.shape[1]] = axes
    total = float(np.abs(value).sum())
    shares = tuple((np.maximum(value[kept], 0) / total).tolist()) if total > 0 else ()
    return Layout(place, flat[:, 0], flat[:, 1], shares)


def _apart(points: Measurable, place: Places) -> Floats:
    """Return (m, m) distances among the points at some places."""
    found = measure(points, place, EUCLIDEAN)
    tile = found.start(np.arange(len(place)))(slice(0, len(place)))
    apart: Floats = tile.astype(np.float64) * found.unit
    np.fill_diagonal(apart, 0)
    return apart


def by_neighbours(points: Measurable, rng: np.random.Generator) -> Layout:
    """Lay out points so that near ones stay near: t-SNE, whose far distances mean nothing.

    Raises:
        EvalError: "too-few-points" for fewer than five.
    """
    from sklearn.manifold import TSNE

    place = _shown(points.n, rng)
    if len(place) < FEWEST_FOR_NEIGHBOURS:
        raise EvalError("too-few-points", "Neighbourhoods are laid out of five points or more.")
    known = isinstance(points, Points)
    given = points.features[place] if isinstance(points, Points) else _apart(points, place)
    given = given / (np.abs(given).max(initial=0.0) or 1.0)
    method = TSNE(
        metric="euclidean" if known else "precomputed",
        perplexity=min(30.0, (len(place) - 1) / 3),
        init="random",
        random_state=int(rng.integers(1 << 31)),
    )
    flat = method.fit_transform(given).astype(np.float64)
    return Layout(place, flat[:, 0], flat[:, 1])


def _shown(n: int, rng: np.random.Generator) -> Places:
    if n <= SHOWN_AT_MOST:
        return np.arange(n)
    return np.sort(rng.choice(n, SHOWN_AT_MOST, replace=False))


COLUMNS, LINES = 24, 16


@dataclass(frozen=True, eq=False)
class PlaneCounts(ReadOnly):
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


def crowds(plane: Layout, silhouette: Floats) -> PlaneCounts:
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
    return PlaneCounts(x, y, counts[kept], nearer[kept])


KEPT, SPREAD, NEIGHBOURS = "distances", "spread", "neighbours"


PLANES = {
    KEPT: "distances kept (classical scaling)",
    SPREAD: "most spread (PCA)",
    NEIGHBOURS: "neighbourhoods (t-SNE)",
}
"""Planes that are no two features, and what they are called."""


def plane(across: str, upwards: str) -> str:
    """Return how two features are named as axes."""
    return f"{across}\N{MULTIPLICATION SIGN}{upwards}"


def by_axes(
    found: Measurable, axes: str, features: Sequence[str], rng: np.random.Generator
) -> Layout:
    """Return points on a plane; `axes` is `SPREAD`, `KEPT`, `NEIGHBOURS`, or two of the features.

    Raises:
        EvalError: There are too few points for neighbourhoods.
    """
    if axes == NEIGHBOURS:
        return by_neighbours(found, rng)
    if not isinstance(found, Points):
        return by_distances(found, rng)
    if axes == SPREAD:
        return by_spread(found, rng)
    pairs = permutations(enumerate(features), 2)
    across, upwards = next((i, j) for (i, a), (j, b) in pairs if plane(a, b) == axes)
    return by_features(found, across, upwards, rng)


def axis_words(axes: str, shares: tuple[float, ...]) -> tuple[str, str]:
    """Return what the two axes of a plane show; `shares` of the spread where they are known."""
    if axes == NEIGHBOURS:
        return "no unit", "no unit"
    if axes in (SPREAD, KEPT):
        noun = "component" if axes == SPREAD else "axis"
        kept = (*shares, 0.0)[:2] if shares else ()
        told = [f" ({share:.0%} of the spread)" for share in kept] or ["", ""]
        return f"first {noun}{told[0]}", f"second {noun}{told[1]}"
    across, _, upwards = axes.partition(plane("", ""))
    return visible(across), visible(upwards)
