import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray

from evalcore.intervals.bootstrap import PLAN, Plan
from evalcore.intervals.closed import Interval
from evalcore.intervals.ranking import LossDraws, Losses
from evalcore.tables.scores import ScoreTable
from tests.evalcore.made import seeded
from tests.evalcore.strategies import PROBABILITIES, Scored, scored

Floats = NDArray[np.float64]


def mean_loss_interval(
    table: ScoreTable, losses: Losses, rng: np.random.Generator, plan: Plan = PLAN
) -> Interval:
    return LossDraws(table, rng, plan).interval(losses)


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


def naive(loss: Floats, resamples: int) -> Floats:
    rng = seeded(99)
    return np.array(
        [loss[rng.integers(len(loss), size=len(loss))].mean() for _ in range(resamples)]
    )


def test_a_coin_with_two_losses_by_hand() -> None:
    # 50 rows lose 0.25^2, 50 lose 0.75^2: the mean is a binomial share away from 0.3125.
    p, truth = np.full(100, 0.75), np.arange(100) % 2
    plan = Plan(resamples=20_000)
    interval = mean_loss_interval(ScoreTable.from_scores(truth, p), squared, seeded(), plan)
    reach = 1.96 * np.sqrt(0.25 / 100) * 0.5
    assert (interval.low, interval.high) == pytest.approx(
        (0.3125 - reach, 0.3125 + reach), abs=0.006
    )


@pytest.mark.parametrize("n", [300, 5000])
def test_the_interval_is_that_of_resampled_rows(n: int) -> None:
    p, truth, loss = sample(n)
    plan = Plan(resamples=10_000)
    table = ScoreTable.from_scores(truth, p)
    interval = mean_loss_interval(table, logarithmic, seeded(), plan)
    theirs, spread = naive(loss, 10_000), loss.std() / np.sqrt(n)
    ends = np.quantile(theirs, [0.025, 0.975])
    assert np.abs(np.array([interval.low, interval.high]) - ends).max() < 0.1 * spread


def test_putting_many_cells_together_keeps_the_mean_and_the_spread() -> None:
    p, truth, loss = sample(50_000)
    table = ScoreTable.from_scores(truth, p)
    interval = mean_loss_interval(table, logarithmic, seeded(), Plan(resamples=20_000))
    reach = 1.96 * loss.std() / np.sqrt(len(loss))
    assert (interval.low + interval.high) / 2 == pytest.approx(loss.mean(), abs=0.03 * reach)
    assert (interval.high - interval.low) / 2 == pytest.approx(reach, rel=0.02)


def test_many_rows_have_the_interval_of_a_normal_mean() -> None:
    p, truth, loss = sample(200_000)
    interval = mean_loss_interval(ScoreTable.from_scores(truth, p), logarithmic, seeded())
    reach = 1.959964 * loss.std(ddof=1) / np.sqrt(len(loss))
    assert interval.method == "normal-mean"
    assert (interval.low, interval.high) == pytest.approx(
        (loss.mean() - reach, loss.mean() + reach), rel=1e-6
    )


def test_an_infinite_loss_leaves_no_interval() -> None:
    table = ScoreTable.from_scores(np.array([1, 0]), np.array([0.0, 0.5]))
    interval = mean_loss_interval(table, logarithmic, seeded())
    assert np.isnan([interval.low, interval.high]).all()


@pytest.mark.parametrize("n", [300, 5000])
def test_intervals_made_together_are_those_made_alone(n: int) -> None:
    p, truth, _ = sample(n)
    table, both = ScoreTable.from_scores(truth, p), [squared, logarithmic, squared]
    draws = LossDraws(table, seeded())
    together = [draws.interval(losses) for losses in both]
    alone = [mean_loss_interval(table, losses, seeded()) for losses in both]
    assert [(one.low, one.high) for one in together] == [(one.low, one.high) for one in alone]


def test_no_rows_leave_no_interval() -> None:
    table = ScoreTable.from_scores(np.array([], dtype=np.int8), np.array([]))
    assert np.isnan(mean_loss_interval(table, squared, seeded()).low)


@pytest.mark.parametrize("n", [10, 200_000])
def test_equal_losses_are_marked(n: int) -> None:
    table = ScoreTable.from_scores(np.arange(n) % 2, np.full(n, 0.5))
    interval = mean_loss_interval(table, squared, seeded())
    assert (interval.low, interval.high, interval.degenerate) == (0.25, 0.25, True)


@given(scored(PROBABILITIES))
def test_no_interval_leaves_the_range_of_the_losses(data: Scored) -> None:
    table = ScoreTable.from_scores(data.truth, data.score, data.weight)
    interval = mean_loss_interval(table, squared, seeded(), Plan(resamples=100))
    if data.weight.any():
        assert 0 <= interval.low <= interval.high <= 1


@given(scored(PROBABILITIES))
def test_a_row_of_weight_two_counts_as_two_rows(data: Scored) -> None:
    weighted = ScoreTable.from_scores(data.truth, data.score, data.weight)
    twice = data.repeated()
    plain = ScoreTable.from_scores(twice.truth, twice.score)
    one, other = (
        mean_loss_interval(table, squared, seeded(), Plan(resamples=50))
        for table in (weighted, plain)
    )
    np.testing.assert_equal((one.low, one.high), (other.low, other.high))
