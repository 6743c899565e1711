"""Limits of the CUSUM against published run lengths, all ways that looks can go, and simulation."""

from fractions import Fraction
from itertools import product
from math import comb, log

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from evalcore.monitoring.boundaries import Cusum, Law, Spending, below, ratio

NORMAL = ratio(1.0, 0.0)


def binomial(n: int, share: float) -> Law:
    """Return the law of how many of n rows are right, in standard deviations."""
    k = np.arange(n + 1)
    return Law((k - n * share) / np.sqrt(n * share * (1 - share)), stats.binom.pmf(k, n, share))


@pytest.mark.parametrize(("limit", "published"), [(4.0, 168.0), (5.0, 465.0)])
def test_average_run_lengths_without_a_shift_are_those_that_are_published(limit, published):
    # Two-sided CUSUM of a normal mean with reference value 1/2: Lucas and Crosier (1982),
    # Technometrics 24, table 1; the two sides halve the run length of one.
    cusum, alive = Cusum(0.1, limit + 1), [1.0]
    for _ in range(100):
        cusum.look(NORMAL, 0.0)
        cusum.stop(round(limit / cusum.step))
        alive.append(cusum.alive)
    # From then on the same share is flagged at each look.
    length = sum(alive[:-1]) + alive[-1] / (1 - alive[-1] / alive[-2])
    assert length / 2 == pytest.approx(published, rel=0.01)


def test_a_single_look_is_an_ordinary_test():
    # The CUSUM of one look with shift 1 is z - 1/2; 2.5% of normal values are above 1.96.
    one = Spending(0.025, 1, 1.0)
    limit = one.next(NORMAL, 0.0)
    assert limit == np.ceil((stats.norm.isf(0.025) - 0.5) / one.cusum.step + 0.5)
    assert 0.022 <= one.spent <= 0.025


def test_two_looks_at_three_rows_worked_by_hand():
    # Of rows that are right half the time, all 3 are with a chance of 1/8, which is less than the
    # 0.15 of the first look; 2 of 3 have 3/8 more.
    law = binomial(3, 0.5)
    by = ratio(1.0, law)
    spending = Spending(0.3, 2, by.slope)
    first = spending.next(by, law)
    assert spending.spent == pytest.approx(1 / 8)
    added = spending.cusum.steps(law.values, by)
    assert added[2] < first <= added[3]
    spending.next(by, law)
    # The 0.175 that are left allow all 3 after 2 of 3, 3/64, and after fewer, 4/64; to allow 2 of 3
    # twice, 9/64 more, they are too few.
    assert spending.spent == pytest.approx(1 / 8 + 3 / 64 + 1 / 16)


@given(
    share=st.floats(0.1, 0.9),
    rows=st.lists(st.integers(1, 3), min_size=1, max_size=5),
    error=st.floats(0.01, 0.4),
    shift=st.floats(0.2, 2),
)
def test_the_chance_of_an_alarm_is_what_all_ways_add_up_to_and_at_most_the_error(
    share, rows, error, shift
):
    laws = [binomial(n, share) for n in rows]
    ratios = [ratio(shift, law) for law in laws]
    spending = Spending(error, len(rows), min(by.slope for by in ratios))
    limits = [spending.next(by, law) for by, law in zip(ratios, laws, strict=True)]
    added = [spending.cusum.steps(law.values, by) for by, law in zip(ratios, laws, strict=True)]
    p, alarm = Fraction(share), Fraction(0)
    for way in product(*(range(n + 1) for n in rows)):
        chance, value, crossed = Fraction(1), 0.0, False
        for look, (k, n) in enumerate(zip(way, rows, strict=True)):
            chance *= comb(n, k) * p**k * (1 - p) ** (n - k)
            value = max(0.0, value + float(added[look][k]))
            crossed |= value >= limits[look]
        alarm += chance * crossed
    assert float(alarm) <= error * (1 + 1e-9)
    assert float(alarm) == pytest.approx(spending.spent, abs=1e-9)


@given(st.integers(1, 200), st.floats(0.02, 0.98), st.floats(0.05, 2))
def test_of_a_binomial_law_the_ratio_is_that_of_another_share(n, share, shift):
    law = binomial(n, share)
    by = ratio(shift, law)
    # Tilted by its slope, the odds are multiplied; the offset makes the chances add up to 1.
    odds = share / (1 - share) * np.exp(by.slope / np.sqrt(n * share * (1 - share)))
    other = stats.binom.logpmf(np.arange(n + 1), n, odds / (1 + odds))
    told = by.slope * law.values - by.offset
    there = law.chances > 1e-250
    expected = (other - stats.binom.logpmf(np.arange(n + 1), n, share))[there]
    assert told[there] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("shift", "skewness"), [(1, 0.1), (1, 0.5), (0.3, -0.4), (2, 1.2)])
def test_of_a_skewed_law_the_ratio_makes_a_law_whose_mean_is_the_shift(shift, skewness):
    by = ratio(shift, skewness)
    z = np.linspace(-12, 30, 200_001)
    shifted = np.exp(by.slope * z - by.offset) * stats.pearson3.pdf(z, skewness) * (z[1] - z[0])
    assert shifted.sum() == pytest.approx(1, abs=1e-4)
    assert shifted @ z == pytest.approx(shift, abs=1e-4)


def test_limits_are_crossed_as_often_as_they_say():
    rng, looks, streams = np.random.default_rng(0), 20, 100_000
    by = ratio(0.7, 0.0)
    spending = Spending(0.05, looks, by.slope)
    limits = [spending.next(by, 0.0) for _ in range(looks)]
    value, alive = np.zeros(streams), np.ones(streams, bool)
    shares = []
    for limit in limits:
        value = np.maximum(value + spending.cusum.steps(rng.normal(size=streams), by), 0)
        shares.append(np.mean(alive & (value >= limit)))
        alive &= value < limit
    # Four standard errors of the simulation, for the plan; a look may leave something over.
    assert 1 - alive.mean() == pytest.approx(0.05, abs=4 * np.sqrt(0.05 * 0.95 / streams))
    assert np.cumsum(shares) == pytest.approx(np.arange(1, 21) * 0.05 / looks, abs=0.003)


def test_a_plan_that_is_used_up_has_no_limit_left():
    spending = Spending(0.05, 2, 1.0)
    assert np.isfinite([spending.next(NORMAL, 0.0), spending.next(NORMAL, 0.0)]).all()
    assert spending.next(NORMAL, 0.0) == np.inf


def test_a_grid_with_a_transform_gives_what_one_without_gives():
    by = ratio(0.5, 0.3)
    coarse, fine = Spending(0.025, 100, 0.5), Spending(0.025, 100, 0.01)
    assert fine.cusum.step < coarse.cusum.step / 5
    for _ in range(100):
        ours, theirs = (one.next(by, 0.3) * one.cusum.step for one in (coarse, fine))
        assert ours == pytest.approx(theirs, abs=2 * coarse.cusum.step)


@given(st.floats(1e-6, 0.5), st.integers(1, 100_000))
def test_the_grid_ends_where_no_limit_lies(error, looks):
    # The first look has the least to spend.
    assert np.isfinite(Spending(error, looks, 1.0).next(NORMAL, 0.0))
    assert Spending(error, looks, 1.0).cusum.limit(error / looks) * 0.05 <= log(looks / error) + 1.1


@given(st.floats(-4, 6), st.floats(0.01, 2) | st.floats(-2, -0.01))
def test_the_skewed_distribution_is_that_of_scipy(value, skewness):
    theirs = stats.pearson3.cdf(value, skewness)
    assert float(below(np.array(value), skewness)) == pytest.approx(theirs, abs=1e-9)
