"""How far clusters lie apart: distances, centroids, and tables of many points."""

import math

import numpy as np
import pytest
from hypothesis import given
from scipy.spatial.distance import cdist

from evalcore.clustering.distance import Distance
from evalcore.clustering.points import Centroids, condense, separation
from evalcore.outcomes import Distances, Points
from tests.evalcore.clustering.examples import blobs, clustered, points_of


def by_definition(points: Points) -> tuple[float, float]:
    """Compare all pairs of points that are in a cluster."""
    used = ~points.noise
    apart = cdist(points.features[used], points.features[used])
    same = points.cluster[used][:, np.newaxis] == points.cluster[used]
    return float(apart[~same].min()), float(apart[same].max())


def test_two_pairs_on_a_line_are_worked_by_hand() -> None:
    found = separation(points_of([0, 3, 10, 11, 50], [0, 0, 1, 1, -1]))
    assert (found.gap, found.diameter) == (7, 3)


@given(clustered())
def test_extremes_are_those_of_the_definition(points: Points) -> None:
    found = separation(points)
    clusters, used = len(set(points.cluster.tolist()) - {-1}), int((~points.noise).sum())
    if not 2 <= clusters < used:
        assert math.isnan(found.gap)
        assert math.isnan(found.diameter)
        return
    assert (found.gap, found.diameter) == pytest.approx(by_definition(points), abs=1e-12)


@pytest.mark.parametrize("k", [2, 40, 1000])
def test_many_tiles_give_the_extremes_of_all_pairs(k: int) -> None:
    points = blobs(2000, k, seed=k)
    found = separation(points)
    assert (found.gap, found.diameter) == pytest.approx(by_definition(points), rel=1e-12)


def test_the_same_point_in_two_clusters_leaves_no_gap_at_all() -> None:
    points = blobs(900, 3)
    other = (points.cluster[0] + 1) % 3
    twice = points_of([*points.features, points.features[0]], [*points.cluster, other])
    assert separation(twice).gap == 0


def test_known_distances_are_looked_up() -> None:
    points = blobs(600, 3)
    matrix = cdist(points.features, points.features, "cosine")
    np.fill_diagonal(matrix, 0)
    known = Distances(names=points.names, cluster=points.cluster, matrix=np.maximum(matrix, 0))
    found, cosine = separation(known), separation(points, Distance("cosine"))
    assert (found.gap, found.diameter) == pytest.approx((cosine.gap, cosine.diameter), abs=1e-12)


def test_centres_and_sums_are_worked_by_hand() -> None:
    points = points_of([[0, 0], [0, 4], [5, 5], [99, 99]], [0, 0, 1, -1])
    table = Centroids.from_points(points)
    assert table.sizes.tolist() == [2, 1]
    np.testing.assert_allclose(table.centres, [[0, 2], [5, 5]])
    np.testing.assert_allclose(table.within, [8, 0])
    np.testing.assert_allclose(table.spread, [2, 0])
    # The mean is (5/3, 3).
    assert table.between == pytest.approx(2 * (25 / 9 + 1) + (100 / 9 + 4))
    assert table.total == pytest.approx(8 + table.between)


@given(clustered())
def test_within_and_between_add_up_to_the_total(points: Points) -> None:
    table = Centroids.from_points(points)
    assert table.within.sum() + table.between == pytest.approx(table.total, abs=1e-9)
    assert table.n == points.n - points.noise.sum()


def test_points_far_from_the_origin_lose_no_digits() -> None:
    points = blobs(500, 4)
    grid = np.rint(points.features * 1024) / 1024
    near = Centroids.from_points(points_of(grid, points.cluster))
    far = Centroids.from_points(points_of(grid + 2.0**30, points.cluster))
    np.testing.assert_allclose(far.within, near.within, rtol=1e-8)
    np.testing.assert_allclose(far.centres - 2.0**30, near.centres, atol=1e-6)


def test_noise_only_has_no_centres() -> None:
    table = Centroids.from_points(points_of([1, 2], [-1, -1]))
    assert (table.k, table.n, table.comparable) == (0, 0, False)


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
    monkeypatch.setattr("evalcore.clustering.points.EXACT_UP_TO", 1000)
    monkeypatch.setattr("evalcore.clustering.points._BUDGET", 0)
    sampled = condense(blobs(1200, 3), rng=np.random.default_rng(0))
    assert (sampled.silhouette.method, sampled.separation) == ("sample", None)
