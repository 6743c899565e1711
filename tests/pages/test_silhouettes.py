"""The page of silhouettes: every distance, every plane, the rows behind, odd data."""

import numpy as np
import pytest
from sklearn.metrics import silhouette_samples
from sklearn.preprocessing import StandardScaler
from streamlit.testing.v1 import AppTest

from evalcore.intake import load
from evalcore.outcomes import Clustering, Points
from pages.session import clusterings, store
from pages.widgets.silhouette_parts import DISTANCES
from tests.pages.hostile import HOSTILE
from tests.pages.test_values_overview import Opened, html


def figures(at: AppTest) -> str:
    return " ".join(chart.proto.alt for chart in at.get("plotly_chart"))


@pytest.fixture(scope="module")
def iris() -> Points:
    dataset = load([("iris.csv", (store.SAMPLES / "iris.csv").read_bytes())])
    found = dataset.clusterings["kmeans_k3"]
    assert isinstance(found, Points)
    return found


@pytest.mark.parametrize("distance", ["Euclidean", "Manhattan", "cosine"])
@pytest.mark.parametrize("scaled", [False, True])
def test_the_page_says_what_scikit_learn_finds(
    loaded: Opened, iris: Points, distance: str, scaled: bool
) -> None:
    features = StandardScaler().fit_transform(iris.features) if scaled else iris.features
    known = silhouette_samples(features, iris.cluster, metric=DISTANCES[distance])
    address = {"distance": distance, "standardise": str(scaled).lower()}
    at = loaded("silhouettes", sample="iris", shown="kmeans_k3", **address)
    assert not at.exception
    assert f"{(known < 0).sum()} of 150 points" in html(at)
    assert f"Mean silhouette {known.mean():.3f}" in html(at)
    table = at.dataframe[0].value
    of_first = known[iris.cluster == 0]
    assert table["mean silhouette"][0] == pytest.approx(of_first.mean())
    shown = at.dataframe[1].value["silhouette"]
    np.testing.assert_allclose(shown, np.sort(known), atol=1e-9)


@pytest.mark.parametrize("axes", ["neighbourhoods (t-SNE)", "sepal_length×petal_width"])
def test_points_are_laid_out_as_the_address_says(loaded: Opened, axes: str) -> None:
    at = loaded("silhouettes", sample="iris", axes=axes)
    assert not at.exception
    words = "no unit" if "t-SNE" in axes else "Points by sepal_length and petal_width"
    assert words in figures(at)


def test_the_rows_of_one_cluster_are_listed(loaded: Opened, iris: Points) -> None:
    at = loaded("silhouettes", sample="iris", shown="kmeans_k3", cluster="1")
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
    Selected.points = ({"customdata": "<b>"},)
    clusterings.take_cluster("map", clustering)
    assert state[clusterings.CLUSTER] == "b"


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
