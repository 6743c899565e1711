"""From a clustering to the tables behind its numbers, computed once."""

from dataclasses import dataclass

import numpy as np

from evalcore.clusters.centroids import Centroids
from evalcore.clusters.distance import EUCLIDEAN, Distance
from evalcore.clusters.separation import Separation, separation
from evalcore.clusters.silhouette import (
    EXACT_UP_TO,
    Silhouette,
    estimated_silhouette,
    silhouette,
)
from evalcore.clusters.watch import UNWATCHED, Watch
from evalcore.outcomes import Measurable, Points


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
    rng: np.random.Generator | None,
    watch: Watch = UNWATCHED,
) -> ClusterTables:
    """Judge a clustering: all pairs of points up to 50,000, above that a sample drawn by `rng`.

    Without `rng` all pairs are looked at, however many. Centroids are in the units of the features,
    whatever the distance. Raises EvalError: "cancelled", or "zero-vector" for a cosine.
    """
    centroids = Centroids.from_points(points) if isinstance(points, Points) else None
    if rng is not None and points.n > EXACT_UP_TO:
        sampled = estimated_silhouette(points, distance, rng=rng, watch=watch)
        return ClusterTables(sampled, centroids, None)
    # Both look at every pair, so each is one half of the work.
    return ClusterTables(
        silhouette(points, distance, watch=watch.part(0, 0.5)),
        centroids,
        separation(points, distance, watch=watch.part(0.5, 1)),
    )
