"""Points on a plane, against scikit-learn and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from evalcore.clusters.layout import (
    SHOWN_AT_MOST,
    by_features,
    by_neighbours,
    by_spread,
    standardised,
)
from evalcore.errors import EvalError
from evalcore.outcomes import Points


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
