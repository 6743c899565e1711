"""Calibration in bins, and of predicted quantiles."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.calibration import calibration_curve

from evalcore.curves.roc import CalibrationCurve
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
