"""Files of clusterings: what is a cluster, what a feature, what noise."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from evalcore.outcomes import Points
from evalread.dataset import Choices, Dataset, Task, apply_offer
from evalread.loading import load

from .files import codes, csv, loaded, notice, refused

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
    assert points(loaded(text, noise="0.0"), "dbscan").cluster.tolist() == [0, -1, 1, -1]
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


WRITTEN: dict[str, Callable[[int], object]] = {
    "cell": lambda k: f"AAAC{k}",
    "real": lambda k: round(((k * 37) % 101) * 0.13 + 0.05, 2),
    "share": lambda k: round(((k * 53) % 97) / 97, 3),
    "whole": lambda k: 500 + (k * 37) % 101,
    "word": lambda k: "TBN"[k % 3],
    **{str(size): lambda k, size=size: (k * k + k // 7) % 97 % size for size in range(2, 7)},
}
"""What a column of a made file holds, by the word after its name: a number is that of clusters."""


def made(columns: str, seed: int | None = None) -> str:
    """Return a file of 40 rows with such columns; a seed moves its rows and columns."""
    named = [tuple(column.split("=")) for column in columns.split()]
    rows = list(range(40))
    if seed is not None:
        random.Random(seed).shuffle(named)
        random.Random(seed).shuffle(rows)
    lines = [",".join(str(WRITTEN[of](k)) for _, of in named) for k in rows]
    return "\n".join([",".join(name for name, _ in named), *lines]) + "\n"


SETTLED = [
    (
        "barcode=cell n_genes=whole total_counts=real pct_counts_mt=real leiden_0.4=2 leiden_1.0=3",
        "leiden_0.4 leiden_1.0",
        "",
        "",
    ),
    (
        "leiden_0.4=2 leiden_1.0=3 PC_1=real PC_2=real UMAP_1=real UMAP_2=real",
        "leiden_0.4 leiden_1.0",
        "PC_1 PC_2",
        "",
    ),
    ("id=cell k2=2 k3=3 k4=4 k5=5 k6=6 x1=real x2=real", "k2 k3 k4 k5 k6", "x1 x2", ""),
    ("hclust_ward=3 cut_3=3 cut_4=4 Murder=real", "hclust_ward cut_3 cut_4", "Murder", ""),
    ("cluster=3 x=real dist_to_centroid=real sil_width=share", "cluster", "x", ""),
    ("cluster_id=3 x=real y=real silhouette_width=share", "cluster_id", "x y", ""),
    (
        "kmeans_3=3 kmeans_4=4 income=real spending_score=whole",
        "kmeans_3 kmeans_4",
        "income spending_score",
        "",
    ),
    (
        "consensus_cluster=3 CC_k2=2 CC_k3=3 subtype=word",
        "consensus_cluster CC_k2 CC_k3",
        "",
        "subtype",
    ),
    (
        "orig.ident=word nCount_RNA=whole RNA_snn_res.0.4=2 seurat_clusters=3",
        "RNA_snn_res.0.4 seurat_clusters",
        "",
        "",
    ),
    ("res.0.6=3 res.1.2=4 tSNE_1=real tSNE_2=real", "res.0.6 res.1.2", "tSNE_1 tSNE_2", ""),
    ("true_label=3 cluster_label=3 a=real b=real", "cluster_label", "a b", "true_label"),
    ("phenograph=5 flowsom=6 marker=real", "phenograph flowsom", "marker", ""),
    ("louvain=4 percent.mt=real percent_fat=real", "louvain", "percent_fat", ""),
    ("cluster=4 q_2=3 q_3=3 q_4=5", "cluster", "q_2 q_3 q_4", ""),
]
"""Columns of a file, and of these the clusterings, the features and the truth."""


@pytest.mark.parametrize(("columns", "clusterings", "features", "truth"), SETTLED)
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_clusterings_beside_each_other_are_no_features(
    columns: str, clusterings: str, features: str, truth: str, seed: int | None
) -> None:
    roles = loaded(made(columns, seed)).roles
    assert roles.task is Task.CLUSTERING
    assert set(roles.clusterings) == set(clusterings.split())
    assert set(roles.features) == set(features.split())
    assert roles.truth == truth


@pytest.mark.parametrize(("columns", "clusterings", "features", "truth"), SETTLED)
def test_a_clustering_that_is_asked_for_has_the_same_features(
    columns: str, clusterings: str, features: str, truth: str
) -> None:
    asked = clusterings.split()[0]
    roles = loaded(made(columns), clusterings={"": asked}).roles
    assert list(roles.clusterings) == [asked]
    assert set(roles.features) == set(features.split())


@pytest.mark.parametrize(
    "columns",
    [
        "y_true=2 y_score=share cluster=3",
        "price=real predicted_price=real cluster=3",
        "outcome=2 risk=share cluster_id=3",
    ],
)
def test_clusters_beside_predictions_of_a_truth_are_none(columns: str) -> None:
    assert loaded(made(columns)).roles.task in (Task.BINARY, Task.REGRESSION)


def test_a_file_without_features_says_what_can_be_told() -> None:
    alone = notice(loaded(made("nCount_RNA=whole leiden=3")), "no-features")
    assert "sizes of the clusters" in alone
    assert '"nCount_RNA" describe' in alone
    several = loaded(made("k3=3 k2=2 celltype=word"))
    assert 'agree with each other and "celltype"' in notice(several, "no-features")


def test_coordinates_are_taken_with_an_offer_of_the_other_measures() -> None:
    data = loaded(made("PC_1=real PC_2=real age=real leiden=3"))
    assert data.roles.features == ("PC_1", "PC_2")
    (said,) = [one for one in data.notices if one.code == "coordinates"]
    assert [offer.value for offer in said.offers] == [("age",)]


def wines(header: str, values: str) -> str:
    """Return a file of wines of three classes, two columns of these values, and two measures."""
    of, classes = values.split(), ("red", "white", "pink")
    rows = (
        f"{classes[k % 3]},{of[k // 8]},{of[k % 2]},{12 + k / 8},{k * k / 16}" for k in range(24)
    )
    return "\n".join([header, *rows])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("kmeans3", "ward5"), ("k_means", "hdbscan_2"), ("KMeans3", "MeanShift"),
        ("gmm4", "mean_shift"), ("birch3", "spectral8"), ("leiden2", "affinity_propagation"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("values", ["0 1 2", "u v w"])
def test_columns_called_after_a_method_and_a_number_are_clusterings(
    first: str, second: str, values: str
) -> None:
    text = wines(f"grape,{first},{second},alcohol,ash", values)
    for chosen in (None, Task.CLUSTERING):
        roles = loaded(text, task=chosen).roles
        assert (roles.task, roles.truth) == (Task.CLUSTERING, "grape")
        assert (tuple(roles.clusterings), roles.features) == ((first, second), ("alcohol", "ash"))


@pytest.mark.parametrize("names", ["kmeans,kmeans_b", "kmeans3,ward5"])
def test_what_is_called_after_a_method_and_holds_the_classes_predicts_them(names: str) -> None:
    roles = loaded(wines(f"y_true,{names},alcohol,ash", "red white pink")).roles
    assert (roles.task, roles.truth) == (Task.MULTICLASS, "y_true")
    assert [model.label for model in roles.models.values()] == names.split(",")
    assert loaded("y_true,kmeans2\n0,0\n1,1\n0,1\n1,1\n").roles.task is Task.BINARY


def test_the_one_column_beside_ids_may_be_called_after_a_method() -> None:
    assert set(loaded("id,kmeans\n4,0\n7,1\n9,0\n12,1\n13,1\n15,0\n").clusterings) == {"kmeans"}


def test_measures_called_like_a_method_are_no_clusters() -> None:
    text = "y_true,score,spectral1,spectral2\n1,0.9,0.25,7\n0,0.2,0.5,9\n1,0.7,0.5,8\n"
    assert loaded(text).roles.task is Task.BINARY


# What numbers the rows is no measurement.

NUMBERED = {
    "one to n": lambda k, mixed: k + 1,
    "zero to n - 1": lambda k, mixed: k,
    "shuffled": lambda k, mixed: mixed[k] + 1,
    "from 1000": lambda k, mixed: 1000 + mixed[k],
    "by tens": lambda k, mixed: 10 * mixed[k],
    "downwards": lambda k, mixed: 500 - k,
    "with rows left out": lambda k, mixed: mixed[k] + mixed[k] // 3,
}

MEASURED = {
    "with repeats": lambda k, mixed: min(mixed[k], 57),
    "ids of persons seen twice": lambda k, mixed: mixed[k] // 2,
    "far apart": lambda k, mixed: (mixed[k] * 7919 + 13) ** 2 % 100_003,
    "with decimals": lambda k, mixed: mixed[k] + 0.5 * (k % 3),
}


def numbered(make: Callable[[int, list[int]], float], name: str, rows: int = 60) -> str:
    mixed = random.Random(5).sample(range(rows), rows)
    lines = (
        f"{make(k, mixed)},{mixed[k] % 7 + 0.25},{k % 5 + mixed[k] / 100},{k % 3}"
        for k in range(rows)
    )
    return "\n".join([f"{name},a,b,kmeans", *lines])


@pytest.mark.parametrize("name", ["patient", "nr", "wert"])
@pytest.mark.parametrize("make", NUMBERED.values(), ids=NUMBERED)
def test_what_numbers_the_rows_is_no_feature_and_is_offered_as_one(
    make: Callable[[int, list[int]], float], name: str
) -> None:
    text = numbered(make, name)
    data = loaded(text)
    assert data.roles.features == ("a", "b")
    (told,) = [n for n in data.notices if n.code == "running-number"]
    assert f'"{name}" is no feature' in told.message
    chosen = load([csv(text)], apply_offer(told.offers[0], Choices()))
    assert chosen.roles.features == (name, "a", "b")
    assert "running-number" not in codes(chosen)


@pytest.mark.parametrize("make", MEASURED.values(), ids=MEASURED)
def test_whole_numbers_that_repeat_or_are_far_apart_are_features(
    make: Callable[[int, list[int]], float],
) -> None:
    data = loaded(numbered(make, "nr"))
    assert (data.roles.features, "running-number" in codes(data)) == (("nr", "a", "b"), False)


def test_in_few_rows_one_two_three_may_be_a_measurement() -> None:
    assert loaded(numbered(NUMBERED["one to n"], "nr", rows=12)).roles.features == ("nr", "a", "b")


def test_ranks_of_measurements_are_features_beside_a_running_number() -> None:
    mixed = [random.Random(seed).sample(range(60), 60) for seed in range(3)]
    rows = (f"{k},{mixed[0][k]},{mixed[1][k]},{mixed[2][k]},{k % 3}" for k in range(60))
    data = loaded("\n".join(["nr,a,b,c,kmeans", *rows]))
    assert data.roles.features == ("a", "b", "c")


def test_a_running_number_is_the_only_score_or_truth_when_one_says_so() -> None:
    mixed = random.Random(5).sample(range(60), 60)
    rows = [(k, mixed[k], mixed[k] / 7 + k % 3) for k in range(60)]
    alone = "\n".join(["truth,nr", *(f"{k % 2},{m}" for k, m, _ in rows)])
    assert refused(alone).code == "ambiguous"
    assert loaded(alone, scores={"": "nr"}).roles.models["nr"].score == "nr"
    beside = "\n".join(["truth,nr,fit", *(f"{v + 0.5},{m},{v}" for _, m, v in rows)])
    assert [one.prediction for one in loaded(beside).roles.models.values()] == ["fit"]
    truth = "\n".join(["nr,height,pred", *(f"{m},{v + 0.5},{v}" for _, m, v in rows)])
    assert loaded(truth).roles.truth == "height"
    none = "\n".join(["nr,gpt,llama", *(f"{m},{k % 2},{k % 3 % 2}" for k, m, _ in rows)])
    assert refused(none).code == "no-truth"
