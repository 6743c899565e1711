"""Points grouped by the methods of scikit-learn, and the gap statistic."""

import io
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv

from evalcore.errors import EvalError
from evalcore.outcomes import Clustering, Codes, Floats, frozen
from evalcore.text import counted
from evalread.dataset import Choices, Dataset, Task

Kind = Literal["k-means", "agglomerative", "DBSCAN", "Gaussian mixture"]
Linkage = Literal["ward", "average", "complete", "single"]

MOST_POINTS: dict[Kind, int] = {
    "k-means": 1_000_000,
    "agglomerative": 15_000,
    "DBSCAN": 100_000,
    "Gaussian mixture": 100_000,
}
"""Agglomeration holds every pair of points in memory; the others take long."""

_SOME = 10_000

RESTARTS = 10
"""Starts of k-means and of mixtures; the best of them is kept."""


@dataclass(frozen=True)
class Method:
    """A method with its settings; those of other methods play no part.

    Attributes:
        kind: The method.
        clusters: How many clusters are asked for; DBSCAN finds out by itself.
        linkage: How agglomeration measures how far two clusters are apart.
        reach: How far DBSCAN's neighbourhoods reach, in the unit of the features.
        neighbours: Points in the neighbourhood of a core point, itself among them.
    """

    kind: Kind = "k-means"
    clusters: int = 3
    linkage: Linkage = "ward"
    reach: float = 0.5
    neighbours: int = 5

    @property
    def name(self) -> str:
        """What the clustering is called.

        >>> Method().name, Method("DBSCAN", reach=0.25).name
        ('k-means k3', 'DBSCAN 0.25/5')
        """
        match self.kind:
            case "agglomerative":
                return f"{self.linkage} k{self.clusters}"
            case "DBSCAN":
                return f"DBSCAN {self.reach:g}/{self.neighbours}"
        return f"{self.kind} k{self.clusters}"


def group(features: Floats, method: Method, *, seed: int = 0) -> Codes:
    """Return (n,) the cluster of each of n points with (n, d) features; -1 for noise.

    Clusters are numbered by the first point that they hold.

    Raises:
        EvalError: "too-many-points", "too-few-points" for as many clusters, or "bad-method".
    """
    _check(features, method)
    size = float(np.abs(features).max(initial=0.0))
    # Squares of large numbers overflow in some methods; the unit changes no grouping.
    unit = size if size > 1e100 else 1.0
    found = _model(method, unit, seed).fit_predict(features / unit)
    return _in_order(np.asarray(found, dtype=np.int64))


def _check(features: Floats, method: Method) -> None:
    n, most = len(features), MOST_POINTS[method.kind]
    if n > most:
        raise EvalError(
            "too-many-points",
            f"{method.kind} takes at most {most:,} points here; these are {n:,}. Choose another "
            "method, or fewer rows.",
        )
    if method.kind != "DBSCAN" and not 1 <= method.clusters <= n:
        raise EvalError(
            "too-few-points",
            f"{counted(n, 'point')} cannot be put in {method.clusters:,} clusters. Ask for fewer.",
        )
    if method.kind != "DBSCAN" and (places := _places(features, method.clusters)) < method.clusters:
        raise EvalError(
            "too-few-points",
            f"The points lie in {places:,} different {'place' if places == 1 else 'places'}, which "
            f"cannot be put in {method.clusters:,} clusters. Ask for fewer.",
        )
    if not (method.reach > 0 and method.neighbours >= 1):
        raise EvalError("bad-method", "Reach and neighbours of DBSCAN must be above 0.")


def _places(features: Floats, enough: int) -> int:
    """Count different points, in some rows if these are enough."""
    some = len(np.unique(features[:_SOME], axis=0))
    return some if some >= enough or len(features) <= _SOME else len(np.unique(features, axis=0))


def _model(method: Method, unit: float, seed: int) -> Any:
    from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
    from sklearn.mixture import GaussianMixture

    match method.kind:
        case "k-means":
            return KMeans(method.clusters, n_init=RESTARTS, random_state=seed)
        case "agglomerative":
            return AgglomerativeClustering(method.clusters, linkage=method.linkage)
        case "DBSCAN":
            return DBSCAN(eps=method.reach / unit, min_samples=method.neighbours)
        case "Gaussian mixture":
            return GaussianMixture(method.clusters, n_init=RESTARTS // 2, random_state=seed)


def _in_order(codes: Codes) -> Codes:
    kept = np.flatnonzero(codes >= 0)
    names, first, place = np.unique(codes[kept], return_index=True, return_inverse=True)
    rank = np.empty(len(names), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(names))
    ordered = np.full(len(codes), -1, dtype=np.int64)
    ordered[kept] = rank[place]
    return ordered


POINTS_AT_MOST = 5000
"""Of more points a random sample is looked at."""


@dataclass(frozen=True, eq=False)
class Gap:
    """The gap for 1, 2, ... clusters.

    Attributes:
        clusters: (m,) numbers of clusters, rising by one.
        within: (m,) natural logarithm of the within sum of squares of the points.
        expected: (m,) mean logarithm for points drawn evenly from the box round them.
        gap: (m,) expected minus within.
        error: (m,) standard error of the gap, the draws' own error included.
        best: The smallest number whose gap is at least the next one's less its error; the last
            number if there is none.
    """

    clusters: Floats
    within: Floats
    expected: Floats
    gap: Floats
    error: Floats
    best: int

    def __post_init__(self) -> None:
        for name in ("clusters", "within", "expected", "gap", "error"):
            object.__setattr__(self, name, frozen(getattr(self, name)))


def gap_statistic(
    features: Floats,
    rng: np.random.Generator,
    *,
    most: int = 8,
    draws: int = 20,
) -> Gap:
    """Compare k-means on (n, d) features with k-means on even points, along principal axes.

    Source: Tibshirani, Walther and Hastie (2001),
    Estimating the number of clusters in a data set via the gap statistic, JRSS B 63(2).
    """
    if len(features) > POINTS_AT_MOST:
        features = features[np.sort(rng.choice(len(features), POINTS_AT_MOST, replace=False))]
    most = min(most, len(np.unique(features, axis=0)))
    points = _turned(features)
    low, high = points.min(axis=0), points.max(axis=0)
    seeds = rng.integers(1 << 31, size=draws + 1).tolist()
    within = _logs(points, most, seeds[0])
    drawn = [_logs(rng.uniform(low, high, points.shape), most, seed) for seed in seeds[1:]]
    expected = np.mean(drawn, axis=0)
    error = np.std(drawn, axis=0) * np.sqrt(1 + 1 / draws)
    gap = expected - within
    return Gap(np.arange(1.0, most + 1), within, expected, gap, error, _best(gap, error))


def _turned(features: Floats) -> Floats:
    """Return the points along their principal axes, in a unit whose squares do not overflow."""
    off = features - features.mean(axis=0)
    off = off / (np.abs(off).max(initial=0.0) or 1.0)
    turned: Floats = off @ np.linalg.eigh(off.T @ off)[1]
    return turned


def _logs(points: Floats, most: int, seed: int) -> Floats:
    from sklearn.cluster import KMeans

    sums = [KMeans(k, n_init=3, random_state=seed).fit(points).inertia_ for k in range(1, most + 1)]
    # As many clusters as points leave nothing over; its logarithm has no meaning.
    return np.log(np.maximum(sums, np.finfo(np.float64).tiny))


def _best(gap: Floats, error: Floats) -> int:
    enough = np.flatnonzero(gap[:-1] >= gap[1:] - error[1:])
    return int(enough[0]) + 1 if len(enough) else len(gap)


def with_clustering(
    dataset: Dataset, beside: Clustering, codes: Codes, name: str
) -> tuple[bytes, Choices, str]:
    """Return the file as CSV with a column of clusters more, its roles, and the column's name.

    `codes` are (n,) clusters of the points of `beside`, a clustering of the file, -1 being noise.
    Rows that are no point of it stay blank.
    """
    table, roles = dataset.table, dataset.roles
    column = _unused_name(name, {*table.names, *roles.clusterings})
    cells = np.full(table.n, "", dtype=object)
    places = np.arange(beside.n) if beside.rows is None else beside.rows - 1
    cells[places] = [roles.noise if code < 0 else str(code) for code in codes.tolist()]
    whole = pa.table({**table.columns, column: pa.array(cells.tolist(), pa.string())})
    written = io.BytesIO()
    pa_csv.write_csv(whole, written)
    choices = Choices(
        task=Task.CLUSTERING,
        truth=roles.truth or None,
        clusterings={**roles.clusterings, column: column},
        features=roles.features,
        id=roles.id,
        noise=roles.noise,
    )
    return written.getvalue(), choices, column


def _unused_name(name: str, taken: set[str]) -> str:
    """Return a name that no column has yet."""
    if name not in taken:
        return name
    return next(new for k in range(2, len(taken) + 3) if (new := f"{name} ({k})") not in taken)
