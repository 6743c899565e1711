"""Clusterings and fold scores on the command line: the JSON, the text, the options."""

from pathlib import Path

import pytest

from tests.evalboard.said import Run

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
POINTS = "x,y,alg,species\n0,0,p,a\n0,2,p,a\n8,0,q,b\n8,2,q,a\n4,9,out,b\n"
FOLDS = "which,part,skill,train,test\nA,1,0.7,9,1\nB,1,0.8,9,1\nA,2,0.6,9,1\nB,2,0.9,9,1\n"


@pytest.fixture
def points(tmp_path: Path) -> Path:
    path = tmp_path / "points.csv"
    path.write_text(POINTS, encoding="utf-8")
    return path


@pytest.fixture
def folds(tmp_path: Path) -> Path:
    path = tmp_path / "folds.csv"
    path.write_text(FOLDS, encoding="utf-8")
    return path


ASKED = ["--cluster", "mine=alg", "--feature", "x", "--feature", "y", "--truth", "species"]


def test_whole_numbers_are_categories_on_demand(run: Run, points: Path):
    asked = [*ASKED, "--feature-kind", "categories"]
    said = run("evaluate", points, "--json", *asked).json
    assert said["roles"]["feature_kind"] == "categories"
    assert run("evaluate", points, "--json", *ASKED).json["roles"]["feature_kind"] == "numbers"


def test_clusterings_have_the_contract(run: Run, points: Path):
    said = run("evaluate", points, "--json", *ASKED, "--noise", "out", "--samples").json
    assert (said["task"], said["models"], said["roles"]["features"]) == (
        "clustering",
        {},
        ["x", "y"],
    )
    made = said["clusterings"]["mine"]
    assert (made["n"], made["n_noise"]) == (5, 1)
    assert set(made["metrics"]) == {"points", "agreement"}
    assert made["clusters"][0] | {"silhouette": 0, "spread": 0} == {
        "cluster": "p",
        "n": 2,
        "silhouette": 0,
        "within_ss": 2.0,
        "spread": 0,
        "centre": {"x": 0.0, "y": 1.0},
    }
    assert made["contingency"] == {
        "classes": ["a", "b"],
        "clusters": ["p", "q"],
        "counts": [[2, 1], [0, 1]],
    }
    assert made["samples"][0]["nearest"] == "q"
    assert made["samples"][4] == {"row": 5, "cluster": None, "silhouette": None, "nearest": None}
    assert "silhouette" in made["noise_as_cluster"]


def test_samples_are_there_only_when_asked_for(run: Run, points: Path):
    plain = run("evaluate", points, "--json", *ASKED).json["clusterings"]["mine"]
    assert "samples" not in plain


def test_clusterings_are_text_for_people(run: Run, points: Path):
    said = run("evaluate", points, *ASKED, "--noise", "out", "--samples").out
    for words in ("1 noise", "How the points are grouped", "true classes", "is a", "Each point"):
        assert words in said
    assert "cluster p" in said


def test_inspect_tells_what_clusters_and_folds_are(run: Run, points: Path, folds: Path):
    said = run("inspect", points, *ASKED).out
    assert "clusters of mine" in said
    assert "feature" in said
    words = ["--fold-score", "skill", "--model", "which", "--fold", "part"]
    said = run("inspect", folds, *words, "--train-size", "train", "--test-size", "test").out
    assert "2 models" in said
    assert "training rows" in said
    told = run("inspect", folds, "--json", *words).json["roles"]
    assert (told["truth"], told["fold"]) == (None, "part")
    assert told["fold_scores"]["named_by"] == {"skill": "which"}


def test_folds_are_compared_and_not_evaluated(run: Run, folds: Path):
    words = ["--fold-score", "skill", "--model", "which", "--fold", "part"]
    told = run("compare", folds, "--json", *words).json
    assert (told["design"], told["n"], told["unit"]) == ("folds", 2, "folds")
    assert told["differences"][0]["difference"] == pytest.approx(0.2)
    assert "unknown-metric" in {notice["code"] for notice in told["notices"]}
    refused = run("evaluate", folds, *words)
    assert refused.code == 2
    assert "can be compared" in refused.err


def test_a_metric_names_scores_that_have_none_and_contradicts_no_other(run: Run, folds: Path):
    words = ["--fold-score", "skill", "--model", "which", "--fold", "part"]
    told = run("compare", folds, "--json", *words, "--metric", "rmse").json
    assert told["metric"] == "rmse"
    assert told["standing"]["order"] == ["A", "B"]
    said = run("compare", ROOT / "assets/samples/folds.csv", "--metric", "roc_auc")
    assert said.code == 2
    assert '"accuracy"' in said.err


def test_a_sample_of_folds_is_compared_without_options(run: Run):
    told = run("compare", ROOT / "assets/samples/folds.csv", "--json").json
    assert (told["design"], told["n"], told["metric"]) == ("repeated-folds", 30, "accuracy")


def test_data_sets_are_compared_without_options(run: Run):
    told = run("compare", GOLDEN / "five_by_two_cv_scores.csv", "--json").json
    assert (told["design"], told["n"], told["unit"]) == ("datasets", 3, "data sets")


@pytest.mark.parametrize(
    "name", ["breast_cancer_cv", "diabetes_reg_cv", "iris_clusters", "iris_cv"]
)
def test_golden_files_are_evaluated_without_options(name: str, run: Run):
    said = run("evaluate", GOLDEN / f"{name}.csv", "--json", "--resamples", "100")
    assert said.code == 0
    assert said.json["models"] or said.json["clusterings"]


SQUARE = "a,b,c,d,cluster\n0,1,6,7,u\n1,0,5,6,u\n6,5,0,1,v\n7,6,1,0,v\n"
WORDS = "colour,size,cluster\nred,S,u\nred,M,u\nblue,S,v\nblue,M,v\n"


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_distances_have_the_contract(run: Run, tmp_path: Path):
    path = written(tmp_path, "square.csv", SQUARE)
    told = run("evaluate", path, "--json", "--samples").json
    assert told["roles"]["feature_kind"] == "distances"
    made = told["clusterings"]["cluster"]
    points = made["metrics"]["points"]
    assert points["silhouette"]["value"] == pytest.approx(1 - (2 / 6.5 + 2 / 5.5) / 4)
    assert points["dunn"]["value"] == 5
    assert points["within_ss"]["value"] is None
    assert "nly distances" in points["within_ss"]["undefined"]
    assert made["samples"][0]["silhouette"] == pytest.approx(1 - 1 / 6.5)
    refused = run("evaluate", path, "--json", "--distance", "cosine")
    assert (refused.code, refused.json["error"]["code"]) == (2, "bad-distance")
    assert "distance to" in run("inspect", path).out


def test_words_as_features_are_matched_and_no_other_distance_is_taken(run: Run, tmp_path: Path):
    asked = [written(tmp_path, "words.csv", WORDS), "--feature", "colour", "--feature", "size"]
    told = run("evaluate", *asked, "--json").json
    assert told["roles"]["feature_kind"] == "categories"
    silhouette = told["clusterings"]["cluster"]["metrics"]["points"]["silhouette"]
    assert silhouette["value"] == pytest.approx(1 / 3)
    assert run("evaluate", *asked, "--json", "--distance", "matching").json == told
    assert "choose matching" in run("evaluate", *asked, "--distance", "euclidean").err


def test_features_and_clusters_are_joined_by_id(run: Run, tmp_path: Path):
    features = written(tmp_path, "features.csv", "id,x,y\n1,0,0\n2,0,2\n3,8,0\n4,8,2\n")
    clusters = written(tmp_path, "clusters.csv", "id,cluster\n4,q\n1,p\n3,q\n2,p\n")
    told = run("evaluate", features, clusters, "--json").json
    assert told["roles"]["features"] == ["x", "y"]
    assert [c["within_ss"] for c in told["clusterings"]["cluster"]["clusters"]] == [2, 2]
