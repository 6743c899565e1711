"""Intervals from resamples: of values at hand, of counts, and of mean losses."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray
from scipy.stats import ks_2samp, norm

from evalcore.intervals.closed import Interval
from evalcore.intervals.ranking import LossDraws, Losses
from evalcore.intervals.resamples import (
    PLAN,
    Bootstrap,
    Plan,
    acceleration,
    basic_interval,
    bca_bootstrap,
    chunks,
    draw_cells,
    draw_shares,
    percentile_bootstrap,
)
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.scores import ScoreTable
from tests.evalcore.made import seeded
from tests.evalcore.strategies import PROBABILITIES, Scored, scored


def test_percentiles_by_hand() -> None:
    bootstrap = percentile_bootstrap(np.arange(201.0), 0.5)
    assert (bootstrap.interval.low, bootstrap.interval.high) == (50, 150)
    assert bootstrap.interval.method == "bootstrap-percentile"
    assert (bootstrap.failed, bootstrap.interval.degenerate) == (0, False)


def test_draws_that_failed_are_counted_and_left_out() -> None:
    values = np.append(np.arange(201.0), [np.nan, np.inf, -np.inf])
    bootstrap = percentile_bootstrap(values, 0.5)
    assert (bootstrap.interval.low, bootstrap.interval.high) == (50, 150)
    assert bootstrap.failed == 3


@pytest.mark.parametrize("values", [[], [1.0], [np.nan, np.inf, 1.0]])
def test_fewer_than_two_draws_give_no_interval(values: list[float]) -> None:
    bootstrap = percentile_bootstrap(np.array(values), 0.95)
    assert np.isnan([bootstrap.interval.low, bootstrap.interval.high]).all()
    assert not bootstrap.interval.degenerate


def test_draws_that_are_all_alike_are_marked() -> None:
    bootstrap = percentile_bootstrap(np.ones(100), 0.95)
    assert (bootstrap.interval.low, bootstrap.interval.high) == (1, 1)
    assert bootstrap.interval.degenerate
    moved = bca_bootstrap(np.ones(100), 0.95, observed=1.0, acceleration=np.nan)
    assert moved.interval.method == "bootstrap-percentile"
    assert moved.interval.degenerate


def test_a_statistic_of_several_numbers_has_several_intervals() -> None:
    values = np.column_stack([np.arange(201.0), np.full(201, np.nan), np.arange(201.0) * 2])
    interval = percentile_bootstrap(values, 0.5).interval
    np.testing.assert_array_equal(interval.low, [50, np.nan, 100])
    np.testing.assert_array_equal(interval.high, [150, np.nan, 300])


def test_bca_without_bias_and_skewness_is_the_percentile_interval() -> None:
    values = np.arange(1001.0)
    moved = bca_bootstrap(values, 0.9, observed=500.0, acceleration=0.0).interval
    plain = percentile_bootstrap(values, 0.9).interval
    assert moved.method == "bootstrap-bca"
    assert (moved.low, moved.high) == pytest.approx((plain.low, plain.high))


def test_bca_by_the_formula() -> None:
    values = np.arange(1001.0)
    moved = bca_bootstrap(values, 0.95, observed=600.0, acceleration=0.05).interval
    bias = norm.ppf(600.5 / 1001)
    for end, share in ((moved.low, 0.025), (moved.high, 0.975)):
        reach = bias + norm.ppf(share)
        expected = 1000 * norm.cdf(bias + reach / (1 - 0.05 * reach))
        assert end == pytest.approx(expected)


@pytest.mark.parametrize("observed", [-1.0, 2000.0])
def test_bca_gives_percentiles_when_the_observed_value_lies_outside_all_draws(
    observed: float,
) -> None:
    moved = bca_bootstrap(np.arange(1001.0), 0.95, observed=observed, acceleration=0.1)
    assert moved.interval.method == "bootstrap-percentile"


def test_bca_gives_percentiles_when_the_skewness_is_too_large_to_correct() -> None:
    moved = bca_bootstrap(np.arange(1001.0), 0.95, observed=900.0, acceleration=0.5)
    assert moved.interval.method == "bootstrap-percentile"


@given(st.lists(st.tuples(st.floats(-5, 5), st.integers(1, 9)), min_size=2, max_size=20))
def test_the_acceleration_is_the_skewness_of_the_influence_of_rows(
    cells: list[tuple[float, int]],
) -> None:
    values, rows = np.array(cells).T
    spread = np.repeat(values, rows.astype(int))
    influence = spread.mean() - spread
    if np.ptp(spread) > 1e-3:
        naive = (influence**3).sum() / (6 * (influence**2).sum() ** 1.5)
        assert acceleration(spread) == pytest.approx(naive, rel=1e-6, abs=1e-9)


def test_rows_without_influence_have_no_acceleration() -> None:
    assert np.isnan(acceleration(np.ones(3)))


def test_each_run_of_draws_has_a_generator_of_its_own() -> None:
    runs = list(chunks(25, np.random.default_rng(7), 10))
    assert [draws for draws, _ in runs] == [10, 10, 5]
    first = [child.random() for _, child in runs]
    again = [
        child.random() for _, child in reversed(list(chunks(25, np.random.default_rng(7), 10)))
    ]
    assert first == again[::-1]
    assert len(set(first)) == 3


def test_the_basic_interval_turns_the_draws_round_at_the_value() -> None:
    drawn = percentile_bootstrap(np.arange(201.0), 0.5).interval
    turned = basic_interval(90.0, drawn)
    assert (turned.low, turned.high) == (30, 130)
    assert turned.method == "bootstrap-basic"
    assert basic_interval(300.0, drawn).low == 300


Statistic = Callable[[BinaryCounts], NDArray[np.float64]]

COUNTS = BinaryCounts(tp=40, fp=5, fn=10, tn=45)
MATRIX = ConfusionMatrix(("a", "b", "c"), np.array([[5, 1, 0], [2, 6, 1], [0, 3, 9]]))


def recall(counts: BinaryCounts) -> NDArray[np.float64]:
    with np.errstate(invalid="ignore"):
        return np.asarray(counts.tp / np.asarray(counts.positives))


def f1(counts: BinaryCounts) -> NDArray[np.float64]:
    return np.asarray(2 * counts.tp / (2 * counts.tp + counts.fp + counts.fn))


def accuracy(matrix: ConfusionMatrix) -> NDArray[np.float64]:
    return np.asarray(np.trace(matrix.counts, axis1=-2, axis2=-1) / matrix.counts.sum((-2, -1)))


def rows_of(counts: BinaryCounts) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    cells = [(1, 1, counts.tp), (0, 1, counts.fp), (1, 0, counts.fn), (0, 0, counts.tn)]
    truth = np.concatenate([np.full(int(n), y) for y, _, n in cells])
    label = np.concatenate([np.full(int(n), d) for _, d, n in cells])
    return truth, label


def naive(statistic: Statistic, resamples: int) -> NDArray[np.float64]:
    """Draw rows with replacement and count them, one resample after the other."""
    rng = seeded(99)
    truth, label = rows_of(COUNTS)
    values = []
    for _ in range(resamples):
        rows = rng.integers(len(truth), size=len(truth))
        y, d = truth[rows], label[rows]
        cells = (np.sum((y == i) & (d == j)) for i, j in ((1, 1), (0, 1), (1, 0), (0, 0)))
        values.append(float(statistic(BinaryCounts(*cells))))
    return np.array(values)


def drawn(counts: BinaryCounts, resamples: int = 2000) -> BinaryCounts:
    cells = np.array([counts.tp, counts.fp, counts.fn, counts.tn], dtype=np.float64)
    return BinaryCounts(*draw_cells(cells, resamples, seeded()).T)


def of_recall(counts: BinaryCounts, resamples: int = 2000) -> Bootstrap:
    return percentile_bootstrap(recall(drawn(counts, resamples)), 0.95)


@pytest.mark.parametrize("statistic", [recall, f1])
def test_draws_are_distributed_as_those_of_the_rows(statistic: Statistic) -> None:
    mine, theirs = statistic(drawn(COUNTS, 4000)), naive(statistic, 4000)
    assert ks_2samp(mine, theirs).pvalue > 0.01
    assert mine.std() == pytest.approx(theirs.std(), rel=0.05)


def test_every_draw_has_as_many_rows_as_the_table() -> None:
    assert np.all(drawn(COUNTS).total == 100)


def test_cells_without_rows_stay_empty() -> None:
    assert not np.any(drawn(BinaryCounts(3, 0, 2, 1)).fp)


def test_fractional_weights_draw_their_rounded_sum() -> None:
    draws = drawn(BinaryCounts(10.5, 2.25, 3.0, 4.5))
    assert np.all(draws.total == 20)
    assert np.array_equal(draws.tp, np.round(draws.tp))


def test_a_matrix_of_many_cells_is_drawn_in_several_runs_with_the_same_result() -> None:
    wide = ConfusionMatrix(tuple("abcdefghij"), np.arange(100_000, 200_000, 1000).reshape(10, 10))
    runs = [accuracy(draws) for draws in draw_shares(wide, seeded(), Plan(resamples=50_000))]
    values, share = np.concatenate(runs), np.trace(wide.counts) / wide.total
    assert len(runs) > 1
    assert len(values) == 50_000
    assert values.mean() == pytest.approx(share, abs=1e-4)
    assert values.std() == pytest.approx(np.sqrt(share * (1 - share) / wide.total), rel=0.02)


def test_a_seed_gives_the_same_draws_again() -> None:
    [first], [second] = (list(draw_shares(MATRIX, seeded(5))) for _ in range(2))
    assert np.array_equal(first.counts, second.counts)
    assert first.counts.shape == (2000, 3, 3)


def test_a_statistic_per_class_has_an_interval_per_class() -> None:
    [draws] = draw_shares(MATRIX, seeded())
    interval = percentile_bootstrap(recall(draws.one_vs_rest()), 0.95).interval
    assert (interval.low < [5 / 6, 6 / 9, 9 / 12]).all()
    assert (interval.high > [5 / 6, 6 / 9, 9 / 12]).all()


def test_a_perfect_model_is_marked() -> None:
    perfect = of_recall(BinaryCounts(5, 0, 0, 7))
    assert (perfect.interval.low, perfect.interval.high) == (1, 1)
    assert perfect.interval.degenerate


def test_draws_without_a_positive_are_counted_as_failed() -> None:
    # A draw of ten rows misses one given row with probability 0.9^10.
    assert of_recall(BinaryCounts(1, 0, 0, 9)).failed == pytest.approx(2000 * 0.9**10, rel=0.1)


def test_no_rows_give_no_interval() -> None:
    none = of_recall(BinaryCounts(0, 0, 0, 0))
    assert np.isnan([none.interval.low, none.interval.high]).all()
    assert none.failed == 2000


@given(st.tuples(*[st.integers(0, 20)] * 4))
def test_no_interval_of_a_share_leaves_the_range(cells: tuple[int, ...]) -> None:
    interval = of_recall(BinaryCounts(*cells), 200).interval
    assert np.isnan(interval.low) or 0 <= interval.low <= interval.high <= 1


Floats = NDArray[np.float64]


def mean_loss_interval(table: ScoreTable, losses: Losses, plan: Plan = PLAN) -> Interval:
    return LossDraws(table, plan).interval(losses)


def squared(p: Floats) -> tuple[Floats, Floats]:
    return (1 - p) ** 2, p**2


def logarithmic(p: Floats) -> tuple[Floats, Floats]:
    with np.errstate(divide="ignore"):
        return -np.log(p), -np.log1p(-p)


def sample(n: int) -> tuple[Floats, NDArray[np.int8], Floats]:
    """Return probabilities, truth and log losses, which are skewed."""
    rng = seeded(1)
    p = np.clip(rng.beta(0.5, 2.0, n), 1e-6, 1 - 1e-6)
    truth = (rng.random(n) < p).astype(np.int8)
    return p, truth, np.where(truth == 1, -np.log(p), -np.log1p(-p))


def naive_means(loss: Floats, resamples: int) -> Floats:
    rng = seeded(99)
    return np.array(
        [loss[rng.integers(len(loss), size=len(loss))].mean() for _ in range(resamples)]
    )


def test_a_coin_with_two_losses_by_hand() -> None:
    # 50 rows lose 0.25^2, 50 lose 0.75^2: the mean is a binomial share away from 0.3125.
    p, truth = np.full(100, 0.75), np.arange(100) % 2
    plan = Plan(resamples=20_000)
    interval = mean_loss_interval(ScoreTable.from_scores(truth, p), squared, plan)
    reach = 1.96 * np.sqrt(0.25 / 100) * 0.5
    assert (interval.low, interval.high) == pytest.approx(
        (0.3125 - reach, 0.3125 + reach), abs=0.006
    )


@pytest.mark.parametrize("n", [300, 5000])
def test_the_interval_is_that_of_resampled_rows(n: int) -> None:
    p, truth, loss = sample(n)
    plan = Plan(resamples=10_000)
    table = ScoreTable.from_scores(truth, p)
    interval = mean_loss_interval(table, logarithmic, plan)
    theirs, spread = naive_means(loss, 10_000), loss.std() / np.sqrt(n)
    ends = np.quantile(theirs, [0.025, 0.975])
    assert np.abs(np.array([interval.low, interval.high]) - ends).max() < 0.1 * spread


def test_putting_many_cells_together_keeps_the_mean_and_the_spread() -> None:
    p, truth, loss = sample(50_000)
    table = ScoreTable.from_scores(truth, p)
    interval = mean_loss_interval(table, logarithmic, Plan(resamples=20_000))
    reach = 1.96 * loss.std() / np.sqrt(len(loss))
    assert (interval.low + interval.high) / 2 == pytest.approx(loss.mean(), abs=0.03 * reach)
    assert (interval.high - interval.low) / 2 == pytest.approx(reach, rel=0.02)


def test_many_rows_have_the_interval_of_a_normal_mean() -> None:
    p, truth, loss = sample(200_000)
    interval = mean_loss_interval(ScoreTable.from_scores(truth, p), logarithmic)
    reach = 1.959964 * loss.std(ddof=1) / np.sqrt(len(loss))
    assert interval.method == "normal-mean"
    assert (interval.low, interval.high) == pytest.approx(
        (loss.mean() - reach, loss.mean() + reach), rel=1e-6
    )


def test_an_infinite_loss_leaves_no_interval() -> None:
    table = ScoreTable.from_scores(np.array([1, 0]), np.array([0.0, 0.5]))
    interval = mean_loss_interval(table, logarithmic)
    assert np.isnan([interval.low, interval.high]).all()


@pytest.mark.parametrize("n", [300, 5000])
def test_intervals_made_together_are_those_made_alone(n: int) -> None:
    p, truth, _ = sample(n)
    table, both = ScoreTable.from_scores(truth, p), [squared, logarithmic, squared]
    draws = LossDraws(table)
    together = [draws.interval(losses) for losses in both]
    alone = [mean_loss_interval(table, losses) for losses in both]
    assert [(one.low, one.high) for one in together] == [(one.low, one.high) for one in alone]


def test_no_rows_leave_no_interval() -> None:
    table = ScoreTable.from_scores(np.array([], dtype=np.int8), np.array([]))
    assert np.isnan(mean_loss_interval(table, squared).low)


@pytest.mark.parametrize("n", [10, 200_000])
def test_equal_losses_are_marked(n: int) -> None:
    table = ScoreTable.from_scores(np.arange(n) % 2, np.full(n, 0.5))
    interval = mean_loss_interval(table, squared)
    assert (interval.low, interval.high, interval.degenerate) == (0.25, 0.25, True)


@given(scored(PROBABILITIES))
def test_no_interval_leaves_the_range_of_the_losses(data: Scored) -> None:
    table = ScoreTable.from_scores(data.truth, data.score, data.weight)
    interval = mean_loss_interval(table, squared, Plan(resamples=100))
    if data.weight.any():
        assert 0 <= interval.low <= interval.high <= 1


@given(scored(PROBABILITIES))
def test_a_row_of_weight_two_counts_as_two_rows(data: Scored) -> None:
    weighted = ScoreTable.from_scores(data.truth, data.score, data.weight)
    twice = data.repeated()
    plain = ScoreTable.from_scores(twice.truth, twice.score)
    one, other = (
        mean_loss_interval(table, squared, Plan(resamples=50)) for table in (weighted, plain)
    )
    np.testing.assert_equal((one.low, one.high), (other.low, other.high))
