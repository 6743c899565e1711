import numpy as np
import pytest
from hypothesis import given
from sklearn.isotonic import IsotonicRegression

from evalcore.curves.roc import CalibrationCurve
from evalcore.metrics.probability import BRIER
from evalcore.options import Options
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.scores import ScoreTable
from evalview import figures
from evalview.figures.calibration import ConsistencyBand, IsotonicCalibration, reliability_of
from evalview.figures.theme import Scene
from tests.evalcore.golden import breast_cancer
from tests.evalcore.strategies import PROBABILITIES, Scored, with_both_classes

SCENE = Scene(names=("a", "b"), chosen="a", positive="fraud", negative="honest")


def curve(truth, score):
    table = ScoreTable.from_scores(np.array(truth, np.int8), np.array(score, float))
    return CalibrationCurve.from_table(ReliabilityTable.from_scores(table))


HONEST = curve(([1] * 10 + [0] * 30) + ([1] * 30 + [0] * 10), [0.25] * 40 + [0.75] * 40)
BOASTING = curve([1] * 50 + [0] * 50, [0.95] * 100)


def test_a_bin_is_drawn_at_what_was_said_and_what_came_true():
    figure = figures.draw_calibration_curve(SCENE, {"a": HONEST})
    line = figure.data[-1]
    assert line.x.tolist() == [0.25, 0.75]
    assert line.y.tolist() == [0.25, 0.75]
    assert line.customdata[:, 2].tolist() == [40, 40]


def test_the_bars_end_where_the_interval_ends():
    line = figures.draw_calibration_curve(SCENE, {"a": HONEST}).data[-1]
    assert line.y + line.error_y.array == pytest.approx(HONEST.share_high)
    assert line.y - line.error_y.arrayminus == pytest.approx(HONEST.share_low)


def test_only_the_chosen_model_has_bars():
    lines = figures.draw_calibration_curve(SCENE, {"a": HONEST, "b": BOASTING}).data[-2:]
    assert [line.name for line in lines] == ["b", "a"]
    assert lines[0].error_y.array is None


def test_the_title_names_the_bin_that_strays_for_sure():
    assert (
        figures.calibration_curve_title(SCENE, {"a": BOASTING})
        == "Probabilities of a are too high near 95%"
    )


def test_the_title_claims_no_fault_that_the_rows_do_not_show():
    assert (
        figures.calibration_curve_title(SCENE, {"a": HONEST})
        == "No bin is clearly off, all judged together"
    )


def in_bins(*shares: float, rows: int = 1000) -> CalibrationCurve:
    """Return a curve whose k-th bin says its middle, of which this share of the rows come true."""
    middles = (np.arange(len(shares)) + 0.5) / len(shares)
    truth = [k < round(share * rows) for share in shares for k in range(rows)]
    table = ScoreTable.from_scores(np.array(truth, np.int8), np.repeat(middles, rows))
    return CalibrationCurve.from_table(ReliabilityTable.from_scores(table, len(shares)))


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ((0.125, 0.2, 0.3, 0.4), "too high above 25%, most where they say 88%"),
        ((0.3, 0.5, 0.625, 0.875), "too low below 50%, most where they say 12%"),
        ((0.125, 0.2, 0.3, 0.875), "too high from 25% to 75%, most where they say 62%"),
        ((0.05, 0.2, 0.3, 0.4), "too high in all 4 bins, most where they say 88%"),
        ((0.3, 0.375, 0.625, 0.6), "too low below 25% and too high above 75%, most where they say"),
        ((0.1, 0.4, 0.5, 0.7, 0.9), "too low from 20% to 40%"),
    ],
)
def test_the_title_says_in_which_direction_and_how_far_probabilities_are_off(shares, said):
    title = figures.calibration_curve_title(SCENE, {"a": in_bins(*shares)})
    assert title.startswith(f"Probabilities of a are {said}")


def test_of_many_stretches_only_the_bins_are_counted():
    title = figures.calibration_curve_title(SCENE, {"a": in_bins(0.3, 0.1, 0.7, 0.5, 0.9, 0.6)})
    assert title.startswith("Probabilities of a are off in 6 of 6 bins, most where they say 92%")
    high = in_bins(0.0, 0.26, 0.2, 0.59, 0.5, 0.92)
    assert "too high in 3 of 6 bins" in figures.calibration_curve_title(SCENE, {"a": high})


def test_a_bin_with_too_few_rows_to_tell_does_not_split_a_stretch():
    truth = [k < 250 for k in range(1000)] + [0, 1, 0, 1] + [k < 500 for k in range(1000)]
    score = [0.375] * 1000 + [0.625] * 4 + [0.875] * 1000
    few = curve(truth, score)
    assert few.strays.tolist() == [True, False, True]
    title = figures.calibration_curve_title(SCENE, {"a": few})
    assert "too high in all 3 bins" in title


def test_the_histogram_says_that_its_scale_is_one_of_square_roots():
    table = ScoreTable.from_scores(np.array([0, 1] * 200, np.int8), np.array([0.05, 0.9] * 200))
    made = reliability_of(table, Options())
    figure = figures.draw_reliability(SCENE, made)
    (bars,) = [one for one in figure.data if one.type == "bar"]
    assert max(bars.y) == pytest.approx(200**0.5)
    assert figure.layout.yaxis2.ticktext == ("0", "200")
    # On a phone the subtitle may be broken over lines.
    subtitle = figure.layout.title.subtitle.text.replace("<br>", " ")
    assert "below: rows, square-root scale" in subtitle
    assert "square-root scale" in figures.reliability_alt(SCENE, made)


def test_larger_bins_have_larger_marks():
    uneven = curve([0] * 400 + [1] * 4, [0.15] * 400 + [0.85] * 4)
    sizes = figures.draw_calibration_curve(SCENE, {"a": uneven}).data[-1].marker.size
    assert sizes[0] > sizes[1]


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
