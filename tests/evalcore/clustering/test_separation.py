import math

import numpy as np
import pytest
from hypothesis import given
from scipy.spatial.distance import cdist

from evalcore.clustering.distance import Distance
from evalcore.clustering.separation import separation
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
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_many_tiles_give_the_extremes_of_all_pairs(k: int, precision: str) -> None:
    points = blobs(2000, k, seed=k)
    found = separation(points, Distance(precision=precision))
    assert (found.gap, found.diameter) == pytest.approx(by_definition(points), rel=1e-5)


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
