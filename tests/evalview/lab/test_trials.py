"""The losses of a model by rounds: errors, intervals and what is left out, by hand."""

import numpy as np
import pytest

from evalview.lab.experiments import Trials
from evalview.lab.splits import Splits


def by_hand(role, loss, kind="k-fold") -> Trials:
    role = np.array(role, dtype=np.int16)
    return Trials(Splits(kind, role, np.zeros(len(role))), np.array(loss, dtype=float))


def test_errors_of_rounds_by_hand():
    made = by_hand([[0, 0, 1, 1], [1, 1, 0, 0]], [[1, 0, 0, 0], [0, 1, 1, 1]])
    assert made.tested.tolist() == [0.5, 1.0]
    assert made.error == 0.75
    # As many rows test as train: 1 / 2 + 1 times the variance 1 / 8.
    assert made.standard_error == pytest.approx(np.sqrt(1.5 / 8))


def test_rows_left_out_of_samples_count_alike():
    made = by_hand([[2, 1, 0], [0, 3, 0]], [[1, 0, 1], [0, 1, 0]], kind="bootstrap")
    assert made.error == pytest.approx((0 + 0.5) / 2)
    assert np.isnan(made.interval().low)


def test_one_hold_out_without_an_error_has_wilsons_interval():
    made = by_hand([[0, 0, 0, 1]], [[0, 0, 0, 0]])
    assert float(made.interval().high) == pytest.approx(3.8415 / (3 + 3.8415), abs=1e-4)
