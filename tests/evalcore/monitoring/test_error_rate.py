"""How often a change is flagged where there is none, and how soon one of 5 points is found."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from benchmarks.monitoring import AGAINST_ROWS, DROPS, SHARES, delays, estimated, flagged
from evalcore.monitoring.watching import Plan
from tests.evalcore.monitoring.streams_made import watched


def false_alarms(looks: int, rows: int, share: float, streams: int) -> float:
    """Return the share of streams without a change in which one is flagged."""
    return float(np.isfinite(flagged(looks, rows, np.full(looks, share), share, streams)).mean())


def test_many_streams_at_once_are_flagged_as_each_alone() -> None:
    looks, rows, share = 12, 60, 0.9
    found = flagged(looks, rows, np.full(looks, share - 0.03), share, 40)
    rng = np.random.default_rng(0)
    right = np.array([rng.binomial(rows, share - 0.03, 40) for _ in range(looks)]).T
    single = [watched(own, np.full(looks, rows), Plan(looks), share).at for own in right]
    assert found.tolist() == [np.inf if at is None else at for at in single]
    assert 0 < sum(at is not None for at in single) < 40


@pytest.mark.parametrize(
    ("looks", "rows", "share"),
    [(10, 100, 0.9), (100, 1, 0.9), (100, 1, 0.5), (100, 20, 0.95), (30, 400, 0.8)],
)
def test_5_percent_of_streams_are_flagged_without_a_change(
    looks: int, rows: int, share: float
) -> None:
    # Of 20,000 streams a rate of 4.75% is told to within 0.45 points, by three standard errors.
    assert 0.043 <= false_alarms(looks, rows, share, 20_000) <= 0.0545


@settings(max_examples=10)
@given(st.integers(1, 40), st.integers(1, 400), st.floats(0.02, 0.98))
def test_no_more_are_flagged_for_any_looks_of_any_size(looks: int, rows: int, share: float) -> None:
    assert false_alarms(looks, rows, share, 5000) <= 0.05 + 4 * sqrt(0.05 * 0.95 / 5000)


def test_few_are_flagged_where_the_reference_is_estimated() -> None:
    assert np.mean([estimated(10, 100, 0.9, seed) for seed in range(150)]) <= 0.1


@pytest.mark.slow
@pytest.mark.parametrize(("looks", "rows", "share"), SHARES[1:])
def test_so_it_is_for_longer_plans(looks: int, rows: int, share: float) -> None:
    assert 0.043 <= false_alarms(looks, rows, share, 20_000) <= 0.0545


@pytest.mark.slow
@pytest.mark.parametrize(("looks", "rows", "share"), AGAINST_ROWS[:3])
def test_so_it_is_where_the_reference_is_estimated(looks: int, rows: int, share: float) -> None:
    # 2,000 streams tell 5% to within 1.5 points.
    rate = np.mean([estimated(looks, rows, share, seed) for seed in range(2000)])
    assert 0.035 <= rate <= 0.065


@pytest.mark.parametrize(("looks", "rows", "share"), DROPS)
@pytest.mark.parametrize("part", [0, 0.3])
def test_a_drop_of_5_points_is_found_within_twice_the_rows_of_a_fixed_test(
    looks: int, rows: int, share: float, part: float
) -> None:
    # The fixed test is one that finds 90% of such drops.
    late = delays(looks, rows, share, int(looks * part), 1000)
    many = looks == 1000 and rows >= 50  # plans for 50,000 rows and more
    assert late[np.isfinite(late)].mean() <= (1.9 if many else 1.4)
    assert np.quantile(late, 0.8, method="higher") <= (2.4 if many else 2)
