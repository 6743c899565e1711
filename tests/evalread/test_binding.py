from collections.abc import Sequence

import numpy as np
import pytest

from evalcore.errors import Notice
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, NumericOutcomes
from evalread.dataset import Scale, Task

from .files import codes, loaded, notice, refused


def only(data) -> BinaryOutcomes | ClassOutcomes | NumericOutcomes:
    (model,) = data.models.values()
    return model


def test_rows_without_a_score_are_left_out_and_counted() -> None:
    data = loaded("y,score\n1,0.9\n0,\n1,0.7\n1,NaN\n0,0.2\n0,n/a\n")
    model = only(data)
    assert model.rows.tolist() == [1, 3, 5]
    assert model.score.tolist() == [0.9, 0.7, 0.2]
    assert notice(data, "missing-score") == (
        "3 of 6 rows have no score (1 blank, 1 NaN, 1 n/a); 3 rows are used."
    )


def test_rows_that_lack_different_things_are_counted_together() -> None:
    data = loaded("truth,pred\nNone,None\n,mild\nmild,\nmild,mild\nsevere,mild\n")
    assert only(data).n == 3
    assert notice(data, "missing-values") == (
        "2 of 5 rows are left out (1 has no truth, 1 has no label); 3 rows are used."
    )


def test_every_row_used_is_said_by_none() -> None:
    assert only(loaded("y,score\n1,0.9\n0,0.2\n")).rows is None


def test_each_model_keeps_its_own_rows() -> None:
    data = loaded("y,a_score,b_score\n1,0.9,0.8\n0,0.6,\n1,0.8,0.7\n0,0.1,0.2\n")
    assert {name: model.n for name, model in data.models.items()} == {"a": 4, "b": 3}
    assert 'for "b"' in notice(data, "missing-score")


def test_no_complete_row_is_an_error() -> None:
    assert refused("y,score\n1,\n,0.5\n0,\n").code == "no-rows"


def test_infinite_scores_are_named_with_their_rows() -> None:
    error = refused("y,score\n1,0.9\n0,inf\n1,0.7\n0,-Infinity\n")
    assert error.message.startswith('Column "score" has 2 infinite values (rows 2 and 4).')
    assert (error.code, error.rows, error.column) == ("infinite-score", (2, 4), "score")


@pytest.mark.parametrize(
    ("cell", "what"), [("-0.5", "negative"), ("", "missing"), ("inf", "infinite")]
)
def test_bad_weights_are_named_with_their_rows(cell: str, what: str) -> None:
    error = refused(f"y,p,weight\n1,0.9,1\n0,0.8,{cell}\n1,0.5,2\n")
    assert error.message == (
        f'Column "weight" has 1 {what} value (row 2). Weights must be 0 or more.'
    )


@pytest.mark.parametrize("cell", ["1e20", "1e308"])
def test_weights_too_large_to_be_added_up_are_refused(cell: str) -> None:
    error = refused(f"y,p,weight\n1,0.9,{cell}\n0,0.8,{cell}\n1,0.5,{cell}\n")
    assert (error.code, error.column) == ("bad-weight", "weight")
    assert "add up to more than 1e+15" in error.message


@pytest.mark.parametrize("cell", ["1e-101", "1e-320"])
def test_weights_too_small_to_be_squared_are_refused(cell: str) -> None:
    error = refused(f"y,p,weight\n1,0.9,{cell}\n0,0.8,{cell}\n1,0.5,0\n")
    assert (error.code, error.column) == ("bad-weight", "weight")
    assert "are all below 1e-100" in error.message
    assert only(loaded(f"y,p,weight\n1,0.9,{cell}\n0,0.8,1\n")).weight.tolist() == [float(cell), 1]


def test_numbers_too_large_to_subtract_are_refused_without_a_warning() -> None:
    rows = "1e308,-1e308\n-1e308,1e308\n1e300,3\n" * 20
    assert refused(f"truth,m_pred\n{rows}").code == "huge-number"


def test_weights_go_with_their_rows() -> None:
    model = only(loaded("y,score,weight\n1,0.9,1\n0,,2\n0,0.1,3.5\n"))
    assert model.weight.tolist() == [1.0, 3.5]


def test_a_row_of_weight_0_is_no_row() -> None:
    model = only(loaded("y,score,weight\n1,0.9,1\n0,,2\n1,0.05,0\n0,0.1,3.5\n"))
    assert (model.rows.tolist(), model.weight.tolist()) == ([1, 4], [1.0, 3.5])


def test_weights_that_are_all_0_are_refused_with_their_column() -> None:
    error = refused("y,a_pred,b_pred,w\n0,1,1,0\n1,0,1,0\n", weight="w")
    assert (error.code, error.column) == ("no-rows", "w")
    assert "Every complete row has weight 0" in error.message


def test_scores_within_the_unit_interval_are_probabilities() -> None:
    assert only(loaded("y,score\n1,1\n0,0.2\n0,0\n")).probability


def test_scores_outside_rank_but_are_no_probabilities() -> None:
    data = loaded("y,logit\n1,3.5\n0,-2\n")
    assert not only(data).probability
    assert "outside [0, 1] (-2 to 3.5)" in notice(data, "outside-unit")


def test_the_notice_offers_the_scale_that_fits() -> None:
    offers = {
        text: next(n for n in loaded(text).notices if n.code == "outside-unit").offers[0].value
        for text in ("y,logit\n1,3.5\n0,-2\n", "y,score\n1,87\n0,12.5\n")
    }
    assert list(offers.values()) == ["logit", "percent"]


def test_percent_signs_mean_percent() -> None:
    data = loaded("y,score\n1,87%\n0,12 %\n")
    assert only(data).score.tolist() == [0.87, 0.12]
    assert "percent" in notice(data, "percent")


def test_chosen_percent_divides_once() -> None:
    for cells in ("87,12.5", "87%,12.5%"):
        high, low = cells.split(",")
        data = loaded(f"y,score\n1,{high}\n0,{low}\n", scale=Scale.PERCENT)
        assert only(data).score.tolist() == [0.87, 0.125]
        assert only(data).probability


def test_chosen_logit_goes_through_the_sigmoid() -> None:
    data = loaded("y,score\n1,0\n0,-800\n1,800\n", scale=Scale.LOGIT)
    assert only(data).score.tolist() == [0.5, 0.0, 1.0]
    assert "sigmoid" in notice(data, "logit")


def test_a_chosen_scale_that_does_not_fit_is_an_error() -> None:
    assert refused("y,score\n1,1.5\n0,0.5\n", scale=Scale.PROBABILITY).code == "not-probability"
    assert refused("y,score\n1,870\n0,50\n", scale=Scale.PERCENT).code == "not-probability"


def test_a_chosen_plain_score_is_no_probability() -> None:
    assert not only(loaded("y,score\n1,0.9\n0,0.5\n", scale=Scale.SCORE)).probability


def test_a_reversed_plain_score_is_negated_and_that_is_said() -> None:
    data = loaded("y,distance\n1,0.8\n0,3.9\n", reverse=True)
    assert only(data).score.tolist() == [-0.8, -3.9]
    assert "the negative of the score is used" in notice(data, "reversed")
    chosen = loaded("y,distance\n1,0.25\n0,0.75\n", reverse=True, scale=Scale.SCORE)
    assert (only(chosen).score.tolist(), only(chosen).probability) == ([-0.25, -0.75], False)


def test_a_reversed_probability_is_1_minus_it_and_stays_one() -> None:
    text = "truth,p_A,p_B\nwell,0.25,0.5\nill,0.75,\nwell,0,1\n"
    data = loaded(text, positive="well", scores={"A": "p_A", "B": "p_B"}, reverse=True)
    assert data.models["A"].score.tolist() == [0.75, 0.25, 1.0]
    assert data.models["B"].score.tolist() == [0.5, 0.0]
    assert all(model.probability for model in data.models.values())
    assert notice(data, "reversed") == (
        'All scores are reversed, since low scores mean "well": 1 minus the probability is used.'
    )
    assert [told.code for told in data.notices].count("reversed") == 1
    percent = loaded("y,p\n1,25\n0,75\n", scale=Scale.PERCENT, reverse=True)
    assert only(percent).score.tolist() == [0.75, 0.25]


def test_the_score_of_the_other_class_is_complemented_and_says_so() -> None:
    data = loaded("y,p_fraud\nfraud,0.75\nlegit,0.25\n", positive="legit")
    assert only(data).score.tolist() == [0.25, 0.75]
    assert only(data).truth.tolist() == [0, 1]
    assert notice(data, "complement").startswith('Column "p_fraud" refers to "fraud"')


def test_each_class_with_its_own_column_needs_no_complement() -> None:
    text = "y,p_no,p_yes\nyes,0.2,0.8\nno,0.9,0.1\n"
    assert only(loaded(text)).score.tolist() == [0.8, 0.1]
    assert only(loaded(text, positive="no")).score.tolist() == [0.2, 0.9]
    assert "complement" not in codes(loaded(text, positive="no"))


def test_the_confidence_in_the_label_becomes_that_of_the_positive_class() -> None:
    data = loaded("y,pred,score\nyes,yes,0.9\nno,no,0.75\n", scale=Scale.CONFIDENCE)
    assert only(data).score.tolist() == [0.9, 0.25]
    assert "probability of the predicted label" in notice(data, "confidence")


def test_confidence_without_a_label_is_an_error() -> None:
    assert refused("y,score\n1,0.9\n0,0.8\n", scale=Scale.CONFIDENCE).code == "no-label"


def test_probabilities_lie_in_the_order_of_the_classes() -> None:
    model = only(loaded("truth,p_c,p_a,p_b\na,0.1,0.7,0.2\nb,0.2,0.1,0.7\nc,0.6,0.2,0.2\n"))
    assert model.classes == ("a", "b", "c")
    assert model.probabilities.tolist()[0] == [0.7, 0.2, 0.1]


def test_probabilities_that_do_not_sum_to_one_are_counted() -> None:
    data = loaded("t,prob_a,prob_b,prob_c\na,0.5,0.3,0.2\nb,0.1,0.2,0.2\nc,0.6,0.4,0.2\n")
    assert notice(data, "not-sum-1") == (
        "In 2 of 3 rows the probabilities do not sum to 1 (rows 2 and 3); "
        "they are used as they are, except by the log loss, which divides each row by its sum."
    )


def test_rounded_probabilities_are_no_reason_for_a_notice() -> None:
    data = loaded("t,prob_a,prob_b,prob_c\na,0.34,0.33,0.33\nb,0.33,0.34,0.34\nc,0.33,0.33,0.33\n")
    assert "not-sum-1" not in codes(data)


def test_a_true_class_without_a_column_is_reported() -> None:
    data = loaded(
        "y_true,p_1,p_2,p_4\n1,0.6,0.3,0.1\n2,0.1,0.8,0.1\n4,0.3,0.3,0.4\n3,0.5,0.4,0.1\n"
    )
    assert only(data).classes == ("1", "2", "3", "4")
    assert np.isnan(only(data).probabilities[:, 2]).all()
    assert "1 row has a true class with no probability column" in notice(
        data, "no-probability-column"
    )


def test_class_scores_outside_the_unit_interval_give_labels_only() -> None:
    text = "t,score_a,score_b,score_c\na,3,1,-2\nb,0,1,0\nc,1,0,-1\n"
    data = loaded(text)
    assert only(data).probabilities is None
    assert only(data).label.tolist() == [0, 1, 0]
    assert "outside-unit" in codes(data)


def test_class_logits_become_probabilities_by_choice() -> None:
    text = "t,score_a,score_b,score_c\na,1000,0,0\nb,0,0,0\nc,0,0,1000\n"
    model = only(loaded(text, scale=Scale.LOGIT))
    assert model.probabilities[0].tolist() == [1, 0, 0]
    assert model.probabilities[1] == pytest.approx([1 / 3] * 3)


def test_class_probabilities_in_percent_are_divided() -> None:
    model = only(loaded("t,p_a,p_b,p_c\na,70%,20%,10%\nb,10%,80%,10%\nc,5%,5%,90%\n"))
    assert model.probabilities[0] == pytest.approx([0.7, 0.2, 0.1])


def test_labels_of_another_kind_than_the_truth_are_refused() -> None:
    error = refused("truth,pred\nyes,1\nno,0\nyes,0\n")
    assert error.code == "labels-differ"
    assert '"pred" holds "1", "0"' in error.message


def test_two_classes_counted_from_0_and_from_1_are_refused() -> None:
    for truth, said in ("12", "01"), ("01", "12"):
        rows = "".join(f"{truth[k % 2]},{said[k % 2]}\n" for k in range(6))
        error = refused(f"truth,pred\n{rows}")
        assert error.code == "labels-differ"
        assert "one counts its classes from 0 and the other from 1" in error.message


def test_more_classes_counted_from_0_and_from_1_are_a_warning() -> None:
    header = "true_class,predicted_class\n"
    data = loaded(f"{header}1,0\n2,1\n3,2\n1,1\n", task=Task.MULTICLASS)
    assert 'holds "1", "2", "3", but "predicted_class" "0"' in notice(data, "shifted-labels")
    same = loaded(f"{header}1,0\n2,1\n3,2\n1,3\n", task=Task.MULTICLASS)
    assert "shifted-labels" not in codes(same)


def test_a_binary_task_needs_two_classes() -> None:
    error = refused("truth,pred\na,a\nb,b\nc,c\n", task=Task.BINARY)
    assert error.message == (
        'A yes-or-no question has 2 classes; here there are 3: "a", "b", "c". Leave out a label, '
        "count one as another, or keep all classes."
    )
    assert [offer.value for offer in error.offers] == ["a", "b", "c", "multiclass"]


def test_numbers_are_bound_without_wrapping_round() -> None:
    model = only(loaded("y,yhat\n250,240\n3,9\n,1\n1.5,2\n"))
    assert model.truth.tolist() == [250, 3, 1.5]
    assert model.prediction.tolist() == [240, 9, 2]
    assert model.rows.tolist() == [1, 2, 4]


def test_folds_and_groups_are_categories_over_all_rows() -> None:
    data = loaded("y,score,fold,group\n1,0.9,2,b\n0,,1,a\n1,0.5,10,\n0,0.1,2,b\n")
    assert data.fold.names == ("1", "2", "10")
    assert data.fold.codes.tolist() == [1, 0, 2, 1]
    assert data.group.codes.tolist() == [1, 0, -1, 1]
    assert "1 of 4 rows has no group" in notice(data, "missing-group")


def test_the_digest_changes_with_bytes_and_roles_and_nothing_else() -> None:
    text = "y,a,b\n1,0.9,0.5\n0,0.2,0.1\n"
    first = loaded(text)
    assert loaded(text).digest == first.digest
    assert loaded(text.replace("0.9", "0.8")).digest != first.digest
    assert loaded(text, positive="0").digest != first.digest
    assert loaded(text, scores={"a": "a"}).digest != first.digest
    assert loaded(text, scale=Scale.SCORE).digest != first.digest


def test_arrays_are_read_only() -> None:
    model = only(loaded("y,score\n1,0.9\n0,0.2\n"))
    assert not model.score.flags.writeable
    assert not model.truth.flags.writeable


def test_row_order_changes_nothing_but_the_order() -> None:
    rows = ["a,a,0.9,0.1", "b,a,0.4,0.6", "b,b,0.2,0.8", "a,b,0.7,0.3"]
    header = "truth,pred,p_a,p_b\n"
    forward, backward = (loaded(header + "\n".join(r) + "\n") for r in (rows, rows[::-1]))
    assert forward.classes == backward.classes
    assert forward.roles.positive == backward.roles.positive
    assert only(forward).score.tolist() == only(backward).score.tolist()[::-1]


def test_true_and_false_beside_one_and_zero_are_the_same_and_that_is_said() -> None:
    data = loaded("truth,pred\nTrue,1\nFalse,0\nTrue,0.0\n")
    assert data.classes == ("0", "1")
    assert only(data).truth.tolist() == [1, 0, 1]
    assert '"truth"' in notice(data, "true-false")
    assert "true-false" not in codes(loaded("truth,pred\nTrue,True\nFalse,True\n"))


def test_a_model_that_is_always_wrong_on_one_class_is_still_judged() -> None:
    assert only(loaded("truth,pred\na,b\na,b\n")).label.tolist() == [1, 1]


def test_numbers_too_large_to_subtract_are_refused_by_row() -> None:
    content = b"y,a_prediction\n1,2\n-1e308,1e308\n3,4\n"
    refusal = refused(("f.csv", content), task=Task.REGRESSION)
    assert (refusal.code, tuple(refusal.rows)) == ("huge-number", (2,))
    assert "Divide the column" in refusal.message


def scores_of(values: Sequence[float], beside: bool = False) -> Notice:
    """Return the notice of a score outside [0, 1], alone or beside a probability."""
    rows = (f"{k % 2},{v},{(k + 1) / 99:.3f}" for k, v in enumerate(values))
    data = loaded(
        "\n".join(["truth,score_a,score_b", *rows]), ignore=() if beside else ("score_b",)
    )
    (found,) = (one for one in data.notices if one.code == "outside-unit")
    return found


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ([k % 16 for k in range(40)], Scale.SCORE),
        ([k % 30 + 10 for k in range(40)], Scale.SCORE),
        ([k % 9 - 3 for k in range(40)], Scale.SCORE),
        ([k % 16 + 0.25 for k in range(40)], Scale.PERCENT),
        ([2 * k for k in range(40)], Scale.PERCENT),
        ([k / 4 - 5.1 for k in range(40)], Scale.LOGIT),
        ([3 * k for k in range(40)], Scale.LOGIT),
    ],
)
def test_points_are_no_percentages(values, scale) -> None:
    found = scores_of(values)
    assert [offer.value for offer in found.offers] == [scale.value]
    beside = scores_of(values, beside=True)
    assert (beside.offers, "a scale chosen here would be that of all scores" in beside.message) == (
        (),
        True,
    )
