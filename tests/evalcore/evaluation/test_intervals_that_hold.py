"""Intervals where resampling alone understates what is not known."""

import numpy as np
import pytest

from evalcore.comparison.candidate import candidate
from evalcore.comparison.candidates import Candidates
from evalcore.comparison.resampled import ResampledValues, distribution
from evalcore.evaluation.decisions import decisions
from evalcore.evaluation.estimates import estimate_values, judge_probabilities, rank
from evalcore.intervals.closed import ATANH, LOG, effective_wilson, interval_on_scale, wilson
from evalcore.intervals.delong import area_interval, delong_variance, newcombe_interval
from evalcore.intervals.resamples import Plan, draw_shares
from evalcore.metrics.catalog import find
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, NumericOutcomes
from evalcore.results import ModelTables
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.tables.scores import ScoreTable


def decided(tn, fp, fn, tp):
    matrix = ConfusionMatrix(("no", "yes"), np.array([[tn, fp], [fn, tp]]))
    return decisions(matrix, Options(resamples=1000)).metrics


def scored(n, seed=0, share=0.3, shift=1.5):
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < share).astype(np.int8)
    return truth, 1 / (1 + np.exp(-(rng.normal(size=n) + shift * truth - 1)))


def model(truth, score):
    table = ScoreTable.from_scores(truth, score)
    return ModelTables(n=len(truth), classes=("no", "yes"), scores=table, probability=True)


def test_a_perfect_model_of_ten_rows_may_have_an_f1_of_0_72():
    f1 = decided(5, 0, 0, 5)["f1"]
    assert (round(f1.low, 2), f1.high, f1.method) == (0.72, 1, "wilson-jaccard")
    assert "degenerate" in f1.note


def test_f1_has_the_interval_of_the_jaccard_index():
    f1, jaccard = (decided(50, 4, 3, 20)[key] for key in ("f1", "jaccard"))
    for end in ("low", "high"):
        share = getattr(jaccard, end)
        assert getattr(f1, end) == pytest.approx(2 * share / (1 + share), rel=1e-12)


def test_three_of_three_are_noted_and_two_of_three_are_not():
    assert "degenerate" in decided(7, 1, 0, 3)["recall"].note
    assert not decided(7, 1, 1, 2)["recall"].note


def test_an_interval_that_its_range_cuts_to_a_point_is_noted():
    flat = NumericOutcomes(truth=np.arange(9.0), prediction=np.arange(9.0))
    rmse = estimate_values(flat, Options())["rmse"]
    assert (rmse.low, rmse.high) == (0, 0)
    assert "so the true uncertainty is larger" in rmse.note


def test_balanced_accuracy_and_youdens_j_put_both_rates_together():
    made, rates = decided(85, 10, 1, 4), (wilson(4, 5), wilson(10, 95))
    below = np.hypot(0.8 - rates[0].low, rates[1].high - 10 / 95)
    above = np.hypot(rates[0].high - 0.8, 10 / 95 - rates[1].low)
    j = 0.8 - 10 / 95
    assert made["youden_j"].low == pytest.approx(j - below)
    assert made["youden_j"].high == pytest.approx(j + above)
    assert made["balanced_accuracy"].low == pytest.approx((1 + j - below) / 2)


@pytest.mark.parametrize("key", ["mcc", "cohen_kappa", "g_mean", "markedness", "f2"])
def test_a_model_without_errors_is_not_taken_to_be_without_any(key):
    made = decided(50, 0, 0, 50)[key]
    assert made.low < 0.99
    assert made.high == 1
    assert "degenerate" in made.note


def test_shares_are_drawn_about_the_counts_with_half_a_row_in_each_cell():
    matrix = ConfusionMatrix(("no", "yes"), np.array([[16, 0], [1, 3]]))
    draws = draw_shares(matrix, np.random.default_rng(0), Plan(20_000))
    drawn = np.concatenate([some.counts for some in draws])
    assert drawn.sum(axis=(1, 2)) == pytest.approx(20)
    expected = 20 * np.array([[16.5, 0.5], [1.5, 3.5]]) / 22
    assert drawn.mean(axis=0) == pytest.approx(expected, abs=0.05)


def test_the_area_has_the_interval_of_delong_where_there_are_many_rows():
    table = ScoreTable.from_scores(*scored(20_000))
    mine, reach = area_interval(table), 1.96 * np.sqrt(delong_variance(table))
    area = find("roc_auc")(table)
    assert [mine.low, mine.high] == pytest.approx([area - reach, area + reach], abs=2e-4)


def test_the_area_has_nearly_the_interval_of_newcombe_where_there_are_few():
    table = ScoreTable.from_scores(*scored(30, share=0.1))
    mine = area_interval(table)
    theirs = newcombe_interval(find("roc_auc")(table), (table.positives, table.negatives))
    assert [mine.low, mine.high] == pytest.approx([theirs.low, theirs.high], abs=0.06)


def test_wilsons_interval_of_a_binomial_share_stays_as_it_is():
    mine, plain = effective_wilson(0.5, 0.25 / 40, 40), wilson(20, 40)
    assert [mine.low, mine.high] == pytest.approx([plain.low, plain.high], rel=0.02)
    perfect = effective_wilson(1.0, 0.0, 40)
    assert (perfect.low, perfect.high) == (wilson(40, 40).low, 1)


def test_an_interval_on_a_scale_is_that_of_student_there():
    draws = np.exp(np.random.default_rng(0).normal(0, 0.1, 100_000))
    made = interval_on_scale(1.0, draws, LOG, 10)
    reach = 2.262157 * 0.1 * np.sqrt(10 / 9)
    assert np.log([made.low, made.high]) == pytest.approx([-reach, reach], rel=0.01)
    assert interval_on_scale(1.0, draws, ATANH, 10).degenerate
    assert np.isnan(interval_on_scale(0.5, draws[:1], LOG, 10).low)


def test_probabilities_that_are_right_are_not_called_wrong():
    held = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        score = rng.random(200)
        truth = (rng.random(200) < score).astype(np.int8)
        held += judge_probabilities(model(truth, score), Options(resamples=100))["ece"].low < 0.001
    assert held >= 35


def test_a_gap_that_chance_does_not_explain_is_within_the_interval():
    rng = np.random.default_rng(0)
    truth = (rng.random(4000) < 0.5).astype(np.int8)
    ece = judge_probabilities(model(truth, np.full(4000, 0.7)), Options(resamples=100))["ece"]
    assert 0.17 < ece.low < 0.2 < ece.high < 0.23


def test_hosmer_and_lemeshow_warn_of_groups_that_expect_few_rows():
    few = judge_probabilities(model(*scored(60)), Options(resamples=100))["hosmer_lemeshow_p"]
    many = judge_probabilities(model(*scored(9000)), Options(resamples=100))["hosmer_lemeshow_p"]
    assert "fewer than 5" in few.note
    assert not many.note


def test_a_truth_of_which_few_rows_hold_the_variation_is_noted():
    rng = np.random.default_rng(1)
    heavy, even = np.exp(2 * rng.normal(size=200)), rng.normal(size=200)
    for truth, noted in ((heavy, True), (even, False)):
        rows = NumericOutcomes(truth=truth, prediction=truth + rng.normal(size=200))
        made = estimate_values(rows, Options())
        assert ("too narrow" in made["pearson"].note) == noted
        assert ("too narrow" in made["r2"].note) == noted


@pytest.mark.parametrize("key", ["ks_statistic", "h_measure", "average_precision", "gain_at"])
def test_intervals_of_ranking_leave_room_where_there_are_few_positives(key):
    truth = np.array([1, 1, 1] + [0] * 57, np.int8)
    made = rank(model(truth, np.linspace(1, 0, 60)), Options())[key]
    assert made.high == made.value == 1
    assert made.low < 0.75


@pytest.mark.parametrize("key", ["f1", "mcc", "balanced_accuracy", "roc_auc", "ks_statistic",
                                 "average_precision", "gain_at", "h_measure"])  # fmt: skip
def test_a_model_does_not_differ_from_itself(key):
    truth, score = scored(80)
    rows = BinaryOutcomes(classes=("no", "yes"), truth=truth, score=score)
    one = candidate("A", rows, find(key), "threshold", 0.5)
    draws = ResampledValues(Candidates(find(key), (one, one), True, None, ()), Options())
    gap = distribution(draws, 1, less=0).bootstrap.interval
    assert (gap.low, gap.high) == (0, 0)
