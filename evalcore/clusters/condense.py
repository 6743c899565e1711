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
