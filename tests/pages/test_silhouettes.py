"""The page of silhouettes: every distance, every plane, the rows behind, odd data."""

import time

import numpy as np
import pytest
from sklearn.metrics import silhouette_samples
from sklearn.preprocessing import StandardScaler
from streamlit.testing.v1 import AppTest

from evalcore.outcomes import Clustering, Points
from evalcore.work import Progress
from evalread.dataset import FeatureKind
from evalread.loading import load
from pages.session import clusterings, store
from tests.pages.conftest import WHOLE, go, html
from tests.pages.hostile import HOSTILE
from tests.pages.test_values_overview import Opened


def figures(at: AppTest) -> str:
    return " ".join(chart.proto.alt for chart in at.get("plotly_chart"))


@pytest.fixture(scope="module")
def iris() -> Points:
    dataset = load([("iris.csv", (store.SAMPLES / "iris.csv").read_bytes())])
    found = dataset.clusterings["kmeans_k3"]
    assert isinstance(found, Points)
    return found


@pytest.mark.parametrize("distance", ["euclidean", "manhattan", "cosine"])
@pytest.mark.parametrize("scaled", [False, True])
def test_the_page_says_what_scikit_learn_finds(
    loaded: Opened, iris: Points, distance: str, scaled: bool
) -> None:
    features = StandardScaler().fit_transform(iris.features) if scaled else iris.features
    known = silhouette_samples(features, iris.cluster, metric=distance)
    address = {"distance": distance, "standardise": str(scaled).lower(), **WHOLE}
    at = loaded("silhouettes", sample="iris", shown="kmeans_k3", **address)
    assert not at.exception
    assert f"{(known < 0).sum()} of 150 points" in html(at)
    assert f"Mean silhouette {known.mean():.3f}" in html(at)
    table = at.dataframe[0].value
    of_first = known[iris.cluster == 0]
    assert table["mean silhouette"][0] == pytest.approx(of_first.mean())
    shown = at.dataframe[1].value["silhouette"]
    np.testing.assert_allclose(shown, np.sort(known), atol=1e-9)


PLANES = ["neighbours", "neighbourhoods (t-SNE)", "sepal_length×petal_width"]


@pytest.mark.parametrize("axes", PLANES)
def test_points_are_laid_out_as_the_address_says(loaded: Opened, axes: str) -> None:
    at = loaded("silhouettes", sample="iris", axes=axes)
    assert not at.exception
    words = "no unit" if axes.startswith("neighbour") else "Points by sepal_length and petal_width"
    assert words in figures(at)


def test_the_rows_of_one_cluster_are_listed(loaded: Opened, iris: Points) -> None:
    at = loaded(
        "silhouettes", sample="iris", shown="kmeans_k3", **{clusterings.CLUSTER: "1"}, **WHOLE
    )
    assert len(at.dataframe[1].value) == (iris.cluster == 1).sum()


def test_a_click_picks_the_cluster_of_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    class Selected:
        points = ({"customdata": [7.0, 0.5]},)

    class Chart:
        selection = Selected

    state: dict[str, object] = {"map": Chart}
    monkeypatch.setattr(clusterings.st, "session_state", state)
    rows = np.array([2, 5, 7])
    clustering = Clustering(names=("a", "b"), cluster=np.array([0, 0, 1]), rows=rows)
    clusterings.take_cluster("map", clustering)
    assert state[clusterings.CLUSTER] == "b"
    Selected.points = ({"customdata": {"0": 5.0, "1": 0.5}},)
    clusterings.take_cluster("map", clustering)
    assert state[clusterings.CLUSTER] == "a"
    Selected.points = ({"customdata": "<b>"},)
    clusterings.take_cluster("map", clustering)
    assert state[clusterings.CLUSTER] == "a"


def test_a_picked_cluster_is_part_of_the_link_beside_the_column_of_clusters(
    uploaded: Opened,
) -> None:
    content = b"x,y,k\n1,2,a\n1,3,a\n9,9,b\n9,8,b\n8,8,b\n"
    address = {"task": "clustering", "cluster": "k=k", clusterings.CLUSTER: "b"}
    at = uploaded("silhouettes", "f.csv", content, **address)
    assert at.selectbox(key=clusterings.CLUSTER).value == "b"
    assert at.query_params["cluster"] == "k=k"


def test_a_clustering_without_a_column_is_refused_in_words(uploaded: Opened) -> None:
    content = b"x,y,k\n1,2,a\n1,3,a\n9,9,b\n"
    at = uploaded("silhouettes", "f.csv", content, task="clustering", cluster="k=")
    assert not at.exception
    assert "There is no column" in " ".join(box.value for box in (*at.error, *at.warning))


@pytest.mark.parametrize(
    "rows",
    ["1,2,a\n2,3,a\n", "1,2,a\n2,3,b\n4,9,c\n", "1,1,a\n1,1,b\n1,1,a\n", "0,0,a\n1,2,b\n2,4,a\n"],
    ids=["one cluster", "singletons", "duplicates", "origin"],
)
@pytest.mark.parametrize("distance", ["Euclidean", "cosine"])
def test_odd_clusterings_give_a_page_with_reasons(
    uploaded: Opened, rows: str, distance: str
) -> None:
    address = {"task": "clustering", "cluster": "k=k", "distance": distance}
    content = f"x,y,k\n{rows}".encode()
    at = uploaded("silhouettes", "f.csv", content, **address, standardise="true")
    assert not at.exception
    assert "nan" not in figures(at)


def test_names_that_look_like_markup_are_read_as_text(uploaded: Opened) -> None:
    name = HOSTILE[0].replace('"', '""')
    content = f'x,y,k\n1,2,"{name}"\n1,3,"{name}"\n9,9,b\n9,8,b\n'.encode()
    at = uploaded("silhouettes", "f.csv", content, task="clustering", truth="")
    assert not at.exception
    assert "<img" not in html(at)


@pytest.fixture
def sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge a sample of 60 points above 100."""
    monkeypatch.setattr("evalcore.clustering.points.EXACT_UP_TO", 100)
    monkeypatch.setattr("evalcore.clustering.points._BUDGET", 0)
    monkeypatch.setattr("evalcore.clustering.points._FEWEST", 60)


@pytest.mark.usefixtures("sampled")
def test_a_sample_has_its_interval_until_every_point_is_measured(
    loaded: Opened, iris: Points
) -> None:
    at = loaded("silhouettes", sample="iris", shown="kmeans_k3", **WHOLE)
    assert "of 60 points of a sample" in html(at)
    assert "60 sampled points" in figures(at)
    at.button(key="measure-all").click().run()
    assert not at.exception
    end = time.monotonic() + 20
    while not (whole := "of a sample" not in html(at)) and time.monotonic() < end:
        at.run()
    assert whole
    known = silhouette_samples(iris.features, iris.cluster)
    assert f"Mean silhouette {known.mean():.3f}:" in html(at)
    assert "is estimated from" not in html(at)
    assert len(at.dataframe[1].value) == 150
    assert not [button for button in at.button if button.key in ("measure-all", "stop-measuring")]
    go(at, "overview")
    assert "150 points in 3 clusters; 0 points nearer to another cluster" in html(at)


@pytest.mark.usefixtures("sampled")
def test_measuring_can_be_stopped_and_the_estimate_stands(
    loaded: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(*_: object, progress: Progress, **__: object) -> None:
        while True:
            progress.check()
            time.sleep(0.005)

    monkeypatch.setattr(clusterings, "silhouette", endless)
    at = loaded("silhouettes", sample="iris", shown="kmeans_k3")
    at.button(key="measure-all").click().run()
    assert not at.exception
    at.button(key="stop-measuring").click().run()
    assert not at.exception
    assert "of 60 points of a sample" in html(at)
    assert at.button(key="measure-all")


def test_points_without_any_spread_have_axes_without_shares(uploaded: Opened) -> None:
    at = uploaded("silhouettes", "f.csv", b"x,y,cluster\n" + b"1,2,0\n1,2,1\n" * 2)
    assert "first component" in figures(at)
    assert "of the spread" not in figures(at)


SQUARE = "a,b,c,d,cluster\n0,1,6,7,u\n1,0,5,6,u\n6,5,0,1,v\n7,6,1,0,v\n"


def test_distances_are_shown_without_a_choice_of_distance(uploaded: Opened) -> None:
    at = uploaded("silhouettes", "f.csv", SQUARE.encode())
    assert not at.exception
    # Of a: own 1, other (6 + 7) / 2; of b: own 1, other 5.5; and the same on the other side.
    assert f"Mean silhouette {1 - (2 / 6.5 + 2 / 5.5) / 4:.3f}" in html(at)
    assert {box.key for box in at.selectbox} & {"distance", "axes"} == {"axes"}
    assert "first axis" in figures(at)
    assert not [box for box in at.toggle if box.key != "all-rows"]


def test_categories_are_matched_without_a_choice_of_distance(uploaded: Opened) -> None:
    content = b"colour,size,cluster\nred,S,u\nred,M,u\nblue,S,v\nblue,M,v\n"
    at = uploaded("silhouettes", "f.csv", content, feature=["colour", "size"])
    assert not at.exception
    assert "Mean silhouette 0.333" in html(at)
    assert not [box for box in at.selectbox if box.key == "distance"]


@pytest.mark.parametrize("content", [SQUARE, SQUARE.replace(",v", ",u")], ids=["two", "one"])
@pytest.mark.parametrize("page", ["overview", "clusterings", "agreement", "data"])
def test_pages_that_need_no_coordinates_take_distances(
    uploaded: Opened, page: str, content: str
) -> None:
    lines = content.splitlines()
    text = "\n".join(
        [f"{lines[0]},k2", *(f"{row},{k}" for row, k in zip(lines[1:], "0011", strict=True))]
    )
    at = uploaded(page, "f.csv", text.encode(), cluster=["c=cluster", "k=k2"])
    assert not at.exception


@pytest.mark.slow
def test_ten_thousand_clusters_stay_fast_and_readable(uploaded: Opened) -> None:
    rng = np.random.default_rng(0)
    rows = np.column_stack([rng.normal(size=(12_000, 2)).round(3), np.arange(12_000) % 10_000])
    content = "x,y,cluster\n" + "\n".join(f"{x},{y},{k:.0f}" for x, y, k in rows)
    began = time.process_time()
    at = uploaded("silhouettes", "f.csv", content.encode())
    assert not at.exception
    assert time.process_time() - began < 12  # of two processors; the wall clock shows a fraction
    assert "of these 24 clusters" in figures(at)
    assert len(at.dataframe[0].value) == 10_000


def test_features_and_clusters_in_two_files_make_one_page(empty: Opened) -> None:
    features = b"id,x,y\n1,0,0\n2,0,2\n3,8,0\n4,8,2\n"
    clusters = b"id,cluster\n4,q\n1,p\n3,q\n2,p\n"
    token = store.keep([("features.csv", features), ("clusters.csv", clusters)])
    at = empty("silhouettes", data=token)
    assert not at.exception
    assert "0 of 4 points" in html(at)


def test_a_row_without_a_feature_is_left_out_and_keeps_its_number(uploaded: Opened) -> None:
    content = b"x,y,cluster\n0,1,a\n,2,a\n0,2,a\n9,9,b\n9,8,b\n"
    at = uploaded("silhouettes", "f.csv", content)
    assert not at.exception
    assert "of 4 points" in html(at)
    assert set(at.dataframe[1].value["row"]) == {1, 3, 4, 5}
    at = uploaded("data", "f.csv", content)
    assert "1 of 5 rows has no" in html(at)


def test_text_where_a_feature_belongs_is_named_by_its_row(uploaded: Opened) -> None:
    content = b"x,y,cluster\n0,1,a\nabc,2,a\n9,9,b\n9,8,b\n"
    at = uploaded("data", "f.csv", content, feature=["x", "y"])
    assert not at.exception
    assert "row 2" in html(at) + " ".join(error.value for error in at.error)


@pytest.mark.parametrize("page", ["silhouettes", "clusterings", "grouping", "overview"])
def test_constant_features_and_one_place_for_all_points_give_a_page(
    uploaded: Opened, page: str
) -> None:
    content = b"x,y,k_a,k_b\n" + b"5,7,0,1\n5,7,1,1\n" * 6
    address = {"task": "clustering", "cluster": ["a=k_a", "b=k_b"], "feature": ["x", "y"]}
    at = uploaded(page, "f.csv", content, **address, standardise="true", gap="true")
    assert not at.exception
    assert "nan" not in figures(at)


def test_codes_are_made_categories_on_the_data_page(uploaded: Opened) -> None:
    content = b"colour,size,cluster\n" + b"1,10,u\n1,20,u\n2,10,v\n2,20,v\n" * 3
    at = uploaded("data", "f.csv", content)
    (kind,) = (box for box in at.selectbox if box.label == "Read features as")
    kind.select(FeatureKind.CATEGORIES)
    next(button for button in at.button if button.label == "Use these columns").click().run()
    assert not at.exception
    assert at.query_params["feature-kind"] == "categories"
    assert "Now 2 columns of categories" in html(at) + " ".join(c.value for c in at.caption)
    assert any("--feature-kind categories" in code.value for code in at.code)


def test_words_offered_as_features_are_taken_with_a_click(uploaded: Opened) -> None:
    content = b"colour,size,cluster\n" + b"red,S,u\nred,M,u\nblue,S,v\nblue,M,v\n" * 3
    at = uploaded("overview", "f.csv", content, truth="", cluster="=cluster")
    assert "nothing to judge them by yet" in html(at)
    next(button for button in at.button if button.label.startswith("Use")).click().run()
    assert not at.exception
    assert at.session_state["view"].choices.features == ("colour", "size")
    assert "separates its clusters" in html(at)
