"""Numbers and their errors row by row: sums, spreads and ranks, by hand and against scipy."""

from dataclasses import fields
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from evalcore.tables.residuals import Ranks, ResidualMoments, inversions

FINITE = st.floats(-1e6, 1e6)
ROWS = st.lists(st.tuples(FINITE, FINITE, st.integers(0, 3)), min_size=1, max_size=40)


def summed(rows):
    truth, prediction, weight = np.array(rows, dtype=np.float64).T
    return ResidualMoments.from_values(truth, prediction, weight)


def assert_same(one, other, **tolerance):
    for field in fields(ResidualMoments):
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        np.testing.assert_allclose(mine, theirs, err_msg=field.name, **tolerance)


def test_a_hand_worked_table_of_four_rows():
    table = ResidualMoments.from_values(np.array([0.0, 1.0, 2.0, 5.0]), np.array([1.0, 1, 4, 4]))

    assert (table.n, table.mean_truth, table.mean_prediction, table.mean_error) == (4, 2, 2.5, 0.5)
    assert (table.truth_ss, table.prediction_ss) == (4 + 1 + 0 + 9, 9)
    assert table.error_ss == 0.25 + 0.25 + 2.25 + 2.25
    assert table.product_ss == (-2 * -1.5) + (-1 * -1.5) + 0 + 3 * 1.5
    assert (table.absolute_error, table.absolute_truth) == (1 + 0 + 2 + 1, 8)
    assert table.relative_error == 0 + 2 / 2 + 1 / 5
    assert table.nonzero == 3
    assert table.symmetric_error == pytest.approx(2 + 0 + 4 / 6 + 2 / 9)
    logs = np.abs(np.log([2 / 1, 1, 5 / 3, 5 / 6]))
    assert table.log_error == pytest.approx(logs.sum())
    assert table.log_squared_error == pytest.approx((logs**2).sum())


def test_targets_of_a_billion_keep_their_precision():
    small = np.random.default_rng(0).normal(size=(2, 1000))
    near, far = (ResidualMoments.from_values(shift + small[0], shift + small[1])
                 for shift in (0.0, 1e9))  # fmt: skip

    for name in ("truth_ss", "prediction_ss", "error_ss", "product_ss"):
        assert getattr(far, name) == pytest.approx(getattr(near, name), rel=1e-6), name


@pytest.mark.parametrize("value", [0.1, 1e9 + 0.1, -3e-7])
def test_equal_values_vary_by_exactly_nothing(value):
    table = ResidualMoments.from_values(np.full(10, value), np.full(10, value + 0.3))

    assert (table.truth_ss, table.prediction_ss) == (0, 0)


def test_a_value_of_minus_one_has_no_logarithm_whatever_is_added():
    bad = ResidualMoments.from_values(np.array([-1.0, 2.0]), np.array([3.0, 2.0]))
    good = ResidualMoments.from_values(np.array([4.0]), np.array([3.0]))

    assert np.isnan((bad + good).log_error)
    assert np.isnan((good + bad).log_squared_error)


def test_no_rows_add_nothing():
    nothing = ResidualMoments.from_values(np.empty(0), np.empty(0))
    some = ResidualMoments.from_values(np.array([1.0]), np.array([3.0]))

    assert nothing.n == 0
    assert_same(nothing + some, some)
    assert_same(some + nothing, some)


@given(ROWS, st.integers(0, 40))
def test_two_parts_of_a_file_add_up_to_the_whole(rows, cut):
    parts = [summed(part) for part in (rows[:cut], rows[cut:]) if part]
    whole = parts[0] if len(parts) == 1 else parts[0] + parts[1]
    if whole.n:
        assert_same(whole, summed(rows), rtol=1e-9, atol=1e-2)


@given(ROWS)
def test_weight_two_is_the_row_twice_and_weight_zero_no_row(rows):
    repeated = [(y, f, 1) for y, f, weight in rows for _ in range(weight)]
    if repeated:
        assert_same(summed(rows), summed(repeated), rtol=1e-9, atol=1e-2)


@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(rows, random):
    shuffled = random.sample(rows, len(rows))
    if any(weight for _, _, weight in rows):
        assert_same(summed(rows), summed(shuffled), rtol=1e-9, atol=1e-2)


FEW = st.integers(0, 6).map(float)
RANKED = st.lists(st.tuples(FEW, FEW, st.integers(0, 3)), min_size=2, max_size=40)


def ranked(rows, *, weighted=True):
    truth, prediction, weight = np.array(rows, dtype=np.float64).T
    return Ranks.from_values(truth, prediction, weight if weighted else None)


def test_pairs_of_a_hand_worked_example():
    pairs = Ranks.from_values(np.array([1.0, 2, 2, 3, 3]), np.array([1.0, 3, 2, 2, 2])).pairs

    # Tied in truth: (2, 2), (3, 3); in prediction: the three 2s; in both: (3, 3).
    assert pairs == (10, 2, 2, 3, 1)
    assert pairs.concordant == 10 - (2 + 3 - 1) - 2


@given(st.lists(st.integers(0, 9), max_size=70))
def test_inversions_are_the_pairs_in_falling_order(values):
    counted = sum(a > b for a, b in combinations(values, 2))

    assert inversions(np.array(values, dtype=np.int64)) == counted
    assert inversions(np.array(values, dtype=np.int64), np.ones(len(values))) == counted


def test_inversions_of_a_falling_row_are_all_pairs():
    n = 100_000
    assert inversions(np.arange(n)[::-1]) == n * (n - 1) / 2


@given(RANKED)
def test_weight_two_is_the_row_twice(rows):
    repeated = [(y, f, 1) for y, f, weight in rows for _ in range(weight)]
    if len(repeated) < 2:
        return
    one, other = ranked(rows), ranked(repeated, weighted=False)
    np.testing.assert_allclose(one.pairs, other.pairs)
    assert one.moments.product_ss == pytest.approx(other.moments.product_ss)


@given(RANKED)
def test_concordance_of_pairs_is_that_of_scipy(rows):
    truth, prediction, _ = np.array(rows).T
    pairs = ranked(rows, weighted=False).pairs
    scale = np.sqrt((pairs.total - pairs.tied_truth) * (pairs.total - pairs.tied_prediction))
    if scale:
        tau = (pairs.concordant - pairs.discordant) / scale
        assert tau == pytest.approx(stats.kendalltau(truth, prediction).statistic)


def test_no_rows_make_no_pairs():
    assert Ranks.from_values(np.empty(0), np.empty(0)).pairs.discordant == 0
