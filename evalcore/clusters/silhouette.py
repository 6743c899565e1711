"""How much nearer each point is to its own cluster than to the next one.

Source: Rousseeuw (1987), Silhouettes: a graphical aid to the interpretation and validation of
cluster analysis, Journal of Computational and Applied Mathematics 20.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from evalcore.clusters.distance import EUCLIDEAN, Distance, measure
from evalcore.clusters.groups import Groups, grouped
from evalcore.clusters.sums import Nearness, from_all, from_rows
from evalcore.clusters.watch import UNWATCHED, Watch
from evalcore.outcomes import Floats, Measurable, ReadOnly
from evalcore.resampling.interval import Interval, normal_quantile
from evalcore.tables.contingency import Places, Whole

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
    points: Measurable, distance: Distance = EUCLIDEAN, *, watch: Watch = UNWATCHED
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
        return _undefined(points, groups)
    nearness = from_all(measure(points, groups.order, distance), groups, watch)
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
    nearness = from_rows(measure(points, groups.order, distance), groups, rows, UNWATCHED)
    return _assembled(points, groups, rows, nearness)


def _assembled(points: Measurable, groups: Groups, rows: Places, nearness: Nearness) -> Silhouette:
    """Put the scores of the points at some places of the groups back in the file's order."""
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
        mean=float(scores.mean()),
        standard_error=_standard_error(scores, groups.n),
        method="exact" if len(rows) == groups.n else "sample",
        scored=len(rows),
        noise=points.n - groups.n,
    )


def _undefined(points: Measurable, groups: Groups) -> Silhouette:
    return Silhouette(
        values=np.full(points.n, np.nan),
        nearest=np.full(points.n, -1, dtype=np.intp),
        cluster_means=np.full(len(points.names), np.nan),
        cluster_sizes=_of_names(points, groups, groups.sizes, 0),
        mean=np.nan,
        standard_error=0.0,
        method="exact",
        scored=0,
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
    unseen = 1 - len(scores) / n
    return float(scores.std(ddof=1) * np.sqrt(unseen / len(scores))) if unseen else 0.0


def _of_names(points: Measurable, groups: Groups, per_group: Any, empty: float) -> Any:
    """Spread (k,) values over all K names."""
    per_name = np.full(len(points.names), empty, dtype=per_group.dtype)
    per_name[groups.names] = per_group
    return per_name
