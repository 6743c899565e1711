"""Decisions between very many classes: bounded work, and no interval that fools."""

import math

import numpy as np
import pytest

from evalcore.evaluation import decisions as decisions_evaluation
from evalcore.evaluation.decisions import NOT_DRAWN, decisions
from evalcore.metrics.metric import BIASED
from evalcore.options import Options
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
