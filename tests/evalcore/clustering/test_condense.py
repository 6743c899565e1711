import numpy as np
import pytest
from scipy.spatial.distance import cdist

from evalcore.clustering.separation import condense
from evalcore.outcomes import Distances
from tests.evalcore.clustering.examples import blobs


def test_a_clustering_is_condensed_to_three_tables() -> None:
    tables = condense(blobs(1500, 3), rng=np.random.default_rng(0))
    assert tables.silhouette.method == "exact"
    assert tables.centroids is not None
    assert tables.separation is not None


def test_distances_have_no_centres() -> None:
    points = blobs(50, 3)
    matrix = cdist(points.features, points.features)
    known = Distances(names=points.names, cluster=points.cluster, matrix=matrix)
    assert condense(known, rng=np.random.default_rng(0)).centroids is None


def test_many_points_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalcore.clustering.separation.EXACT_UP_TO", 1000)
    monkeypatch.setattr("evalcore.clustering.silhouette._BUDGET", 0)
    sampled = condense(blobs(1200, 3), rng=np.random.default_rng(0))
    assert (sampled.silhouette.method, sampled.separation) == ("sample", None)
