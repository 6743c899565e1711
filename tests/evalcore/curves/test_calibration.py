"""Calibration in bins, and of predicted quantiles."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats
from sklearn.calibration import calibration_curve
from sklearn.metrics import mean_pinball_loss

from evalcore.curves.calibration import CalibrationCurve, Coverage, QuantileTable
from evalcore.errors import EvalError
from evalcore.intervals.closed import wilson
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.scores import ScoreTable
from tests.evalcore.strategies import PROBABILITIES, Scored, scored


def curve_of(truth: list[int], score: list[float], bins: int = 10) -> CalibrationCurve:
    table = ScoreTable.from_scores(np.array(truth, dtype=np.int8), np.array(score))
    return CalibrationCurve.from_table(ReliabilityTable.from_scores(table, bins))


def test_a_curve_by_hand_leaves_empty_bins_out() -> None:
    curve = curve_of([0, 1, 0, 1], [0.1, 0.2, 0.2, 0.9], bins=4)
    assert curve.low.tolist() == [0, 0.75]
    assert curve.high.tolist() == [0.25, 1]
    assert curve.n.tolist() == [3, 1]
    np.testing.assert_allclose(curve.mean_probability, [0.5 / 3, 0.9])
    np.testing.assert_allclose(curve.share_positive, [1 / 3, 1])
    one_of_three, one_of_one = wilson(1, 3), wilson(1, 1)
    assert curve.share_low.tolist() == [one_of_three.low, one_of_one.low]
    assert curve.share_high.tolist() == [one_of_three.high, 1]


def test_no_rows_leave_no_point() -> None:
    assert len(curve_of([], []).n) == 0


@given(scored(PROBABILITIES), st.integers(1, 15))
def test_the_interval_holds_the_share_and_the_bin_its_mean(data: Scored, bins: int) -> None:
    table = ScoreTable.from_scores(data.truth, data.score, data.weight)
    curve = CalibrationCurve.from_table(ReliabilityTable.from_scores(table, bins), level=0.9)
    assert (curve.share_low <= curve.share_positive).all()
    assert (curve.share_positive <= curve.share_high).all()
    assert (curve.low - 1e-12 <= curve.mean_probability).all()
    assert (curve.mean_probability <= curve.high + 1e-12).all()


def test_points_equal_scikit_learns_away_from_the_edges() -> None:
    rng = np.random.default_rng(0)
    score = rng.random(500)
    truth = (rng.random(500) < score).astype(int)
    share, mean = calibration_curve(truth, score, n_bins=8)
    curve = curve_of(truth.tolist(), score.tolist(), bins=8)
    assert curve.share_positive == pytest.approx(share)
    assert curve.mean_probability == pytest.approx(mean)


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
