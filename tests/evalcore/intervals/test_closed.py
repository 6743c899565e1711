"""Intervals in closed form: of proportions and of means."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats
from scipy.stats import binomtest

from evalcore.intervals.closed import (
    fisher_interval,
    mean_interval,
    median_interval,
    normal_quantile,
    wilson,
)
from tests.evalcore.golden import Golden, entries, ids


def test_wilsons_interval_by_hand() -> None:
    # z = 2: (8 + 2) / (16 + 4) plus or minus 2 / 20 sqrt(8 * 8 / 16 + 1).
    level = 0.9544997361036416
    assert normal_quantile(level) == pytest.approx(2, abs=1e-12)
    ends = wilson(8, 16, level)
    assert ends.low == pytest.approx(0.5 - 0.1 * np.sqrt(5))
    assert ends.high == pytest.approx(0.5 + 0.1 * np.sqrt(5))


def test_without_trials_there_is_no_interval() -> None:
    none = wilson(0, 0)
    assert np.isnan([none.low, none.high]).all()


def test_arrays_give_the_same_intervals_as_their_numbers() -> None:
    k, n = np.array([0, 3, 0, 7]), np.array([5, 8, 0, 7])
    together = wilson(k, n, 0.9)
    for position in range(len(k)):
        alone = wilson(k[position], n[position], 0.9)
        np.testing.assert_equal(together.low[position], alone.low)  # type: ignore[index]
        np.testing.assert_equal(together.high[position], alone.high)  # type: ignore[index]


@given(st.integers(1, 10**7), st.floats(0, 1), st.floats(0.01, 0.999))
def test_no_interval_leaves_the_range_or_misses_the_share(
    n: int, share: float, level: float
) -> None:
    k = round(share * n)
    ends = wilson(k, n, level)
    assert 0 <= ends.low <= k / n + 1e-9
    assert k / n - 1e-9 <= ends.high <= 1


@given(st.integers(1, 300), st.floats(0, 1))
def test_swapping_what_counts_as_success_mirrors_the_interval(n: int, share: float) -> None:
    k = round(share * n)
    assert wilson(k, n).low == pytest.approx(1 - wilson(n - k, n).high, abs=1e-9)


@given(st.integers(1, 200), st.floats(0, 1), st.sampled_from([0.8, 0.95]))
def test_intervals_equal_those_of_scipy(n: int, share: float, level: float) -> None:
    result = binomtest(round(share * n), n)
    mine, other = wilson(result.k, n, level), result.proportion_ci(level, method="wilson")
    assert (mine.low, mine.high) == pytest.approx((other.low, other.high), abs=1e-9)


CASES = entries(id="test.prop.*", quantity="ci_wilson")


@pytest.mark.parametrize("golden", CASES, ids=ids(CASES))
def test_intervals_equal_those_of_r(golden: Golden) -> None:
    params = golden.params
    mine = wilson(params["successes"], params["n"], params["conf_level"])
    golden.check([mine.low, mine.high])


def test_the_interval_of_a_mean_is_students():
    values = np.array([1.0, 4.0, 2.0, 9.0])
    interval = mean_interval(values.mean(), values.std(ddof=1), 4, 0.9)
    low, high = stats.t.interval(0.9, 3, values.mean(), stats.sem(values))

    assert (interval.low, interval.high) == (pytest.approx(low), pytest.approx(high))


def test_a_mean_of_one_value_has_no_interval():
    assert np.isnan(mean_interval(3.0, 1.0, 1).low)


def test_equal_values_give_a_degenerate_interval():
    assert mean_interval(3.0, 0.0, 5).degenerate


@pytest.mark.parametrize(("n", "first"), [(5, None), (6, 1), (8, 1), (9, 2), (20, 6), (100, 40)])
def test_the_interval_of_a_median_starts_at_the_tabled_rank(n, first):
    # Ranks of the sign test, two-sided 5%, from printed tables.
    low = median_interval(np.arange(1.0, n + 1)).interval.low

    assert np.isnan(low) if first is None else low == first


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60))
def test_the_median_is_numpys_and_lies_in_its_interval(values):
    found = median_interval(np.array(values))

    assert found.middle == pytest.approx(np.median(values))
    if not np.isnan(found.interval.low):
        assert found.interval.low <= found.middle <= found.interval.high
        chance = stats.binomtest(int(np.sum(np.array(values) < found.interval.low)), len(values))
        assert chance.pvalue <= 0.05 or found.interval.degenerate


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.integers(0, 4)), min_size=1, max_size=30))
def test_a_median_with_weights_is_that_of_repeated_values(rows):
    values, weight = np.array(rows, dtype=np.float64).T
    repeated = median_interval(np.repeat(values, weight.astype(int)))
    mine = median_interval(values, weight)

    assert mine.middle == pytest.approx(repeated.middle, nan_ok=True)
    assert mine.interval.low == pytest.approx(repeated.interval.low, nan_ok=True)
    assert mine.interval.high == pytest.approx(repeated.interval.high, nan_ok=True)


def test_fishers_interval_is_that_of_scipy():
    x, y = np.random.default_rng(0).normal(size=(2, 30))
    theirs = stats.pearsonr(x, y).confidence_interval(0.95)
    mine = fisher_interval(stats.pearsonr(x, y).statistic, lambda r: 1 / np.sqrt(27))

    assert (mine.low, mine.high) == (pytest.approx(theirs.low), pytest.approx(theirs.high))


def test_a_perfect_correlation_has_a_degenerate_interval_and_an_undefined_one_none():
    assert fisher_interval(1.0, lambda r: 0.1).degenerate
    assert np.isnan(fisher_interval(0.5, lambda r: np.nan).low)
    assert np.isnan(fisher_interval(np.nan, lambda r: 0.1).low)
