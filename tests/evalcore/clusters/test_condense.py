import numpy as np
import pytest
from scipy.spatial.distance import cdist

from evalcore.clusters.condense import condense
from evalcore.clusters.watch import Watch
from evalcore.outcomes import Distances
from tests.evalcore.clusters.examples import blobs


def test_a_clustering_is_condensed_to_three_tables_with_one_progress() -> None:
    seen: list[float] = []
    tables = condense(blobs(1500, 3), rng=np.random.default_rng(0), watch=Watch(seen.append))
    assert tables.silhouette.method == "exact"
    assert tables.centroids is not None
    assert tables.separation is not None
    assert seen == sorted(seen)
    assert (seen[2], seen[-1]) == (pytest.approx(0.5), 1)


def test_distances_have_no_centres() -> None:
    points = blobs(50, 3)
    matrix = cdist(points.features, points.features)
    known = Distances(names=points.names, cluster=points.cluster, matrix=matrix)
    assert condense(known, rng=None).centroids is None


def test_many_points_are_sampled_unless_all_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalcore.clusters.condense.EXACT_UP_TO", 1000)
    monkeypatch.setattr("evalcore.clusters.silhouette._BUDGET", 0)
    points = blobs(1200, 3)
    sampled, whole = condense(points, rng=np.random.default_rng(0)), condense(points, rng=None)
    assert (sampled.silhouette.method, sampled.separation) == ("sample", None)
    assert (whole.silhouette.method, whole.separation is None) == ("exact", False)
