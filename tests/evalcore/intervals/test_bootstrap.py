import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from evalcore.intervals.bootstrap import (
    Jackknife,
    basic_interval,
    bca_bootstrap,
    chunks,
    end_errors,
    percentile_bootstrap,
)


def test_percentiles_by_hand() -> None:
    bootstrap = percentile_bootstrap(np.arange(201.0), 0.5)
    assert (bootstrap.interval.low, bootstrap.interval.high) == (50, 150)
    assert bootstrap.interval.method == "bootstrap-percentile"
    assert (bootstrap.failed, bootstrap.interval.degenerate) == (0, False)


def test_draws_that_failed_are_counted_and_left_out() -> None:
    values = np.append(np.arange(201.0), [np.nan, np.inf, -np.inf])
    bootstrap = percentile_bootstrap(values, 0.5)
    assert (bootstrap.interval.low, bootstrap.interval.high) == (50, 150)
    assert bootstrap.failed == 3


@pytest.mark.parametrize("values", [[], [1.0], [np.nan, np.inf, 1.0]])
def test_fewer_than_two_draws_give_no_interval(values: list[float]) -> None:
    bootstrap = percentile_bootstrap(np.array(values), 0.95)
    assert np.isnan([bootstrap.interval.low, bootstrap.interval.high]).all()
    assert not bootstrap.interval.degenerate


def test_draws_that_are_all_alike_are_marked() -> None:
    bootstrap = percentile_bootstrap(np.ones(100), 0.95)
    assert (bootstrap.interval.low, bootstrap.interval.high) == (1, 1)
    assert bootstrap.interval.degenerate
    moved = bca_bootstrap(np.ones(100), 0.95, observed=1.0, acceleration=np.nan)
    assert moved.interval.method == "bootstrap-percentile"
    assert moved.interval.degenerate


def test_a_statistic_of_several_numbers_has_several_intervals() -> None:
    values = np.column_stack([np.arange(201.0), np.full(201, np.nan), np.arange(201.0) * 2])
    interval = percentile_bootstrap(values, 0.5).interval
    np.testing.assert_array_equal(interval.low, [50, np.nan, 100])
    np.testing.assert_array_equal(interval.high, [150, np.nan, 300])


def test_bca_without_bias_and_skewness_is_the_percentile_interval() -> None:
    values = np.arange(1001.0)
    moved = bca_bootstrap(values, 0.9, observed=500.0, acceleration=0.0).interval
    plain = percentile_bootstrap(values, 0.9).interval
    assert moved.method == "bootstrap-bca"
    assert (moved.low, moved.high) == pytest.approx((plain.low, plain.high))


def test_bca_by_the_formula() -> None:
    values = np.arange(1001.0)
    moved = bca_bootstrap(values, 0.95, observed=600.0, acceleration=0.05).interval
    bias = norm.ppf(600.5 / 1001)
    for end, share in ((moved.low, 0.025), (moved.high, 0.975)):
        reach = bias + norm.ppf(share)
        expected = 1000 * norm.cdf(bias + reach / (1 - 0.05 * reach))
        assert end == pytest.approx(expected)


@pytest.mark.parametrize("observed", [-1.0, 2000.0])
def test_bca_gives_percentiles_when_the_observed_value_lies_outside_all_draws(
    observed: float,
) -> None:
    moved = bca_bootstrap(np.arange(1001.0), 0.95, observed=observed, acceleration=0.1)
    assert moved.interval.method == "bootstrap-percentile"


def test_bca_gives_percentiles_when_the_skewness_is_too_large_to_correct() -> None:
    moved = bca_bootstrap(np.arange(1001.0), 0.95, observed=900.0, acceleration=0.5)
    assert moved.interval.method == "bootstrap-percentile"


@given(st.lists(st.tuples(st.floats(-5, 5), st.integers(1, 9)), min_size=2, max_size=20))
def test_the_acceleration_of_cells_is_that_of_their_rows(cells: list[tuple[float, int]]) -> None:
    values, rows = np.array(cells).T
    spread = np.repeat(values, rows.astype(int))
    influence = spread.mean() - spread
    if np.ptp(spread) > 1e-3:
        naive = (influence**3).sum() / (6 * (influence**2).sum() ** 1.5)
        assert Jackknife(values, rows).acceleration == pytest.approx(naive, rel=1e-6, abs=1e-9)


def test_rows_without_influence_have_no_acceleration() -> None:
    assert np.isnan(Jackknife(np.ones(3), np.ones(3)).acceleration)


def test_each_run_of_draws_has_a_generator_of_its_own() -> None:
    runs = list(chunks(25, np.random.default_rng(7), 10))
    assert [draws for draws, _ in runs] == [10, 10, 5]
    first = [child.random() for _, child in runs]
    again = [
        child.random() for _, child in reversed(list(chunks(25, np.random.default_rng(7), 10)))
    ]
    assert first == again[::-1]
    assert len(set(first)) == 3


def test_the_monte_carlo_error_of_an_end_is_how_much_it_varies_between_runs() -> None:
    rng = np.random.default_rng(0)
    runs = [rng.normal(size=1000) for _ in range(300)]
    ends = [np.quantile(values, [0.025, 0.975]) for values in runs]
    said = np.mean([[e.low, e.high] for values in runs if (e := end_errors(values, 0.95))], axis=0)
    assert said == pytest.approx(np.std(ends, axis=0), rel=0.15)


def test_draws_that_gave_no_number_have_no_part_in_the_error_of_an_end() -> None:
    values = np.append(np.linspace(0, 1, 500), np.nan)
    assert end_errors(values, 0.9) == end_errors(values[:-1], 0.9)
    assert np.isnan(end_errors(np.array([np.nan, 1.0]), 0.9).low)


def test_the_basic_interval_turns_the_draws_round_at_the_value() -> None:
    drawn = percentile_bootstrap(np.arange(201.0), 0.5).interval
    turned = basic_interval(90.0, drawn)
    assert (turned.low, turned.high) == (30, 130)
    assert turned.method == "bootstrap-basic"
    assert basic_interval(300.0, drawn).low == 300
