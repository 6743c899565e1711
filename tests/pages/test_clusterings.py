"""The pages that hold clusterings against each other, and against the truth."""

import pytest
from sklearn.metrics import adjusted_rand_score, rand_score
from streamlit.testing.v1 import AppTest

from evalcore.errors import EvalError
from evalread.dataset import Dataset
from evalread.loading import load
from evalview.figures.clusters import family
from pages.session import store
from pages.widgets import inputs
from tests.pages.conftest import html
from tests.pages.hostile import HOSTILE
from tests.pages.test_silhouettes import figures
from tests.pages.test_values_overview import Opened


def captions(at: AppTest) -> str:
    return " ".join(caption.value for caption in at.caption).replace("\\", "").replace("\u2060", "")


@pytest.fixture(scope="module")
def iris() -> Dataset:
    return load([("iris.csv", (store.SAMPLES / "iris.csv").read_bytes())])


def test_agreement_with_classes_is_that_of_scikit_learn(loaded: Opened, iris: Dataset) -> None:
    at = loaded("agreement", sample="iris", shown="ward_k3")
    assert not at.exception
    truth, cluster = iris.true_class, iris.clusterings["ward_k3"].cluster
    assert truth is not None
    index = adjusted_rand_score(truth.codes, cluster)
    assert f"Adjusted Rand index {index:.3f}" in html(at)
    assert "ward_k3 agrees with species more than chance would" in html(at)
    assert f"= {rand_score(truth.codes, cluster):.3f}:" in captions(at)
    pairs = at.dataframe[0].value["pairs"].str.replace(",", "").astype(int)
    assert pairs.sum() == 150 * 149 / 2


@pytest.mark.parametrize("page", ["overview", "silhouettes", "agreement"])
def test_the_clustering_that_agrees_best_with_the_classes_is_shown_first(
    loaded: Opened, page: str
) -> None:
    at = loaded(page, sample="iris")
    assert at.session_state[inputs.MODEL] == "ward_k3"


def test_metrics_of_agreement_are_compared_with_random_assignment(loaded: Opened) -> None:
    at = loaded("agreement", sample="iris")
    assert "Compared with random assignment." in html(at)
    assert "assigned at random to clusters of the same sizes" in captions(at)


def test_a_clustering_is_held_against_another_one(loaded: Opened) -> None:
    at = loaded("agreement", sample="iris", shown="kmeans_k3", against="ward_k3")
    assert not at.exception
    assert "kmeans_k3 agrees with ward_k3 more than chance would" in html(at)
    assert "lie in groups that match" in figures(at)
    assert "same cluster of ward_k3, same cluster" in at.dataframe[0].value.to_string()


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("a,0\na,0\nb,1\nb,1\n" * 5, "form the same groups"),
        ("a,0\na,1\nb,0\nb,1\n" * 5, "no more than chance"),
        ("a,0\nb,0\n" * 5, "no more than chance"),
    ],
)
def test_the_headline_says_how_far_both_agree(uploaded: Opened, rows: str, says: str) -> None:
    content = f"t,k\n{rows}".encode()
    at = uploaded("agreement", "f.csv", content, task="clustering", cluster="k=k", truth="t")
    assert not at.exception
    assert says in html(at)


def test_the_numbers_by_clusters_name_what_each_prefers(loaded: Opened) -> None:
    at = loaded("clusterings", sample="iris")
    assert not at.exception
    assert "Silhouette is best for kmeans_k2 (0.681)" in html(at)
    assert "always falls; look for the elbow" in figures(at)
    assert len(at.get("plotly_chart")) == 4


def test_the_gap_is_worked_out_on_request(loaded: Opened) -> None:
    at = loaded("clusterings", sample="iris", gap="true")
    assert not at.exception
    assert "The gap statistic finds" in figures(at)


@pytest.mark.parametrize(
    ("name", "stem"), [("kmeans_k3", "kmeans"), ("k=4", ""), ("a-5", "a"), ("dbscan", "dbscan")]
)
def test_names_tell_the_family(name: str, stem: str) -> None:
    assert family(name) == stem


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ({}, "k-means k3 makes 3 clusters"),
        ({"method": "agglomerative", "clusters": "2"}, "ward k2 makes 2 clusters"),
        ({"method": "DBSCAN", "reach": "0.5"}, "DBSCAN 0.5/5 makes"),
        ({"method": "Gaussian mixture", "standardise": "true"}, "Gaussian mixture k3 makes 3"),
    ],
)
def test_every_method_groups_the_points(loaded: Opened, address: dict[str, str], says: str) -> None:
    at = loaded("grouping", sample="iris", **address)
    assert not at.exception
    assert says in html(at)


def test_a_grouping_that_has_no_room_is_told_why(
    loaded: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(files: object) -> str:
        raise EvalError("out-of-memory", "There is no room for this file.")

    at = loaded("grouping", sample="iris", clusters="5")
    monkeypatch.setattr(store, "keep", full)
    at.button(key="keep-grouping").click().run()
    assert not at.exception
    (told,) = at.error
    assert "There is no room for this file" in told.value


def test_a_grouping_can_be_kept_and_undone(loaded: Opened) -> None:
    at = loaded("grouping", sample="iris", clusters="5")
    at.button(key="keep-grouping").click().run()
    assert not at.exception
    assert "k-means k5" in html(at)
    (told,) = at.toast
    assert "another clustering" in told.value
    view = at.session_state["view"]
    assert view.model == "k-means k5"
    assert set(view.choices.clusterings) >= {"kmeans_k3", "k-means k5"}


def test_more_clusters_than_points_are_refused_with_the_remedy(uploaded: Opened) -> None:
    content = b"x,y,k\n1,2,a\n2,3,b\n4,9,a\n"
    at = uploaded("grouping", "f.csv", content, task="clustering", cluster="k=k", clusters="50")
    assert not at.exception
    assert "Ask for fewer" in html(at) + " ".join(error.value for error in at.error)


@pytest.mark.parametrize("page", ["agreement", "clusterings", "grouping"])
def test_names_that_look_like_markup_are_read_as_text(uploaded: Opened, page: str) -> None:
    name = HOSTILE[0].replace('"', '""')
    content = f'x,y,"{name}",k\n' + '1,2,"$a$",0\n1,3,"$a$",0\n9,9,b,1\n9,8,b,1\n' * 3
    at = uploaded(page, "f.csv", content.encode(), task="clustering", cluster="k=k")
    assert not at.exception
    assert "<img" not in html(at) + captions(at)
