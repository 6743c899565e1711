"""Standard errors of averages over classes, against derivatives and resamples."""

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from evalcore.intervals.delong import delong_variance
from evalcore.metrics.catalog import by_key
from evalcore.tables.classes import ClassScores, loss_moments
from evalcore.tables.scores import ScoreTable
from tests.evalcore.metrics.rows import Rows, random_rows

KEYS = [
    f"{area}_ovr_{kind}"
    for area in ("roc_auc", "average_precision")
    for kind in ("macro", "weighted", "micro")
] + ["roc_auc_hand_till"]


def condensed(rows: Rows, weight: NDArray[np.float64]) -> ClassScores:
    return ClassScores.from_probabilities(rows.truth, rows.probabilities, rows.classes, weight)


@given(rows=random_rows(classes=3, min_rows=6))
@settings(max_examples=20)
def test_the_error_is_made_of_the_derivatives_by_each_rows_weight(rows: Rows):
    scores, step = condensed(rows, rows.weight), 1e-6
    unit = np.eye(len(rows.truth)) * step
    up, down = ([condensed(rows, rows.weight + sign * row) for row in unit] for sign in (1, -1))
    for key in KEYS:
        ends = np.array([[by_key()[key](moved) for moved in side] for side in (up, down)])
        slopes = np.nan_to_num((ends[0] - ends[1]) / (2 * step))
        right = np.sqrt((rows.weight * slopes**2).sum())
        assert scores.errors[key] == pytest.approx(right, abs=1e-6)


def drawn(n: int = 250) -> Rows:
    rng = np.random.default_rng(2)
    truth = rng.choice(3, n, p=[0.6, 0.3, 0.1])
    given = np.exp(rng.normal(size=(n, 3)) + 1.2 * np.eye(3)[truth])
    given = np.round(given / given.sum(axis=1, keepdims=True), 2) + 0.001
    return Rows(truth, given / given.sum(axis=1, keepdims=True), np.ones(n))


def test_the_error_is_that_of_resampled_rows():
    rows, rng = drawn(), np.random.default_rng(3)
    scores = condensed(rows, rows.weight)
    samples = [rows.taken(rng.integers(0, len(rows.truth), len(rows.truth))) for _ in range(600)]
    again = [condensed(sample, sample.weight) for sample in samples]
    for key in KEYS:
        spread = np.std([float(by_key()[key](other)) for other in again])
        assert scores.errors[key] == pytest.approx(spread, rel=0.1), key


def test_for_two_classes_it_is_that_of_delong():
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, 400)
    score = 1 / (1 + np.exp(-rng.normal(size=400) - truth))
    rows = Rows(truth, np.column_stack([1 - score, score]), np.ones(400))
    scores = condensed(rows, rows.weight)
    table = scores.one_vs_rest[1]
    assert table is not None
    assert scores.errors["roc_auc_ovr_macro"] == pytest.approx(
        np.sqrt(delong_variance(table)), rel=0.005
    )


def test_the_interval_stays_within_the_range():
    rows = drawn()
    scores = condensed(rows, rows.weight)
    for key in KEYS:
        made = by_key()[key].interval.ends(scores, 0.95)
        assert 0 < made.low < float(by_key()[key](scores)) < made.high < 1


def test_a_perfect_model_has_a_degenerate_interval():
    rows = drawn().perfect()
    made = by_key()["roc_auc_ovr_macro"].interval.ends(condensed(rows, rows.weight), 0.95)
    assert (made.low, made.high, made.degenerate) == (1, 1, True)


def test_losses_of_a_table_are_added_up_once() -> None:
    table = ScoreTable.from_scores(np.array([1, 0, 1]), np.array([0.5, 0.5, 0.75]))
    asked = []

    def squared(probability: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
        asked.append(len(probability))
        return (1 - probability) ** 2, probability**2

    # (0.25 + 0.25 + 0.0625) / 3
    assert [loss_moments(table, squared).mean for _ in range(2)] == [0.1875, 0.1875]
    assert asked == [2]
    assert loss_moments(table, lambda p: (p, p)).mean == pytest.approx(1.75 / 3)
