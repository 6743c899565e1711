"""How good a clustering is by its points alone: near their own cluster, far from the others."""

from functools import partial

import numpy as np

from evalcore.clustering.distance import SIDE
from evalcore.clustering.points import Centroids, Separation, Silhouette
from evalcore.metrics.metric import Better, Closed, Family, Metric, NoInterval, ratio
from evalcore.outcomes import Floats
from evalcore.tables.confusion import blocks


def calinski_harabasz(centroids: Centroids) -> float:
    """Return the variance between clusters over the variance within."""
    if not centroids.comparable:
        return np.nan
    between = centroids.between / (centroids.k - 1)
    return float(ratio(between, float(centroids.within.sum()) / (centroids.n - centroids.k)))


def davies_bouldin(centroids: Centroids) -> float:
    """Return the mean over clusters of how much each one blends with the one most like it."""
    if not centroids.comparable:
        return np.nan
    blends = [_blend(centroids, run) for run in blocks(centroids.k, SIDE)]
    return float(np.concatenate(blends).mean())


def _blend(centroids: Centroids, run: slice) -> Floats:
    """Return for each cluster of a run the largest (s_i + s_j) / d_ij over the other clusters."""
    from scipy.spatial.distance import cdist

    apart = cdist(centroids.offsets[run], centroids.offsets)
    blend = np.asarray(ratio(centroids.spread[run, np.newaxis] + centroids.spread, apart))
    blend[np.arange(len(blend)), np.arange(run.start, run.stop)] = -np.inf
    largest: Floats = blend.max(axis=1)
    return largest


_OF_POINTS = NoInterval("None: drawing points again would put copies of one point at no distance.")

_index = partial(Metric, family=Family.POINTS, interval=_OF_POINTS, high=np.inf)

SILHOUETTE = Metric(
    family=Family.POINTS,
    key="silhouette",
    needs=Silhouette,
    compute=lambda silhouette: silhouette.mean,
    interval=Closed(
        lambda silhouette, level: silhouette.interval(level),
        "Of a sample of the points, Student’s; of all points there is none.",
    ),
    low=-1,
)

CALINSKI_HARABASZ = _index(key="calinski_harabasz", needs=Centroids, compute=calinski_harabasz)

DAVIES_BOULDIN = _index(
    key="davies_bouldin", needs=Centroids, compute=davies_bouldin, better=Better.LOWER
)

DUNN = _index(
    key="dunn",
    needs=Separation,
    compute=lambda separation: ratio(separation.gap, separation.diameter),
)


_squares = partial(
    _index,
    needs=Centroids,
)

WITHIN_SS = _squares(
    key="within_ss",
    compute=lambda centroids: float(centroids.within.sum()) if centroids.k else np.nan,
    better=Better.LOWER,
)

BETWEEN_SS = _squares(
    key="between_ss", compute=lambda centroids: centroids.between if centroids.k else np.nan
)

TOTAL_SS = _squares(
    key="total_ss",
    compute=lambda centroids: centroids.total if centroids.k else np.nan,
    better=Better.NEITHER,
)
