"""What was misread once: each rule with a file that it mends and one that it leaves alone."""

import pytest

from evalcore.outcomes import BinaryOutcomes
from evalread.dataset import Task

from .files import csv, loaded, refused

ROWS = range(20)


def table(header: str, *cells: str) -> str:
    """Return a table of 20 rows, in which each column repeats its words in turn."""
    columns = [words.split() for words in cells]
    rows = [",".join(words[k % len(words)] for words in columns) for k in ROWS]
    return "\n".join([header, *rows]) + "\n"


def test_no_column_is_its_own_prediction() -> None:
    data = loaded(table("diagnosis,model_call,risk", "sick well", "sick sick well", "0.9 0.2 0.7"))
    assert data.roles.truth == "diagnosis"
    assert set(data.models) == {"model_call", "risk"}
    paired = loaded(table("income,predicted_income,age", "1.5 2.5 4", "2 3.5 4.2", "30 40 50"))
    assert paired.roles.truth == "income"


def test_sizes_are_no_model_in_a_table_of_scores() -> None:
    datasets = " ".join(f"set{k}" for k in ROWS)
    sizes = loaded(table("dataset,n,n_features,a,b", datasets, "100 250", "4 9", "0.8 0.7", "0.9"))
    assert sizes.roles.folds is not None
    assert list(sizes.roles.folds.scores) == ["a", "b"]
    shares = loaded(table("dataset,n,m", datasets, "0.8 0.7", "0.9 0.6"))
    assert shares.roles.folds is not None
    assert list(shares.roles.folds.scores) == ["n", "m"]


def test_training_scores_are_seen_inside_a_word() -> None:
    rows = "".join(f"s{k},{m},0.99,0.8{k}\n" for k in range(9) for m in "ab")
    data = loaded(f"dataset,model,CV_TrainAcc,TestAcc\n{rows}")
    assert data.roles.folds is not None
    assert list(data.roles.folds.scores.values()) == ["TestAcc"]
    strain = loaded(f"dataset,model,strainScore,what\n{rows}")
    assert strain.roles.folds is not None
    assert list(strain.roles.folds.scores.values()) == ["strainScore"]


FRAME = "fit_time,score_time,test_f1,model\n" + "".join(
    f"0.1,0.0{k},0.8{k},{model}\n" for model in ("svm", "forest") for k in range(5)
)


def test_a_frame_of_cross_validate_has_a_fold_per_row_of_each_model() -> None:
    scores = loaded(FRAME).fold_scores
    assert scores is not None
    assert scores.models == ("svm", "forest")
    assert scores.fold == ("1", "2", "3", "4", "5")
    assert scores.score[:, 2].tolist() == [0.82, 0.82]


def test_a_fold_that_is_there_already_is_kept() -> None:
    header, *rows = FRAME.splitlines()
    named = "\n".join([f"{header},fold", *(f"{row},f{k % 5}" for k, row in enumerate(rows))])
    scores = loaded(named + "\n").fold_scores
    assert scores is not None
    assert scores.fold == ("f0", "f1", "f2", "f3", "f4")


def test_labels_in_other_words_give_way_to_those_of_the_truth() -> None:
    cells = ("sport family", "sport-car family-car", "sport sport family")
    data = loaded(table("true_label,predicted_label,predicted_class", *cells))
    assert [model.label for model in data.roles.models.values()] == ["predicted_class"]
    alone = refused(table("true_label,predicted_label", *cells[:2]))
    assert alone.code == "labels-differ"
    other_spelling = loaded(table("y_true,a_pred,b_pred", "1 0", "True False", "1 1 0"))
    assert len(other_spelling.models) == 2


def test_words_are_no_predicted_numbers() -> None:
    numbers = (" ".join(f"{k}.5" for k in ROWS), " ".join(f"{k}.25" for k in ROWS))
    data = loaded(table("actual_votes,forecast_type,forecast", numbers[0], "lite full", numbers[1]))
    assert [model.prediction for model in data.roles.models.values()] == ["forecast"]
    spoilt = "".join(f"{k}.5,{k}.25\n" for k in ROWS) + "3.5,none given\n"
    assert refused(f"y,pred\n{spoilt}").code == "not-numeric"


def test_the_rarer_class_is_that_of_fewer_counted_rows() -> None:
    counts = "truth,label,count\nC,C,47\nC,U,31\nU,C,327\nU,U,2950\n"
    assert loaded(counts).roles.positive == "C"
    assert loaded(counts.replace("2950", "2").replace("327", "3")).roles.positive == "U"
    assert loaded(counts, weight="").roles.positive == "U"  # the second of two as frequent


def test_one_probability_named_after_a_class_is_about_it() -> None:
    data = loaded(table("winner,home_prob", "home away", "0.8 0.3 0.6"))
    assert data.roles.positive == "home"
    (model,) = data.models.values()
    assert isinstance(model, BinaryOutcomes)
    assert model.score is not None
    assert model.score[0] == 0.8
    several = loaded(table("kind,tree_score,wood_score", "tree rock", "0.8 0.3", "0.7 0.4 0.6"))
    assert set(several.models) == {"tree", "wood"}


@pytest.mark.parametrize("name", ["leiden", "louvain", "Hierarchical_Labels", "MeanShift_Labels"])
def test_more_ways_to_cluster_are_known_by_name(name: str) -> None:
    data = loaded(table(f"x,y,{name}", "1.5 2.5 3.5", "0.1 0.7", "0 1 2"))
    assert list(data.roles.clusterings) == [name]
    assert data.roles.features == ("x", "y")


def test_what_is_called_like_a_known_clustering_is_one_too() -> None:
    data = loaded(table("x,KMeans_Labels,Mine_Labels,x_count", "1.5 2.5", "0 1", "1 0 2", "3 4"))
    assert list(data.roles.clusterings) == ["KMeans_Labels", "Mine_Labels"]
    assert data.roles.features == ("x", "x_count")


def test_objects_on_several_lines_are_rows() -> None:
    text = "".join(f'{{"y_true": "{"ab"[k % 2]}",\n "y_pred": "a"}}\n' for k in ROWS)
    data = loaded(("p.jsonl", text.encode()))
    assert (data.roles.task, data.rows_used) == (Task.BINARY, 20)
    cut_off = refused(("p.jsonl", text[:-9].encode()))
    assert cut_off.code == "not-json"
    assert "cut off" in cut_off.message


def test_what_follows_an_object_may_be_no_object_and_the_objects_many() -> None:
    deep = refused(("p.json", b'{"a": 1}\n' + b"[" * 100_000))
    assert deep.code == "not-json"
    many = b'{"y_true": 1,\n"y_pred": 1}\n{"y_true": 0,\n"y_pred": 1}\n' * 20_000
    assert loaded(("p.json", many)).rows_used == 40_000


def test_a_truth_without_a_value_is_named() -> None:
    blank = refused(csv(table("age,predicted,outcome", "30.5 41.5 28", "0 1", "NA")))
    assert blank.code == "no-truth"
    assert '"outcome" is called so, but has no value in any row.' in blank.message
