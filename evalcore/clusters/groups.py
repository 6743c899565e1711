"""Points sorted by cluster, so that a tile of distances meets few clusters."""

from dataclasses import dataclass

import numpy as np

from evalcore.outcomes import Clustering, ReadOnly
from evalcore.tables.contingency import Places, Whole


class Sized(ReadOnly):
    """The k clusters that hold points, by their sizes."""

    sizes: Whole

    @property
    def n(self) -> int:
        """Points in any cluster."""
        return int(self.sizes.sum())

    @property
    def k(self) -> int:
        """Clusters that hold points."""
        return len(self.sizes)

    @property
    def comparable(self) -> bool:
        """Whether there are clusters to compare: two or more, not every point alone."""
        return 2 <= self.k < self.n


@dataclass(frozen=True, eq=False)
class Groups(Sized):
    """The points that are in a cluster, cluster by cluster; noise and empty clusters left out.

    Attributes:
        order: (m,) place of each point in the clustering.
        code: (m,) its cluster, counted from 0 among the k that hold points; rising.
        sizes: (k,) points per cluster.
        names: (k,) where each cluster stands among all names.
    """

    order: Places
    code: Places
    sizes: Whole
    names: Places


def grouped(clustering: Clustering) -> Groups:
    """Sort the points of a clustering by cluster, those of one cluster in the order of the file."""
    order = np.argsort(clustering.cluster, kind="stable")
    order = order[np.count_nonzero(clustering.noise) :]
    names, code, sizes = np.unique(
        clustering.cluster[order], return_inverse=True, return_counts=True
    )
    return Groups(order, code, sizes, names.astype(np.intp))
