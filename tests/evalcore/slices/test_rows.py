"""Rows worth a look: each order by hand, against a plain sort, and over any rows."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.metrics import log_loss

from evalcore.errors import EvalError
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, CorrectOutcomes
from evalcore.predictions import Predictions
from evalcore.slices.rows import largest, listed, offered
from tests.evalcore.made import rows as file
from tests.evalcore.slices.made import QUICK


def test_the_surest_mistake_has_the_largest_log_loss():
    truth, score = [0, 1, 0, 1], [0.1, 0.05, 0.6, 0.9]
    made = listed(file(truth, score, header="truth,score"), "loss", QUICK)
    assert made.row.tolist() == [2, 3, 1, 4]
    assert (made.of, made.total) == ("log loss", 4)
    by_hand = -np.log([0.05, 0.4, 0.9, 0.9])
    assert made.value == pytest.approx(by_hand)
    assert made.value.mean() == pytest.approx(log_loss(truth, score))


def test_the_least_sure_row_is_nearest_to_the_threshold():
    data = file([0, 1, 0, 1], [0.1, 0.45, 0.6, 0.9], header="truth,score")
    made = listed(data, "confidence", Options(threshold=0.5))
    assert made.row.tolist() == [2, 3, 1, 4]
    assert made.value == pytest.approx([0.05, 0.1, 0.4, 0.4])
    assert listed(data, "confidence", Options(threshold=0.9)).row[0] == 4


def test_scores_that_are_no_probabilities_are_judged_by_the_threshold():
    data = file([0, 1, 0, 1], [-3.0, -7.0, 4.0, 9.0], header="truth,score")
    made = listed(data, "loss", Options(threshold=1.0))
    assert made.row.tolist() == [2, 3, 1, 4]  # 1 - -7 = 8, 4 - 1 = 3, -3 - 1 = -4, 1 - 9 = -8
    assert made.value.tolist() == [8.0, 3.0, -4.0, -8.0]


def test_several_classes_are_led_by_the_likeliest():
    chances = np.array([[0.5, 0.4, 0.1], [0.1, 0.1, 0.8], [0.2, 0.5, 0.3]])
    rows = ClassOutcomes(classes=("a", "b", "c"), truth=np.array([0, 0, 1]), probabilities=chances)
    data = Predictions(digest="", classes=rows.classes, models={"m": rows})
    assert listed(data, "loss", QUICK).row.tolist() == [2, 1, 3]
    made = listed(data, "confidence", QUICK)
    assert (made.row.tolist(), made.of) == ([1, 3, 2], "margin of the most likely class")
    assert made.value == pytest.approx([0.1, 0.2, 0.7])


def test_models_disagree_most_where_their_probabilities_are_furthest_apart():
    def of(score: list[float], rows: list[int] | None = None) -> BinaryOutcomes:
        return BinaryOutcomes(
            classes=("no", "yes"), truth=np.zeros(len(score), np.int8), score=np.array(score),
            probability=True, rows=None if rows is None else np.array(rows),
        )  # fmt: skip

    models = {"a": of([0.1, 0.9, 0.5, 0.3]), "b": of([0.2, 0.3, 0.5], [1, 2, 3])}
    data = Predictions(digest="", classes=("no", "yes"), models=models)
    made = listed(data, "disagreement", QUICK, "a")
    assert made.row.tolist() == [2, 1, 3, 4]
    assert made.value[:3] == pytest.approx([0.6, 0.1, 0.0])
    assert np.isnan(made.value[3])  # row 4 has no answer of b
    assert listed(data, "disagreement", QUICK, "b").row.tolist() == [2, 1, 3]


def test_labels_disagree_in_as_many_pairs_of_models_as_differ():
    classes, truth = ("a", "b", "c"), np.zeros(3, np.int8)
    said = {"m": [0, 1, 2], "n": [0, 1, 1], "o": [0, 2, 0]}
    models = {
        name: ClassOutcomes(classes=classes, truth=truth, label=np.array(label))
        for name, label in said.items()
    }
    made = listed(Predictions(digest="", classes=classes, models=models), "disagreement", QUICK)
    assert (made.row.tolist(), made.value.tolist()) == ([3, 2, 1], [1.0, pytest.approx(2 / 3), 0.0])


def test_numbers_and_items_are_listed_by_their_errors():
    data = file([1.5, 2.5, 3.25, 4.75], [1.5, 5.5, 3.0, 2.75], header="actual,predicted")
    made = listed(data, "loss", QUICK)
    assert (made.row.tolist(), made.value.tolist()) == ([2, 4, 3, 1], [3.0, 2.0, 0.25, 0.0])
    items = CorrectOutcomes(right=np.array([2.0, 0.0, 1.0]), tries=np.array([2.0, 2.0, 2.0]))
    right = Predictions(digest="", classes=(), models={"m": items})
    assert listed(right, "loss", QUICK).row.tolist() == [2, 3, 1]
    assert offered(right, "m") == ("loss", "file")


def test_only_what_the_model_gives_is_offered_and_all_else_is_refused_by_name():
    labels = file([0, 1, 1], [0, 1, 0], header="truth,label")
    (model,) = labels.models
    assert offered(labels, model) == ("loss", "file")
    assert listed(labels, "loss", QUICK).row.tolist() == [3, 1, 2]
    with pytest.raises(EvalError, match="but by loss, file"):
        listed(labels, "label-errors", QUICK)
    with pytest.raises(EvalError, match='no model "x"'):
        listed(labels, "loss", QUICK, "x")


def test_rows_can_be_narrowed_down_and_cut_off():
    data = file([0, 1, 0, 1], [0.1, 0.05, 0.6, 0.9], header="truth,score")
    among = np.array([True, False, True, True])
    made = listed(data, "loss", QUICK, among=among, most=2)
    assert (made.row.tolist(), made.total) == ([3, 1], 3)
    none = listed(data, "loss", QUICK, among=np.zeros(4, bool))
    assert (len(none.row), none.total) == (0, 0)
    assert listed(data, "file", QUICK, among=among).row.tolist() == [1, 3, 4]


def test_doubtful_labels_are_those_of_confident_learning_with_their_estimate():
    data = file([0, 0, 1, 1, 1], [0.1, 0.95, 0.2, 0.8, 0.9], header="truth,score")
    made = listed(data, "label-errors", QUICK)
    assert made.row.tolist() == [2, 3]
    assert made.value == pytest.approx([0.05, 0.2])
    assert made.doubts is not None
    assert made.doubts.wrong.value <= 2
    only = listed(data, "label-errors", QUICK, among=np.arange(5) > 1)
    assert (only.row.tolist(), only.total) == ([3], 1)


numbers = st.floats(-5, 5) | st.just(float("nan"))


@given(st.lists(numbers, max_size=60), st.integers(0, 60))
def test_the_largest_are_those_of_a_stable_sort(values: list[float], most: int):
    array = np.array(values, float)
    whole = np.argsort(-np.nan_to_num(array, nan=-np.inf), kind="stable")
    assert largest(array, most).tolist() == whole[:most].tolist()
