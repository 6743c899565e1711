"""Calibration of several classes: of the class decided for, and class by class."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.typing import NDArray
from scipy.special import logit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss

from evalcore.evaluation.estimates import judge_classes
from evalcore.options import Options
from evalcore.tables.classes import ClassScores

QUICK = Options(resamples=200)
NAMES = ("a", "b", "c")
FOUR = np.array([[0.8, 0.1, 0.1], [0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.2, 0.1, 0.7]])


def scores(truth: list[int] | NDArray[np.int64], probabilities: NDArray[np.float64]) -> ClassScores:
    names = tuple("abcdefgh"[: probabilities.shape[1]])
    return ClassScores.from_probabilities(np.asarray(truth, dtype=np.int8), probabilities, names)


def sample(n: int, sharpness: float = 1.0, seed: int = 0) -> ClassScores:
    """Draw rows whose probabilities are true where sharpness is 1, too extreme above."""
    rng = np.random.default_rng(seed)
    true = rng.dirichlet([1.0, 1.5, 2.0], n)
    truth = (true.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1)
    said = true**sharpness
    return scores(truth, said / said.sum(axis=1, keepdims=True))


def test_four_rows_worked_out_by_hand_in_two_bins() -> None:
    made = judge_classes(scores([0, 1, 1, 2], FOUR), Options(bins=2, resamples=200))
    # The class decided for is right in 3 rows of 4, at a mean probability of 0.7.
    assert made.top_label["ece"].value == pytest.approx(0.05)
    # Of a, 1.4 were expected above one half and 1 came, below 0.4 and none came; b, c likewise.
    errors = {name: found["ece"].value for name, found in made.classes.items()}
    assert errors == pytest.approx({"a": 0.8 / 4, "b": 0.8 / 4, "c": 0.6 / 4})
    assert made.mean.value == pytest.approx((0.8 + 0.8 + 0.6) / 12)
    assert made.classes["a"]["brier"].value == pytest.approx((0.04 + 0.36 + 0.04 + 0.04) / 4)


def test_numbers_of_a_class_are_those_of_scikit_learn_and_of_plain_bins() -> None:
    rng = np.random.default_rng(1)
    probabilities = rng.dirichlet([1.0, 1.0, 3.0], 500)
    truth = rng.integers(3, size=500)
    made = judge_classes(scores(truth, probabilities), QUICK)
    for code, name in enumerate(NAMES):
        p, y = probabilities[:, code], (truth == code).astype(float)
        line = LogisticRegression(C=1e10, tol=1e-10).fit(logit(p)[:, np.newaxis], y)
        found = made.classes[name]
        assert found["calibration_slope"].value == pytest.approx(line.coef_[0, 0], abs=1e-4)
        assert found["calibration_intercept"].value == pytest.approx(line.intercept_[0], abs=1e-4)
        assert found["brier"].value == pytest.approx(brier_score_loss(y, p))
        gaps = [(p - y)[np.floor(p * 10) == k].sum() for k in range(10)]
        assert found["ece"].value == pytest.approx(np.abs(gaps).sum() / 500)


def test_the_worst_class_comes_first_and_every_number_has_its_interval() -> None:
    made = judge_classes(sample(600, sharpness=3), QUICK)
    errors = [found["ece"].value for found in made.classes.values()]
    assert errors == sorted(errors, reverse=True)
    for found in (made.top_label, *made.classes.values()):
        for key in ("ece", "brier", "calibration_slope", "calibration_intercept"):
            low, high = found[key].low, found[key].high
            assert low is not None
            assert high is not None
            assert low <= found[key].value <= high


def test_p_values_are_adjusted_and_find_what_is_too_extreme() -> None:
    made = judge_classes(sample(600, sharpness=3), QUICK)
    assert max(made.p_values.values()) < 0.001
    made = judge_classes(sample(600), QUICK)
    plain = {name: found["spiegelhalter_p"].value for name, found in made.classes.items()}
    smallest = min(plain, key=plain.__getitem__)
    assert plain[smallest] < made.top_label["spiegelhalter_p"].value
    assert made.p_values[smallest] == pytest.approx(4 * plain[smallest])


def test_of_true_probabilities_hardly_one_table_in_twenty_shows_a_small_p_value() -> None:
    smallest = [
        min(judge_classes(sample(200, seed=k), QUICK).p_values.values()) for k in range(200)
    ]
    # At most 10 are expected; 20 would be three standard errors more.
    assert sum(p < 0.05 for p in smallest) < 20


def test_a_class_without_a_probability_is_left_out() -> None:
    given_ = np.column_stack([FOUR[:, :2], np.full(4, np.nan)])
    assert set(judge_classes(scores([0, 1, 1, 2], given_), QUICK).classes) == {"a", "b"}


def test_without_rows_there_is_no_number() -> None:
    made = judge_classes(scores([], np.empty((0, 3))), QUICK)
    assert not made.classes
    assert np.isnan(
        [made.mean.value, made.top_label["ece"].value, made.top_label["brier"].value]
    ).all()


@given(st.integers(0, 1000), st.permutations(range(3)))
@settings(max_examples=20, deadline=None)
def test_the_order_of_the_classes_changes_nothing(seed: int, order: list[int]) -> None:
    rng = np.random.default_rng(seed)
    probabilities, truth = rng.dirichlet(np.ones(3), 40), rng.integers(3, size=40)
    one = judge_classes(scores(truth, probabilities), QUICK)
    place = np.argsort(order)
    other = judge_classes(scores(place[truth], probabilities[:, order]), QUICK)
    assert one.top_label["ece"].value == pytest.approx(other.top_label["ece"].value)
    assert one.mean.value == pytest.approx(other.mean.value)
    for new, old in enumerate(order):
        for key in ("ece", "brier", "calibration_slope"):
            before = one.classes[NAMES[old]][key].value
            assert other.classes[NAMES[new]][key].value == pytest.approx(before, nan_ok=True)


@given(st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_of_two_classes_each_is_the_mirror_of_the_other(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p, truth = rng.random(40), rng.integers(2, size=40)
    made = judge_classes(scores(truth, np.column_stack([p, 1 - p])), QUICK).classes
    a, b = made["a"], made["b"]
    assert a["brier"].value == pytest.approx(b["brier"].value)
    slopes = [found["calibration_slope"].value for found in (a, b)]
    assert slopes[0] == pytest.approx(slopes[1], nan_ok=True)
    intercepts = [found["calibration_intercept"].value for found in (a, b)]
    assert intercepts[0] == pytest.approx(-intercepts[1], nan_ok=True)
