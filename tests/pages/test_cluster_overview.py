"""The overview of clusterings: every number that evalcore gives, silhouettes and agreement."""

from collections.abc import Callable
from functools import cache
from html import unescape

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.evaluation.clusterings import evaluate_clustering
from evalcore.options import Options
from evalread.loading import load
from evalview.text import decimals, low_dash_high, number, with_interval
from pages.session import store
from pages.widgets import inputs
from tests.pages import conftest
from tests.pages.conftest import OPEN

Opened = Callable[..., AppTest]
POINTS = ("silhouette", "calinski_harabasz", "davies_bouldin")
AGREEMENT = ("adjusted_rand_index", "ami_arithmetic", "purity")


def html(at: AppTest) -> str:
    return unescape(conftest.html(at))


@cache
def judged(name: str = "kmeans_k2"):
    dataset = load([("iris.csv", (store.SAMPLES / "iris.csv").read_bytes())])
    return evaluate_clustering(dataset, name, Options())


@pytest.mark.parametrize("name", ["kmeans_k2", "single_k3"])
def test_the_cards_show_the_numbers_of_evalcore(loaded: Opened, name: str) -> None:
    at = loaded("overview", **OPEN, sample="iris", shown=name)
    assert not at.exception
    shown, made = html(at), judged(name)
    for key, found in [*made.points.items(), *made.agreement.items()]:
        if key in (*POINTS, *AGREEMENT):
            assert f">{number(found.value, decimals(found))}<" in shown, key


def test_the_headline_names_the_clusterings_that_stand_out(loaded: Opened) -> None:
    shown = html(loaded("overview", sample="iris"))
    assert ">ward_k3 agrees best with species; kmeans_k2 separates its clusters best<" in shown


def test_where_true_classes_are_known_the_clustering_that_agrees_best_is_shown_first(
    loaded: Opened,
) -> None:
    at = loaded("overview", sample="iris")
    assert at.session_state[inputs.MODEL] == "ward_k3"


def test_the_clustering_that_is_shown_first_is_the_one_the_headline_names(
    uploaded: Opened,
) -> None:
    content = b"x,y,cluster_bad,cluster_good\n1,2,a,1\n1,3,b,1\n9,9,a,2\n9,8,b,2\n"
    at = uploaded("overview", "f.csv", content, task="clustering", truth="", **OPEN)
    assert "cluster_good separates its clusters best" in html(at)
    assert at.session_state[inputs.MODEL] == "cluster_good"


def test_the_table_holds_every_clustering_with_its_clusters(loaded: Opened) -> None:
    table = loaded("overview", **OPEN, sample="iris").dataframe[-1]
    assert [int(float(count)) for count in table.value["clusters"]] == [2, 3, 4, 3, 3]
    shown = table.proto.arrow_data.styler.display_values.decode(errors="replace")
    assert with_interval(judged("ward_k3").points["silhouette"], low_dash_high) in shown


def test_the_pictures_are_small_and_described(loaded: Opened) -> None:
    at = loaded("overview", **OPEN, sample="iris", shown="single_k3")
    charts = at.get("plotly_chart")
    assert len(charts) == 2
    for chart in charts:
        assert len(chart.proto.spec) <= 64 * 1024
        assert len(chart.proto.alt) > 20
    assert "Cluster “0” fits worst: mean 0.345, 15 of its 98 points" in html(at)


def test_every_number_opens_into_formula_and_python(
    loaded: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = loaded("overview", **OPEN, sample="iris")
    assert len(at.latex) >= 8
    script = next(code.value for code in at.code if "['silhouette']" in code.value)
    *lines, last = script.splitlines()
    monkeypatch.chdir(store.SAMPLES)
    names: dict[str, object] = {}
    exec("\n".join([*lines, f"value = {last}"]), names)
    assert names["value"] == judged("ward_k3").points["silhouette"].value


def test_without_classes_there_is_no_agreement(uploaded: Opened) -> None:
    content = b"x,y,cluster\n" + b"".join(b"%d,%d,%d\n" % (i % 7, i % 5, i % 2) for i in range(40))
    at = uploaded("overview", "f.csv", content, task="clustering", cluster="cluster", **OPEN)
    assert not at.exception
    assert "How it agrees" not in html(at)


@pytest.mark.parametrize(
    "rows",
    [
        b"1,2,0,a\n2,3,0,a\n3,1,0,b\n",
        b"1,2,0,a\n2,3,1,a\n3,1,2,b\n",
        b"1,2,-1,a\n2,3,0,a\n3,1,1,b\n4,4,0,b\n5,4,1,b\n",
        b"1,2,<img src=x>,a\n2,3,<img src=x>,<b>b\n3,1,[x](y),<b>b\n4,4,[x](y),a\n",
    ],
)
def test_odd_clusterings_give_a_page_with_reasons(uploaded: Opened, rows: bytes) -> None:
    content = b"x,y,cluster,truth\n" + rows
    at = uploaded(
        "overview", "f.csv", content, task="clustering", cluster="cluster", truth="truth", **OPEN
    )
    assert not at.exception
    assert "nan" not in html(at).lower().replace("nanc", "")
    assert not any("<img src" in element.value for element in at.get("html"))
