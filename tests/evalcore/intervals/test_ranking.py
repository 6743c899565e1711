"""Resampled rankings."""

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray
from scipy.stats import ks_2samp

from evalcore.intervals.delong import delong_variance
from evalcore.intervals.ranking import (
    BINS,
    EXACT_CELLS,
    RankingBins,
    RankingDraws,
    draw_ranking,
    rows_drawn,
)
from evalcore.intervals.resamples import Plan
from evalcore.tables.areas import average_precision, roc_area
from evalcore.tables.scores import ScoreTable
from tests.evalcore.made import seeded
from tests.evalcore.strategies import Scored, with_both_classes

Floats = NDArray[np.float64]


def sample(n: int, share: float, apart: float, digits: int = 16) -> tuple[NDArray[np.int8], Floats]:
    rng = seeded(1)
    truth = (rng.random(n) < share).astype(np.int8)
    return truth, np.round(rng.normal(size=n) + apart * truth, digits)


def drawn_areas(draws: RankingDraws) -> Floats:
    """Return the (B,) areas of draws, as the concordance within bins has them."""
    tp, fp = (np.asarray(counts, np.float64) for counts in (draws.tp, draws.fp))
    positives, negatives = (np.diff(counts, axis=1, prepend=0.0) for counts in (tp, fp))
    wins = (negatives * (tp + (draws.bins.concordance - 1) * positives)).sum(axis=1)
    with np.errstate(invalid="ignore"):
        areas: Floats = wins / (positives.sum(axis=1) * negatives.sum(axis=1))
    return areas


def resampled(truth: NDArray[np.int8], score: Floats, resamples: int) -> tuple[Floats, Floats]:
    """Draw rows with replacement and rank them, one resample after the other."""
    rng = seeded(99)
    areas = []
    for _ in range(resamples):
        rows = rng.integers(len(score), size=len(score))
        drawn = ScoreTable.from_scores(truth[rows], score[rows])
        areas.append((roc_area(drawn), average_precision(drawn)))
    roc, precision = np.array(areas).T
    return roc, precision


def test_few_scores_are_drawn_exactly_as_the_rows_would_be() -> None:
    truth, score = sample(300, 0.3, 1.0)
    bootstrap = draw_ranking(ScoreTable.from_scores(truth, score))
    assert bootstrap.bins.exact
    roc, precision = resampled(truth, score, 2000)
    assert ks_2samp(drawn_areas(bootstrap), roc).pvalue > 0.01
    assert ks_2samp(bootstrap.average_precision.values, precision).pvalue > 0.01


@pytest.mark.parametrize(
    ("share", "apart", "digits"), [(0.1, 1.5, 16), (0.5, 0.0, 16), (0.3, 2.0, 3), (0.2, 3.0, 16)]
)
def test_a_draw_of_bins_is_worth_what_its_rows_are_worth(
    share: float, apart: float, digits: int
) -> None:
    """Cut the same resampled rows into bins: both must give nearly the same areas."""
    truth, score = sample(10_000, share, apart, digits)
    table = ScoreTable.from_scores(truth, score)
    bins = RankingBins.of(table)
    assert not bins.exact
    ours, theirs, rng = [], [], seeded(2)
    for _ in range(200):
        weight = np.bincount(rng.integers(len(score), size=len(score)), minlength=len(score))
        drawn = ScoreTable.from_scores(truth, score, weight)
        theirs.append((roc_area(drawn), average_precision(drawn)))
        counts = drawn.at(table.threshold[bins.last])
        draws = RankingDraws(table, bins, *np.atleast_2d(counts.tp, counts.fp), 0.95)
        ours.append((drawn_areas(draws)[0], draws.average_precision.values[0]))
    error, spread = np.array(ours) - np.array(theirs), np.std(theirs, axis=0)
    assert (np.abs(error.mean(axis=0)) < 0.015 * spread).all()
    assert (error.std(axis=0) < 0.04 * spread).all()


def test_the_spread_over_bins_is_delongs_standard_error() -> None:
    table = ScoreTable.from_scores(*sample(50_000, 0.2, 1.5))
    bootstrap = draw_ranking(table, Plan(resamples=4000))
    assert not bootstrap.bins.exact
    assert drawn_areas(bootstrap).std() == pytest.approx(np.sqrt(delong_variance(table)), rel=0.03)
    assert drawn_areas(bootstrap).mean() == pytest.approx(roc_area(table), abs=1e-4)
    assert bootstrap.average_precision.values.mean() == pytest.approx(
        average_precision(table), abs=5e-4
    )


@given(with_both_classes())
def test_one_draw_of_each_row_has_the_areas_of_the_table(data: Scored) -> None:
    table = ScoreTable.from_scores(data.truth, data.score, data.weight)
    bins = RankingBins.of(table)
    assert bins.exact
    rows = np.atleast_2d(np.cumsum(bins.positives), np.cumsum(bins.negatives))
    draws = RankingDraws(table, bins, *rows, 0.95)
    assert drawn_areas(draws) == pytest.approx(roc_area(table), abs=1e-12)
    assert draws.average_precision.values == pytest.approx(average_precision(table), abs=1e-12)


def test_bins_keep_ties_together_and_their_concordance_adds_up_to_the_area() -> None:
    table = ScoreTable.from_scores(*sample(20_000, 0.4, 1.0, digits=4))
    bins = RankingBins.of(table)
    assert len(bins.last) <= BINS
    assert bins.positives.sum() == table.positives
    above = np.cumsum(bins.positives) - bins.positives
    wins = bins.negatives @ (above + bins.concordance * bins.positives)
    assert wins / (table.positives * table.negatives) == pytest.approx(roc_area(table), rel=1e-12)


def test_few_positives_among_many_rows_are_drawn_exactly() -> None:
    rng = seeded(3)
    truth = np.zeros(50_000, dtype=np.int8)
    truth[rng.integers(50_000, size=300)] = 1
    bins = RankingBins.of(ScoreTable.from_scores(truth, rng.normal(size=50_000) + truth))
    assert bins.exact
    assert np.count_nonzero(bins.positives) + np.count_nonzero(bins.negatives) <= EXACT_CELLS


@pytest.mark.parametrize("n", [200, 20_000])
def test_drawn_tables_stand_on_real_thresholds_and_keep_the_number_of_rows(n: int) -> None:
    table = ScoreTable.from_scores(*sample(n, 0.3, 1.0))
    drawn = draw_ranking(table, Plan(resamples=300))
    assert np.isin(drawn.observed.threshold, table.threshold).all()
    at = table.at(drawn.observed.threshold)
    assert np.array_equal(drawn.observed.tp, np.asarray(at.tp))
    assert ((drawn.resampled.tp + drawn.resampled.fp)[:, -1] == n).all()
    mean = drawn.resampled.tp.mean(axis=0)
    assert np.abs(mean - drawn.observed.tp).max() < 4 * np.sqrt(table.positives / 300)


def test_a_seed_gives_the_same_draws_again() -> None:
    table = ScoreTable.from_scores(*sample(2000, 0.3, 1.0))
    one, other = (draw_ranking(table, Plan(seed=5)) for _ in range(2))
    assert np.array_equal(drawn_areas(one), drawn_areas(other))


def test_few_rows_are_drawn_by_their_places_whichever_model_was_drawn_before() -> None:
    truth, score = sample(300, 0.3, 1.0)
    first = drawn_areas(draw_ranking(ScoreTable.from_scores(truth, score)))
    draw_ranking(ScoreTable.from_scores(truth[:200], score[:200]))
    draw_ranking(ScoreTable.from_scores(truth, -score))
    order = seeded(7).permutation(300)
    again = drawn_areas(draw_ranking(ScoreTable.from_scores(truth[order], score[order])))
    assert np.array_equal(first, again)


def test_models_that_rank_alike_have_the_same_draws_and_better_ones_higher_areas() -> None:
    truth, score = sample(300, 0.3, 1.0)
    one, alike, better = (
        drawn_areas(draw_ranking(ScoreTable.from_scores(truth, s)))
        for s in (score, 3 * score - 1, score + truth)
    )
    assert np.array_equal(one, alike)
    assert (better >= one).all()


def test_rows_drawn_are_counted_by_class_and_add_up_to_the_rows() -> None:
    positives, negatives = rows_drawn(3, 5, Plan(resamples=4000))
    assert positives.shape == (4, 4000)
    assert negatives.shape == (6, 4000)
    assert (positives[-1] + negatives[-1] == 8).all()
    # The first two of eight rows are drawn twice on average: a binomial share of 8 draws.
    first_two = positives[2]
    assert first_two.mean() == pytest.approx(2, abs=4 * np.sqrt(1.5 / 4000))
    assert first_two.var() == pytest.approx(1.5, rel=0.1)


def test_a_perfect_ranking_is_marked() -> None:
    table = ScoreTable.from_scores(np.arange(12) >= 5, np.arange(12.0))
    bootstrap = draw_ranking(table)
    assert bootstrap.average_precision.interval.degenerate
    areas = drawn_areas(bootstrap)
    assert (areas[np.isfinite(areas)] == 1).all()


def test_draws_without_a_class_are_counted_as_failed() -> None:
    table = ScoreTable.from_scores(np.arange(10) == 9, np.arange(10.0))
    bootstrap = draw_ranking(table)
    # A draw of ten rows misses one given row with probability 0.9^10.
    assert bootstrap.average_precision.failed == pytest.approx(2000 * 0.9**10, rel=0.1)
    assert bootstrap.average_precision.failed == np.isnan(drawn_areas(bootstrap)).sum()


@pytest.mark.parametrize("truth", [[], [0, 0], [1, 1]])
def test_one_class_alone_has_a_precision_where_it_is_the_positive_one(truth: list[int]) -> None:
    score = np.array([0.1, 0.2])[: len(truth)]
    table = ScoreTable.from_scores(np.array(truth, dtype=np.int8), score)
    bootstrap = draw_ranking(table, Plan(resamples=100))
    assert (bootstrap.average_precision.failed == 0) == (truth == [1, 1])


@given(with_both_classes())
def test_a_row_of_weight_two_counts_as_two_rows(data: Scored) -> None:
    weighted = ScoreTable.from_scores(data.truth, data.score, data.weight)
    twice = data.repeated()
    plain = ScoreTable.from_scores(twice.truth, twice.score)
    one, other = (draw_ranking(t, Plan(resamples=50)) for t in (weighted, plain))
    assert np.array_equal(drawn_areas(one), drawn_areas(other), equal_nan=True)


def test_rounded_weights_do_not_pull_the_draws_away_from_the_value() -> None:
    truth, score = sample(4000, 0.5, 1.2, digits=6)
    weight = np.round(seeded(5).random(4000) * 3, 2)
    table = ScoreTable.from_scores(truth, score, weight)
    drawn = draw_ranking(table).average_precision.values
    assert drawn.mean() == pytest.approx(average_precision(table), abs=0.1 * drawn.std())


def test_fractional_weights_draw_their_rounded_sum() -> None:
    truth, score = sample(400, 0.3, 1.0)
    whole = ScoreTable.from_scores(truth, score)
    same = ScoreTable.from_scores(truth, score, np.full(400, 1.0 + 1e-4))
    one, other = (drawn_areas(draw_ranking(table)) for table in (whole, same))
    assert one.std() == pytest.approx(other.std(), rel=0.05)
