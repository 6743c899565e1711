"""Count metrics of tables small enough to work out by hand, and of tables that are not small."""

from fractions import Fraction
from math import isqrt

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalcore.errors import EvalError
from evalcore.metrics import catalog, decisions
from evalcore.metrics.decisions import accuracy_weights, mean_cost, total_cost, weighted_accuracy
from evalcore.metrics.multiclass import AVERAGES, macro, weighted
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix

METRIC = catalog.by_key()

# Ten positives of which six are found, ninety negatives of which nine are called positive.
COUNTS = BinaryCounts(tp=6, fp=9, fn=4, tn=81)

BY_HAND = {
    "accuracy": 87 / 100,
    "error_rate": 13 / 100,
    "precision": 6 / 15,
    "recall": 6 / 10,
    "specificity": 81 / 90,
    "npv": 81 / 85,
    "fpr": 9 / 90,
    "fnr": 4 / 10,
    "fdr": 9 / 15,
    "for": 4 / 85,
    "f1": 12 / 25,
    "f0_5": (1.25 * 6) / (1.25 * 6 + 0.25 * 4 + 9),
    "f2": (5 * 6) / (5 * 6 + 4 * 4 + 9),
    "balanced_accuracy": (0.6 + 0.9) / 2,
    "youden_j": 0.5,
    "markedness": 6 / 15 + 81 / 85 - 1,
    "g_mean": (0.6 * 0.9) ** 0.5,
    "fowlkes_mallows": (0.4 * 0.6) ** 0.5,
    "jaccard": 6 / 19,
    "mcc": (6 * 81 - 9 * 4) / (15 * 10 * 90 * 85) ** 0.5,
    "cohen_kappa": (0.87 - 0.78) / (1 - 0.78),
    "lr_plus": 0.6 / 0.1,
    "lr_minus": 0.4 / 0.9,
    "diagnostic_odds_ratio": (6 * 81) / (9 * 4),
    "prevalence": 0.1,
    "detection_rate": 0.06,
    "detection_prevalence": 0.15,
    "no_information_rate": 0.9,
    "tp": 6,
    "fp": 9,
    "fn": 4,
    "tn": 81,
}


@pytest.mark.parametrize("key", BY_HAND)
def test_a_table_worked_out_by_hand(key: str):
    assert METRIC[key](COUNTS) == pytest.approx(BY_HAND[key], rel=1e-12)


@pytest.mark.parametrize(
    ("counts", "undefined"),
    [
        (BinaryCounts(tp=0, fp=0, fn=3, tn=7), "precision fdr mcc fowlkes_mallows markedness"),
        (BinaryCounts(tp=4, fp=0, fn=2, tn=0), "specificity fpr balanced_accuracy lr_plus g_mean"),
        (BinaryCounts(tp=0, fp=2, fn=0, tn=5), "recall fnr youden_j lr_minus"),
        (BinaryCounts(tp=3, fp=4, fn=0, tn=0), "npv for markedness mcc lr_minus"),
        (BinaryCounts(tp=0, fp=0, fn=0, tn=5), "f1 f0_5 f2 jaccard cohen_kappa mcc"),
        (BinaryCounts(tp=5, fp=0, fn=0, tn=0), "cohen_kappa mcc diagnostic_odds_ratio"),
    ],
)
def test_zero_over_zero_is_undefined_not_zero(counts: BinaryCounts, undefined: str):
    for key in undefined.split():
        assert np.isnan(METRIC[key](counts)), key


def test_what_is_defined_beside_something_undefined_stays_so():
    nothing_called = BinaryCounts(tp=0, fp=0, fn=3, tn=7)
    assert METRIC["recall"](nothing_called) == 0
    assert METRIC["f1"](nothing_called) == 0
    assert METRIC["accuracy"](nothing_called) == 0.7


def test_a_number_over_zero_is_infinite():
    assert METRIC["lr_plus"](BinaryCounts(tp=3, fp=0, fn=1, tn=6)) == np.inf
    assert METRIC["diagnostic_odds_ratio"](BinaryCounts(tp=3, fp=0, fn=1, tn=6)) == np.inf


BILLIONS = st.integers(0, 10**9)


@given(tp=BILLIONS, fp=BILLIONS, fn=BILLIONS, tn=BILLIONS)
def test_a_billion_rows_do_not_overflow(tp: int, fp: int, fn: int, tn: int):
    counts = BinaryCounts(np.int64(tp), np.int64(fp), np.int64(fn), np.int64(tn))
    margins = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    if not margins:
        return
    # 10^40 puts the whole part of the root far beyond the digits of a float.
    root = Fraction(isqrt(margins * 10**40), 10**20)
    assert METRIC["mcc"](counts) == pytest.approx(float((tp * tn - fp * fn) / root), abs=1e-9)
    chance = (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)
    kappa = Fraction(2 * (tp * tn - fp * fn), chance)
    assert METRIC["cohen_kappa"](counts) == pytest.approx(float(kappa), abs=1e-9)
    matrices = decisions.as_matrices(counts)
    assert decisions.multiclass_mcc(matrices) == pytest.approx(METRIC["mcc"](counts), abs=1e-6)
    assert decisions.multiclass_kappa(matrices) == pytest.approx(float(kappa), abs=1e-9)


THREE = np.array([[4, 1, 0], [0, 2, 2], [1, 0, 0]])


def test_three_classes_worked_out_by_hand():
    # 6 of 10 right; rows 5, 4, 1; columns 5, 3, 2.
    assert decisions.accuracy(THREE) == 0.6
    assert decisions.multiclass_balanced_accuracy(THREE) == pytest.approx((0.8 + 0.5 + 0) / 3)
    chance = (5 * 5 + 4 * 3 + 1 * 2) / 100
    assert decisions.multiclass_kappa(THREE) == pytest.approx((0.6 - chance) / (1 - chance))
    covariance = 10 * 6 - 39
    assert decisions.multiclass_mcc(THREE) == pytest.approx(
        covariance / ((100 - 42) * (100 - 38)) ** 0.5
    )
    assert decisions.no_information_rate(THREE) == 0.5


def test_weighted_kappa_worked_out_by_hand():
    # Distances: 1 + 2 off by one, 1 off by two.
    observed = (1 + 2 + 2) / 10
    expected = (5 * 3 + 5 * 2 * 2 + 4 * 5 + 4 * 2 + 1 * 5 * 2 + 1 * 3) / 100
    assert decisions.weighted_kappa(THREE, 1) == pytest.approx(1 - observed / expected)
    observed, expected = (1 + 2 + 4) / 10, (15 + 40 + 20 + 8 + 20 + 3) / 100
    assert decisions.weighted_kappa(THREE, 2) == pytest.approx(1 - observed / expected)


def test_one_class_leaves_kappa_and_mcc_undefined():
    alone = np.array([[5]])
    assert decisions.accuracy(alone) == 1
    assert decisions.multiclass_balanced_accuracy(alone) == 1
    assert np.isnan(decisions.multiclass_kappa(alone))
    assert np.isnan(decisions.multiclass_mcc(alone))


@pytest.mark.parametrize("key", ["accuracy", "balanced_accuracy", "mcc", "cohen_kappa"])
def test_the_order_of_the_classes_changes_nothing(key: str):
    function, turn = METRIC[key].over_classes, np.array([2, 0, 1])
    assert function is not None
    assert function(THREE[np.ix_(turn, turn)]) == pytest.approx(function(THREE), rel=1e-12)


def test_weighted_kappa_changes_when_the_classes_are_put_in_another_order():
    turn = np.array([1, 0, 2])
    turned = THREE[np.ix_(turn, turn)]
    assert decisions.weighted_kappa(turned, 1) != pytest.approx(decisions.weighted_kappa(THREE, 1))


def test_swapping_the_classes_swaps_what_belongs_to_them():
    swapped = BinaryCounts(tp=COUNTS.tn, fp=COUNTS.fn, fn=COUNTS.fp, tn=COUNTS.tp)
    pairs = [("recall", "specificity"), ("precision", "npv"), ("fpr", "fnr"), ("fdr", "for")]
    pairs += [(key, key) for key in ("mcc", "cohen_kappa", "accuracy", "youden_j", "markedness")]
    for one, other in pairs:
        assert METRIC[one](swapped) == pytest.approx(METRIC[other](COUNTS)), one


def test_a_class_without_a_value_is_left_out_of_the_mean_and_counted():
    # The third class is never decided, so that its precision is undefined.
    rest = ConfusionMatrix(tuple("abc"), np.array([[4, 1, 0], [0, 4, 0], [1, 0, 0]])).one_vs_rest()
    made = macro(METRIC["precision"], rest)
    assert made.value == pytest.approx((4 / 5 + 4 / 5) / 2)
    assert (made.used, made.present) == (2, 3)
    assert weighted(METRIC["precision"], rest).value == pytest.approx(0.8)
    assert macro(METRIC["recall"], rest).used == 3


def test_a_class_that_neither_occurs_nor_is_decided_takes_no_part():
    rest = ConfusionMatrix(tuple("abc"), np.diag([3, 5, 0])).one_vs_rest()
    for average in AVERAGES.values():
        made = average(METRIC["specificity"], rest)
        assert (made.value, made.present) == (1, 2)


def test_averages_are_over_the_classes_of_the_truth_whatever_a_model_decides():
    # Truth a a b b; decided a x b b, where x never occurs: F1 of a is 2/3, of b 1.
    found = ConfusionMatrix(tuple("abx"), np.array([[1, 0, 1], [0, 2, 0], [0, 0, 0]]))
    # The same error, but decided as b: F1 of a is 2/3, of b 4/5.
    other = ConfusionMatrix(tuple("abx"), np.array([[1, 1, 0], [0, 2, 0], [0, 0, 0]]))
    for matrix, mean in ((found, Fraction(5, 6)), (other, Fraction(11, 15))):
        made = macro(METRIC["f1"], matrix.one_vs_rest())
        assert made.value == pytest.approx(float(mean))
        assert (made.used, made.present) == (2, 2)


@given(st.lists(st.tuples(st.integers(0, 2), *[st.integers(0, 4)] * 2), min_size=1))
def test_models_of_the_same_rows_are_averaged_over_the_same_classes(rows):
    truth, *decided = np.array(rows).T
    for key in ("recall", "f1", "f2"):
        over = [
            macro(METRIC[key], ConfusionMatrix.from_codes(truth, own, tuple("abcde")).one_vs_rest())
            for own in decided
        ]
        assert {made.used for made in over} == {len(set(truth))}, key


def test_micro_recall_is_accuracy():
    rest = ConfusionMatrix(tuple("abc"), THREE).one_vs_rest()
    assert AVERAGES["micro"](METRIC["recall"], rest).value == decisions.accuracy(THREE)


def test_costs_add_up_and_may_be_gains():
    table = ConfusionMatrix(("no", "yes"), np.array([[80, 5], [3, 12]]))
    costs = [[0, 1], [10, -2]]
    assert total_cost(costs)(table) == 5 + 30 - 24
    assert mean_cost(costs)(table) == pytest.approx(0.11)


def test_costs_weigh_a_case_by_what_a_mistake_on_it_costs_more():
    assert accuracy_weights([[-1, 4], [10, 2]]) == (8, 8, 5, 5)
    assert accuracy_weights([[0, 1], [0, 0]]) == (0, 0, 1, 1)
    for costs in ([[0, 0], [0, 0]], [[2, 1], [10, 0]], [[0, 1], [3, 4]]):
        assert accuracy_weights(costs) is None


def test_weighted_accuracy_with_equal_weights_is_accuracy():
    assert weighted_accuracy((1, 1, 1, 1))(COUNTS) == METRIC["accuracy"](COUNTS)
    assert np.isnan(weighted_accuracy((0, 0, 0, 0))(COUNTS))


@pytest.mark.parametrize("costs", [[[0, 1]], [[0, np.nan], [1, 0]], [1, 2]])
def test_costs_that_cannot_be_used_are_refused(costs: list[object]):
    with pytest.raises(EvalError, match="square table"):
        total_cost(costs)


@pytest.mark.parametrize("weights", [(1, 2, 3), (1, -1, 1, 1), (1, np.inf, 1, 1)])
def test_weights_that_cannot_be_used_are_refused(weights: tuple[float, ...]):
    with pytest.raises(EvalError, match="four weights"):
        weighted_accuracy(weights)
