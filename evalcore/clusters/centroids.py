"""Clusters as their centres: where those lie, and how far the points are from them."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from evalcore.clusters.groups import Sized, grouped
from evalcore.outcomes import Floats, Points
from evalcore.tables.contingency import Places, Whole


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
