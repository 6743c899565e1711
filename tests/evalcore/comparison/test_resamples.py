from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats
from scipy.stats import norm

import evalcore as ec
from evalcore.comparison.rows import (
    LossDifferences,
    ResampledDifferences,
    diebold_mariano,
    paired_bootstrap,
)
from evalcore.comparison.spec import IDENTICAL
from evalcore.metrics.metric import Better

from ..golden import entries, frame, ids

DIEBOLD = entries(id="reg.*", quantity="diebold_mariano")
PAIRED = [e for q in ("paired_t_squared_error", "paired_t_absolute_error")
          for e in entries(id="reg.*", quantity=q)]  # fmt: skip


def losses(entry, power):
    data = frame("diabetes_reg_cv.csv")
    first, second = (
        np.abs(data[f"{entry.params[name]}_pred"] - data["truth"]).to_numpy() ** power
        for name in "AB"
    )
    return LossDifferences.of(first, second)


@pytest.mark.parametrize("entry", DIEBOLD, ids=ids(DIEBOLD))
def test_diebold_and_marianos_test_is_that_of_forecast(entry):
    found = diebold_mariano(losses(entry, entry.params["power"]))
    # The entry is first minus second.
    entry.check({"statistic": -found.statistic, "p_value": found.p_value})


@pytest.mark.parametrize("entry", PAIRED, ids=ids(PAIRED))
def test_it_is_the_paired_t_test_of_the_losses(entry):
    table = losses(entry, 2 if "squared" in entry.quantity else 1)
    found = diebold_mariano(table)
    entry.check({"t": -found.statistic, "p_value": found.p_value, "mean_diff": -table.mean})


def test_losses_of_weight_two_are_rows_twice():
    first, second, weight = np.array([1.0, 2, 4]), np.array([2.0, 1, 9]), np.array([2.0, 1, 3])
    times = weight.astype(int)

    one = LossDifferences.of(first, second, weight)
    other = LossDifferences.of(np.repeat(first, times), np.repeat(second, times))
    assert (one.mean, one.deviation) == pytest.approx((other.mean, other.deviation))


def test_equal_losses_have_p_of_1_and_constant_gaps_none():
    ones = np.ones(5)

    assert diebold_mariano(LossDifferences.of(ones, ones)).note == IDENTICAL
    assert diebold_mariano(LossDifferences.of(ones, ones)).p_value == 1
    assert np.isnan(diebold_mariano(LossDifferences.of(ones, 2 * ones)).p_value)


def test_infinite_losses_are_no_evidence():
    assert np.isnan(diebold_mariano(LossDifferences.of(np.ones(3), np.full(3, np.inf))).p_value)


def test_the_bootstrap_counts_resamples_on_either_side():
    values = np.concatenate([np.full(3, -0.1), np.full(97, 0.2)])
    found = paired_bootstrap(ResampledDifferences(0.19, values))

    assert found.p_value == pytest.approx(2 * 4 / 101)
    assert found.details["second_better"] == 0.97


def test_for_an_error_the_smaller_model_is_the_better_one():
    values = np.concatenate([np.full(3, -0.1), np.full(97, 0.2)])
    found = paired_bootstrap(ResampledDifferences(0.19, values, Better.LOWER))

    assert found.details["second_better"] == pytest.approx(0.03)


def test_the_bootstrap_never_says_0():
    assert paired_bootstrap(ResampledDifferences(1.0, np.ones(2000))).p_value == 2 / 2001


def test_resamples_without_a_value_are_left_out():
    values = np.array([np.nan, 0.1, 0.2, np.inf])
    draws = ResampledDifferences(0.1, values)

    assert paired_bootstrap(draws).details["resamples"] == 2
    assert draws.error == pytest.approx(np.std([0.1, 0.2], ddof=1))
    assert np.isnan(paired_bootstrap(ResampledDifferences(0.1, np.full(3, np.nan))).p_value)


def test_identical_models_have_p_of_1():
    found = paired_bootstrap(ResampledDifferences(0.0, np.zeros(100)))

    assert (found.p_value, found.note) == (1, IDENTICAL)


def test_p_is_not_limited_by_the_number_of_resamples_where_all_show_the_same():
    values = 0.5 + 0.1 * np.random.default_rng(0).normal(size=400)
    found = paired_bootstrap(ResampledDifferences(0.5, values))
    z = 0.5 / values.std(ddof=1)
    assert found.p_value == pytest.approx(2 * norm.sf(z))
    assert found.p_value < 2 / 401
    assert "normal tail" in found.note


def test_a_wide_spread_never_makes_p_larger_than_the_resamples_say():
    values = np.append(np.full(99, 0.01), 5.0)
    found = paired_bootstrap(ResampledDifferences(0.01, values))
    assert found.p_value == pytest.approx(2 / 101)


def test_the_interval_of_a_mean_loss_is_that_of_the_paired_t_test():
    rng = np.random.default_rng(2)
    first, second = rng.exponential(size=(2, 40))
    found = LossDifferences.of(first, second).interval(0.9)
    wanted = stats.ttest_rel(second, first).confidence_interval(0.9)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high))


def test_the_interval_of_a_root_of_mean_losses_by_hand():
    # Squared errors 1, 4, 9 and 4, 4, 16: roots 2.160 and 2.828, the mean difference 10/3.
    table = LossDifferences.of(np.array([1.0, 4.0, 9.0]), np.array([4.0, 4.0, 16.0]))
    roots = np.sqrt(14 / 3) + np.sqrt(8)
    found = replace(table, scale=roots).interval(0.95)
    assert (found.low + found.high) / 2 == pytest.approx(np.sqrt(8) - np.sqrt(14 / 3))
    # 4.302653 is Student's quantile with 2 degrees; the differences 3, 0, 7 deviate by 3.512.
    assert (found.high - found.low) / 2 == pytest.approx(4.302653 * 3.511885 / np.sqrt(3) / roots)


@given(st.integers(0, 10**6), st.integers(3, 60), st.sampled_from(["rmse", "mae"]))
@settings(max_examples=40, deadline=None)
def test_test_and_interval_of_a_mean_loss_agree(seed: int, rows: int, key: str):
    rng = np.random.default_rng(seed)
    truth, first, second = rng.normal(size=(3, rows))
    second = truth + 0.6 * (second - truth)
    made = ec.difference(key, truth, first, second)
    assert made.p_value is not None
    assert made.low is not None
    assert made.high is not None
    assert (made.p_value < 0.05) == (not made.low <= 0 <= made.high)
