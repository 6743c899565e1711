"""How often tests find a difference where there is none: by simulation, with a fixed seed."""

import numpy as np
import pytest

from evalcore.comparison.folds import (
    Blocks,
    FiveByTwo,
    FoldDifferences,
    corrected_resampled_t,
    five_by_two_f,
    friedman,
    iman_davenport,
    paired_t,
    wilcoxon,
)
from evalcore.comparison.rows import (
    Correctness,
    ResampledDifferences,
    TwoProportions,
    cochran_q,
    delong,
    mcnemar_chi2,
    mcnemar_exact,
    mcnemar_mid_p,
    paired_bootstrap,
    two_proportion_z,
)
from evalcore.intervals.delong import delong_areas
from evalcore.intervals.resamples import Resamples

from .helpers import paired

TRIALS = 1000


def rate(draw, trials=TRIALS, seed=0):
    """Return how often p < 0.05, over draws of data without a difference."""
    rng = np.random.default_rng(seed)
    return float(np.mean([draw(rng).p_value < 0.05 for _ in range(trials)]))


@pytest.mark.parametrize(
    ("test", "low", "high"),
    [(mcnemar_mid_p, 0.03, 0.06), (mcnemar_chi2, 0.03, 0.065), (mcnemar_exact, 0.005, 0.05)],
)
def test_mcnemar(test, low, high):
    found = rate(lambda rng: test(paired(*rng.multinomial(300, [0.7, 0.1, 0.1, 0.1]))))

    assert low <= found <= high


def test_two_proportions():
    found = rate(
        lambda rng: two_proportion_z(
            TwoProportions((rng.binomial(200, 0.8), 200), (rng.binomial(300, 0.8), 300))
        )
    )

    assert 0.035 <= found <= 0.067


def test_cochrans_q():
    def draw(rng):
        easy = rng.random(300)[:, np.newaxis] < 0.5
        return cochran_q(Correctness((easy | (rng.random((300, 4)) < 0.6)).astype(float)))

    assert 0.035 <= rate(draw) <= 0.067


def scores(rng, n=200):
    """Return a truth and two scores that are equally good and correlated."""
    truth = (rng.random(n) < 0.3).astype(np.int8)
    shared = truth + rng.normal(size=n)
    return truth, *(shared + rng.normal(size=n) for _ in range(2))


def test_delong():
    def draw(rng):
        truth, one, other = scores(rng)
        return delong(delong_areas(truth, [one, other]).pair(0, 1))

    assert 0.035 <= rate(draw) <= 0.067


def test_the_paired_bootstrap():
    def draw(rng):
        gaps = rng.normal(size=80) - rng.normal(size=80)
        resamples = Resamples.of(80, None, rng, 400)
        drawn = resamples.sums(lambda rows: gaps[rows][np.newaxis])[:, 0] / resamples.n
        return paired_bootstrap(ResampledDifferences(float(gaps.mean()), drawn))

    assert 0.035 <= rate(draw, 600) <= 0.08


def test_wilcoxon():
    found = rate(lambda rng: wilcoxon(FoldDifferences(rng.normal(size=12))))

    assert 0.03 <= found <= 0.065


@pytest.mark.parametrize("test", [friedman, iman_davenport])
def test_ranks_over_data_sets(test):
    found = rate(lambda rng: test(Blocks(rng.normal(size=(12, 4)))))

    assert 0.03 <= found <= 0.067


def nearest_mean(train, test):
    """Return whether each test row is nearer to the mean of its own class, by one feature."""
    middle = (train[train[:, 1] == 1, 0].mean() + train[train[:, 1] == 0, 0].mean()) / 2
    return (test[:, 0] > middle) == (test[:, 1] == 1)


def repeated_gaps(rng, repeats=10, folds=5, n=60):
    """Return gaps of two equally good learners on repeated folds of one small data set.

    Each learner sees a feature of its own; both features are equally informative.
    """
    truth = np.repeat([0.0, 1.0], n // 2)
    features = [truth + rng.normal(size=n) for _ in range(2)]
    gaps = []
    for _ in range(repeats):
        order = rng.permutation(n)
        for fold in range(folds):
            out = order[fold::folds]
            kept = np.setdiff1d(order, out)
            right = [
                nearest_mean(*(np.stack([x[rows], truth[rows]], axis=1) for rows in (kept, out)))
                for x in features
            ]
            gaps.append(right[1].mean() - right[0].mean())
    return np.array(gaps)


def test_repeated_folds_deceive_the_plain_t_test_but_not_the_corrected_one():
    rng = np.random.default_rng(0)
    tables = [FoldDifferences(repeated_gaps(rng), 1 / 4) for _ in range(200)]
    plain, corrected = (
        np.mean([test(table).p_value < 0.05 for table in tables])
        for test in (paired_t, corrected_resampled_t)
    )

    assert plain > 0.4
    assert corrected < 0.1


def test_five_by_two_folds():
    rng = np.random.default_rng(0)
    found = np.mean([
        five_by_two_f(FiveByTwo(repeated_gaps(rng, 5, 2).reshape(5, 2))).p_value < 0.05
        for _ in range(300)
    ])  # fmt: skip

    assert found < 0.09
