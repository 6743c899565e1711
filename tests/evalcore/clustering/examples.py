"""Clusterings to try: by hand, of irises, at random."""

from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from evalcore.outcomes import Points
from tests.evalcore.golden import frame

IRIS_FEATURES = ["Sepal.Length", "Sepal.Width", "Petal.Length", "Petal.Width"]


def points_of(features: Any, cluster: Any) -> Points:
    """Points in d dimensions, or on a line, with cluster codes; -1 is noise."""
    features = np.asarray(features, dtype=np.float64)
    cluster = np.asarray(cluster, dtype=np.int64)
    names = tuple(f"cluster {code}" for code in range(cluster.max(initial=-1) + 1))
    columns = features if features.ndim == 2 else features[:, np.newaxis]
    return Points(names=names, cluster=cluster, features=columns)


def iris(clustering: str) -> Points:
    """The irises, clustered by one of the file's columns; labels in rising order."""
    data = frame("iris_clusters.csv")
    labels, cluster = np.unique(data[clustering], return_inverse=True)
    features = data[IRIS_FEATURES].to_numpy(np.float64)
    return Points(names=tuple(map(str, labels)), cluster=cluster, features=features)


def blobs(n: int, k: int, *, d: int = 3, seed: int = 0) -> Points:
    """Overlapping round clusters."""
    rng = np.random.default_rng(seed)
    cluster = rng.integers(0, k, n)
    features = rng.normal(size=(k, d))[cluster] * 3 + rng.normal(size=(n, d))
    return Points(names=tuple(map(str, range(k))), cluster=cluster, features=features)


def reordered(points: Points, order: NDArray[np.intp]) -> Points:
    """The same points in another order."""
    return Points(
        names=points.names, cluster=points.cluster[order], features=points.features[order]
    )


@st.composite
def clustered(draw: st.DrawFn) -> Points:
    """Up to 25 points on a coarse grid, so that many are the same, in up to 4 clusters."""
    coordinate = st.integers(-3, 3).map(float)
    row = st.tuples(coordinate, coordinate, st.integers(-1, 3))
    rows = np.array(draw(st.lists(row, min_size=1, max_size=25)))
    return points_of(rows[:, :2], rows[:, 2].astype(int))
