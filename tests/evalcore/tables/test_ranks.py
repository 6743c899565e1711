from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evalcore.tables.residuals import Ranks, inversions

FEW = st.integers(0, 6).map(float)
ROWS = st.lists(st.tuples(FEW, FEW, st.integers(0, 3)), min_size=2, max_size=40)


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


@given(ROWS)
def test_weight_two_is_the_row_twice(rows):
    repeated = [(y, f, 1) for y, f, weight in rows for _ in range(weight)]
    if len(repeated) < 2:
        return
    one, other = ranked(rows), ranked(repeated, weighted=False)
    np.testing.assert_allclose(one.pairs, other.pairs)
    assert one.moments.product_ss == pytest.approx(other.moments.product_ss)


@given(ROWS)
def test_concordance_of_pairs_is_that_of_scipy(rows):
    truth, prediction, _ = np.array(rows).T
    pairs = ranked(rows, weighted=False).pairs
    scale = np.sqrt((pairs.total - pairs.tied_truth) * (pairs.total - pairs.tied_prediction))
    if scale:
        tau = (pairs.concordant - pairs.discordant) / scale
        assert tau == pytest.approx(stats.kendalltau(truth, prediction).statistic)


def test_no_rows_make_no_pairs():
    assert Ranks.from_values(np.empty(0), np.empty(0)).pairs.discordant == 0
