"""Decisions between very many classes: bounded work, and no interval that fools."""

import numpy as np

from evalcore.evaluation.decisions import decisions
from evalcore.evaluation.estimates import BIASED
from evalcore.options import Options
from evalcore.tables.confusion import ConfusionMatrix


def matrix(classes: int, rows: int) -> ConfusionMatrix:
    rng = np.random.default_rng(0)
    truth = rng.integers(classes, size=rows)
    called = np.where(rng.random(rows) < 0.8, truth, rng.integers(classes, size=rows))
    return ConfusionMatrix.from_codes(truth, called, tuple(map(str, range(classes))))


def test_an_interval_that_leaves_out_its_value_says_so():
    found = decisions(matrix(700, 4200), Options(resamples=100)).averages["macro"]["f1"]
    assert not found.low <= found.value <= found.high
    assert BIASED in found.note


def test_an_interval_round_its_value_says_nothing():
    found = decisions(matrix(3, 900), Options(resamples=200)).averages["macro"]["f1"]
    assert found.low <= found.value <= found.high
    assert not found.note


def test_thousands_of_classes_get_values_and_wilson_intervals_without_resampling():
    found = decisions(matrix(3000, 6000), Options())
    assert found.averages["macro"]["f1"].low is None
    assert found.per_class["7"]["recall"].low is not None
