"""Methods that group points, and how many groups there are."""

import numpy as np
import pytest
from sklearn.cluster import DBSCAN, KMeans
from sklearn.metrics import adjusted_rand_score

from evalcore.errors import EvalError
from evalview.lab.grouping import Method, gap_statistic, group


def three_groups(n=60, seed=0):
    centres = np.array([[0.0, 0], [10, 0], [0, 10]])
    return np.repeat(centres, n, axis=0) + np.random.default_rng(seed).normal(size=(3 * n, 2))


@pytest.mark.parametrize(
    "method",
    [
        Method(),
        *(Method("agglomerative", linkage=name) for name in ("ward", "average", "complete")),
        Method("DBSCAN", reach=2.0),
        Method("Gaussian mixture"),
    ],
    ids=lambda method: method.name,
)
def test_every_method_finds_groups_that_lie_apart(method):
    found = group(three_groups(), method)
    kept = found >= 0
    assert adjusted_rand_score(np.repeat([0, 1, 2], 60)[kept], found[kept]) == 1
    assert kept.mean() > 0.97
    assert found[0] == 0
    assert list(dict.fromkeys(found[kept].tolist())) == [0, 1, 2]


def test_clusters_are_those_of_scikit_learn_whatever_the_unit():
    points = np.random.default_rng(1).normal(size=(80, 3))
    known = KMeans(4, n_init=10, random_state=0).fit_predict(points)
    assert adjusted_rand_score(known, group(points, Method(clusters=4))) == 1
    dense = DBSCAN(eps=0.9, min_samples=5).fit_predict(points)
    assert ((dense < 0) == (group(points, Method("DBSCAN", reach=0.9)) < 0)).all()
    far = group(three_groups() * 1e200, Method())
    assert adjusted_rand_score(far, group(three_groups(), Method())) == 1


@pytest.mark.parametrize(
    ("features", "method", "code"),
    [
        (np.ones((3, 1)), Method(clusters=4), "too-few-points"),
        (np.ones((9, 2)), Method(clusters=2), "too-few-points"),
        (np.ones((20_000, 1)), Method("agglomerative"), "too-many-points"),
        (np.ones((3, 1)), Method("DBSCAN", reach=0), "bad-method"),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_remedy(features, method, code):
    with pytest.raises(EvalError) as refusal:
        group(features, method)
    assert refusal.value.code == code


def test_the_gap_finds_three_groups_and_one():
    three = gap_statistic(three_groups(), np.random.default_rng(0), most=5, draws=8)
    assert three.best == 3
    np.testing.assert_allclose(three.gap, three.expected - three.within)
    even = np.random.default_rng(3).uniform(size=(200, 2))
    assert gap_statistic(even, np.random.default_rng(0), most=4, draws=8).best == 1


def test_the_gap_stops_at_as_many_clusters_as_there_are_different_points():
    few = np.array([[0.0], [1.0], [1.0]])
    made = gap_statistic(few, np.random.default_rng(0), draws=4)
    assert made.clusters.tolist() == [1, 2]


def test_the_within_sum_is_that_of_one_cluster_by_hand():
    points = np.array([[0.0], [2.0], [4.0]])
    made = gap_statistic(points, np.random.default_rng(0), most=1, draws=2)
    # Along its axis, in units of the largest deviation: -1, 0, 1.
    assert made.within[0] == pytest.approx(np.log(2.0))
