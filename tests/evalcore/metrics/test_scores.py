"""Ranking and probability metrics worked out by hand, by brute force, or at an edge."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.special import expit, logit
from scipy.stats import beta
from sklearn.linear_model import LogisticRegression

from evalcore.intervals.ranking import draw_ranking
from evalcore.intervals.resamples import Plan
from evalcore.metrics import catalog
from evalcore.metrics.metric import Family, Metric, PercentileBootstrap
from evalcore.metrics.multiclass import top_k_accuracy
from evalcore.metrics.probability import (
    HosmerLemeshow,
    brier_reliability,
    brier_resolution,
    ece,
    mce,
)
from evalcore.metrics.ranking import (
    AVERAGE_PRECISION,
    each,
    found_in_first,
    h_measure,
    lift_at,
    precision_at_k,
    precision_at_recall,
    recall_at_k,
    sensitivity_at_specificity,
)
from evalcore.metrics.recalibration import CalibrationLine, at_ends, held_at
from evalcore.tables.classes import ClassScores, LossMoments
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.scores import ScoreTable
from tests.evalcore.made import score_table

METRIC = catalog.by_key()
OF_SCORES = [m for m in catalog.of_family(Family.RANKING, ScoreTable) if m is not AVERAGE_PRECISION]


TIED = score_table([1, 1, 0, 1, 0, 1], [0.9, 0.8, 0.8, 0.8, 0.3, 0.1])


def test_rows_tied_at_the_cut_count_with_their_average_share():
    # The three rows at 0.8 hold two positives: one of them brings two thirds.
    assert found_in_first(TIED, 1) == 1
    assert found_in_first(TIED, 2) == pytest.approx(1 + 2 / 3)
    assert found_in_first(TIED, 4) == 3
    assert precision_at_k(2)(TIED) == pytest.approx((1 + 2 / 3) / 2)
    assert recall_at_k(2)(TIED) == pytest.approx((1 + 2 / 3) / 4)
    assert np.isnan(precision_at_k(7)(TIED))


def test_lift_compares_with_as_many_random_rows():
    assert lift_at(0.5)(TIED) == pytest.approx((1 + 2 * 2 / 3) / 4 / 0.5)
    assert lift_at(1.0)(TIED) == 1


def test_precision_at_a_recall_is_the_best_that_keeps_it():
    assert precision_at_recall(0.75)(TIED) == 3 / 4
    assert precision_at_recall(0.76)(TIED) == 4 / 6


def test_sensitivity_at_a_specificity_lies_on_the_line_between_two_points():
    # From (0, 1/4) to (1/2, 3/4): a quarter of the negatives brings half of the positives.
    assert sensitivity_at_specificity(0.75)(TIED) == pytest.approx(0.5)
    assert sensitivity_at_specificity(1.0)(TIED) == 0.25
    assert sensitivity_at_specificity(0.0)(TIED) == 1


def test_the_best_threshold_is_a_real_score_and_the_highest_of_equals():
    best = METRIC["best_youden"].estimate(score_table([1, 0, 1, 0], [0.9, 0.5, 0.4, 0.2]))
    assert (best.value, best.at) == (0.5, 0.9)


def test_ks_sees_a_score_that_ranks_backwards():
    assert METRIC["ks_statistic"](score_table([1, 0], [0.1, 0.9])) == 1
    assert METRIC["best_youden"](score_table([1, 0], [0.1, 0.9])) == 0


def slow_h_measure(truth: NDArray[np.int8], score: NDArray[np.float64]) -> float:
    """Integrate the least loss over all thresholds numerically, as the paper defines it."""
    prior = truth.mean()
    thresholds = np.append(np.unique(score), np.inf)
    fpr = np.array([(score[truth == 0] >= t).mean() for t in thresholds])
    fnr = np.array([(score[truth == 1] < t).mean() for t in thresholds])
    density = beta(1 + prior, 2 - prior).pdf

    def least(c: float) -> float:
        return float((c * (1 - prior) * fpr + (1 - c) * prior * fnr).min() * density(c))

    def guess(c: float) -> float:
        return float(min(c * (1 - prior), (1 - c) * prior) * density(c))

    both = [quad(f, 0, 1, limit=500, epsabs=1e-9)[0] for f in (least, guess)]
    return 1 - both[0] / both[1]


@pytest.mark.parametrize("seed", range(4))
def test_h_measure_is_the_integral_over_costs(seed: int):
    rng = np.random.default_rng(seed)
    truth = (rng.random(40) < 0.3).astype(np.int8)
    truth[:2] = 0, 1
    score = np.round(rng.normal(size=40) + truth, 1)
    mine = h_measure(ScoreTable.from_scores(truth, score))
    assert mine == pytest.approx(slow_h_measure(truth, score), abs=1e-6)


@pytest.mark.parametrize(
    "metric",
    [m for m in OF_SCORES if isinstance(m.interval, PercentileBootstrap)],
    ids=lambda m: m.key,
)
def test_a_metric_of_many_draws_is_that_of_each_draw(metric: Metric):
    drawn = draw_ranking(TIED, Plan(resamples=70)).resampled
    # Some draws hold no row of the highest score, and some only one class.
    assert (drawn.tp[:, 0] == 0).any()
    assert (drawn.fp[:, -1] == 0).any()
    # The H measure of draws rests on a table, whose error is largest where priors reach far.
    error = 1e-4 if metric.key == "h_measure" else 1e-14
    np.testing.assert_allclose(metric(drawn), each(metric)(drawn), atol=error)


def test_the_h_measure_of_draws_is_that_of_each_to_eight_digits_where_priors_are_alike():
    rng = np.random.default_rng(0)
    truth = (rng.random(1000) < 0.3).astype(np.int8)
    table = ScoreTable.from_scores(truth, rng.normal(size=1000) + truth)
    drawn = draw_ranking(table, Plan(resamples=50)).resampled
    np.testing.assert_allclose(h_measure(drawn), each(h_measure)(drawn), atol=1e-8)


def test_a_probability_of_zero_for_what_happened_makes_log_loss_infinite():
    assert METRIC["log_loss"](score_table([1, 0], [0.0, 0.5])) == np.inf
    assert METRIC["log_loss"](score_table([0, 1], [0.0, 1.0])) == 0


def test_brier_and_its_skill_worked_out_by_hand():
    scored = score_table([1, 0, 0], [0.9, 0.6, 0.2])
    assert METRIC["brier"](scored) == pytest.approx((0.01 + 0.36 + 0.04) / 3)
    assert METRIC["brier_uncertainty"](scored) == pytest.approx(2 / 9)
    assert METRIC["brier_skill_score"](scored) == pytest.approx(1 - (0.41 / 3) / (2 / 9))


def test_the_error_of_the_skill_score_is_that_of_resampling():
    rng = np.random.default_rng(0)
    score = rng.random(400)
    truth = (rng.random(400) < score).astype(np.int8)
    places = rng.integers(0, 400, (1500, 400))
    skills = [
        METRIC["brier_skill_score"](ScoreTable.from_scores(truth[p], score[p])) for p in places
    ]
    _, error = METRIC["brier_skill_score"].interval.of(ScoreTable.from_scores(truth, score))
    assert error == pytest.approx(np.std(skills), rel=0.08)


def test_calibration_errors_worked_out_by_hand():
    bins = ReliabilityTable.from_scores(score_table([1, 0, 0, 1], [0.1, 0.1, 0.3, 0.9]), 2)
    # Below one half: mean probability 1/6, share 1/3; above: 0.9 and 1.
    assert ece(bins) == pytest.approx((3 * (1 / 3 - 1 / 6) + 1 * 0.1) / 4)
    assert mce(bins) == pytest.approx(1 / 6)
    assert brier_reliability(bins) == pytest.approx((3 * (1 / 6) ** 2 + 0.1**2) / 4)
    assert brier_resolution(bins) == pytest.approx((3 * (1 / 3 - 1 / 2) ** 2 + 0.5**2) / 4)


def test_the_parts_add_up_to_the_brier_score_where_bins_hold_one_probability():
    scored = score_table([0, 1, 1, 0, 1], [0.15, 0.15, 0.55, 0.55, 0.55])
    bins = ReliabilityTable.from_scores(scored)
    whole = brier_reliability(bins) - brier_resolution(bins) + METRIC["brier_uncertainty"](scored)
    assert whole == pytest.approx(METRIC["brier"](scored))


def test_calibrated_probabilities_have_slope_one_and_intercept_zero():
    rng = np.random.default_rng(3)
    score = rng.uniform(0.02, 0.98, 40_000)
    truth = (rng.random(40_000) < score).astype(np.int8)
    line = CalibrationLine.from_scores(ScoreTable.from_scores(truth, score))
    for (value, error), right in ((line.slope, 1), (line.intercept, 0), (line.in_the_large, 0)):
        assert abs(value - right) < 4 * error < 0.2


@pytest.mark.parametrize(
    ("score", "truth"),
    [
        ([0.2, 0.8], [0, 1]),
        ([0.0, 0.5, 0.6], [0, 1, 0]),
        ([0.5, 0.5], [0, 1]),
        ([0.3, 0.4], [1, 1]),
    ],
)
def test_no_line_is_fitted_where_there_is_none(score: list[float], truth: list[int]):
    assert np.isnan(CalibrationLine.from_scores(score_table(truth, score)).slope[0])


def rounded(wrong: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Small probabilities in two digits, many of which are 0, and so many of these that happen."""
    rng = np.random.default_rng(0)
    exact = expit(rng.normal(-4, 1.5, 3000))
    truth, score = (rng.random(3000) < exact).astype(np.int8), exact.round(2)
    zero = np.flatnonzero(score == 0)
    truth[zero] = 0
    truth[zero[:wrong]] = 1
    return truth, score


def test_rounded_probabilities_of_0_count_as_half_of_the_last_digit():
    truth, score = rounded()
    table = ScoreTable.from_scores(truth, score)
    assert held_at(table) == 0.005
    odds = logit(np.clip(score, 0.005, 0.995))[:, np.newaxis]
    fitted = LogisticRegression(C=np.inf, tol=1e-10).fit(odds, truth)
    line = CalibrationLine.from_scores(table)
    assert line.slope[0] == pytest.approx(fitted.coef_[0, 0], rel=1e-5)
    assert line.intercept[0] == pytest.approx(fitted.intercept_[0], abs=1e-5)
    [(end, rows, seen)] = at_ends(table)
    assert (end, rows, seen) == (0, (score == 0).sum(), 0)


def test_probabilities_of_0_that_were_wrong_too_often_or_are_not_rounded_have_no_line():
    truth, score = rounded(wrong=40)  # of some 1,200 rows, where rounding explains about 6
    assert held_at(ScoreTable.from_scores(truth, score)) == 0
    assert np.isnan(CalibrationLine.from_scores(ScoreTable.from_scores(truth, score)).slope[0])
    truth, score = rounded()
    thirds = np.where(score == 0, 0, score / 3)
    assert held_at(ScoreTable.from_scores(truth, thirds)) == 0
    assert held_at(ScoreTable.from_scores(truth, np.round(score, 1))) == 0  # one digit is coarse


def test_hosmer_lemeshow_is_infinite_where_the_impossible_happened():
    assert HosmerLemeshow.from_scores(score_table([1, 0, 1], [0.0, 0.0, 0.5])).statistic == np.inf


def classes(truth: list[int], given: list[list[float]]) -> ClassScores:
    names = tuple("abcdef"[: len(given[0])])
    return ClassScores.from_probabilities(np.array(truth), np.array(given), names)


def test_a_tie_at_the_cut_counts_with_its_chance():
    scores = classes([1, 2, 2], [[0.4, 0.3, 0.3], [0.2, 0.4, 0.4], [0.5, 0.3, 0.2]])
    # Second of two at place 2; one of two at place 1; place 3.
    assert top_k_accuracy(1)(scores) == pytest.approx((0 + 1 / 2 + 0) / 3)
    assert top_k_accuracy(2)(scores) == pytest.approx((1 / 2 + 1 + 0) / 3)
    assert top_k_accuracy(3)(scores) == 1


def test_a_class_without_a_column_is_wrong_and_costs_an_infinite_log_loss():
    scores = classes([0, 1, 2], [[0.6, 0.4, np.nan], [0.3, 0.7, np.nan], [0.5, 0.5, np.nan]])
    assert scores.one_vs_rest[2] is None
    assert scores.log_loss.mean == np.inf
    assert METRIC["roc_auc_ovr_macro"](scores) == pytest.approx((1 + 1) / 2)
    assert METRIC["brier_multiclass"](scores) == pytest.approx((0.32 + 0.18 + 1.5) / 3)


def test_rows_that_do_not_sum_to_one_are_counted_and_divided_for_the_log_loss_alone():
    scores = classes([0, 0], [[0.5, 0.5], [0.4, 0.4]])
    assert (scores.off_sum, round(scores.largest_gap, 12)) == (1, 0.2)
    assert scores.log_loss.mean == pytest.approx(np.log(2))
    assert scores.brier.mean == pytest.approx((0.5 + 0.36 + 0.16) / 2)


def test_moments_of_losses_add_up():
    loss, weight = np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 2.0])
    parts = LossMoments.of(loss[:1], weight[:1]) + LossMoments.of(loss[1:], weight[1:])
    assert parts == LossMoments.of(loss, weight)
    drawn = np.repeat(loss, weight.astype(int))
    assert parts.mean == drawn.mean()
    assert parts.standard_error == pytest.approx(drawn.std(ddof=1) / np.sqrt(6))


def test_a_threshold_that_no_row_is_at_adds_nothing_to_what_is_found() -> None:
    """Sums of fractional weights may leave such a step behind."""
    table = ScoreTable(np.array([0.9, 0.8, 0.7]), np.array([0.5, 0.5, 0.5]), np.zeros(3))
    assert found_in_first(table, 0.5) == 0.5
