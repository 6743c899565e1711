"""Likely label errors: confident learning by hand, and an honest count of how many are right."""

import numpy as np
import pytest

from evalcore.errors import EvalError
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes
from evalcore.slices.rows import LabelErrors, label_errors


def drawn(seed: int, flipped: float) -> tuple[LabelErrors, np.ndarray]:
    """Return what is found where probabilities are right, and rows whose label was changed."""
    rng = np.random.default_rng(seed)
    score = rng.beta(0.3, 0.3, 4000)
    truth = (rng.random(4000) < score).astype(np.int8)
    changed = rng.random(4000) < flipped
    label = np.where(changed, 1 - truth, truth).astype(np.int8)
    rows = BinaryOutcomes(classes=("no", "yes"), truth=label, score=score, probability=True)
    return label_errors(rows), changed


def test_confident_learning_worked_by_hand_with_three_classes():
    # Mean probability of their own class: a (.8 + .6 + .1) / 3 = .5, b (.7 + .5) / 2 = .6, c .9.
    chances = np.array([[0.8, 0.1, 0.1], [0.6, 0.3, 0.1], [0.1, 0.2, 0.7],
                        [0.2, 0.7, 0.1], [0.5, 0.5, 0.0], [0.0, 0.1, 0.9]])  # fmt: skip
    truth = np.array([0, 0, 0, 1, 1, 2])
    made = label_errors(ClassOutcomes(classes=("a", "b", "c"), truth=truth, probabilities=chances))
    # Row 3 reaches no threshold; row 5 is labelled b, but only the threshold of a is reached.
    assert made.row.tolist() == [5]
    assert (made.label.tolist(), made.likely.tolist()) == ([1], [0])
    # Chance of another label than the likely one: .2 + .4 + .3 (row 4) + .5 + .1.
    assert made.by_chance == pytest.approx(1.5)
    assert made.wrong.value == 0.0


def test_rows_are_data_rows_and_the_most_doubtful_come_first():
    rows = BinaryOutcomes(
        classes=("no", "yes"), truth=np.array([0, 0, 1, 1, 1], np.int8),
        score=np.array([0.1, 0.95, 0.2, 0.8, 0.9]), probability=True,
        rows=np.array([2, 3, 5, 7, 9]),
    )  # fmt: skip
    assert label_errors(rows).row.tolist() == [3, 5]


def test_most_of_the_rows_on_the_list_are_right_where_labels_are_right():
    made, _ = drawn(0, 0.0)
    assert len(made.row) > 100
    assert made.wrong.value < 0.3 * len(made.row)


@pytest.mark.parametrize("flipped", [0.0, 0.02, 0.1])
def test_the_interval_holds_how_many_of_the_listed_labels_were_changed(flipped: float):
    held = 0
    for seed in range(60):
        made, changed = drawn(seed, flipped)
        held += made.wrong.low <= changed[made.row - 1].sum() <= made.wrong.high
    # 95% of 60 files is 57; fewer than 53 would be a finding.
    assert held >= 53


def test_label_errors_take_probabilities():
    rows = BinaryOutcomes(
        classes=("no", "yes"), truth=np.array([0, 1], np.int8), score=np.array([1.0, 5.0])
    )
    with pytest.raises(EvalError, match="from class probabilities"):
        label_errors(rows)
