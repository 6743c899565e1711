import time

import numpy as np
import pytest
from scipy.stats import binomtest

from evalcore.curves.costs import UnitCosts, cheapest
from evalcore.intervals.resamples import Plan
from evalcore.outcomes import BinaryOutcomes
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.scores import ScoreTable
from evalview.lab.optimum import bootstrap_optimum, halves, of_cost, out_of_fold

STAKES = UnitCosts(tn=0, fp=1, fn=4, tp=0, prevalence=0.3)
PLAN = Plan(resamples=400)


def drawn(n: int, seed: int, apart: float = 1.2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = (np.arange(n) < 0.3 * n).astype(np.int8)
    return truth, rng.normal(apart * truth)


def true_cost(threshold: float, apart: float = 1.2) -> float:
    from scipy.stats import norm

    return float(STAKES.expected(norm.sf(threshold - apart), norm.sf(threshold)))


def test_resampling_rows_one_by_one_says_the_same() -> None:
    truth, score = drawn(80, 0)
    found = bootstrap_optimum(
        ScoreTable.from_scores(truth, score), STAKES, np.random.default_rng(1), Plan(2000)
    )
    rng, thresholds, optimism = np.random.default_rng(2), [], []
    for _ in range(1000):
        rows = np.concatenate(
            [rng.choice(np.flatnonzero(truth == c), (truth == c).sum()) for c in (0, 1)]
        )
        best = cheapest(ScoreTable.from_scores(truth[rows], score[rows]), STAKES)
        counts = ScoreTable.from_scores(truth, score).at(best.threshold)
        thresholds.append(best.threshold)
        optimism.append(STAKES.expected(counts.tp / 24, counts.fp / 56) - best.cost)
    low, high = np.quantile(thresholds, [0.025, 0.975])
    ends = np.quantile(found.thresholds, [0.025, 0.975])
    assert ends == pytest.approx([low, high], abs=0.12)
    assert found.optimism == pytest.approx(np.mean(optimism), rel=0.1)


def test_choosing_and_judging_on_the_same_rows_promises_too_much() -> None:
    promised, honest, judged, kept = [], [], [], []
    for seed in range(150):
        table = ScoreTable.from_scores(*drawn(100, seed))
        found = bootstrap_optimum(table, STAKES, np.random.default_rng(seed), PLAN)
        promised.append(found.chosen.cost)
        honest.append(found.chosen.cost + found.optimism)
        kept.append(true_cost(found.chosen.threshold))
        judged.append(halves(table, STAKES, np.random.default_rng(seed), 50).other)
    gap = np.mean(kept) - np.mean(promised)
    assert gap > 0.02
    # The correction closes most of the gap; judging the other half is not too rosy.
    assert abs(np.mean(kept) - np.mean(honest)) < 0.4 * gap
    assert np.mean(judged) > np.mean(kept) - 0.2 * gap


def test_halves_of_many_rows_agree() -> None:
    found = halves(ScoreTable.from_scores(*drawn(40_000, 3)), STAKES, np.random.default_rng(0))
    assert found.own == pytest.approx(found.other, abs=0.01)
    assert found.own <= found.other


def test_many_scores_cost_no_more_time_and_stay_near_the_exact_optimum() -> None:
    table = ScoreTable.from_scores(*drawn(200_000, 4))
    began = time.thread_time()
    found = bootstrap_optimum(table, STAKES, np.random.default_rng(0))
    assert time.thread_time() - began < 5
    assert found.threshold.low <= found.chosen.threshold <= found.threshold.high
    assert found.threshold.high - found.threshold.low < 0.3
    assert found.optimism < 0.002


def test_flagging_nothing_may_be_the_end_of_the_interval() -> None:
    truth, score = drawn(60, 5, apart=0.0)
    rare = UnitCosts(tn=0, fp=5, fn=1, tp=0, prevalence=0.1)
    found = bootstrap_optimum(ScoreTable.from_scores(truth, score), rare, np.random.default_rng(0))
    assert found.threshold.high == np.inf
    assert found.nothing > 0.3


def test_too_few_rows_cannot_be_halved() -> None:
    table = ScoreTable.from_scores(np.array([1, 0, 0]), np.array([0.9, 0.4, 0.1]))
    assert np.isnan(halves(table, STAKES, np.random.default_rng(0)).other)


def copied(units: int, seed: int) -> BinaryOutcomes:
    """Return three rows of each of so many units, which are nearly alike."""
    rng = np.random.default_rng(seed)
    unit = np.repeat(np.arange(units), 3)
    truth, score = drawn(units, seed)
    near = score[unit] + rng.normal(scale=0.01, size=len(unit))
    return BinaryOutcomes(classes=("no", "yes"), truth=truth[unit], score=near, unit=unit)


def test_halves_of_units_judged_row_by_row_say_the_same() -> None:
    rows = copied(20, 0)
    assert rows.score is not None
    assert rows.unit is not None
    table = ScoreTable.from_scores(rows.truth, rows.score)
    found = halves(table, STAKES, np.random.default_rng(1), 30, grouped=rows)
    rng, own, other = np.random.default_rng(1), [], []
    for _ in range(30):
        side = (rng.permutation(20) % 2)[rows.unit]
        costs = [
            [cost_at(rows, at, side == one) for at in (np.inf, *table.threshold)] for one in (1, 0)
        ]
        best = int(np.argmin(costs[0]))
        own.append(costs[0][best])
        other.append(costs[1][best])
    assert (found.own, found.other) == pytest.approx((np.mean(own), np.mean(other)))


def cost_at(rows: BinaryOutcomes, at: float, kept: np.ndarray) -> float:
    assert rows.score is not None
    called = rows.score[kept] >= at
    shares = (called[rows.truth[kept] == one].mean() for one in (1, 0))
    return float(STAKES.expected(*shares))


def test_halves_that_share_no_unit_are_less_rosy() -> None:
    apart, mixed = [], []
    for seed in range(20):
        rows = copied(20, seed)
        assert rows.score is not None
        table = ScoreTable.from_scores(rows.truth, rows.score)
        apart.append(halves(table, STAKES, np.random.default_rng(seed), 30, grouped=rows).other)
        mixed.append(halves(table, STAKES, np.random.default_rng(seed), 30).other)
    assert np.mean(apart) > np.mean(mixed) + 0.02


def test_a_class_of_one_unit_cannot_be_halved() -> None:
    unit = np.array([0, 0, 1, 2, 3])
    truth, score = np.array([1, 1, 0, 0, 0]), np.array([0.9, 0.8, 0.4, 0.3, 0.1])
    rows = BinaryOutcomes(classes=("no", "yes"), truth=truth, score=score, unit=unit)
    table = ScoreTable.from_scores(truth, score)
    assert np.isnan(halves(table, STAKES, np.random.default_rng(0), grouped=rows).other)


def test_out_of_fold_by_hand() -> None:
    rng = np.random.default_rng(0)
    truth, score = drawn(90, 6)
    fold = rng.integers(0, 3, 90)
    parts = [ScoreTable.from_scores(truth[fold == k], score[fold == k]) for k in range(3)]
    found = out_of_fold(parts, STAKES)
    called = np.zeros(90, bool)
    for k in range(3):
        others = ScoreTable.from_scores(truth[fold != k], score[fold != k])
        at = cheapest(others, STAKES).threshold
        assert found.thresholds[k] == at
        called[fold == k] = score[fold == k] >= at
    rates = called[truth == 1].mean(), called[truth == 0].mean()
    assert found.cost == pytest.approx(STAKES.expected(*rates))
    assert found.interval.low < found.cost < found.interval.high


def test_the_interval_of_a_cost_that_hangs_on_one_rate_is_that_of_the_rate() -> None:
    counts = BinaryCounts(tp=12, fp=7, fn=8, tn=13)
    made = of_cost(counts, UnitCosts(tn=0, fp=5, fn=3, tp=0, prevalence=0))
    theirs = binomtest(7, 20).proportion_ci(method="wilson")
    assert (made.low, made.high) == pytest.approx((5 * theirs.low, 5 * theirs.high))


def test_folds_without_a_class_elsewhere_are_undefined() -> None:
    only = [
        ScoreTable.from_scores(np.array([1]), np.array([0.9])),
        ScoreTable.from_scores(np.array([0]), np.array([0.2])),
    ]
    assert np.isnan(out_of_fold(only, STAKES).cost)


def test_whole_and_fractional_weights_are_numbers_of_rows() -> None:
    truth, score = drawn(50, 7)
    once = ScoreTable.from_scores(np.repeat(truth, 2), np.repeat(score, 2))
    twice = ScoreTable.from_scores(truth, score, np.full(50, 2.0))
    one, two = (bootstrap_optimum(t, STAKES, np.random.default_rng(0), PLAN) for t in (once, twice))
    assert one.threshold.low == two.threshold.low
    halved = ScoreTable.from_scores(truth, score, np.full(50, 1.5))
    assert np.isfinite(bootstrap_optimum(halved, STAKES, np.random.default_rng(0), PLAN).optimism)


@pytest.mark.slow
def test_intervals_of_the_cheapest_threshold_and_its_cost_hold_the_true_ones() -> None:
    places = np.linspace(-4, 6, 2001)
    best = places[np.argmin([true_cost(place) for place in places])]
    held = []
    for seed in range(300):
        table = ScoreTable.from_scores(*drawn(60, seed))
        found = bootstrap_optimum(table, STAKES, np.random.default_rng(seed), PLAN)
        cost = true_cost(found.chosen.threshold)
        held.append(
            [
                found.cost.low <= cost <= found.cost.high,
                found.threshold.low <= best <= found.threshold.high,
            ]
        )
    # 300 files: two standard errors are .025.
    assert np.mean(held, axis=0) == pytest.approx([0.95, 0.95], abs=0.05)


def test_rows_that_tell_as_much_as_fewer_leave_more_open() -> None:
    table = ScoreTable.from_scores(*drawn(200, 8))
    alone, grouped = (
        bootstrap_optimum(table, STAKES, np.random.default_rng(0), PLAN, share=share)
        for share in (1.0, 0.25)
    )
    assert grouped.cost.high - grouped.cost.low > 1.5 * (alone.cost.high - alone.cost.low)
    assert (
        grouped.threshold.high - grouped.threshold.low > alone.threshold.high - alone.threshold.low
    )
    assert grouped.optimism > 1.5 * alone.optimism
