"""Files of clusterings: what is a cluster, what a feature, what noise."""

from pathlib import Path

import pytest

from evalcore.outcomes import Points
from evalread.dataset import Dataset, Task

from .files import codes, loaded, notice, refused

ROOT = Path(__file__).parents[2]


def points(data: Dataset, name: str) -> Points:
    found = data.clusterings[name]
    assert isinstance(found, Points)
    return found


def test_clusters_features_and_classes_are_told_apart() -> None:
    data = loaded("x,y,cluster,species\n1,2,0,a\n3,4,1,b\n5,6,1,a\n")
    made = points(data, "cluster")
    assert (data.roles.task, data.models) == (Task.CLUSTERING, {})
    assert (data.roles.features, data.roles.truth, data.classes) == (
        ("x", "y"),
        "species",
        ("a", "b"),
    )
    assert (made.names, made.cluster.tolist()) == (("0", "1"), [0, 1, 1])
    assert made.features.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert data.true_class is not None
    assert data.true_class.codes.tolist() == [0, 1, 0]


def test_minus_one_is_noise_unless_another_label_is() -> None:
    text = "x,y,dbscan\n1,2,-1\n3,4,0\n5,6,1\n7,8,0\n"
    assert points(loaded(text), "dbscan").cluster.tolist() == [-1, 0, 1, 0]
    other = points(loaded(text, noise="0"), "dbscan")
    assert (other.names, other.cluster.tolist()) == (("-1", "1"), [0, -1, 1, -1])
    error = refused(text, noise="7")
    assert error.code == "no-such-label"
    assert '"-1", "0", "1"' in error.message


def test_noise_is_part_of_the_key_of_every_cache() -> None:
    text = "x,y,dbscan\n1,2,-1\n3,4,0\n5,6,1\n7,8,0\n"
    assert loaded(text).digest != loaded(text, noise="0").digest


def test_rows_without_a_feature_are_left_out_by_column_and_row() -> None:
    data = loaded("x,y,cluster\n1,2,0\n,4,1\n5,6,1\n7,8,0\n")
    made = points(data, "cluster")
    assert made.rows is not None
    assert made.rows.tolist() == [1, 3, 4]
    assert notice(data, "missing-feature") == '1 of 4 rows has no "x" (1 blank); 3 rows are used.'
    (told,) = [n for n in data.notices if n.code == "missing-feature"]
    assert (told.rows, told.column) == ((2,), "x")


def test_a_row_without_a_cluster_is_missing_in_that_clustering_only() -> None:
    data = loaded("x,y,kmeans_a,kmeans_b\n1,2,0,0\n3,4,,1\n5,6,1,1\n7,8,0,0\n")
    assert (data.clusterings["kmeans_a"].n, data.clusterings["kmeans_b"].n) == (3, 4)
    assert 'no cluster for "kmeans_a"' in notice(data, "missing-cluster")
    assert data.rows_used == 4


def test_text_among_the_features_is_refused_by_column_and_row() -> None:
    text = "x,y,cluster\n1,2,0\nabc,4,1\n5,6,1\n"
    error = refused(text, clusterings={"": "cluster"}, features=("x", "y"))
    assert (error.code, error.column, error.rows) == ("not-numeric", "x", (2,))
    error = refused(text.replace("abc", "inf"), features=("x", "y"))
    assert (error.code, error.column, error.rows) == ("infinite-score", "x", (2,))


def test_a_clustering_without_a_name_is_called_like_its_column() -> None:
    text = "x,y,a,b\n1,2,0,0\n3,4,1,1\n5,6,1,0\n"
    assert list(loaded(text, clusterings={"": "a"}).clusterings) == ["a"]
    assert list(loaded(text, clusterings={"mine": "a", "b": "b"}).clusterings) == ["mine", "b"]


def test_the_number_of_clusters_in_a_name_tells_a_clustering() -> None:
    data = loaded("x,y,single_k2,vitamin_k2\n1,2,1,0.5\n3,4,2,0.7\n5,6,2,0.9\n7,8,1,0.1\n")
    assert list(data.clusterings) == ["single_k2"]
    assert data.roles.features == ("x", "y", "vitamin_k2")


def test_weights_are_not_ignored_in_silence() -> None:
    data = loaded("x,y,cluster,weight\n1,2,0,1\n3,4,1,2\n5,6,1,1\n", weight="weight")
    assert "not used" in notice(data, "weight-unused")


def test_a_feature_called_weight_is_a_feature() -> None:
    data = loaded("name,height,width,weight,cluster\na,1,2,0.5,0\nb,3,4,2,1\nc,5,6,1,1\n")
    assert data.roles.features == ("height", "width", "weight")
    assert data.roles.weight is None


def test_a_task_without_clusters_asks_for_them() -> None:
    error = refused("x,y\n1.5,2\n3,4.5\n", task=Task.CLUSTERING)
    assert error.code == "no-cluster"
    assert '"x", "y"' in error.message


@pytest.mark.parametrize(
    ("path", "clusterings", "truth"),
    [
        ("assets/samples/iris.csv", 5, "species"),
        ("tests/golden/iris_clusters.csv", 13, "truth"),
    ],
)
def test_real_files_are_told_without_options(path: str, clusterings: int, truth: str) -> None:
    data = loaded((path, (ROOT / path).read_bytes()))
    assert len(data.clusterings) == clusterings
    assert (len(data.roles.features), data.roles.truth, len(data.classes)) == (4, truth, 3)
    assert not codes(data)


@pytest.mark.parametrize("name", ["class", "species", "label"])
def test_classes_written_as_numbers_are_the_truth_and_no_feature(name: str) -> None:
    rows = "".join(f"{i * 0.37:.2f},{i % 5}.5,{i % 2},{i % 3}\n" for i in range(30))
    data = loaded(f"x,y,cluster,{name}\n{rows}")
    assert data.roles.truth == name
    assert data.roles.features == ("x", "y")
