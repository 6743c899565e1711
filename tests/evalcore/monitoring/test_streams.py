"""How far a look lies from the rows before it: against all ways to draw it, and known errors."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalcore.comparison.candidate import candidate
from evalcore.intervals.delong import delong_variance
from evalcore.metrics.catalog import find
from evalcore.monitoring.streams import Moments, moments_of, stream_of
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes
from evalcore.slices.measures import measure
from evalcore.tables.scores import ScoreTable
from tests.evalcore.monitoring.streams_made import shares


def stream(key, truth, score, codes, size):
    rows = BinaryOutcomes(
        classes=("no", "yes"), truth=truth.astype(np.int8), score=score, probability=True
    )
    made = measure(candidate("m", rows, find(key), "threshold"), Options())
    return stream_of(made, codes, size)


def test_a_look_is_a_draw_from_all_rows_whatever_they_hold():
    # Each of the 496 ways in which 2 of 32 rows can be the look.
    values = np.random.default_rng(0).lognormal(size=32)
    found = []
    for own in combinations(range(32), 2):
        codes = np.isin(np.arange(32), own).astype(int)
        made = moments_of(values, None, None, codes, 2)
        found.append(made.signal(made.sums[1], made.sums.sum(axis=0), 0.05, None))
    z = np.array([one.z for one in found])
    assert z.mean() == pytest.approx(0, abs=1e-9)
    assert np.mean(z**2) == pytest.approx(1)
    assert np.mean(z**3) == pytest.approx(found[0].skewness)


def test_against_a_stated_share_worked_by_hand():
    # 80 of 100 are right where 90 are to be expected: 10 fewer, with a variance of 100 * 0.09.
    made = shares([80], [100])
    signal = made.signal(made.sums[0], made.sums[0], 0.05, 0.9)
    assert signal.z == pytest.approx(-10 / 3)
    assert signal.expected == pytest.approx(5 / 3)
    assert signal.skewness == pytest.approx(-0.8 / 3)


def test_few_rows_are_no_look():
    made = shares([9, 5], [10, 10])
    assert made.signal(made.sums[1], made.sums.sum(axis=0), 0.05, None) is None


@given(st.integers(0, 1000), st.integers(60, 400))
def test_values_and_errors_are_those_of_the_metrics(seed, n):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 2
    score = np.clip(rng.normal(0.4 + 0.2 * truth, 0.2), 0, 1)
    codes = np.zeros(n, int)
    area = stream("roc_auc", truth, score, codes, 1)
    table = ScoreTable.from_scores(truth, score)
    assert area.state(area.sums[0]).value == pytest.approx(find("roc_auc")(table))
    assert area.state(area.sums[0]).error == pytest.approx(np.sqrt(delong_variance(table)))
    f1 = stream("f1", truth, score, codes, 1)
    assert f1.state(f1.sums[0]).value == pytest.approx(find("f1")(table.at(0.5)))
    brier = stream("brier", truth, score, codes, 1)
    loss = (score - truth) ** 2
    assert brier.state(brier.sums[0]).error == pytest.approx(loss.std(ddof=1) / np.sqrt(n))
    right = (score >= 0.5) == truth
    accuracy = stream("accuracy", truth, score, codes, 1)
    error = np.sqrt(right.mean() * right.var() / right.mean() / (n - 1)) if right.any() else 0
    assert accuracy.state(accuracy.sums[0]).error == pytest.approx(error)


def test_the_influence_on_f1_is_its_jackknife():
    rng = np.random.default_rng(3)
    truth = (rng.random(400) < 0.3).astype(int)
    score = np.clip(rng.normal(0.4 + 0.2 * truth, 0.2), 0, 1)
    made = stream("f1", truth, score, np.zeros(400, int), 1)
    without = []
    for row in range(400):
        kept = np.arange(400) != row
        table = ScoreTable.from_scores(truth[kept], score[kept])
        without.append(find("f1")(table.at(0.5)))
    error = np.sqrt(399 / 400 * np.sum((without - np.mean(without)) ** 2))
    assert made.state(made.sums[0]).error == pytest.approx(error, rel=0.02)


@pytest.mark.parametrize("key", ["f1", "roc_auc", "accuracy", "brier", "mcc"])
def test_looks_of_equal_rows_have_mean_0_and_variance_1(key):
    rng, z = np.random.default_rng(4), []
    for _ in range(300):
        truth = (rng.random(600) < 0.4).astype(int)
        score = np.clip(rng.normal(0.4 + 0.2 * truth, 0.2), 0, 1)
        made = stream(key, truth, score, np.repeat([0, 1, 2], [300, 100, 200]), 3)
        for look in (1, 2):
            pooled = made.sums[: look + 1].sum(axis=0)
            z.append(made.signal(made.sums[look], pooled, 0.05, None).z)
    assert np.mean(z) == pytest.approx(0, abs=0.15)
    assert np.std(z) == pytest.approx(1, abs=0.1)
    # Looks tell nothing of each other.
    assert np.corrcoef(z[::2], z[1::2])[0, 1] == pytest.approx(0, abs=0.2)


def test_rows_of_a_group_count_as_one():
    values, unit = np.repeat([1.0, 2.0, 4.0], 5), np.repeat([0, 1, 2], 5)
    made = moments_of(values, None, unit, np.zeros(15, int), 1)
    assert isinstance(made, Moments)
    state = made.state(made.sums[0])
    assert state.value == pytest.approx(7 / 3)
    assert state.units == 3
    assert state.error == pytest.approx(np.std([1, 2, 4], ddof=1) / np.sqrt(3))
