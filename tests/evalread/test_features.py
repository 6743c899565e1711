"""What the columns beside clusters are: numbers, distances to all rows, or categories."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from evalcore.evaluate import evaluate
from evalcore.options import Options
from evalcore.outcomes import Categorical, Clustering, Distances, Points
from evalread.dataset import Dataset, FeatureKind, apply_offer

from .files import codes, csv, loaded, notice, npz, refused

SQUARE = "a,b,c,d,cluster\n0,1,6,7,u\n1,0,5,6,u\n6,5,0,1,v\n7,6,1,0,v\n"
WORDS = "colour,size,cluster\nred,S,u\nred,M,u\nblue,L,v\nblue,M,v\nblue,L,v\nred,S,u\n"
CHOSEN = {"features": ("colour", "size")}


def only(data: Dataset) -> Clustering:
    (made,) = data.clusterings.values()
    return made


def test_a_square_of_distances_is_told_by_its_values() -> None:
    data = loaded(SQUARE)
    made = only(data)
    assert data.roles.feature_kind is FeatureKind.DISTANCES
    assert isinstance(made, Distances)
    assert made.matrix.tolist()[0] == [0, 1, 6, 7]
    assert "4 numeric columns are read as distances" in notice(data, "distances")


def test_other_numbers_may_stand_beside_distances_of_some_rows() -> None:
    places = np.arange(8.0)
    names = [f"d{k}" for k in range(8)]
    rows = [",".join(map(str, [50 - k, *np.abs(places - k), k % 2])) for k in range(8)]
    data = loaded("\n".join([",".join(["height", *names, "cluster"]), *rows]))
    assert data.roles.features == tuple(names)
    assert isinstance(only(data), Distances)


def test_distances_can_be_read_as_features_after_all() -> None:
    data = loaded(SQUARE)
    (offer,) = next(n for n in data.notices if n.code == "distances").offers
    again = loaded(SQUARE, feature_kind=apply_offer(offer, data.table.hints).feature_kind)
    assert isinstance(only(again), Points)
    assert again.digest != data.digest


@pytest.mark.parametrize(
    ("old", "new"),
    [("\n1,0,5,6", "\n2,0,5,6"), ("\n0,1", "\n3,1"), ("6,7,u", "6,-7,u"), ("7,6,1,0,v\n", "")],
    ids=["not symmetric", "diagonal", "negative", "not square"],
)
def test_what_is_no_square_of_distances_stays_features(old: str, new: str) -> None:
    assert isinstance(only(loaded(SQUARE.replace(old, new))), Points)


def test_two_rows_that_are_symmetric_by_chance_stay_features() -> None:
    assert isinstance(only(loaded("x,y,cluster\n0,1,a\n1,0,b\n")), Points)


def test_a_missing_distance_is_named_by_its_rows() -> None:
    error = refused(SQUARE.replace("\n0,1,6,7", "\n0,1,,7"))
    assert (error.code, error.rows, error.column) == ("missing-distance", (1,), "c")


def test_a_row_without_a_cluster_leaves_with_its_column() -> None:
    made = only(loaded(SQUARE.replace("1,0,5,6,u", "1,0,5,6,")))
    assert isinstance(made, Distances)
    assert made.matrix.tolist() == [[0, 6, 7], [6, 0, 1], [7, 1, 0]]
    assert made.rows is not None
    assert made.rows.tolist() == [1, 3, 4]


def test_names_of_rows_and_classes_may_stand_beside_distances() -> None:
    rows = [f"{name},{row}" for name, row in zip("abcd", SQUARE.splitlines()[1:], strict=True)]
    text = "id,a,b,c,d,cluster,species\n" + "\n".join(
        f"{row},{kind}" for row, kind in zip(rows, "xxyx", strict=True)
    )
    data = loaded(text)
    assert (data.roles.feature_kind, data.roles.truth) == (FeatureKind.DISTANCES, "species")


def test_arrays_of_distances_and_labels_are_read_alike() -> None:
    places = np.random.default_rng(0).normal(size=(8, 2)) * 9
    labels = np.repeat([0, 1], 4)
    made = only(loaded(npz(X=cdist(places, places), labels=labels)))
    assert isinstance(made, Distances)
    assert isinstance(only(loaded(npz(X=places, labels=labels))), Points)


def test_numbers_of_distances_are_those_of_the_points() -> None:
    rng = np.random.default_rng(3)
    places, cluster = rng.normal(size=(12, 2)).round(6), np.arange(12) % 3
    names = [f"d{k}" for k in range(12)]
    square = "\n".join(
        ",".join(f"{d!r}" for d in row.tolist()) + f",{c}"
        for row, c in zip(cdist(places, places), cluster, strict=True)
    )
    flat = "\n".join(f"{x!r},{y!r},{c}" for (x, y), c in zip(places.tolist(), cluster, strict=True))
    known = evaluate(loaded(f"x,y,cluster\n{flat}\n"), Options()).clusterings["cluster"].points
    made = evaluate(loaded(",".join(names) + f",cluster\n{square}\n"), Options())
    found = made.clusterings["cluster"]
    for key in ("silhouette", "dunn"):
        assert found.points[key].value == pytest.approx(known[key].value)
    assert "only distances between points" in found.points["calinski_harabasz"].why
    assert found.clusters[0].silhouette == pytest.approx(
        evaluate(loaded(f"x,y,cluster\n{flat}\n"), Options())
        .clusterings["cluster"]
        .clusters[0]
        .silhouette
    )


def test_words_that_are_chosen_as_features_are_matched() -> None:
    data = loaded(WORDS, **CHOSEN)
    made = only(data)
    assert isinstance(made, Categorical)
    assert data.roles.feature_kind is FeatureKind.CATEGORIES
    assert "share of 2 features in which they differ" in notice(data, "matching")
    points = evaluate(data, Options()).clusterings["cluster"].points
    assert points["silhouette"].defined
    assert "no mean" in points["within_ss"].why


def test_words_are_offered_where_there_is_no_feature() -> None:
    made = evaluate(loaded(WORDS, clusterings={"": "cluster"}, truth=""), Options())
    (told,) = [one for one in made.notices if one.code == "no-features"]
    assert told.offers[0].value == ("colour", "size")


def test_few_whole_numbers_are_categories_beside_words_and_measures_are_not() -> None:
    text = (
        WORDS.replace("size", "doors").replace(",S", ",2").replace(",M", ",4").replace(",L", ",5")
    )
    assert isinstance(only(loaded(text, features=("colour", "doors"))), Categorical)
    error = refused(text.replace(",4", ",4.5"), features=("colour", "doors"))
    assert error.code == "mixed-features"
    assert '"colour"' in error.message
    assert '"doors"' in error.message


def test_whole_numbers_that_are_codes_can_be_read_as_categories() -> None:
    coded = WORDS
    for word, code in {"red": "7", "blue": "1", "S": "3", "M": "4", "L": "9"}.items():
        coded = coded.replace(f"{word},", f"{code},")
    data = loaded(coded, feature_kind=FeatureKind.CATEGORIES)
    assert data.roles.features == ("colour", "size")
    mean = [
        evaluate(one, Options()).clusterings["cluster"].points["silhouette"].value
        for one in (data, loaded(WORDS, **CHOSEN), loaded(coded))
    ]
    assert mean[0] == mean[1] != mean[2]


def test_measures_are_no_categories_unless_they_are_chosen() -> None:
    text = "x,code,cluster\n" + "".join(f"{k + 0.25 * k},{k % 3},{k % 2}\n" for k in range(80))
    categories = {"feature_kind": FeatureKind.CATEGORIES}
    assert loaded(text, **categories).roles.features == ("code",)
    chosen = loaded(text, features=("x", "code"), **categories)
    assert isinstance(only(chosen), Categorical)


def test_that_columns_are_distances_cannot_be_said_of_others() -> None:
    data = loaded("x,y,cluster\n1,2,u\n2,2,u\n7,8,v\n", feature_kind=FeatureKind.DISTANCES)
    assert data.roles.feature_kind is FeatureKind.NUMBERS


def test_a_missing_category_leaves_its_row_out() -> None:
    data = loaded(WORDS.replace("red,M", ",M"), **CHOSEN)
    assert only(data).n == 5
    assert '"colour"' in notice(data, "missing-feature")


def test_features_and_clusters_in_two_files_are_joined_by_id() -> None:
    features = "id,x,y\n1,0,1\n2,0,2\n3,9,8\n4,9,9\n"
    clusters = "id,cluster\n4,b\n3,b\n2,a\n1,a\n"
    data = loaded(csv(features, "features.csv"), csv(clusters, "clusters.csv"))
    made = only(data)
    assert isinstance(made, Points)
    assert [made.names[code] for code in made.cluster] == ["a", "a", "b", "b"]
    assert made.features.tolist() == [[0, 1], [0, 2], [9, 8], [9, 9]]
    assert "no-features" not in codes(data)
