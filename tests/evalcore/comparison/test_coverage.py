"""How often intervals over resamples hold the true value: by simulation, with a fixed seed."""

import numpy as np
import pytest
from scipy.stats import norm

from evalcore.comparison.candidate import candidate
from evalcore.comparison.candidates import Candidates
from evalcore.comparison.resampled import ResampledValues, distribution
from evalcore.metrics.catalog import find
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, NumericOutcomes

ROWS, TRIALS = 200, 250
SHIFT, SHARE, CUT = 1.5, 0.4, 0.75
"""Scores of positives are shifted by so much, so many rows are positive, so high is the cut."""


def scored(rng):
    truth = (rng.random(ROWS) < SHARE).astype(np.int8)
    score = SHIFT * truth + rng.normal(size=ROWS)
    return BinaryOutcomes(classes=("no", "yes"), truth=truth, score=score)


def numbers(rng):
    truth = rng.normal(size=ROWS)
    return NumericOutcomes(truth=truth, prediction=truth + 0.5 * rng.normal(size=ROWS))


FOUND, FALSE = norm.sf(CUT - SHIFT), norm.sf(CUT)
TRUE = {
    "roc_auc": (scored, norm.cdf(SHIFT / np.sqrt(2))),
    "accuracy": (scored, SHARE * FOUND + (1 - SHARE) * (1 - FALSE)),
    "f1": (scored, 2 * SHARE * FOUND / (SHARE * (FOUND + 1) + (1 - SHARE) * FALSE)),
    "r2": (numbers, 1 - 0.5**2),
}


def interval(key, outcomes, method, seed):
    one = candidate("A", outcomes, find(key), "threshold", CUT)
    draws = ResampledValues(
        Candidates(find(key), (one,), True, None, ()), Options(resamples=200, seed=seed)
    )
    return distribution(draws, 0, method=method).bootstrap.interval


@pytest.mark.slow
@pytest.mark.parametrize("key", TRUE)
def test_95_percent_intervals_hold_the_true_value_in_92_to_98_of_100_cases(key):
    make, value = TRUE[key]
    rng = np.random.default_rng(5)
    ends = [interval(key, make(rng), "percentile", seed) for seed in range(TRIALS)]
    held = np.mean([found.low <= value <= found.high for found in ends])
    assert 0.92 <= held <= 0.98


@pytest.mark.slow
def test_so_do_those_that_correct_for_bias_and_skewness():
    make, value = TRUE["f1"]
    rng = np.random.default_rng(6)
    ends = [interval("f1", make(rng), "bca", seed) for seed in range(TRIALS)]
    assert {found.method for found in ends} == {"bootstrap-bca"}
    assert 0.92 <= np.mean([found.low <= value <= found.high for found in ends]) <= 0.98
