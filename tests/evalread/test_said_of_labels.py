"""What a reader says of labels, columns and rows: left out, counted as another, in an order."""

import io

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import (
    accuracy_score,
    cohen_kappa_score,
    matthews_corrcoef,
    precision_recall_fscore_support,
)

from evalcore.evaluate import evaluate
from evalcore.options import Options
from evalread.dataset import Choices, Dataset, Missing, Scale, Task, apply_offer
from evalread.loading import load
from tests.evalread.files import codes, csv, loaded, notice, refused

QUICK = Options(resamples=100)
UNCLEAR = "gold,toxic_score\n" + "".join(
    f"{label},{score}\n"
    for label, score in zip(
        ["toxic", "clean", "unclear", "toxic", "clean"] * 6,
        np.linspace(0.05, 0.95, 30),
        strict=True,
    )
)
BLANK = (
    "truth,prediction\ncar,car\ncar,car\ncar,\ncar,bus\nbus,bus\nbus,\n,bus\nbus,bus\ntruck,truck\n"
)


def matrix(data: Dataset) -> np.ndarray:
    (model,) = evaluate(data, QUICK).models.values()
    (made,) = model.decisions.values()
    return made.confusion.counts


def test_rows_whose_truth_is_an_ignored_label_are_left_out_and_said() -> None:
    data = loaded(UNCLEAR, ignore_labels=("unclear",))
    assert data.roles.task is Task.BINARY
    assert data.classes == ("clean", "toxic")
    assert data.models["toxic_score"].n == 24
    assert notice(data, "ignored-label") == '6 rows whose truth is "unclear" are left out.'


def test_a_label_that_counts_as_another_is_that_class() -> None:
    data = loaded(UNCLEAR, merge_labels={"unclear": "clean"})
    assert data.classes == ("clean", "toxic")
    assert data.models["toxic_score"].n == 30
    assert notice(data, "merged-label") == '"unclear" counts as "clean", in 6 rows.'


def test_labels_of_which_something_is_said_must_be_there() -> None:
    for said in ({"ignore_labels": ("no idea",)}, {"merge_labels": {"no idea": "clean"}}):
        error = refused("truth,pred\na,a\nb,a\nc,c\n", **said)
        assert error.code == "no-such-label"
        assert '"a", "b", "c"' in error.message


def test_a_label_that_is_a_number_is_meant_by_its_value() -> None:
    data = loaded("y,score\n0.0,0.1\n1.0,0.8\n0.5,0.5\n1.0,0.6\n", ignore_labels=("0.50",),
                  task=Task.BINARY)  # fmt: skip
    assert data.models["score"].n == 3


def test_probabilities_of_labels_that_count_as_one_add_up() -> None:
    text = (
        "truth,prob_a,prob_b,prob_c\na,0.5,0.3,0.2\nb,0.1,0.3,0.6\nc,0.2,0.2,0.6\nd,0.2,0.5,0.3\n"
    )
    data = loaded(text, merge_labels={"c": "b", "d": "a"})
    (model,) = data.models.values()
    assert data.classes == ("a", "b")
    assert model.score.tolist() == pytest.approx([0.5, 0.9, 0.8, 0.8])


def test_without_a_word_on_it_a_blank_prediction_is_left_out_with_a_warning() -> None:
    data = loaded(BLANK)
    said = notice(data, "no-prediction")
    assert "2 of 8 rows with a truth have no predicted label" in said
    assert "0.625 (5 of 8), not 0.833" in said
    assert matrix(data).sum() == 6
    assert "no-prediction" not in codes(loaded(BLANK, missing=Missing.LEFT_OUT))


def test_a_blank_prediction_that_counts_as_wrong_is_none_of_the_classes() -> None:
    data = loaded(BLANK, missing=Missing.WRONG)
    (model,) = evaluate(data, QUICK).models.values()
    made = model.decisions["labels"]
    frame = pd.read_csv(io.StringIO(BLANK)).dropna(subset="truth").fillna("(none)")
    truth, said = frame["truth"], frame["prediction"]
    classes = ["bus", "car", "truck"]
    assert made.metrics["accuracy"].value == pytest.approx(accuracy_score(truth, said))
    assert made.metrics["mcc"].value == pytest.approx(matthews_corrcoef(truth, said))
    assert made.metrics["cohen_kappa"].value == pytest.approx(cohen_kappa_score(truth, said))
    for average in ("macro", "micro", "weighted"):
        wanted = precision_recall_fscore_support(truth, said, labels=classes, average=average)
        found = [made.averages[average][key].value for key in ("precision", "recall", "f1")]
        assert found == pytest.approx(wanted[:3])
    each = precision_recall_fscore_support(truth, said, labels=classes)
    found = [made.per_class[name]["recall"].value for name in classes]
    assert found == pytest.approx(each[1])
    assert made.metrics["weighted_kappa_quadratic"].why
    assert np.isnan(made.per_class["(no prediction)"]["precision"].value)


def test_no_class_at_all_is_no_second_class() -> None:
    data = loaded("truth,pred\na,a\na,\na,a\n", missing=Missing.WRONG)
    made = evaluate(data, QUICK).models["pred"].decisions["labels"]
    assert made.metrics["accuracy"].value == pytest.approx(2 / 3)


def test_an_order_may_name_classes_that_no_row_has() -> None:
    text = "y_true,y_pred\n" + "1,2\n2,4\n4,4\n5,4\n2,2\n" * 4
    data = loaded(text, order=("1", "2", "3", "4", "5"), task=Task.MULTICLASS)
    made = evaluate(data, QUICK).models["y_pred"].decisions["labels"]
    frame = pd.read_csv(io.StringIO(text))
    wanted = cohen_kappa_score(frame.y_true, frame.y_pred, labels=[1, 2, 3, 4, 5],
                               weights="quadratic")  # fmt: skip
    assert made.metrics["weighted_kappa_quadratic"].value == pytest.approx(wanted)
    assert made.metrics["balanced_accuracy"].value == pytest.approx((0 + 0.5 + 1 + 0) / 4)
    error = refused(text, order=("1", "2", "3", "4"), task=Task.MULTICLASS)
    assert error.code == "bad-order"


def test_an_ignored_column_plays_no_role() -> None:
    data = loaded("y,pred,score\n1,1,0.9\n0,0,0.3\n1,0,0.6\n", ignore=("score",))
    assert [model.score for model in data.roles.models.values()] == [None]
    assert notice(data, "ignored-column") == 'Column "score" is ignored.'
    error = refused("y,pred\n1,1\n0,0\n", ignore=("scoer",))
    assert error.code == "no-such-column"
    assert refused("y\n1\n0\n", ignore=("y",)).code == "no-columns"


def test_an_ignored_column_of_one_of_several_files_is_left_aside() -> None:
    first = csv("id,truth,note\n1,a,x\n2,b,y\n", "a.csv")
    second = csv("id,pred\n1,a\n2,b\n", "b.csv")
    assert "note" not in loaded(first, second, ignore=("note",)).table.names


LONG = "id,kind,size,truth,score\n" + "".join(
    f"{row},{kind},{size},{row % 2},{(row * 7 + len(kind) * 3 + len(size)) % 10 / 10}\n"
    for kind in ("tree", "net")
    for size in ("s", "xl")
    for row in range(8)
)


@pytest.mark.parametrize("said", [("kind,size",), ("kind", "size"), ("kind, size",)])
def test_columns_that_together_name_the_model_make_one_model_of_each_pair(said) -> None:
    data = loaded(LONG, model_columns=said)
    assert list(data.models) == ["tree s", "tree xl", "net s", "net xl"]
    assert all(model.n == 8 for model in data.models.values())


def test_columns_that_together_name_the_model_of_each_fold_are_read_so() -> None:
    rows = [f"{a},{b},{fold},0.{fold + 4}\n" for a in "xy" for b in "pq" for fold in range(1, 6)]
    data = loaded("left,right,fold,auc\n" + "".join(rows), model_columns=("left,right",))
    assert data.fold_scores is not None
    assert data.fold_scores.models == ("x p", "x q", "y p", "y q")


def test_columns_that_name_the_model_must_be_there() -> None:
    error = refused(LONG, model_columns=("kind,weight",))
    assert error.code == "no-such-column"
    assert '"weight"' in error.message


def test_what_is_said_is_part_of_the_key_of_every_cache() -> None:
    said = [Choices(), Choices(missing=Missing.WRONG), Choices(ignore_labels=("car",)),
            Choices(merge_labels={"car": "bus"})]  # fmt: skip
    digests = {loaded(BLANK, **{k: v for k, v in vars(one).items() if v}).digest for one in said}
    assert len(digests) == len(said)


CONFIDENT = "truth,pred_label,pred_prob\n" + "".join(
    f"{'abcd'[k % 4]},{'abcd'[(k + (k % 5 == 0)) % 4]},{0.4 + (k * 7 % 60) / 100}\n"
    for k in range(120)
)


def test_of_several_classes_the_probability_of_the_label_is_judged_where_it_is_said() -> None:
    data = loaded(CONFIDENT, scale=Scale.CONFIDENCE)
    (model,) = evaluate(data, QUICK).models.values()
    frame = pd.read_csv(io.StringIO(CONFIDENT))
    right = (frame.truth == frame.pred_label).to_numpy()
    bins = np.minimum((frame.pred_prob * 10 + 1e-9).astype(int), 9)
    parts = frame.pred_prob.groupby(bins)
    error = sum(
        len(part) / len(frame) * abs(part.mean() - right[part.index].mean()) for _, part in parts
    )
    assert model.probability["ece_top_label"].value == pytest.approx(error)
    assert model.metrics["labels"]["accuracy"].value == pytest.approx(right.mean())
    assert model.calibration is not None
    assert list(model.probability) == ["ece_top_label"]


def test_the_probability_of_the_label_is_offered_beside_one_label_only() -> None:
    (said,) = [n for n in loaded(CONFIDENT).notices if n.code == "score-of-no-class"]
    assert [offer.value for offer in said.offers] == ["confidence"]
    two = "".join(f"{line},{line.split(',')[1]}\n" for line in CONFIDENT.splitlines()[1:])
    (said,) = [
        n
        for n in loaded(f"truth,pred_label,pred_prob,other_label\n{two}").notices
        if n.code == "score-of-no-class"
    ]
    assert not said.offers


def test_a_blank_label_that_counts_as_wrong_was_given_no_probability() -> None:
    text = CONFIDENT.replace("b,b,", "b,,", 1)
    data = loaded(text, scale=Scale.CONFIDENCE, missing=Missing.WRONG)
    (model,) = data.models.values()
    assert model.confidence.min() == 0
    assert model.n == 120


@pytest.mark.parametrize(
    "said",
    [
        {"truth": "y", "scores": {"": "y"}},
        {"truth": "y", "labels": {"a": "p"}, "scores": {"": "y"}},
    ],
)
def test_a_column_has_one_of_roles_that_exclude_each_other(said) -> None:
    error = refused("y,p\n1,0.9\n0,0.2\n1,0.4\n0,0.1\n", **said)
    assert error.code == "two-roles"


def test_the_probability_of_a_class_may_be_the_score() -> None:
    said = {"scores": {"": "p"}, "probabilities": {"": {"1": "p"}}}
    assert loaded("y,p\n1,0.9\n0,0.2\n1,0.4\n0,0.1\n", truth="y", **said).models


def test_a_grade_between_others_that_no_row_has_is_told_and_offered() -> None:
    text = "y_true,y_pred\n" + "1,2\n2,4\n4,4\n5,4\n2,2\n" * 4
    data = loaded(text, task=Task.MULTICLASS)
    (said,) = [one for one in data.notices if one.code == "class-gap"]
    assert said.message.startswith('No row has "3"')
    (offer,) = said.offers
    again = loaded(text, task=Task.MULTICLASS, order=offer.value)
    assert again.classes == ("1", "2", "3", "4", "5")
    assert "class-gap" not in codes(again)


@pytest.mark.parametrize("grades", ["123", ("1", "10", "40"), ("1.5", "3", "4")])
def test_numbers_without_a_gap_or_far_apart_are_no_scale_with_one(grades) -> None:
    text = "y_true,y_pred\n" + "".join(f"{one},{one}\n" for one in grades) * 4
    assert "class-gap" not in codes(loaded(text, task=Task.MULTICLASS))


# Codes of missing values: a third label beside two.

KNOWN = [k % 3 % 2 for k in range(60)]
CHANCES = [round(0.1 + 0.5 * one + (k * 7 % 30) / 100, 2) for k, one in enumerate(KNOWN)]


def coded(code: str, yes: str, no: str, *, rows: int = 2, label: str = "", score: str = "") -> str:
    """Return a file whose truth is a code in some rows, with a label, a score or both."""
    names = ["outcome", *filter(None, (label, score))]
    lines = [",".join(names)]
    for k, (one, chance) in enumerate(zip(KNOWN, CHANCES, strict=True)):
        said = yes if chance > 0.5 else no
        truth = code if k < rows else (yes if one else no)
        lines.append(
            ",".join([truth, *([said] if label else []), *([str(chance)] if score else [])])
        )
    return "\n".join(lines)


CODED = [
    *(("9", "1", "2"), ("9", "1", "0"), ("99", "1", "2"), ("-9", "1", "0"), ("-99", "1", "0")),
    *(("8", "1", "2"), ("88", "2", "1"), ("unknown", "yes", "no"), ("Missing", "yes", "no")),
    *((".", "yes", "no"), ("NA", "yes", "no"), ("9", "yes", "no"), ("-1", "2", "1")),
]
NOT_CODED = [("3", "1", "2"), ("2", "1", "0"), ("9", "8", "7"), ("-1", "1", "0"), ("12", "1", "0")]


@pytest.mark.parametrize(("code", "yes", "no"), CODED)
def test_a_code_of_missing_values_is_offered_to_be_left_out(code, yes, no) -> None:
    text = coded(code, yes, no, label="pred_label", score="prob")
    data = loaded(text)
    (told,) = [one for one in data.notices if one.code == "missing-code"]
    assert told.severity == "warning"
    assert f'"{code}" is a class of "outcome" here, in 2 of 60 rows' in told.message
    assert '"prob" lies between 0 and 1' in told.message
    chosen = load([csv(text)], apply_offer(told.offers[0], Choices()))
    (model,) = chosen.models.values()
    assert (chosen.roles.task, set(chosen.classes)) == (Task.BINARY, {yes, no})
    assert (model.n, model.score is not None, model.label is not None) == (58, True, True)
    assert "missing-code" not in codes(chosen)


@pytest.mark.parametrize(("code", "yes", "no"), CODED)
def test_beside_a_score_alone_a_code_of_missing_values_is_asked_about(code, yes, no) -> None:
    for name in ("prob", "pred", "m1"):
        text = coded(code, yes, no, score=name)
        problem = refused(text)
        assert problem.code == "no-predictions"
        assert f'"{code}" in "outcome" looks like a code' in problem.message
        chosen = load([csv(text)], apply_offer(problem.offers[0], Choices()))
        assert (chosen.roles.task, chosen.models[name].n) == (Task.BINARY, 58)


@pytest.mark.parametrize(("code", "yes", "no"), NOT_CODED)
def test_a_third_label_that_is_no_code_of_missing_values_is_a_class(code, yes, no) -> None:
    data = loaded(coded(code, yes, no, label="pred_label", score="prob"))
    assert (data.roles.task, "missing-code" in codes(data)) == (Task.MULTICLASS, False)


def test_a_frequent_code_or_one_that_is_predicted_is_a_class() -> None:
    often = coded("9", "1", "2", rows=30, label="pred_label", score="prob")
    assert "missing-code" not in codes(loaded(often))
    rows = "".join(f"{k % 2 + 1},{k % 2 + 1}\n" for k in range(40))
    assert "missing-code" not in codes(loaded("truth,pred\n" + rows + "9,9\n"))
    unsaid = loaded("truth,pred\n" + rows + "9,1\n")
    assert "no model predicts it" in notice(unsaid, "missing-code")
    assert loaded("truth,pred\n" + rows + "9,9\n", ignore_labels=("9",)).classes == ("2", "1")


def test_two_codes_of_missing_values_are_left_out_together() -> None:
    rows = "".join(f"{k % 2 + 1},{k % 2 + 1},0.{k + 10}\n" for k in range(40))
    text = "truth,pred_label,prob\n" + rows + "8,1,0.4\n9,2,0.6\n"
    (told,) = [one for one in loaded(text).notices if one.code == "missing-code"]
    assert told.message.startswith('"8", "9" are classes of "truth" here, in 2 of 42 rows')
    chosen = load([csv(text)], apply_offer(told.offers[0], Choices()))
    assert set(chosen.classes) == {"1", "2"}


def test_spss_writes_a_code_where_it_predicts_nothing() -> None:
    rows = [(k % 2 + 1, k % 2 + 1, 0.2 + 0.5 * (k % 2)) for k in range(60)]
    rows = [(9, 1, 0.3), (1, 9, 0.25), *rows]
    text = "OUTCOME,PRE_1,PGR_1\n" + "".join(f"{t},{p},{g}\n" for t, g, p in rows)
    data = loaded(text)
    assert '"PRE_1" lies between 0 and 1' in notice(data, "missing-code")
    assert "PRE_1" in data.free
    chosen = loaded(text, ignore_labels=("9",))
    (model,) = chosen.models.values()
    # The labels that are left give high scores to 2.
    assert (chosen.classes, model.n) == (("1", "2"), 60)
    assert "1 of 61 rows with a truth has no predicted label" in notice(chosen, "no-prediction")


def test_counts_with_a_rare_high_number_are_predicted_as_numbers() -> None:
    rows = "".join(f"{k % 4},{0.4 + k % 4}\n" for k in range(40))
    assert loaded("count,pred\n" + rows + "9,2.5\n").roles.task is Task.REGRESSION
