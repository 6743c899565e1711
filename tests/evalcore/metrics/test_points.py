"""Metrics of points against R, scikit-learn and what must always hold."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from sklearn import metrics as theirs

from evalcore.clustering.distance import EUCLIDEAN, Distance
from evalcore.clustering.points import Centroids, Separation, Silhouette, separation, silhouette
from evalcore.metrics.catalog import POINTS
from evalcore.outcomes import Points
from tests.evalcore.clustering.examples import blobs, clustered, iris, points_of
from tests.evalcore.golden import Golden, entries, ids

METRIC = {metric.key: metric for metric in POINTS}


def value(key: str, points: Points, distance: Distance = EUCLIDEAN) -> float:
    metric = METRIC[key]
    if metric.needs is Centroids:
        return float(metric(Centroids.from_points(points)))
    tables = {Silhouette: silhouette, Separation: separation}
    return float(metric(tables[metric.needs](points, distance)))


KEY = {
    "silhouette_mean_euclidean": "silhouette",
    "silhouette_mean_manhattan": "silhouette",
    "dunn_euclidean": "dunn",
    "dunn_manhattan": "dunn",
    "calinski_harabasz": "calinski_harabasz",
    "calinski_harabasz_first_principles": "calinski_harabasz",
    "davies_bouldin_q1": "davies_bouldin",
    "within_ss": "within_ss",
}
SINGLE = [entry for entry in entries(id="clust.iris.*") if entry.quantity in KEY]


@pytest.mark.parametrize("entry", SINGLE, ids=ids(SINGLE))
def test_metrics_of_points_are_those_of_r(entry: Golden) -> None:
    distance = Distance(entry.params.get("metric", "euclidean"))
    entry.check(value(KEY[entry.quantity], iris(entry.params["clustering"]), distance))


SQUARES = entries(id="clust.iris.*", quantity="total_ss_between_ss")


@pytest.mark.parametrize("entry", SQUARES, ids=ids(SQUARES))
def test_total_and_between_are_those_of_r(entry: Golden) -> None:
    points = iris(entry.params["clustering"])
    names = {"tss": "total_ss", "wss": "within_ss", "bss": "between_ss"}
    entry.check({name: value(key, points) for name, key in names.items()})


def test_two_pairs_are_worked_by_hand() -> None:
    points = points_of([0, 2, 9, 11], [0, 0, 1, 1])
    assert value("within_ss", points) == 4
    assert value("between_ss", points) == 81
    assert value("total_ss", points) == 85
    assert value("calinski_harabasz", points) == (81 / 1) / (4 / 2)
    assert value("davies_bouldin", points) == pytest.approx((1 + 1) / 9)
    assert value("dunn", points) == pytest.approx(7 / 2)
    assert value("silhouette", points) == pytest.approx((8 / 10 + 6 / 8) / 2)


COMPARING = ("silhouette", "calinski_harabasz", "davies_bouldin", "dunn")


@pytest.mark.parametrize("key", COMPARING)
@pytest.mark.parametrize(
    "cluster",
    [[0, 0, 0], [0, 1, 2], [-1, -1, -1]],
    ids=["one cluster", "all singletons", "noise only"],
)
def test_without_clusters_to_compare_there_is_no_number(key: str, cluster: list[int]) -> None:
    assert math.isnan(value(key, points_of([1, 2, 4], cluster)))


def test_sums_of_squares_need_no_second_cluster_but_some_point() -> None:
    one, alone, noise = (points_of([1, 2, 3], c) for c in ([0, 0, 0], [0, 1, 2], [-1, -1, -1]))
    assert [value(f"{name}_ss", one) for name in ("within", "between", "total")] == [2, 0, 2]
    assert [value(f"{name}_ss", alone) for name in ("within", "between", "total")] == [0, 2, 2]
    assert all(math.isnan(value(f"{name}_ss", noise)) for name in ("within", "between", "total"))


def test_clusters_without_variance_are_infinitely_good() -> None:
    points = points_of([1, 1, 5, 5], [0, 0, 1, 1])
    assert value("calinski_harabasz", points) == math.inf
    assert value("dunn", points) == math.inf
    assert value("davies_bouldin", points) == 0
    assert value("silhouette", points) == 1


def test_points_that_are_all_the_same_have_no_ratio_of_variances() -> None:
    points = points_of([5, 5, 5, 5], [0, 0, 1, 1])
    for key in ("calinski_harabasz", "davies_bouldin", "dunn"):
        assert math.isnan(value(key, points)), key


def test_clusters_with_one_centre_are_infinitely_blended() -> None:
    assert value("davies_bouldin", points_of([-1, 1, -3, 3], [0, 0, 1, 1])) == math.inf


@pytest.mark.parametrize("k", [2, 5, 600])
def test_metrics_of_points_agree_with_scikit_learn(k: int) -> None:
    points = blobs(2000, k)
    cluster: Any = points.cluster
    for key, function in {
        "silhouette": theirs.silhouette_score,
        "calinski_harabasz": theirs.calinski_harabasz_score,
        "davies_bouldin": theirs.davies_bouldin_score,
    }.items():
        assert value(key, points) == pytest.approx(function(points.features, cluster)), key


@pytest.mark.slow
def test_ten_thousand_clusters_have_every_number() -> None:
    pairs = np.repeat(np.arange(10_000), 2)
    points = points_of(pairs * 10.0 + np.tile([0.0, 1.0], 10_000), pairs)
    assert value("dunn", points) == 9
    assert value("davies_bouldin", points) == pytest.approx(0.1)
    assert value("within_ss", points) == 5000


@given(clustered())
def test_values_stay_in_the_declared_range(points: Points) -> None:
    for key, metric in METRIC.items():
        number = value(key, points)
        assert math.isnan(number) or metric.low <= number <= metric.high, key


@given(clustered())
def test_noise_is_no_cluster_and_counts_for_nothing(points: Points) -> None:
    kept = points_of(points.features[~points.noise], points.cluster[~points.noise])
    for key in METRIC:
        assert value(key, points) == pytest.approx(value(key, kept), nan_ok=True), key
