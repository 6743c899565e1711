"""Confusion matrices: counts by hand, weights."""

from math import fsum

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.metrics import confusion_matrix

from evalcore.errors import EvalError
from evalcore.metrics.catalog import by_key
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix, as_counts
from tests.evalcore.golden import Golden, entries, frame, ids
from tests.evalcore.strategies import Scored, scored

ANIMALS = ("cat", "dog", "owl")


def matrix(*rows: list[int]) -> ConfusionMatrix:
    return ConfusionMatrix(ANIMALS, np.array(rows))


def test_rows_are_the_truth_and_columns_the_decision() -> None:
    truth, decision = np.array([0, 0, 0, 1, 2]), np.array([1, 1, 0, 1, 0])
    counts = ConfusionMatrix.from_codes(truth, decision, ANIMALS).counts
    assert counts.tolist() == [[1, 2, 0], [0, 1, 0], [1, 0, 0]]
    assert counts.dtype == np.int64


def test_class_one_is_the_positive_one_of_two() -> None:
    counts = ConfusionMatrix(("no", "yes"), np.array([[50, 3], [7, 11]])).binary()
    assert counts == BinaryCounts(tp=11, fp=3, fn=7, tn=50)


def test_a_matrix_of_three_classes_has_no_binary_counts() -> None:
    with pytest.raises(EvalError, match="3 classes"):
        matrix([1, 0, 0], [0, 1, 0], [0, 0, 1]).binary()


def test_each_class_against_the_rest_by_hand() -> None:
    counts = matrix([5, 1, 0], [2, 6, 1], [0, 3, 9]).one_vs_rest()
    assert np.array_equal(counts.tp, [5, 6, 9])
    assert np.array_equal(counts.fp, [2, 4, 1])
    assert np.array_equal(counts.fn, [1, 3, 3])
    assert np.array_equal(counts.tn, [19, 14, 14])


@pytest.mark.parametrize("seed", range(20))
def test_of_weighted_rows_that_are_none_nothing_is_left(seed: int) -> None:
    weight = np.random.default_rng(seed).random(30).round(2)
    truth = np.arange(30) % 3
    rows = ConfusionMatrix.from_codes(truth, np.zeros(30, np.intp), ("a", "b", "c"), weight)
    counts = rows.one_vs_rest()
    assert counts.tn[0] == 0
    assert np.isnan(by_key()["npv"](counts)[0])
    assert by_key()["specificity"](counts)[0] == 0


def test_a_class_of_small_weights_keeps_its_counts() -> None:
    cells = np.array([[1.2e-11, 1.8e-11, 0.0], [1e12, 1.8e-11, 2e-11], [3e-11, 0.0, 1e-11]])
    counts = ConfusionMatrix(("a", "b", "c"), cells).one_vs_rest()
    for at in range(3):
        others = [place for place in range(3) if place != at]
        assert counts.tp[at] == cells[at, at]
        assert counts.fp[at] == pytest.approx(fsum(cells[others, at]), rel=1e-15)
        assert counts.fn[at] == pytest.approx(fsum(cells[at, others]), rel=1e-15)
        assert counts.tn[at] == pytest.approx(fsum(cells[np.ix_(others, others)].flat), rel=1e-15)


def test_sums_of_counts_by_hand() -> None:
    counts = BinaryCounts(tp=11, fp=3, fn=7, tn=50)
    assert (counts.positives, counts.negatives) == (18, 53)
    assert (counts.predicted_positive, counts.predicted_negative) == (14, 57)
    assert counts.total == 71


def test_counts_are_float64_so_that_their_products_do_not_overflow() -> None:
    billions = np.array([3_000_000_000])
    counts = BinaryCounts(billions, billions, billions, billions)
    assert isinstance(counts.tp, np.ndarray)
    assert counts.tp.dtype == np.float64
    assert (counts.tp * counts.tn * counts.fp)[0] == 27e27
    assert isinstance(BinaryCounts(1, 2, 3, 4).tp, float)


def test_tables_cannot_be_changed() -> None:
    counts = BinaryCounts(np.array([1]), np.array([1]), np.array([1]), np.array([1]))
    with pytest.raises(ValueError, match="read-only"):
        counts.tp[0] = 7  # type: ignore[index]
    with pytest.raises(ValueError, match="read-only"):
        matrix([1, 0, 0], [0, 1, 0], [0, 0, 1]).counts[0, 0] = 7


def test_fractional_weights_give_float_counts_and_whole_ones_integers() -> None:
    truth, decision = np.array([0, 1, 1]), np.array([0, 1, 1])
    halves = ConfusionMatrix.from_codes(truth, decision, ANIMALS, np.array([1, 0.5, 0.25]))
    assert halves.counts[1, 1] == 0.75
    whole = ConfusionMatrix.from_codes(truth, decision, ANIMALS, np.array([1.0, 2, 3]))
    assert whole.counts[1, 1] == 5
    assert whole.counts.dtype == np.int64


def test_codes_of_one_byte_do_not_overflow_with_many_classes() -> None:
    codes = np.arange(127, dtype=np.int8)
    names = tuple(str(code) for code in codes)
    assert np.array_equal(ConfusionMatrix.from_codes(codes, codes, names).counts, np.eye(127))


def test_only_matrices_of_the_same_classes_add_up() -> None:
    with pytest.raises(EvalError, match="same classes"):
        matrix([1, 0, 0], [0, 1, 0], [0, 0, 1]) + ConfusionMatrix(("a",), np.array([[1]]))


codes = st.lists(st.tuples(*[st.integers(0, 2)] * 2, st.integers(0, 3)), min_size=1, max_size=50)


@given(codes)
def test_counts_equal_those_of_scikit_learn(rows: list[tuple[int, int, int]]) -> None:
    truth, decision, weight = np.array(rows).T
    weight = weight + 1  # scikit-learn refuses weights that are all 0
    mine = ConfusionMatrix.from_codes(truth, decision, ANIMALS, weight.astype(float))
    theirs = confusion_matrix(truth, decision, labels=[0, 1, 2], sample_weight=weight)
    assert np.array_equal(mine.counts, theirs)
    assert mine.total == weight.sum()


@given(codes, st.integers(0, 50))
def test_two_parts_of_a_file_add_up_to_the_whole(
    rows: list[tuple[int, int, int]], cut: int
) -> None:
    truth, decision, _ = np.array(rows).T
    first = ConfusionMatrix.from_codes(truth[:cut], decision[:cut], ANIMALS)
    second = ConfusionMatrix.from_codes(truth[cut:], decision[cut:], ANIMALS)
    whole = ConfusionMatrix.from_codes(truth, decision, ANIMALS)
    assert np.array_equal((first + second).counts, whole.counts)


@given(scored())
def test_a_row_of_weight_two_counts_as_two_rows(data: Scored) -> None:
    decision = (data.score >= 0.5).astype(np.int8)
    weighted = ConfusionMatrix.from_codes(data.truth, decision, ("no", "yes"), data.weight)
    twice = data.repeated()
    plain = ConfusionMatrix.from_codes(
        twice.truth, (twice.score >= 0.5).astype(np.int8), ("no", "yes")
    )
    assert np.array_equal(weighted.counts, plain.counts)


FROM_LABELS = [
    entry
    for entry in entries(id="confusion.breast_cancer_cv.*", quantity="confusion_tp_fp_fn_tn")
    if entry.params["from"] == "label"
]


@pytest.mark.parametrize("golden", FROM_LABELS, ids=ids(FROM_LABELS))
def test_counts_equal_those_of_caret(golden: Golden) -> None:
    data = frame("breast_cancer_cv.csv")
    truth = (data["truth"] == "malignant").to_numpy(np.int8)
    label = (data[f"{golden.params['model']}_label"] == "malignant").to_numpy(np.int8)
    counts = ConfusionMatrix.from_codes(truth, label, ("benign", "malignant")).binary()
    golden.check({name: getattr(counts, name) for name in ("tp", "fp", "fn", "tn")})


@pytest.mark.parametrize(
    ("weight", "kind"),
    [
        ([], "int64"),
        ([0.0, 2.0], "int64"),
        ([1, 2], "int64"),
        ([1.0, 0.5], "float64"),
        ([1e300], "float64"),
        ([2.0**53, 1.0], "float64"),
    ],
)
def test_weights_are_integers_where_their_sums_are_exact(weight: list[float], kind: str) -> None:
    counts = as_counts(np.array(weight))
    assert counts.dtype == kind
    assert counts.tolist() == weight
