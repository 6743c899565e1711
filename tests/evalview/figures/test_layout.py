"""Points on a plane: principal axes, distances and neighbours, against scikit-learn and by hand."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.spatial.distance import cdist
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from evalcore.clustering.points import silhouette
from evalcore.errors import EvalError
from evalcore.outcomes import Categorical, Distances, Points
from evalview.figures.layout import (
    COLUMNS,
    LINES,
    SHOWN_AT_MOST,
    Layout,
    by_distances,
    by_features,
    by_neighbours,
    by_spread,
    crowds,
    silhouette_bars,
    standardised,
)


def points(features):
    features = np.asarray(features, dtype=np.float64)
    return Points(names=("a",), cluster=np.zeros(len(features), int), features=features)


def rng():
    return np.random.default_rng(0)


@pytest.fixture(scope="module")
def cloud():
    drawn = np.random.default_rng(1).normal(size=(80, 4)) @ np.diag([5.0, 2.0, 1.0, 0.1])
    return points(drawn + 1000)


def test_the_plane_of_most_spread_is_that_of_scikit_learn(cloud):
    made = by_spread(cloud, rng())
    other = PCA(2).fit(cloud.features)
    flat = other.transform(cloud.features)
    for mine, theirs in zip((made.x, made.y), flat.T, strict=True):
        sign = np.sign(mine @ theirs)
        np.testing.assert_allclose(mine, sign * theirs, atol=1e-8)
    np.testing.assert_allclose(made.shares, other.explained_variance_ratio_)


def test_more_features_than_points_have_the_plane_of_scikit_learn_too():
    wide = points(np.random.default_rng(2).normal(size=(12, 30)) + 50)
    made = by_spread(wide, rng())
    other = PCA(2).fit(wide.features)
    flat = other.transform(wide.features)
    for mine, theirs in zip((made.x, made.y), flat.T, strict=True):
        np.testing.assert_allclose(mine, np.sign(mine @ theirs) * theirs, atol=1e-8)
    np.testing.assert_allclose(made.shares, other.explained_variance_ratio_[:2])
    assert by_spread(points(np.ones((3, 9))), rng()).shares == ()


def test_standardising_is_that_of_scikit_learn(cloud):
    np.testing.assert_allclose(
        standardised(cloud).features, StandardScaler().fit_transform(cloud.features), atol=1e-9
    )


def test_a_constant_feature_tells_no_points_apart():
    made = standardised(points([[0.1, 1.0], [0.1, 2.0], [0.1, 4.0]]))
    assert made.features[:, 0].tolist() == [0, 0, 0]
    assert made.features[:, 1].std() == pytest.approx(1)


@given(st.floats(1e-100, 1e100), st.floats(-1e3, 1e3))
def test_neither_unit_nor_origin_changes_standardised_points(unit, origin):
    base = np.array([[1.0], [2.0], [4.0]])
    made = standardised(points(unit * (base + origin)))
    np.testing.assert_allclose(made.features, standardised(points(base)).features, atol=1e-6)


def test_one_feature_and_points_without_spread_are_laid_out_too():
    line = by_spread(points([[1.0], [3.0]]), rng())
    assert sorted(line.x.tolist()) == [-1, 1]
    assert line.y.tolist() == [0, 0]
    same = by_spread(points(np.ones((3, 2))), rng())
    assert same.shares == ()
    assert same.x.tolist() == [0, 0, 0]


def test_two_features_are_taken_as_they_are():
    made = by_features(points([[1.0, 2, 3], [4, 5, 6]]), 2, 0, rng())
    assert (made.x.tolist(), made.y.tolist()) == ([3, 6], [1, 4])


def test_of_many_points_some_are_drawn_and_stay_who_they_are():
    many = points(np.arange(6000.0).reshape(3000, 2))
    made = by_features(many, 0, 1, rng())
    assert len(made.place) == SHOWN_AT_MOST
    np.testing.assert_array_equal(made.x, many.features[made.place, 0])


def test_neighbours_stay_near():
    groups = np.repeat([[0.0, 0, 0], [50, 0, 0]], 20, axis=0)
    features = groups + np.random.default_rng(2).normal(size=(40, 3))
    made = by_neighbours(points(features), rng())
    flat = np.column_stack([made.x, made.y])
    apart = np.linalg.norm(flat[:, np.newaxis] - flat, axis=2)
    np.fill_diagonal(apart, np.inf)
    assert (apart.argmin(axis=1) // 20 == np.arange(40) // 20).all()
    with pytest.raises(EvalError, match="five points"):
        by_neighbours(points(np.ones((4, 2))), rng())


def distances(matrix):
    matrix = np.asarray(matrix, dtype=np.float64)
    return Distances(names=("a",), cluster=np.zeros(len(matrix), int), matrix=matrix)


def test_three_towns_on_a_road_are_laid_out_on_a_line():
    # At 0, 3 and 4 km: the mean is 7/3, so they lie at -7/3, 2/3 and 5/3.
    made = by_distances(distances([[0, 3, 4], [3, 0, 1], [4, 1, 0]]), rng())
    np.testing.assert_allclose(made.x, np.array([7, -2, -5]) / 3, atol=1e-12)
    np.testing.assert_allclose(made.y, 0, atol=1e-7)
    assert made.shares == pytest.approx((1, 0))


def test_known_points_are_found_again_from_their_distances(cloud):
    flat = cloud.features[:, :2]
    made = by_distances(distances(cdist(flat, flat)), rng())
    found = np.column_stack([made.x, made.y])
    np.testing.assert_allclose(cdist(found, found), cdist(flat, flat), atol=1e-9)
    assert sum(made.shares) == pytest.approx(1)


def test_scaling_euclidean_distances_gives_the_plane_of_most_spread(cloud):
    made = by_distances(distances(cdist(cloud.features, cloud.features)), rng())
    plane = by_spread(cloud, rng())
    for mine, theirs in ((made.x, plane.x), (made.y, plane.y)):
        np.testing.assert_allclose(mine, np.sign(mine @ theirs) * theirs, atol=1e-7)
    np.testing.assert_allclose(made.shares, plane.shares, atol=1e-9)


def test_scaling_is_that_of_scikit_learn():
    manifold = pytest.importorskip("sklearn.manifold")
    if not hasattr(manifold, "ClassicalMDS"):
        pytest.skip("this scikit-learn has no classical scaling")
    drawn = np.random.default_rng(4).integers(0, 3, (25, 5))
    matrix = cdist(drawn, drawn, "cityblock")
    other = manifold.ClassicalMDS(n_components=2, metric="precomputed").fit_transform(matrix)
    made = by_distances(distances(matrix), rng())
    for mine, theirs in zip((made.x, made.y), other.T, strict=True):
        np.testing.assert_allclose(mine, np.sign(mine @ theirs) * theirs, atol=1e-8)


@given(st.floats(1e-200, 1e200))
def test_the_unit_of_the_distances_scales_the_plane(unit):
    matrix = np.array([[0, 3, 4], [3, 0, 5], [4, 5, 0]], dtype=float)
    made, other = (
        by_distances(distances(matrix), rng()),
        by_distances(distances(unit * matrix), rng()),
    )
    np.testing.assert_allclose(other.x, unit * made.x, rtol=1e-6)


def test_distances_that_are_all_zero_make_one_place():
    made = by_distances(distances(np.zeros((4, 4))), rng())
    assert (made.x.tolist(), made.shares) == ([0] * 4, ())


def test_categories_that_differ_in_all_features_lie_farthest_apart():
    codes = np.array([[0, 0], [0, 0], [0, 1], [1, 1]])
    known = Categorical(names=("a",), cluster=np.zeros(4, int), codes=codes)
    made = by_distances(known, rng())
    flat = np.column_stack([made.x, made.y])
    apart = cdist(flat, flat)
    assert apart[0, 1] == pytest.approx(0, abs=1e-6)
    assert apart[0, 3] == pytest.approx(apart.max())
    assert apart[0, 3] > apart[0, 2] + 0.1


def test_neighbours_are_found_from_distances_too():
    groups = np.repeat([[0.0], [50]], 8, axis=0) + np.random.default_rng(2).normal(size=(16, 1))
    made = by_neighbours(distances(cdist(groups, groups)), rng())
    apart = cdist(*[np.column_stack([made.x, made.y])] * 2)
    np.fill_diagonal(apart, np.inf)
    assert (apart.argmin(axis=1) // 8 == np.arange(16) // 8).all()


def test_counts_are_those_of_a_histogram():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 500))
    silhouette = rng.uniform(-1, 1, 900)
    place = np.sort(rng.choice(900, 500, replace=False))
    found = crowds(Layout(place, x, y), silhouette)
    below = silhouette[place] < 0
    for counts, kept in ((found.counts, np.full(500, True)), (found.nearer, below)):
        ends = [[x.min(), x.max()], [y.min(), y.max()]]
        theirs, *_ = np.histogram2d(x[kept], y[kept], bins=(COLUMNS, LINES), range=ends)
        assert sorted(counts[counts > 0].tolist()) == sorted(theirs[theirs > 0].tolist())
    assert found.counts.sum() == 500
    assert (found.nearer <= found.counts).all()


@pytest.mark.parametrize("size", [0.0, 3.0, 1e308])
def test_places_lie_within_the_points_however_large_or_alike_they_are(size):
    x = np.array([-size, size, size])
    found = crowds(Layout(np.arange(3), x, x[::-1]), np.array([-0.5, np.nan, 0.5]))
    assert found.counts.sum() == 3
    assert found.nearer.sum() == 1
    assert np.abs(found.x).max() <= size
    assert np.isfinite(found.y).all()


def test_without_points_there_are_no_places():
    none = np.empty(0)
    assert not len(crowds(Layout(none.astype(int), none, none), none).counts)


def judged_points(cluster, features, names=("a", "b"), rows=None):
    points = Points(
        names=names, cluster=np.array(cluster), features=np.array(features, float), rows=rows
    )
    return points, silhouette(points)


def test_points_fall_within_their_cluster_and_keep_their_rows():
    points, judged = judged_points(
        [0, 0, 1, 1, 0], [[0], [1], [10], [11], [9]], rows=np.array([3, 5, 7, 9, 11])
    )
    first, second = silhouette_bars(points, judged)
    assert (first.name, first.n, second.n) == ("a", 3, 2)
    assert first.rows.tolist()[-1] == 11, "the point at 9 is nearer to the other cluster"
    assert first.negative == 1
    for bars in (first, second):
        assert (np.diff(bars.values) <= 0).all()
        np.testing.assert_allclose(
            judged.values[np.isin(points.rows, bars.rows)].sum(), bars.values.sum()
        )


def test_noise_has_no_bar():
    points, judged = judged_points([0, -1, 1, 1, 0], [[0], [5], [10], [11], [1]])
    assert sum(len(bars.values) for bars in silhouette_bars(points, judged)) == 4


def test_large_clusters_are_thinned_and_small_ones_left_out_but_counts_stay_whole():
    cluster = np.repeat([0, 1, 2], [50, 40, 3])
    features = cluster[:, np.newaxis] * 10.0 + np.linspace(0, 1, 93)[:, np.newaxis]
    points, judged = judged_points(cluster, features, ("a", "b", "c"))
    bars = silhouette_bars(points, judged, bars=30, clusters=2)
    assert [one.name for one in bars] == ["a", "b"]
    assert [one.n for one in bars] == [50, 40]
    assert sum(len(one.values) for one in bars) <= 31


def test_one_cluster_has_no_bars():
    points, judged = judged_points([0, 0, 0], [[0], [1], [2]], ("a",))
    assert silhouette_bars(points, judged) == ()
