"""How good a clustering is by its points alone: near their own cluster, far from the others."""

from functools import partial

import numpy as np

from evalcore.clustering.distance import SIDE
from evalcore.clustering.separation import Centroids, Separation
from evalcore.clustering.silhouette import Silhouette
from evalcore.metrics.metric import Better, Closed, Family, Metric, NoInterval, ratio
from evalcore.metrics.sources import cite
from evalcore.outcomes import Floats
from evalcore.tables.confusion import blocks

_INCOMPARABLE = "there are fewer than two clusters, or every point is alone in its own"


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
    interval=Closed(lambda silhouette, level: silhouette.interval(level)),
    summary="How much nearer points are to their own cluster than to the next: 1 much, 0 no, "
    "below 0 they would fit another better.",
    formula=r"\frac{1}{n} \sum_i \frac{b_i - a_i}{\max(a_i, b_i)}",
    low=-1,
    source=cite("Rousseeuw (1987)"),
    undefined_when=_INCOMPARABLE,
    synonyms=("average silhouette width", "silhouette coefficient", "ASW"),
    misleads="It favours round clusters of like width, and depends on the scale of the features.",
)

CALINSKI_HARABASZ = _index(
    key="calinski_harabasz",
    name="Calinski-Harabasz index",
    needs=Centroids,
    compute=calinski_harabasz,
    summary="The variance between clusters over the variance within, as in an F test.",
    formula=r"\frac{B / (k - 1)}{W / (n - k)}",
    source=cite("Caliński and Harabasz (1974)"),
    undefined_when=_INCOMPARABLE + ", or all points are the same",
    infinite_when="every point lies on the centre of its cluster",
    synonyms=("variance ratio criterion", "pseudo F"),
    misleads="It grows with the number of points: compare it on the same points only. "
    "scikit-learn shows 1 where it is infinite.",
)

DAVIES_BOULDIN = _index(
    key="davies_bouldin",
    name="Davies-Bouldin index",
    needs=Centroids,
    compute=davies_bouldin,
    summary="How wide clusters are against how far their centres lie apart, for the worst "
    "neighbour of each.",
    formula=r"\frac{1}{k} \sum_i \max_{j \ne i} \frac{s_i + s_j}{d_{ij}}",
    better=Better.LOWER,
    source=cite("Davies and Bouldin (1979)"),
    undefined_when=_INCOMPARABLE + ", or two clusters are the same single place",
    infinite_when="two clusters have the same centre",
    synonyms=("DB index", "DBI"),
    misleads="Width is the mean distance from the centre; programs that take its mean square "
    "give other values.",
)

DUNN = _index(
    key="dunn",
    name="Dunn index",
    needs=Separation,
    compute=lambda separation: ratio(separation.gap, separation.diameter),
    summary="The smallest gap between two clusters over the width of the widest one.",
    formula=r"\frac{\min_{c(i) \ne c(j)} d_{ij}}{\max_{c(i) = c(j)} d_{ij}}",
    source=cite("Dunn (1974)"),
    undefined_when=_INCOMPARABLE + ", or all points are the same",
    infinite_when="the points of every cluster are the same",
    misleads="One stray point decides it.",
)


_squares = partial(
    _index,
    needs=Centroids,
    source=cite("Jain and Dubes (1988)"),
    undefined_when="no point is in a cluster",
)

WITHIN_SS = _squares(
    key="within_ss",
    name="Within-cluster sum of squares",
    compute=lambda centroids: float(centroids.within.sum()) if centroids.k else np.nan,
    summary="Squared distances of the points from the centres of their clusters, summed.",
    formula=r"W = \sum_i \lVert x_i - m_{c(i)} \rVert^2",
    better=Better.LOWER,
    synonyms=("WSS", "inertia", "SSE", "distortion"),
    misleads="More clusters make it smaller, down to 0 when every point is alone: look for the "
    "elbow.",
)

BETWEEN_SS = _squares(
    key="between_ss",
    name="Between-cluster sum of squares",
    compute=lambda centroids: centroids.between if centroids.k else np.nan,
    summary="Squared distances of the cluster centres from the mean, summed over the points.",
    formula=r"B = \sum_i \lVert m_{c(i)} - m \rVert^2",
    synonyms=("BSS", "SSB"),
    misleads="More clusters make it larger.",
)

TOTAL_SS = _squares(
    key="total_ss",
    name="Total sum of squares",
    compute=lambda centroids: centroids.total if centroids.k else np.nan,
    summary="Squared distances of the points from their mean, summed: within plus between.",
    formula=r"T = \sum_i \lVert x_i - m \rVert^2 = W + B",
    better=Better.NEITHER,
    synonyms=("TSS", "SST"),
)
