"""Comparing models of which only right or wrong is known, item by item."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import binomtest, ttest_rel

from evalcore.compare import compare
from evalcore.comparison.results import Comparison
from evalcore.errors import EvalError
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, CorrectOutcomes
from evalcore.predictions import Predictions

FEW = Options(resamples=100)


def compared(**models: list[int]) -> Comparison:
    told = {n: CorrectOutcomes(right=np.array(right, float)) for n, right in models.items()}
    return compare(Predictions(digest="", classes=(), models=told), FEW)


def p_of(made: Comparison, test: str) -> float:
    [found] = [pair.finding.p_value for pair in made.tests if pair.test == test]
    return found


def test_mcnemar_counts_the_items_that_one_model_alone_has_right() -> None:
    made = compared(a=[1] * 9 + [0] * 2 + [1] * 9, b=[0] * 9 + [1] * 2 + [1] * 9)
    assert p_of(made, "mcnemar_exact") == pytest.approx(binomtest(2, 11).pvalue)
    assert made.unit == "items"
    assert made.primary == "mcnemar_mid_p"
    assert made.models["a"].value == pytest.approx(18 / 20)


def test_three_models_have_the_test_of_cochran() -> None:
    # Textbook: columns 6, 4, 2 of 8 items; Q = 2 (3 (36 + 16 + 4) - 144) / (36 - 24).
    a, b, c = [1] * 6 + [0] * 2, [1] * 4 + [0] * 4, [1] * 2 + [0] * 6
    [q] = [pair.finding.statistic for pair in compared(a=a, b=b, c=c).tests
           if pair.test == "cochran_q"]  # fmt: skip
    rows = np.sum([a, b, c], axis=0)
    assert q == pytest.approx(2 * (3 * 56 - 144) / (3 * 12 - (rows**2).sum()))


def tried() -> Predictions:
    rng = np.random.default_rng(1)
    return Predictions(
        digest="",
        classes=(),
        models={
            name: CorrectOutcomes(
                right=rng.binomial(4, share, 30).astype(float), tries=np.full(30, 4.0)
            )
            for name, share in (("a", 0.7), ("b", 0.5))
        },
    )


def test_items_tried_several_times_are_paired_by_their_shares() -> None:
    data = tried()
    made = compare(data, FEW)
    first, second = (one.share for one in data.models.values())
    expected = ttest_rel(second, first)
    [found] = [pair.finding for pair in made.tests if pair.test == "paired_t_items"]
    assert (found.statistic, found.p_value) == pytest.approx((expected.statistic, expected.pvalue))
    assert made.primary == "paired_bootstrap"
    why = {refused.test: refused.why for refused in made.not_applicable}
    assert "tried several times" in why["mcnemar_exact"]


def test_nothing_but_accuracy_is_compared() -> None:
    with pytest.raises(EvalError, match="none gives"):
        compare(tried(), FEW, metric="f1")


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=10, max_size=60))
def test_it_equals_two_models_with_a_constant_truth(right: list[tuple[int, int]]) -> None:
    columns = np.array(right, np.int8).T
    truth = np.ones(len(right), np.int8)
    labelled = {
        name: BinaryOutcomes(classes=("wrong", "right"), truth=truth, label=label)
        for name, label in zip("ab", columns, strict=True)
    }
    by_label = compare(Predictions(digest="", classes=("wrong", "right"), models=labelled), FEW)
    by_item = compared(a=columns[0].tolist(), b=columns[1].tolist())
    for mine, other in zip(by_item.tests, by_label.tests, strict=True):
        assert mine.test == other.test
        assert mine.finding.p_value == pytest.approx(other.finding.p_value, nan_ok=True)
    assert by_item.differences == by_label.differences
