import pytest

from .files import csv, loaded, notice, refused, zipped

TRUTH = csv("id,truth\n1,0\n2,1\n3,1\n", "truth.csv")


def scores(data) -> dict[str, list[float]]:
    return {name: model.score.tolist() for name, model in data.models.items()}


def test_a_solution_and_a_submission_are_joined_on_their_id() -> None:
    data = loaded(TRUTH, csv("id,score\n3,0.9\n1,0.2\n2,0.7\n", "rf.csv"))
    assert scores(data) == {"score": [0.2, 0.7, 0.9]}
    assert notice(data, "reordered") == (
        '"rf.csv" has its rows in another order; they were matched by "id".'
    )


@pytest.mark.parametrize("order", [0, 1])
def test_the_solution_leads_whichever_file_comes_first(order: int) -> None:
    files = [
        csv("id,target\n1,0\n2,1\n3,1\n", "test.csv"),
        csv("id,target\n3,0.9\n1,0.2\n2,0.7\n", "mine.csv"),
    ]
    data = loaded(*files[:: -1 if order else 1])
    assert data.roles.truth == "target"
    assert list(scores(data).values()) == [[0.2, 0.7, 0.9]]


def test_a_file_per_model_makes_a_model_of_each_file() -> None:
    data = loaded(
        csv("id,y_true,y_score\n1,0,0.2\n2,1,0.7\n3,1,0.9\n", "rf.csv"),
        csv("id,y_true,y_score\n3,1,0.3\n2,1,0.6\n1,0,0.4\n", "svm.csv"),
    )
    assert scores(data) == {"rf": [0.2, 0.7, 0.9], "svm": [0.4, 0.6, 0.3]}
    assert data.roles.truth == "y_true"


def test_two_models_that_say_the_same_stay_two() -> None:
    text = "id,y_true,y_score\n1,0,0.2\n2,1,0.7\n"
    assert list(loaded(csv(text, "a.csv"), csv(text, "b.csv")).models) == ["a", "b"]


def test_class_columns_of_several_files_go_with_their_file() -> None:
    probabilities = "id,S,C,Q\n1,0.5,0.3,0.2\n2,0.1,0.8,0.1\n3,0,0,1\n"
    data = loaded(
        csv("id,port\n1,S\n2,C\n3,Q\n", "truth.csv"),
        csv(probabilities, "rf.csv"),
        csv(probabilities, "lr.csv"),
    )
    assert list(data.models) == ["rf", "lr"]
    assert dict(data.roles.models["rf"].probabilities) == {c: f"rf: {c}" for c in "SCQ"}


def test_rows_without_a_match_are_counted_on_both_sides() -> None:
    data = loaded(TRUTH, csv("id,score\n1,0.2\n2,0.7\n9,0.5\n8,0.5\n", "rf.csv"))
    assert data.models["score"].rows.tolist() == [1, 2]
    assert notice(data, "unmatched") == '1 of 3 rows has no match in "rf.csv".'
    assert "2 rows of" in notice(data, "surplus")


def test_ids_that_repeat_are_refused_with_file_and_rows() -> None:
    error = refused(TRUTH, csv("id,score\n1,0.2\n1,0.7\n", "rf.csv"))
    assert error.message == (
        '"rf.csv" has 1 id in "id" more than once (rows 1 and 2); rows cannot be matched.'
    )


def test_files_that_disagree_on_the_truth_are_refused() -> None:
    error = refused(
        csv("id,truth,a_score\n1,0,0.2\n2,1,0.7\n", "a.csv"),
        csv("id,truth,b_score\n1,1,0.2\n2,1,0.7\n", "b.csv"),
    )
    assert (error.code, error.rows) == ("truth-differs", (1,))


def test_files_without_a_common_id_are_matched_by_place_with_a_warning() -> None:
    data = loaded(csv("truth\n0\n1\n", "truth.csv"), csv("score\n0.25\n0.5\n", "s.csv"))
    assert scores(data) == {"score": [0.25, 0.5]}
    assert "by their position" in notice(data, "matched-by-position")


def test_files_without_a_common_id_and_of_other_length_are_refused() -> None:
    error = refused(csv("truth\n0\n1\n1\n", "truth.csv"), csv("score\n0.25\n0.5\n", "s.csv"))
    assert error.code == "no-key"
    assert '"truth.csv" 3, "s.csv" 2' in error.message


def test_files_about_other_rows_are_refused() -> None:
    assert refused(TRUTH, csv("id,score\n7,0.2\n8,0.7\n", "rf.csv")).code == "no-match"


def test_the_id_can_be_chosen() -> None:
    files = [
        csv("id,k,truth\n1,a,0\n2,b,1\n", "t.csv"),
        csv("id,k,score\n2,a,0.1\n1,b,0.9\n", "s.csv"),
    ]
    assert list(scores(loaded(*files, id="k")).values()) == [[0.1, 0.9]]
    assert refused(*files, id="nope").code == "no-key"


def test_files_with_other_number_marks_are_joined_by_value() -> None:
    data = loaded(TRUTH, csv("id;score\n1;0,2\n2;0,7\n3;0,9\n", "rf.csv"))
    assert scores(data) == {"score": [0.2, 0.7, 0.9]}


def test_a_zip_of_files_is_the_files() -> None:
    files = [TRUTH, csv("id,score\n1,0.2\n2,0.7\n3,0.9\n", "rf.csv")]
    assert scores(loaded(zipped(*files))) == scores(loaded(*files))


def test_too_many_files_are_refused() -> None:
    assert refused(*[TRUTH] * 51).code == "too-many-files"
    assert refused().code == "no-files"


def test_predictions_of_a_known_tool_keep_their_meaning_when_joined() -> None:
    data = loaded(
        csv("id,label\n1,POSITIVE\n2,NEGATIVE\n", "truth.csv"),
        csv("id,label,score\n1,POSITIVE,0.99\n2,POSITIVE,0.75\n", "hf.csv"),
    )
    (model,) = data.models.values()
    assert data.table.source.tool == "Hugging Face"
    assert model.score.tolist() == [0.99, 0.75]
    assert model.label.tolist() == [1, 1]


@pytest.mark.parametrize(
    "header",
    ["cat,dog,prob_cat,prob_dog", "is_cat,is_dog,p_cat,p_dog", "cat,dog,cat_prob,dog_prob"],
)
def test_a_column_of_0_and_1_per_class_beside_predictions_of_each_is_the_truth(header) -> None:
    rows = "1,0,0.8,0.2\n0,1,0.3,0.7\n0,1,0.6,0.4\n1,0,0.9,0.1\n" * 3
    data = loaded(f"{header}\n{rows}")
    assert data.classes == ("cat", "dog")
    (model,) = data.models.values()
    assert sum(model.truth) == 6


def test_columns_of_0_and_1_beside_a_truth_are_features() -> None:
    rows = "1,0,0.8,0.2,cat\n0,1,0.3,0.7,dog\n0,1,0.6,0.4,dog\n1,0,0.9,0.1,cat\n" * 3
    data = loaded(f"cat,dog,prob_cat,prob_dog,truth\n{rows}")
    assert data.roles.truth == "truth"
    assert "cat" in data.table.names
