import numpy as np
import pytest
from hypothesis import given
from sklearn.isotonic import IsotonicRegression

from evalcore.curves.calibration import ConsistencyBand, IsotonicCalibration
from evalcore.metrics.probability import BRIER
from evalcore.tables.scores import ScoreTable
from tests.evalcore.golden import breast_cancer
from tests.evalcore.strategies import PROBABILITIES, Scored, with_both_classes


@pytest.mark.parametrize("model", ["logreg", "rf", "knn"])
def test_the_fit_is_that_of_scikit_learn(model: str) -> None:
    truth, score = breast_cancer(model)
    fit = IsotonicCalibration.from_table(ScoreTable.from_scores(truth, score))
    theirs = IsotonicRegression().fit(score, truth).predict(fit.probability)
    np.testing.assert_allclose(fit.share, theirs, atol=1e-12)


@given(with_both_classes(PROBABILITIES))
def test_the_parts_add_up_to_the_brier_score(data: Scored) -> None:
    table = ScoreTable.from_scores(data.truth, data.score, data.weight)
    fit = IsotonicCalibration.from_table(table)
    total = fit.miscalibration - fit.discrimination + fit.uncertainty
    assert total == pytest.approx(float(BRIER(table)), abs=1e-9)
    assert fit.miscalibration >= -1e-12
    assert fit.discrimination >= -1e-12
    assert (np.diff(fit.share) >= 0).all()


def test_the_parts_by_hand() -> None:
    # The fit is 0, then one half for the pair in the wrong order.
    table = ScoreTable.from_scores(np.array([0, 1, 0], np.int8), np.array([0.2, 0.4, 0.6]))
    fit = IsotonicCalibration.from_table(table)
    fitted = (0 + 0.25 + 0.25) / 3
    assert fit.miscalibration == pytest.approx((0.04 + 0.36 + 0.36) / 3 - fitted)
    assert fit.discrimination == pytest.approx(2 / 9 - fitted)


def test_true_probabilities_lie_in_the_band_about_as_often_as_it_says() -> None:
    inside = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        p = np.round(rng.random(300), 2)
        table = ScoreTable.from_scores((rng.random(300) < p).astype(np.int8), p)
        band = ConsistencyBand.from_table(table, np.random.default_rng(seed), draws=100)
        fit = IsotonicCalibration.from_table(table)
        inside.append(np.mean((band.low <= fit.share) & (fit.share <= band.high)))
    assert 0.9 <= np.mean(inside) <= 0.99


def test_overconfident_probabilities_leave_the_band() -> None:
    rng = np.random.default_rng(0)
    p = rng.random(1000)
    truth = (rng.random(1000) < 0.5 + 0.4 * (p - 0.5)).astype(np.int8)
    table = ScoreTable.from_scores(truth, p)
    band = ConsistencyBand.from_table(table, np.random.default_rng(0), draws=100)
    fit = IsotonicCalibration.from_table(table)
    at = np.interp(band.probability, fit.probability, fit.share)
    assert np.mean((band.low <= at) & (at <= band.high)) < 0.6


def test_many_probabilities_are_counted_together_in_the_band() -> None:
    rng = np.random.default_rng(0)
    p = rng.random(50_000)
    table = ScoreTable.from_scores((rng.random(50_000) < p).astype(np.int8), p)
    band = ConsistencyBand.from_table(table, np.random.default_rng(0), draws=50)
    assert len(band.probability) <= 400
    assert (band.low <= band.probability + 0.02).all()


def test_no_rows_have_no_fit() -> None:
    empty = ScoreTable.from_scores(np.empty(0, np.int8), np.empty(0))
    assert np.isnan(IsotonicCalibration.from_table(empty).uncertainty)
    assert not len(ConsistencyBand.from_table(empty, np.random.default_rng(0)).low)
