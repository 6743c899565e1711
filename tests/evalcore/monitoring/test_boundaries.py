"""Limits of the CUSUM against published run lengths, simulation, and hand-worked first looks."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from evalcore.monitoring.boundaries import Cusum, Spending, below


@pytest.mark.parametrize(("limit", "published"), [(4.0, 168.0), (5.0, 465.0)])
def test_average_run_lengths_without_a_shift_are_those_that_are_published(limit, published):
    # Two-sided CUSUM of a normal mean with reference value 1/2: Lucas and Crosier (1982),
    # Technometrics 24, table 1; the two sides halve the run length of one.
    cusum, length = Cusum(1.0), 0.0
    while cusum.alive > 1e-6:
        length += cusum.alive
        cusum.look(1.0)
        cusum.stop(limit)
    assert length / 2 == pytest.approx(published, rel=0.005)


def test_a_single_look_is_an_ordinary_test():
    # The CUSUM of one look with shift 1 is z - 1/2; 2.5% of normal values are above 1.96.
    assert Spending(0.025, 1, 1.0).next(1.0) == pytest.approx(1.95996 - 0.5, abs=0.002)


def test_limits_are_crossed_as_often_as_they_say():
    rng, looks, streams = np.random.default_rng(0), 20, 100_000
    spending = Spending(0.05, looks, 0.7)
    limits = [spending.next(0.7) for _ in range(looks)]
    value, alive = np.zeros(streams), np.ones(streams, bool)
    shares = []
    for limit in limits:
        value = np.maximum(value + 0.7 * rng.normal(size=streams) - 0.7**2 / 2, 0)
        shares.append(np.mean(alive & (value >= limit)))
        alive &= value < limit
    # Four standard errors of the simulation, for the plan and for each look of it.
    assert 1 - alive.mean() == pytest.approx(0.05, abs=4 * np.sqrt(0.05 * 0.95 / streams))
    assert shares == pytest.approx([0.05 / looks] * looks, abs=4 * np.sqrt(0.0025 / streams))


def test_a_plan_that_is_used_up_has_no_limit_left():
    spending = Spending(0.05, 2, 1.0)
    assert np.isfinite([spending.next(1.0), spending.next(1.0)]).all()
    assert spending.next(1.0) == np.inf


def test_a_finer_grid_gives_the_same_limits():
    coarse, fine = Spending(0.025, 100, 0.5), Spending(0.025, 100, 0.1)
    for _ in range(100):
        assert coarse.next(0.5, 0.3) == pytest.approx(fine.next(0.5, 0.3), abs=0.03)


@given(st.floats(-4, 6), st.floats(0.01, 2) | st.floats(-2, -0.01))
def test_the_skewed_distribution_is_that_of_scipy(value, skewness):
    theirs = stats.pearson3.cdf(value, skewness)
    assert float(below(np.array(value), skewness)) == pytest.approx(theirs, abs=1e-9)
