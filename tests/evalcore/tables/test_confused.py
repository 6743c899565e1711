import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.tables.confusion import (
    ConfusionMatrix,
    by_confusion,
    confused_pairs,
    pooled,
    shares_of_decision,
    shares_of_truth,
)

PETS = ConfusionMatrix(("cat", "dog", "eel"), np.array([[6, 3, 1], [2, 8, 0], [0, 0, 0]]))

squares = st.integers(1, 6).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 50), min_size=k, max_size=k), min_size=k, max_size=k)
)


def matrix_of(rows):
    counts = np.array(rows, dtype=np.int64)
    return ConfusionMatrix(tuple(f"class {i}" for i in range(len(counts))), counts)


def test_shares_of_truth_are_worked_by_hand_and_unknown_without_truth():
    np.testing.assert_allclose(
        shares_of_truth(PETS), [[0.6, 0.3, 0.1], [0.2, 0.8, 0.0], [np.nan] * 3]
    )


def test_shares_of_decision_are_worked_by_hand():
    np.testing.assert_allclose(
        shares_of_decision(PETS)[:, :2], [[0.75, 3 / 11], [0.25, 8 / 11], [0, 0]]
    )


def test_shares_agree_with_scikit_learn_where_there_is_truth():
    from sklearn.metrics import confusion_matrix

    rng = np.random.default_rng(3)
    truth, decision = rng.integers(0, 4, 200), rng.integers(0, 4, 200)
    matrix = ConfusionMatrix.from_codes(truth, decision, tuple("abcd"))
    expected = confusion_matrix(truth, decision, normalize="true")
    np.testing.assert_allclose(shares_of_truth(matrix), expected)


def test_confused_pairs_list_the_most_frequent_errors_first_and_no_correct_cell():
    pairs = confused_pairs(PETS, 10)
    assert [(p.truth, p.decision, p.count) for p in pairs] == [
        ("cat", "dog", 3),
        ("dog", "cat", 2),
        ("cat", "eel", 1),
    ]
    assert pairs[0].share == pytest.approx(0.3)


def test_a_class_is_followed_by_the_one_it_is_most_confused_with():
    matrix = matrix_of([[9, 0, 5, 0], [0, 9, 0, 2], [4, 0, 9, 0], [0, 1, 0, 9]])
    assert by_confusion(matrix).tolist() == [0, 2, 1, 3]


def test_a_matrix_without_errors_keeps_its_order():
    assert by_confusion(matrix_of(np.eye(4))).tolist() == [0, 1, 2, 3]


def test_pooling_by_hand_keeps_rows_and_columns_of_the_rest_together():
    small = pooled(PETS, np.array([1]), "other")
    assert small.classes == ("dog", "other")
    assert small.counts.tolist() == [[8, 2], [3, 7]]


@given(squares)
def test_the_order_holds_every_class_once(rows):
    matrix = matrix_of(rows)
    assert sorted(by_confusion(matrix).tolist()) == list(range(len(rows)))


@given(squares, st.data())
def test_pooling_keeps_the_totals(rows, data):
    matrix = matrix_of(rows)
    keep = by_confusion(matrix)[: data.draw(st.integers(1, len(rows)))]
    small = pooled(matrix, keep, "other")
    assert small.total == matrix.total
    kept = len(keep)
    np.testing.assert_array_equal(small.counts[:kept].sum(axis=1), matrix.counts.sum(axis=1)[keep])


@given(squares)
def test_pairs_hold_every_error_when_there_is_no_limit(rows):
    matrix = matrix_of(rows)
    pairs = confused_pairs(matrix, 1000)
    assert sum(p.count for p in pairs) == matrix.total - np.trace(matrix.counts)
