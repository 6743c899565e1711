"""What values prove: residuals, one-hot truths, totals, and what is no row at all."""

import io
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalread.dataset import Dataset

from .files import codes, jsonl, loaded, notice, refused

TRUTH = np.array([10.5, 12.0, 9.25, 11.0, 8.5])
SAID = np.array([10.0, 12.5, 9.0, 11.75, 8.0])


def table(**columns: Any) -> str:
    rows = zip(*columns.values(), strict=True)
    return "\n".join(",".join(map(str, row)) for row in (columns, *rows)) + "\n"


def fitted(name: str, residual: np.ndarray, said: str = "b") -> Dataset:
    columns = {"other": [3.5, 1.25, 4.5, 1.75, 5.25], said: SAID, "a": TRUTH, name: residual}
    return loaded(table(**columns))


def test_a_residual_is_the_truth_minus_its_prediction() -> None:
    roles = fitted("residual", TRUTH - SAID).roles
    assert (roles.truth, roles.reasons["a"].text) == ("a", 'the column "residual" proves it')
    assert [model.prediction for model in roles.models.values()] == ["b"]


def test_an_error_may_have_either_sign_so_that_a_name_must_tell() -> None:
    for error in (TRUTH - SAID, SAID - TRUTH):
        assert fitted("error", error, said="a_pred").roles.truth == "a"
    assert refused(table(x=[3.5, 1.25, 4.5, 1.75, 5.25], b=SAID, a=TRUTH, error=SAID - TRUTH)).code


def test_an_absolute_error_proves_a_pair_that_names_put_in_order() -> None:
    assert fitted("abs_error", abs(TRUTH - SAID), said="b_pred").roles.truth == "a"
    assert refused(table(x=TRUTH[::-1], b=SAID, a=TRUTH, abs_error=abs(TRUTH - SAID))).code


@pytest.mark.parametrize("right", ["True", "1", "correct"])
def test_what_is_called_correct_says_where_the_prediction_is_the_truth(right: str) -> None:
    seen = ["cat", "dog", "dog", "cat", "cat", "dog", "cat", "dog", "cat", "dog"]
    said = ["cat", "cat", "dog", "cat", "dog", "dog", "cat", "dog", "cat", "cat"]
    correct = [right if a == b else f"no{right}" for a, b in zip(seen, said, strict=True)]
    others = {"kind": ["big", "small"] * 5, "guess_of_it": said, "is_correct": correct}
    roles = loaded(table(colour=["red", "blue"] * 5, animal=seen, **others)).roles
    assert (roles.truth, roles.reasons["animal"].text) == (
        "animal",
        'the column "is_correct" proves it',
    )
    spoilt = {**others, "is_correct": correct[::-1]}
    unproven = loaded(table(colour=["red", "blue"] * 5, animal=seen, **spoilt)).roles
    assert "proves" not in unproven.reasons["animal"].text


def test_a_residual_of_other_columns_proves_nothing() -> None:
    spoilt = TRUTH - SAID
    spoilt[2] += 1
    text = table(x=[3.5, 1.25, 4.5, 1.75, 5.25], b=SAID, a=TRUTH, residual=spoilt)
    assert refused(text).code in {"no-truth", "ambiguous"}


def test_an_infinite_residual_or_number_proves_nothing() -> None:
    for place, gaps in ((0, TRUTH - SAID), (1, np.append((TRUTH - SAID)[:-1], np.inf))):
        truth = TRUTH if place else np.append(np.inf, TRUTH[1:])
        text = table(x=[3.5, 1.25, 4.5, 1.75, 5.25], b=SAID, a=truth, residual=gaps)
        assert refused(text).code in {"no-truth", "ambiguous"}


def test_columns_that_are_not_one_in_each_row_are_several_targets() -> None:
    text = table(true_a=[1, 0, 1], true_b=[1, 1, 0], pred_a=[0.9, 0.2, 0.8], pred_b=[0.6, 0.7, 0.1])
    assert refused(text).code == "ambiguous"


def test_what_predicts_another_column_is_no_model_of_the_truth() -> None:
    text = table(
        toxic=[1, 0, 1], rude=[1, 1, 0], pred_toxic=[0.9, 0.2, 0.8], rude_p=[0.6, 0.7, 0.1]
    )
    for truth, said in (("toxic", "pred_toxic"), ("rude", "rude_p")):
        models = loaded(text, truth=truth).roles.models
        assert [model.score for model in models.values()] == [said]


def test_a_model_called_like_another_column_stays_where_none_is_called_like_the_truth() -> None:
    data = loaded("y_true,rf,rf_score,gbm_score\n1,a,0.9,0.8\n0,b,0.2,0.3\n1,c,0.7,0.1\n")
    assert list(data.models) == ["rf", "gbm"]


def test_which_file_has_the_truth_is_said() -> None:
    files = ("solution.csv", b"id,sold\na,1\nb,0\n"), ("mine.csv", b"id,sold\na,0.9\nb,0.2\n")
    data = loaded(*files)
    assert (data.roles.truth, data.roles.id) == ("sold", "id")
    assert data.roles.reasons["sold"].text == "by the names of the files"
    assert '"solution.csv" is read as the truth' in notice(data, "truth-file")
    nameless = ("a.csv", files[0][1]), ("b.csv", b"id,sold\na,0\nb,1\n")
    assert refused(*nameless).code == "ambiguous"


def test_a_total_is_left_out_only_where_it_is_one() -> None:
    rows = "id,y,p\na,1.5,1\nb,2.5,2\nc,4.5,4\n"
    assert (
        loaded(rows + "Total,8.5,7\n").rows_used
        == loaded(rows + "Mean,2.833,2.333\n").rows_used
        == 3
    )
    assert notice(loaded(rows + "Total,8.5,7\n"), "total-row").startswith('The last row ("Total")')
    assert loaded(rows + "Total,3.5,9\n").rows_used == 4
    assert loaded(rows + "Total,8.5,9\n").rows_used == 4
    assert loaded(rows + "Total,,7\n").rows_used == 3


def test_a_class_called_average_at_the_end_is_a_class() -> None:
    data = loaded("y,pred\ngood,good\nbad,good\ngood,bad\naverage,good\n")
    assert data.rows_used == 4


@pytest.mark.parametrize(
    "text",
    [
        "id,word,y,pred\n0,the,O,O\n1,cost,X,O\n2,is,O,X\n3,total,X,X\n",
        "word,y,pred\nthe,O,O\ncost,X,O\nis,O,X\ntotal,X,X\n",
        "word,i,y,pred\na,0,1,1\nb,1,0,0\nc,2,1,0\ntotal,3,0,1\n",
    ],
)
def test_a_word_for_a_total_beside_labels_is_an_example(text: str) -> None:
    data = loaded(text)
    assert data.rows_used == 4
    assert "total-row" not in codes(data)


def test_lists_in_the_first_column_name_no_classes() -> None:
    frame = pd.DataFrame({"point": [[0.1], [0.3]], "truth": [0, 1], "score": [0.2, 0.9]})
    held = io.BytesIO()
    frame.to_parquet(held)
    assert loaded(("frame.parquet", held.getvalue())).roles.truth == "truth"


def test_a_word_for_nothing_known_is_a_class_and_said_to_be() -> None:
    data = loaded("y,pred\nyes,yes\nno,no\nNA,no\nyes,no\n")
    assert data.classes == ("NA", "no", "yes")
    assert notice(data, "missing-code").startswith('"NA" is a class of "y" here, in 1 of 4 rows')
    alone = loaded("y,pred\nyes,yes\nyes,yes\nNA,NA\nyes,yes\n")
    assert notice(alone, "missing-word").startswith('"NA" is a class here, in 1 row.')
    assert (
        "leave out the rows whose truth is"
        in refused("y_true,score\nyes,0.9\nno,0.2\nNA,0.4\n").message
    )


def test_a_split_without_training_rows_is_no_reason_to_warn() -> None:
    rows = "y,score,split\n1,0.9,{}\n0,0.2,test\n1,0.8,test\n0,0.1,val\n"
    assert "training-rows" in codes(loaded(rows.format("train")))
    assert "training-rows" not in codes(loaded(rows.format("test")))


def test_two_scores_that_add_up_to_one_are_perhaps_one_model() -> None:
    home, away = [0.9, 0.2, 0.6], [0.1, 0.8, 0.4]
    data = loaded(table(home_win=[1, 0, 1], home_win_prob=home, away_win_prob=away))
    assert "add up to 1 in every row" in notice(data, "two-sides")
    other = loaded(table(home_win=[1, 0, 1], home_win_prob=home, away_win_prob=[0.1, 0.8, 0.5]))
    assert "two-sides" not in codes(other)


def test_a_cluster_beside_a_yes_or_no_and_its_probability_is_perhaps_a_feature() -> None:
    numbers = {
        "a": [0.1, 3.2, 0.4, 7.5],
        "cluster": [0, 1, 0, 2],
        "probability": [0.9, 0.2, 0.7, 1],
    }
    assert loaded(table(**numbers)).clusterings
    owner = loaded(table(**numbers, owns=[1, 0, 1, 1]))
    assert owner.roles.truth == "owns"
    assert owner.notices[0].code == "guessed-truth"
    assert loaded(table(**numbers, y_true=[1, 0, 1, 1])).roles.truth == "y_true"


def test_a_score_of_no_class_is_said_to_be_left_out() -> None:
    data = loaded("label,pred,conf\na,a,0.9\nb,c,0.8\nc,c,0.7\n")
    assert notice(data, "score-of-no-class").startswith('"conf" is named like a score')


def test_lists_whose_places_mean_nothing_known_are_left_out_beside_labels() -> None:
    data = loaded('label,pred,probs\na,a,"[0.9, 0.1]"\nb,a,"[0.6, 0.4]"\n')
    assert notice(data, "list-cells").startswith('"probs" holds lists')
    assert list(data.models) == ["pred"]


@pytest.mark.parametrize("cell", ["[0.25]", "[[0.25]]", "[]", "[True]", "{'a': ['b', {}]}", "['"])
def test_cells_of_any_nesting_are_read_or_refused(cell: str) -> None:
    rows = [{"label": 1, "pred": cell}, {"label": 0, "pred": cell}]
    for text in (jsonl(*rows), table(label=[1, 0], pred=[f'"{cell}"'] * 2)):
        if cell == "[0.25]":
            assert loaded(text).models["pred"].score.tolist() == [0.25, 0.25]
        else:
            assert refused(text).code


@pytest.mark.parametrize("late", ['{"a": 1}', "[1, 2]", '"x"', "[[1]]", "[0.5", "[true]"])
def test_a_late_cell_that_is_no_list_of_one_is_refused_by_its_row(late: str) -> None:
    rows = "".join(f"{row % 2},[0.{row % 7}]\n" for row in range(120))
    quoted = late.replace('"', '""')
    error = refused(f'label,pred\n{rows}1,"{quoted}"\n')
    assert (error.code, error.rows) == ("list-cells", (121,))


@pytest.mark.parametrize(
    ("late", "used"), [("[]", 120), ("NA", 120), ("[null]", 120), ("0.5", 121)]
)
def test_a_late_number_without_its_list_is_a_number_and_a_blank_is_missing(
    late: str, used: int
) -> None:
    rows = "".join(f"{row % 2},[0.{row % 7}]\n" for row in range(120))
    assert loaded(f"label,pred\n{rows}1,{late}\n").rows_used == used


def test_an_object_in_plain_columns_is_not_said_to_be_left_out() -> None:
    cells = [{"label": "a", "score": 0.9}, {"label": "b", "score": 0.2}] * 2
    data = loaded(jsonl(*({"truth": cell["label"], "prediction": cell} for cell in cells)))
    assert not codes(data) & {"list-cells"}
    assert not any("not used" in notice.message for notice in data.notices)


def test_a_yes_or_no_for_each_class_is_no_two_models() -> None:
    cells = [{"0": True, "1": False}, {"0": False, "1": True}]
    rows = [{"truth": k % 2, "prediction": cells[k % 2]} for k in range(4)]
    assert 'Column "prediction" holds objects.' in refused(jsonl(*rows)).message
    data = loaded(jsonl(*({**row, "pred": row["truth"]} for row in rows)))
    assert list(data.models) == ["pred"]
    assert notice(data, "list-cells").startswith('"prediction" holds lists')


def test_a_row_without_any_probability_lacks_them_once() -> None:
    data = loaded("label,p_a,p_b,p_c\na,1,0,0\nb,0,1,0\nc,0,0,1\na,,,\nb,0,,1\n")
    assert "2 of 5 rows are left out (2 have no probability)" in notice(data, "missing-values")


def test_lists_of_one_number_are_counted_in_the_singular() -> None:
    assert "(1 number per cell)" in refused('label,pred\n0,"[[1]]"\n1,"[[0]]"\n').message


def test_a_probability_beside_a_value_is_not_at_once_of_the_label_and_of_a_class() -> None:
    data = loaded("y,predicted_y,probability,prediction_value\n0,0,0.2,0.2\n1,1,0.8,0.7\n")
    assert data.table.source.tool is None
    assert "confidence" not in codes(data)


def test_a_field_that_only_late_objects_have_is_a_column_too() -> None:
    rows = [{"truth": k % 2, "out": {"model": "a", "score": k / 200}} for k in range(120)]
    rows += [{"truth": 1, "out": {"model": "a", "score": 0.5, "late": 7}}]
    table = loaded(jsonl(*rows)).table
    assert set(table.names) == {"truth", "out.model", "out.score", "out.late"}
    assert "out" in loaded(jsonl(*rows, {"truth": 0, "out": "none"})).table.names


def test_what_was_right_follows_from_answers_that_stand_beside_it() -> None:
    gold, said = ["A", "B", "C", "A", "B"] * 4, ["A", "B", "A", "B"] * 5
    right = [int(a == b) for a, b in zip(gold, said, strict=True)]
    for names in (("gold_answer", "model_answer"), ("first", "second_pred")):
        columns = {"item": range(20), names[0]: gold, names[1]: said, "is_correct": right}
        roles = loaded(table(**columns)).roles
        assert (roles.truth, roles.task.value) == (names[0], "multiclass")
