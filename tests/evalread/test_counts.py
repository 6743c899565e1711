"""Confusion matrices in every form they are saved in, and tables whose rows count examples."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from evalcore.compare import compare
from evalcore.evaluate import evaluate
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes
from evalread.dataset import Dataset

from .files import codes, csv, loaded, notice, refused

Counts = dict[tuple[str, str], float]

NO_YES: Counts = {("no", "no"): 150, ("no", "yes"): 40, ("yes", "no"): 60, ("yes", "yes"): 250}
"""True class, predicted class -> examples."""

CAT_DOG: Counts = {("cat", "cat"): 10, ("cat", "dog"): 2, ("dog", "cat"): 3, ("dog", "dog"): 8}


def counts(data: Dataset) -> Counts:
    """Return how many examples of each true class were called each class by the only model."""
    (outcomes,) = data.models.values()
    assert isinstance(outcomes, BinaryOutcomes | ClassOutcomes)
    assert outcomes.label is not None
    assert outcomes.weight is not None
    names = outcomes.classes
    found: Counts = {}
    for truth, label, weight in zip(outcomes.truth, outcomes.label, outcomes.weight, strict=True):
        pair = names[int(truth)], names[int(label)]
        found[pair] = found.get(pair, 0) + float(weight)
    return found


MATRICES = {
    "rows said to be true": (NO_YES, "actual,no,yes\nno,150,40\nyes,60,250\n"),
    "rows said to be predicted": (NO_YES, "Predicted,no,yes\nno,150,60\nyes,40,250\n"),
    "both said": (NO_YES, "True \\ Predicted,no,yes\nno,150,40\nyes,60,250\n"),
    "both said the other way": (NO_YES, "predicted/actual,no,yes\nno,150,60\nyes,40,250\n"),
    "arrows": (NO_YES, "Predicted → / Actual ↓,no,yes\nno,150,40\nyes,60,250\n"),
    "in two rows": (NO_YES, "Predicted,no,yes\nActual,,\nno,150,40\nyes,60,250\n"),
    "columns named": (NO_YES, ",pred_no,pred_yes\nno,150,40\nyes,60,250\n"),
    "rows named": (NO_YES, ",no,yes\npredicted no,150,60\npredicted yes,40,250\n"),
    "no row names": (NO_YES, "pred_no,pred_yes\n150,40\n60,250\n"),
    "two headers": (NO_YES, ",,Predicted,\n,,no,yes\nActual,no,150,40\n,yes,60,250\n"),
    "two headers, one corner": (NO_YES, ",Predicted,\nActual,no,yes\nno,150,40\nyes,60,250\n"),
    "two headers, one role": (NO_YES, ",Actual,Actual\n,no,yes\nno,150,60\nyes,40,250\n"),
    "both sides named": (
        NO_YES,
        ",Predicted: no,Predicted: yes\nActual: no,150,40\nActual: yes,60,250\n",
    ),
    "both sides named after": (
        NO_YES,
        ",no (predicted),yes (predicted)\nno (actual),150,40\nyes (actual),60,250\n",
    ),
    "names before": (NO_YES, ",no (predicted),yes (predicted)\nno,150,40\nyes,60,250\n"),
    "H2O": (
        NO_YES,
        "       no  yes  Error          Rate\nno    150   40  0.2105  (40.0/190.0)\n"
        "yes    60  250  0.1935  (60.0/310.0)\nTotal 210  290  0.2     (100.0/500.0)\n",
    ),
    "RapidMiner": (
        NO_YES,
        ",true no,true yes,class precision\npred. no,150,60,71.43%\npred. yes,40,250,86.21%\n"
        "class recall,78.95%,80.65%,\n",
    ),
    "randomForest": (
        NO_YES,
        "     no yes class.error\nno  150  40   0.2105263\nyes  60 250   0.1935484\n",
    ),
    "caret": (
        NO_YES,
        "          Reference\nPrediction  no yes\n       no  150  60\n       yes  40 250\n",
    ),
    "pandas": (
        NO_YES,
        "Predicted   no  yes\nActual             \nno         150   40\nyes         60  250\n",
    ),
    "Weka": (
        NO_YES,
        "=== Confusion Matrix ===\n\n   a   b   <-- classified as\n"
        " 150  40 |   a = no\n  60 250 |   b = yes\n",
    ),
    "Markdown": (NO_YES, "| truth | no | yes |\n|---|---|---|\n| no | 150 | 40 |\n|yes|60|250|\n"),
    "in another order": (CAT_DOG, "true,dog,cat\ncat,2,10\ndog,8,3\n"),
    "with margins": (CAT_DOG, "actual,cat,dog,All\ncat,10,2,12\ndog,3,8,11\nAll,13,10,23\n"),
    "with sizes": (CAT_DOG, "truth,cat,dog,n\ncat,10,2,12\ndog,3,8,11\n"),
    "with sizes first": (CAT_DOG, "truth,n,cat,dog\ncat,12,10,2\ndog,11,3,8\n"),
    "with both named": (
        CAT_DOG,
        "actual,predicted cat,predicted dog\ntrue cat,10,2\ntrue dog,3,8\n",
    ),
}


@pytest.mark.parametrize(("expected", "text"), MATRICES.values(), ids=MATRICES)
def test_a_confusion_matrix_is_read_however_it_is_written(expected: Counts, text: str) -> None:
    data = loaded(text)
    assert counts(data) == expected
    assert f"of 2 classes and {sum(expected.values()):,.0f} examples" in notice(data, "matrix")
    assert "weighted" not in codes(data)
    assert counts(loaded(csv(text, "pasted text"))) == expected


FOUR = {
    "columns": "tn,fp,fn,tp\n150,40,60,250\n",
    "columns beside others": "accuracy,TP,TN,FP,FN\n0.8,250,150,40,60\n",
    "rows": "name,value\nTP,250\nFP,40\nFN,60\nTN,150\naccuracy,0.8\n",
    "rows without a header": "TN,150\nFP,40\nFN,60\nTP,250\n",
    "words": "True Positives,False Positives,True Negatives,False Negatives\n250,40,150,60\n",
    "words and letters": "true positive (TP),false positive (FP),TN,FN\n250,40,150,60\n",
    "an object": '{"tn": 150, "fp": 40, "fn": 60, "tp": 250}',
}


@pytest.mark.parametrize("text", FOUR.values(), ids=FOUR)
def test_four_numbers_are_a_confusion_matrix(text: str) -> None:
    data = loaded(text)
    said = {name: {"no": "negative", "yes": "positive"}[name] for name in ("no", "yes")}
    assert counts(data) == {(said[t], said[p]): n for (t, p), n in NO_YES.items()}
    assert data.roles.positive == "positive"


def test_rows_of_four_numbers_need_the_models_that_they_are_of() -> None:
    assert "no column names the model" in refused("tn,fp,fn,tp\n5,2,1,9\n5,2,1,8\n").message
    text = "class,tp,fp,fn,tn\ncat,50,20,10,90\ndog,51,19,11,89\n"
    assert [offer.value for offer in refused(text).offers] == ["class"]
    assert list(loaded(text, model="class").models) == ["cat", "dog"]
    by_column = loaded("Metric,A,B\nTP,250,240\nFP,40,50\nFN,60,70\nTN,150,140\n")
    assert list(by_column.models) == ["A", "B"]
    assert refused("tn,fp,fn,rate\n5,2,1,9\n").code != "confusion-matrix"


def test_numbers_that_are_no_counts_make_no_matrix() -> None:
    for wrong in ("-3", "inf", "1e300", "word"):
        assert "numbers of 0 or more" in refused(f"tn,fp,fn,tp\n5,{wrong},1,9\n").message
    assert "matrix" not in codes(loaded(",no,yes\nno,15,1e300\nyes,6,25\n"))


def test_four_numbers_are_counts_however_small_but_no_rates() -> None:
    assert counts(loaded("tn,fp,fn,tp\n1,0,1,1\n"))["positive", "negative"] == 1
    assert "in shares" in refused("tn,fp,fn,tp\n0.4,0.1,0.2,0.3\n").message


UNSAID = {
    "no corner": ",no,yes\nno,150,40\nyes,60,250\n",
    "another corner": "species,no,yes\nno,150,40\nyes,60,250\n",
    "no row names": "no,yes\n150,40\n60,250\n",
    "both corners": "actual,true no,true yes\nno,150,40\nyes,60,250\n",
}


@pytest.mark.parametrize("text", UNSAID.values(), ids=UNSAID)
def test_which_side_is_the_truth_is_asked_where_nothing_says_it(text: str) -> None:
    error = refused(text)
    assert error.code == "confusion-matrix"
    assert "a confusion matrix of 2 classes" in error.message
    assert [(offer.choice, offer.value) for offer in error.offers] == [
        ("truth", "rows"),
        ("truth", "columns"),
    ]
    assert counts(loaded(text, truth="rows")) == NO_YES
    turned = {(predicted, true): n for (true, predicted), n in NO_YES.items()}
    assert counts(loaded(text, truth="columns")) == turned


def test_numbers_above_the_columns_are_classes_though_no_row_is_called_so() -> None:
    for text in ("0,1,2\n9,1,0\n1,8,2\n0,0,7\n", '"2","0","1"\n7,0,0\n0,9,1\n2,1,8\n'):
        data = loaded(text, truth="rows")
        assert (counts(data)["0", "1"], data.classes) == (1, ("0", "1", "2"))
        assert "no-header" not in codes(data)
    assert counts(loaded(",0,1,2\n0,9,1,0\n1,1,8,2\n2,0,0,7\n", truth="rows"))["1", "2"] == 2


def test_a_matrix_of_numpy_is_one_of_the_classes_0_1_2() -> None:
    for text in ("[[150  40]\n [ 60 250]]\n", "array([[150,  40],\n       [ 60, 250]])"):
        assert counts(loaded(text, truth="rows"))["0", "1"] == 40
    assert "3 classes" in refused("[[9, 1, 0], [1, 8, 2], [0, 0, 7]]").message
    assert refused("[[1, 2, 3], [4, 5, 6]]").code != "confusion-matrix"


def test_a_side_that_is_said_to_be_true_can_be_turned_by_choosing_the_other() -> None:
    text = "actual,no,yes\nno,150,40\nyes,60,250\n"
    turned = loaded(text, truth="prediction")
    assert counts(turned)["yes", "no"] == 40
    assert counts(loaded(text, truth="actual")) == NO_YES


def test_a_class_that_was_never_predicted_or_never_true_is_kept() -> None:
    never_true = loaded("truth,cat,dog,eel\ncat,10,2,1\ndog,3,8,1\n")
    assert never_true.classes == ("cat", "dog", "eel")
    assert counts(never_true)["dog", "eel"] == 1
    never_said = loaded("truth,cat,dog\ncat,10,2\ndog,3,8\neel,1,1\n")
    assert counts(never_said)["eel", "cat"] == 1
    empty = loaded("truth,cat,dog,eel\ncat,10,,\ndog,,8,\neel,,,\n")
    assert empty.classes == ("cat", "dog", "eel")


def test_letters_signs_and_numbers_are_classes() -> None:
    letters = loaded("truth,m,n,w\nm,9,1,0\nn,2,8,0\nw,0,1,7\n")
    assert counts(letters)["n", "m"] == 2
    signs = loaded("truth,-1,1\n-1,10,2\n1,3,8\n")
    assert counts(signs)["-1", "1"] == 2
    numbers = loaded("truth,1.0,2.0\n1,10,2\n2,3,8\n")
    assert counts(numbers)["2", "1"] == 3


@settings(max_examples=25, deadline=None)
@given(st.permutations("abcd"), st.permutations("abcd"), st.lists(st.integers(2, 99), min_size=16))
def test_the_order_of_rows_and_columns_does_not_matter(
    rows: list[str], columns: list[str], numbers: list[int]
) -> None:
    cells = {(r, c): numbers["abcd".index(r) * 4 + "abcd".index(c)] for r in rows for c in columns}
    lines = (f"{r},{','.join(str(cells[r, c]) for c in columns)}\n" for r in rows)
    assert counts(loaded(f"truth,{','.join(columns)}\n{''.join(lines)}")) == cells


def test_shares_are_refused_until_somebody_says_that_they_are_probabilities() -> None:
    text = "true,0,1\n0,0.9,0.1\n1,0.2,0.8\n"
    error = refused(text)
    assert "shares, which do not show how many" in error.message
    assert error.offers[0].value == "true"
    assert loaded(text, truth="true").rows_used == 2
    assert loaded(text.replace(",0,1", ",pred_0,pred_1")).rows_used == 2
    percent = refused("truth,a,b,c\na,90.5,5.5,4\nb,3,80,17\nc,0,10,90\n")
    assert percent.message.startswith("This is a confusion matrix of 3 classes in shares")
    assert not percent.offers


def test_whole_numbers_whose_rows_add_up_to_100_are_read_with_a_warning() -> None:
    data = loaded("truth,a,b\na,90,10\nb,20,80\n")
    assert "if these are percentages" in notice(data, "matrix")
    assert "percentages" not in notice(loaded("truth,a,b\na,91,10\nb,20,80\n"), "matrix")


def test_examples_that_share_a_class_are_no_confusion_matrix() -> None:
    assert loaded("truth,cat,dog\ncat,9,1\ndog,2,8\ncat,7,3\n").rows_used == 3
    assert loaded("truth,cat,dog,pred\ncat,9,1,cat\ndog,2,8,cat\n").rows_used == 2
    assert loaded(",a,b\na,0,1\nb,1,0\n").rows_used == 2
    assert counts(loaded("truth,cat,dog\ncat,0,5\ndog,3,0\n"))["cat", "dog"] == 5
    assert refused("1,2,3\n4,5,6\n7,8,9\n1,2,2\n", truth="1").code != "confusion-matrix"
    assert refused("y,score\n1,870\n0,50\n", scale="percent").code == "not-probability"


SCORES = "score,truth,n\n0.1,no,500\n0.1,yes,20\n0.5,no,200\n0.5,yes,60\n0.9,no,10\n0.9,yes,90\n"


def test_a_count_of_examples_weighs_scores_labels_and_numbers() -> None:
    assert loaded(SCORES).roles.weight == "n"
    labels = loaded("truth,label,count\nC,C,47\nC,U,31\nU,C,327\nU,U,2950\n")
    assert (labels.roles.weight, labels.roles.positive) == ("count", "C")
    freq = loaded('"","Prediction","Reference","Freq"\n1,no,no,150\n2,yes,no,60\n3,no,yes,40\n')
    assert freq.roles.weight == "Freq"
    ratings = loaded("truth,prediction,n\n1.5,2,7\n2,2,9\n1.5,1.5,20\n2,1.5,3\n2.5,2,1\n")
    assert ratings.roles.weight == "n"


def test_amounts_of_all_pairs_are_counts_whatever_they_are_called() -> None:
    rows = "no,no,150\nno,yes,60\nyes,no,40\nyes,yes,250\n"
    assert loaded(f"Predicted,Actual,value\n{rows}").roles.weight == "value"
    some = "no,no,150\nno,yes,60\nno,yes,61\nyes,yes,250\n"
    assert loaded(f"Predicted,Actual,value\n{some}").roles.weight is None


def test_a_number_of_each_example_is_no_count_of_examples() -> None:
    rows = range(40)
    scored = "".join(f"{k % 2},{k / 40},{k * 7 % 11}\n" for k in rows)
    assert loaded(f"truth,score,n\n{scored}").roles.weight is None
    labelled = loaded(
        "truth,label,n\n" + "".join(f"{k % 2},{k % 3 // 2},{k * 7 % 11}\n" for k in rows)
    )
    assert labelled.roles.weight is None
    assert "rows repeat all the same" in notice(labelled, "counts-unused")
    assert "counts-unused" not in codes(loaded(SCORES))


def test_counts_may_be_left_out_of_account() -> None:
    assert loaded(SCORES, weight="").roles.weight is None
    assert np.isclose(loaded(SCORES).models["score"].weight.sum(), 880)


BY_MODEL = {
    "four numbers": "model,tn,fp,fn,tp\na,150,40,60,250\nb,140,50,30,280\n",
    "pairs": "model,truth,label,n\na,no,no,150\na,no,yes,40\na,yes,no,60\na,yes,yes,250\n"
    "b,no,no,140\nb,no,yes,50\nb,yes,no,30\nb,yes,yes,280\n",
    "scores": "model,truth,score,n\na,no,0.1,150\na,no,0.9,40\na,yes,0.1,60\na,yes,0.9,250\n"
    "b,no,0.1,140\nb,no,0.9,50\nb,yes,0.1,30\nb,yes,0.9,280\n",
}


@pytest.mark.parametrize("text", BY_MODEL.values(), ids=BY_MODEL)
def test_counts_of_several_models_are_independent_samples(text: str) -> None:
    data = loaded(text)
    assert {name: outcomes.total for name, outcomes in data.models.items()} == {"a": 500, "b": 500}
    assert "on which examples models agree" in notice(data, "own-rows")
    made = compare(data, Options(resamples=100), metric="accuracy")
    assert (made.n, made.design.value) == (1000, "independent")


def test_matrices_in_several_files_are_models_that_share_no_rows() -> None:
    first, second = (
        "actual,no,yes\nno,150,40\nyes,60,250\n",
        "actual,no,yes\nno,140,50\nyes,30,280\n",
    )
    data = loaded(csv(first, "a.csv"), csv(second, "b.csv"))
    assert {name: outcomes.total for name, outcomes in data.models.items()} == {"a": 500, "b": 500}
    unsaid = [csv(text.replace("actual", ""), f"{k}.csv") for k, text in enumerate((first, second))]
    assert refused(*unsaid).code == "confusion-matrix"
    assert len(loaded(*unsaid, truth="rows").models) == 2


NO, SCORE, GRADE = ["no", "yes"], [0.1, 0.35, 0.5, 0.9], [1.5, 2, 3.5]
COUNTED: dict[str, tuple[list[Any], ...]] = {
    "truth,score": (NO, SCORE),
    "truth,prediction": (NO, NO),
    "truth,prediction,region": (list("abc"), list("abc"), list("xy")),
    "truth,prediction,fold": (NO, NO, list("123")),
    "truth,pred_a,pred_b": (NO, NO, NO),
    "truth,score_a,score_b": (NO, SCORE, SCORE[1:]),
    "actual,predicted": (GRADE, GRADE),
    "actual,predicted_a,predicted_b": (GRADE, GRADE, GRADE[::-1]),
}


@settings(max_examples=12, deadline=None)
@given(st.sampled_from([*COUNTED]), st.data())
def test_a_count_is_the_same_as_the_row_written_so_many_times(header: str, data: Any) -> None:
    rows = [",".join(map(str, row)) for row in product(*COUNTED[header])]
    size = st.lists(st.integers(1, 9), min_size=len(rows), max_size=len(rows))
    times = data.draw(size.filter(lambda drawn: sum(drawn) > len(drawn)))
    with_n = "".join(f"{row},{n}\n" for row, n in zip(rows, times, strict=True))
    written_out = "".join(f"{row}\n" * n for row, n in zip(rows, times, strict=True))
    counted, plain = loaded(f"{header},n\n{with_n}"), loaded(f"{header}\n{written_out}")
    assert counted.roles.weight == "n"
    assert (counted.roles.positive, counted.roles.task) == (plain.roles.positive, plain.roles.task)
    options = Options(resamples=100)
    for name, one in evaluate(counted, options).models.items():
        other = evaluate(plain, options).models[name]
        assert one.n == other.n
        for found, expected in zip(one.rows(), other.rows(), strict=True):
            assert found[:4] == expected[:4]
            exact = "bootstrap" not in str(found[7])
            last = 7 if exact else 5
            for number, like in zip(found[4:last], expected[4:last], strict=True):
                same(number, like)
    if len(plain.models) > 1:
        one_made, other_made = compare(counted, options), compare(plain, options)
        assert (one_made.n, one_made.order) == (other_made.n, other_made.order)
        assert one_made.summary == other_made.summary
        for test, alike in zip(one_made.tests, other_made.tests, strict=True):
            assert test.test == alike.test
            if "bootstrap" not in test.test:
                same(test.finding.p_value, alike.finding.p_value)


def same(one: float | None, other: float | None) -> None:
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert np.isclose(one, other, rtol=1e-9, atol=1e-12, equal_nan=True)


def test_counts_make_enough_rows_for_a_verdict() -> None:
    rows = "".join(f"{t},{a},{b},{9 + 20 * (t == a)}\n" for t, a, b in product(NO, NO, NO))
    made = compare(loaded(f"truth,pred_a,pred_b,n\n{rows}"), Options(resamples=100))
    assert made.n == 152
    assert "too few" not in made.summary
