"""Decisions, between very many classes or of rows in groups: no interval that fools."""

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats.contingency import odds_ratio

from evalcore.evaluation import decisions as decisions_evaluation
from evalcore.evaluation.decisions import NOT_DRAWN, cells_of, decisions
from evalcore.intervals.closed import t_quantile
from evalcore.metrics.metric import BIASED
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes
from evalcore.tables.confusion import ConfusionMatrix


def matrix(classes: int, rows: int) -> ConfusionMatrix:
    rng = np.random.default_rng(0)
    truth = rng.integers(classes, size=rows)
    called = np.where(rng.random(rows) < 0.8, truth, rng.integers(classes, size=rows))
    return ConfusionMatrix.from_codes(truth, called, tuple(map(str, range(classes))))


def test_an_interval_that_leaves_out_its_value_says_so():
    found = decisions(matrix(200, 900), Options(resamples=100)).averages["macro"]["f1"]
    assert not found.low <= found.value <= found.high
    assert BIASED in found.note


def test_an_interval_round_its_value_says_nothing():
    found = decisions(matrix(3, 900), Options(resamples=200)).averages["macro"]["f1"]
    assert found.low <= found.value <= found.high
    assert not found.note


def test_each_of_thousands_of_classes_is_drawn_by_itself_and_their_whole_is_not():
    found = decisions(matrix(1500, 4000), Options(resamples=100))
    whole = found.averages["macro"]["f1"]
    assert (whole.low, whole.note) == (None, NOT_DRAWN)
    assert not found.metrics["accuracy"].note
    of_one = found.per_class["7"]["f1"]
    assert of_one.low <= of_one.value <= of_one.high


def test_classes_drawn_by_themselves_have_the_intervals_of_whole_matrices(monkeypatch):
    made = matrix(4, 800)
    together = decisions(made, Options(resamples=1000)).per_class
    monkeypatch.setattr(decisions_evaluation, "_draws", lambda confusion, options: iter(()))
    apart = decisions(made, Options(resamples=1000)).per_class
    for name, found in together.items():
        for key in ("f1", "mcc"):
            ends = [(one[key].low, one[key].high) for one in (found, apart[name])]
            assert ends[0] == pytest.approx(ends[1], abs=0.01)


def test_counts_near_a_billion_keep_their_digits():
    counts = np.array([[10**9, 3], [5, 2 * 10**9]])
    found = decisions(ConfusionMatrix(("no", "yes"), counts), Options(resamples=100)).metrics
    margins = math.prod(map(float, [*counts.sum(axis=0), *counts.sum(axis=1)]))
    exact = (2 * 10**18 - 15) / math.sqrt(margins)
    assert found["mcc"].value == pytest.approx(exact, rel=1e-12)
    assert found["accuracy"].value == pytest.approx(3 * 10**9 / (3 * 10**9 + 8), rel=1e-15)
    assert found["cohen_kappa"].low <= found["cohen_kappa"].value <= found["cohen_kappa"].high


def of_groups(truth, label, unit, resamples=2000):
    """Return the metrics of labels of rows that are drawn by their groups."""
    truth, label = (np.asarray(codes, np.int8) for codes in (truth, label))
    rows = BinaryOutcomes(classes=("no", "yes"), truth=truth, label=label, unit=np.asarray(unit))
    options = Options(resamples=resamples)
    table = ConfusionMatrix.from_codes(truth, label, rows.classes)
    return decisions(table, options, cells_of(rows, "labels", options)).metrics


def reach(found):
    """Return half the width of an interval in logarithms."""
    return math.log(found.high / found.low) / 2


def test_a_ratio_that_rests_on_one_group_is_as_uncertain_as_one_row():
    # 100 groups of a positive and a negative row: one positive is found, and in another group one
    # false alarm raised. Each moves the logarithm of LR+ by 1, all others by nothing.
    unit = np.repeat(np.arange(100), 2)
    truth, label = np.tile([1, 0], 100), np.zeros(200, int)
    label[[0, 3]] = 1
    found = of_groups(truth, label, unit)["lr_plus"]
    assert found.value == 1
    assert reach(found) == pytest.approx(t_quantile(0.95, 99) * math.sqrt(2 * 100 / 99), rel=0.08)
    # Ten rows of one patient tell as much as one.
    both = of_groups(np.repeat(truth, 5), np.repeat(label, 5), np.repeat(unit, 5))["lr_plus"]
    assert reach(both) == pytest.approx(reach(found), rel=0.08)


def test_an_odds_ratio_of_rows_by_themselves_has_the_interval_of_scipy():
    counts = np.array([[80, 20], [2, 1]])
    truth, label = np.repeat([0, 0, 1, 1], counts.ravel()), np.repeat([0, 1, 0, 1], counts.ravel())
    found = of_groups(truth, label, np.arange(len(truth)))["diagnostic_odds_ratio"]
    theirs = odds_ratio(counts, kind="sample").confidence_interval(0.95)
    assert reach(found) == pytest.approx(math.log(theirs.high / theirs.low) / 2, rel=0.08)


@settings(max_examples=25)
@given(st.tuples(*[st.integers(1, 8)] * 4), st.integers(1, 3))
def test_a_ratio_is_never_surer_than_its_counts(counts, repeated):
    tn, fp, fn, tp = counts
    truth, label = np.repeat([0, 0, 1, 1], counts), np.repeat([0, 1, 0, 1], counts)
    unit = np.repeat(np.arange(len(truth)), repeated)
    found = of_groups(np.repeat(truth, repeated), np.repeat(label, repeated), unit, 1000)
    n, p = tn + fp, fn + tp
    least = {
        "lr_plus": 1 / tp - 1 / p + 1 / fp - 1 / n,
        "lr_minus": 1 / fn - 1 / p + 1 / tn - 1 / n,
        "diagnostic_odds_ratio": sum(1 / cell for cell in counts),
    }
    for key, variance in least.items():
        assert reach(found[key]) >= 0.85 * 1.96 * math.sqrt(variance), key
