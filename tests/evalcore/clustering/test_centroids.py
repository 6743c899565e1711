import numpy as np
import pytest
from hypothesis import given

from evalcore.clustering.separation import Centroids
from evalcore.outcomes import Points
from tests.evalcore.clustering.examples import blobs, clustered, points_of


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
