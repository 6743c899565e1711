"""Whether predicted quantiles and intervals hold as often as they say."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats
from sklearn.metrics import mean_pinball_loss

from evalcore.errors import EvalError
from evalview.lab.quantiles import Coverage, QuantileTable


@pytest.fixture(scope="module")
def normal():
    rng = np.random.default_rng(0)
    centre = rng.normal(size=2000)
    return centre, centre + rng.normal(size=2000)


def test_the_pinball_loss_is_that_of_scikit_learn(normal):
    centre, truth = normal
    said = {at: centre + stats.norm.ppf(at) for at in (0.9, 0.1, 0.5)}
    made = QuantileTable.from_values(truth, said)
    assert made.level.tolist() == [0.1, 0.5, 0.9]
    known = [mean_pinball_loss(truth, said[at], alpha=at) for at in (0.1, 0.5, 0.9)]
    np.testing.assert_allclose(made.pinball, known)
    assert ((made.low < made.level) & (made.level < made.high)).all()
    assert made.crossed == 0


def test_crossed_quantiles_are_counted_by_row():
    low, middle, high = np.array([1.0, 2, 3]), np.array([2.0, 1, 3]), np.array([3.0, 3, 2])
    made = QuantileTable.from_values(np.zeros(3), {0.1: low, 0.5: middle, 0.9: high})
    assert made.crossed == 2


def test_a_true_interval_holds_what_it_promises(normal):
    centre, truth = normal
    reach = stats.norm.ppf(0.95)
    made = Coverage.from_values(truth, (centre - reach, centre + reach), 0.9)
    assert made.low < 0.9 < made.high
    assert made.width == pytest.approx(2 * reach)
    assert made.below == np.mean(truth < centre - reach)
    # The interval score is the mean of the two pinball losses, scaled.
    low, high = (
        mean_pinball_loss(truth, centre + sign * reach, alpha=at)
        for sign, at in ((-1, 0.05), (1, 0.95))
    )
    assert made.score == pytest.approx(2 / 0.1 * (low + high))


@given(st.lists(st.integers(0, 4), min_size=1, max_size=8).filter(any))
def test_a_weight_is_so_many_rows(times):
    n = len(times)
    truth, low, high = np.arange(n) * 1.5, np.arange(n) - 0.5, np.arange(n) + 1.0
    weight = np.array(times, dtype=np.float64)
    many = [np.repeat(values, times) for values in (truth, low, high)]
    made = Coverage.from_values(truth, (low, high), 0.8, weight)
    repeated = Coverage.from_values(many[0], (many[1], many[2]), 0.8)
    for name, value in vars(made).items():
        np.testing.assert_allclose(value, getattr(repeated, name), equal_nan=True)
    said = QuantileTable.from_values(truth, {0.2: low, 0.8: high}, weight)
    again = QuantileTable.from_values(many[0], {0.2: many[1], 0.8: many[2]})
    np.testing.assert_allclose(said.pinball, again.pinball)
    np.testing.assert_allclose(said.low, again.low)


def test_without_rows_everything_is_undefined():
    none = np.empty(0)
    made = Coverage.from_values(none, (none, none), 0.9)
    assert np.isnan([made.share, made.width, made.score]).all()
    assert np.isnan(QuantileTable.from_values(none, {0.5: none}).share).all()


@pytest.mark.parametrize("share", [0.0, 1.0, -1.0, np.nan])
def test_a_promise_outside_zero_and_one_is_refused(share):
    one = np.ones(1)
    with pytest.raises(EvalError):
        Coverage.from_values(one, (one, one), share)
    with pytest.raises(EvalError):
        QuantileTable.from_values(one, {share: one})
