"""Accuracy where only right or wrong is known: items are the unit."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import binomtest

from evalcore.errors import EvalError
from evalcore.evaluate import evaluate
from evalcore.evaluation.estimates import accuracy_of_items, items_interval
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, CorrectOutcomes
from evalcore.predictions import Categories, Predictions


def items(right: list[int], tries: list[int] | None = None, **more: object) -> CorrectOutcomes:
    return CorrectOutcomes(
        right=np.array(right, float),
        tries=None if tries is None else np.array(tries, float),
        **more,
    )


def data(group: Categories | None = None, **models: CorrectOutcomes) -> Predictions:
    return Predictions(digest="", classes=(), models=models, group=group)


def test_it_is_the_mean_over_items_of_the_share_of_right_tries() -> None:
    # 1/2, 3/4 and 0/1: an item that was tried more often counts no more.
    assert accuracy_of_items(items([1, 3, 0], [2, 4, 1])) == pytest.approx((0.5 + 0.75) / 3)


def test_of_one_try_each_the_interval_is_that_of_wilson() -> None:
    ends = items_interval(items([1] * 7 + [0] * 5), 0.9)
    expected = binomtest(7, 12).proportion_ci(0.9, "wilson")
    assert (ends.low, ends.high) == pytest.approx((expected.low, expected.high))


def test_tries_that_always_agree_tell_little_more_than_one() -> None:
    once = items_interval(items([1] * 60 + [0] * 40))
    same = items_interval(items([5] * 60 + [0] * 40, [5] * 100))
    assert (same.low, same.high) == pytest.approx((once.low, once.high), abs=0.005)


def test_tries_that_differ_within_items_tell_more() -> None:
    ends = items_interval(items([3, 2] * 50, [5] * 100))
    assert ends.high - ends.low < 0.1


def test_items_that_are_all_right_each_count_as_one_try() -> None:
    expected = binomtest(8, 8).proportion_ci(0.95, "wilson")
    ends = items_interval(items([5] * 8, [5] * 8))
    assert (ends.low, ends.high) == pytest.approx((expected.low, expected.high))


def test_the_interval_holds_the_accuracy_of_all_items_about_as_often_as_it_says() -> None:
    rng, held = np.random.default_rng(3), 0
    for _ in range(400):
        hardness = rng.beta(1.2, 0.8, 40)  # the mean over all items is 0.6
        ends = items_interval(items(rng.binomial(4, hardness).tolist(), [4] * 40))
        held += ends.low <= 0.6 <= ends.high
    assert held >= 370


def test_a_weight_of_two_is_an_item_twice() -> None:
    weighted = items_interval(items([1, 2, 4], [4] * 3, weight=np.array([1.0, 2, 3])))
    written_out = items_interval(items([1, 2, 2, 4, 4, 4], [4] * 6))
    assert (weighted.low, weighted.high) == pytest.approx((written_out.low, written_out.high))


@pytest.mark.parametrize(("right", "tries"), [([2], None), ([3], [2]), ([-1], None), ([0], [0])])
def test_more_right_than_tried_is_refused(right: list[int], tries: list[int] | None) -> None:
    with pytest.raises(EvalError):
        items(right, tries)


def test_groups_have_accuracies_of_their_own() -> None:
    group = Categories(("maths", "code"), np.array([0, 1, 0, 1]))
    [of_maths, of_code] = evaluate(data(group, m=items([1, 0, 1, 1])), Options()).models["m"].groups
    assert (of_maths.group, of_maths.n) == ("maths", 2)
    assert of_maths.metrics["items"]["accuracy"].value == 1
    assert of_code.metrics["items"]["accuracy"].value == 0.5


@given(st.lists(st.integers(0, 1), min_size=1, max_size=40), st.randoms())
def test_it_is_that_of_a_constant_truth_in_any_order(right: list[int], random: object) -> None:
    labels = np.array(right, np.int8)
    same = BinaryOutcomes(
        classes=("wrong", "right"), truth=np.ones(len(right), np.int8), label=labels
    )
    shuffled = list(right)
    random.shuffle(shuffled)
    of_items, of_labels = (
        evaluate(data(m=one), Options(resamples=100)).models["m"].metrics[where]["accuracy"]
        for one, where in ((items(shuffled), "items"), (same, "labels"))
    )
    for name in ("value", "low", "high"):
        assert getattr(of_items, name) == pytest.approx(getattr(of_labels, name))
