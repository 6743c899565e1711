"""The silhouettes of a clustering in the order in which they are drawn."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from evalcore.clusters.silhouette import Silhouette
from evalcore.outcomes import Clustering, Floats, ReadOnly, Rows, data_rows

BARS_AT_MOST = 1200
"""Bars in all; of larger clusters every so manieth point has one, in the order of its value."""

CLUSTERS_AT_MOST = 24
"""Clusters that are drawn; of more, the largest."""


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
    """

    name: str
    n: int
    mean: float
    negative: int
    values: Floats
    rows: Rows
    scored: int


def silhouette_bars(
    clustering: Clustering,
    judged: Silhouette,
    bars: int = BARS_AT_MOST,
    clusters: int = CLUSTERS_AT_MOST,
) -> tuple[ClusterBars, ...]:
    """Return the clusters in the order of their names, each with its points in falling order.

    Source: Rousseeuw (1987), Journal of Computational and Applied Mathematics 20.
    """
    return tuple(_bars(clustering, judged, bars, clusters))


def _bars(
    clustering: Clustering, judged: Silhouette, bars: int, clusters: int
) -> Iterator[ClusterBars]:
    known = np.flatnonzero(np.isfinite(judged.values))
    sizes = np.bincount(clustering.cluster[known], minlength=len(clustering.names))
    kept = np.sort(np.argsort(-sizes, kind="stable")[:clusters])
    step = max(1, -(-int(sizes[kept].sum()) // bars))
    for code in kept[sizes[kept] > 0].tolist():
        places = known[clustering.cluster[known] == code]
        values = judged.values[places]
        falling = np.argsort(-values, kind="stable")[::step]
        yield ClusterBars(
            clustering.names[code],
            int(judged.cluster_sizes[code]),
            float(judged.cluster_means[code]),
            int((values < 0).sum()),
            values[falling],
            data_rows(clustering, places[falling]),
            len(places),
        )
