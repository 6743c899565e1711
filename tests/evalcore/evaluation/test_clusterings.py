"""Evaluating clusterings, end to end: against R, against hand-worked values, and what is said."""

from typing import Any

import numpy as np
import pytest

from evalboard.checks import Requirement, check
from evalcore.clustering import points
from evalcore.errors import EvalError
from evalcore.evaluate import evaluate
from evalcore.evaluation.clusterings import evaluate_clustering
from evalcore.options import Options
from evalcore.results import ClusteringEvaluation, Evaluation
from evalread.dataset import Choices
from evalread.loading import load

from ..golden import FOLDER, Golden, entries, ids

PLAIN = "x,y,cluster,species\n0,0,p,a\n0,2,p,a\n8,0,q,b\n8,2,q,a\n"


def of(text: str, options: Options = Options(), **choices: Any) -> Evaluation:  # noqa: B008
    return evaluate(load([("points.csv", text.encode())], Choices(**choices)), options)


def only(made: Evaluation) -> ClusteringEvaluation:
    (one,) = made.clusterings.values()
    return one


def messages(made: Evaluation) -> dict[str, str]:
    return {notice.code: notice.message for notice in made.notices}


@pytest.fixture(scope="module")
def iris() -> dict[str, Evaluation]:
    """The golden file, by distance."""
    path = FOLDER / "iris_clusters.csv"
    data = load([(path.name, path.read_bytes())])
    return {kind: evaluate(data, Options(distance=kind)) for kind in ("euclidean", "manhattan")}


SILHOUETTES = entries(quantity="silhouette_mean_*")


@pytest.mark.parametrize("golden", SILHOUETTES, ids=ids(SILHOUETTES))
def test_mean_silhouettes_agree_with_r(golden: Golden, iris: dict[str, Evaluation]) -> None:
    made = iris[golden.params["metric"]].clusterings[golden.params["clustering"]]
    golden.check(made.points["silhouette"].value)


MEANS = entries(quantity="silhouette_cluster_means_euclidean")


@pytest.mark.parametrize("golden", MEANS, ids=ids(MEANS))
def test_cluster_silhouettes_agree_with_r(golden: Golden, iris: dict[str, Evaluation]) -> None:
    made = iris["euclidean"].clusterings[golden.params["clustering"]]
    golden.check([cluster.silhouette for cluster in made.clusters])


def test_agreement_is_with_the_class_column(iris: dict[str, Evaluation]) -> None:
    made = iris["euclidean"].clusterings["kmeans_k3"]
    assert made.contingency is not None
    assert made.contingency.classes == ("setosa", "versicolor", "virginica")
    # Published for k-means with three clusters on this data.
    assert made.agreement["adjusted_rand_index"].value == pytest.approx(0.7302, abs=5e-5)


def test_each_cluster_has_its_size_centre_and_spread() -> None:
    p, q = only(of(PLAIN)).clusters
    assert (p.name, p.n, dict(p.centre), p.spread, p.within_ss) == ("p", 2, {"x": 0, "y": 1}, 1, 2)
    assert (q.name, dict(q.centre)) == ("q", {"x": 8, "y": 1})


def test_without_features_there_is_agreement_and_a_word_about_the_rest() -> None:
    made = of("cluster,species\np,a\np,a\nq,b\nq,a\n")
    assert set(only(made).metrics) == {"agreement"}
    assert "no feature" in messages(made)["no-features"]


def test_without_a_truth_there_are_only_the_points() -> None:
    assert set(only(of("x,y,cluster\n0,0,p\n0,2,p\n8,0,q\n8,2,q\n")).metrics) == {"points"}


def test_noise_counts_in_no_number_and_the_other_value_is_offered() -> None:
    noisy = "x,y,cluster,species\n0,0,1,a\n0,2,1,a\n8,0,2,b\n8,2,2,a\n4,1,-1,b\n"
    made, plain = only(of(noisy)), only(of(noisy.rsplit("4,1", 1)[0]))
    assert (made.n, made.n_noise, made.noise_rows) == (5, 1, (5,))
    for group in ("points", "agreement"):
        mine, right = made.metrics[group], plain.metrics[group]
        assert {k: e.value for k, e in mine.items()} == {k: e.value for k, e in right.items()}
    assert made.noise_as_cluster["silhouette"].value < made.points["silhouette"].value
    told = messages(of(noisy))["noise"]
    assert told.startswith('1 of 5 points of "cluster" are noise (-1)')


def test_noise_only_leaves_every_number_undefined() -> None:
    made = only(of("x,y,dbscan\n0,1,-1\n2,3,-1\n5,7,-1\n"))
    assert (made.n, made.n_noise, made.clusters) == (3, 3, ())
    assert not any(estimate.defined for estimate in made.points.values())
    assert all(estimate.why for estimate in made.points.values())


@pytest.mark.parametrize("clusters", ["0,0,0", "0,1,2"])
def test_clusters_that_cannot_be_compared_are_said(clusters: str) -> None:
    rows = "".join(f"{k},{k * k},{c}\n" for k, c in enumerate(clusters.split(",")))
    made = of("x,y,cluster\n" + rows)
    assert np.isnan(only(made).points["silhouette"].value)
    said = messages(made)["incomparable"]
    assert "at least 2 clusters, and fewer clusters than points (here 3)" in said


def test_the_distance_is_the_one_asked_for() -> None:
    euclid, city = (only(of(PLAIN, Options(distance=d))) for d in ("euclidean", "minkowski:1"))
    # By hand, in the city: a = 2, b = (8 + 10) / 2.
    assert city.points["silhouette"].value == pytest.approx(1 - 2 / 9)
    assert euclid.points["silhouette"].value != city.points["silhouette"].value
    with pytest.raises(EvalError, match="minkowski:3"):
        of(PLAIN, Options(distance="hamming"))


def test_a_sample_is_said_and_has_an_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(points, "EXACT_UP_TO", 10)
    monkeypatch.setattr("evalcore.clustering.points._FEWEST", 50)
    monkeypatch.setattr("evalcore.clustering.points._BUDGET", 1)
    rng = np.random.default_rng(1)
    rows = "".join(f"{v:.6f},{c}\n" for c in (0, 5, -1) for v in rng.normal(c, 1, 40))
    made = of("x,cluster\n" + rows)
    silhouette = only(made).points["silhouette"]
    assert (silhouette.low or 2) < silhouette.value < (silhouette.high or -2)
    assert "estimated from 50 of 80 points" in messages(made)["sampled"]
    assert "sample" in only(made).points["dunn"].why
    assert only(made).noise_as_cluster["silhouette"].method == "sample"


def test_requirements_can_be_about_clusterings() -> None:
    (outcome,) = check(of(PLAIN), [Requirement.parse("silhouette>=0.5")])
    assert (outcome.model, outcome.group, outcome.passed) == ("cluster", "points", True)


def test_one_clustering_can_be_evaluated_alone() -> None:
    data = load([("points.csv", PLAIN.encode())])
    made = evaluate_clustering(data, "cluster", Options())
    assert made.points["total_ss"].value == pytest.approx(4 * 17)
