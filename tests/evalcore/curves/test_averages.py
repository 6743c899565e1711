"""Curves that stand for several classes."""

import numpy as np
import pytest

from evalcore.curves.roc import PrecisionRecallCurve, mean_precision_recall, mean_roc
from evalcore.tables.areas import average_precision, roc_area
from evalcore.tables.scores import ScoreTable
from tests.evalcore.made import score_table


def tables(rows: int = 400) -> list[ScoreTable]:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, rows)
    return [
        ScoreTable.from_scores(truth == code, np.round(rng.random(rows) + (truth == code), 2))
        for code in range(3)
    ]


def below(steps: PrecisionRecallCurve) -> float:
    """Return the area below the steps."""
    return float(np.diff(steps.recall, prepend=0.0) @ steps.precision)


def test_the_mean_curve_lies_between_the_curves_it_averages():
    first, second = score_table([1, 0], [0.9, 0.1]), score_table([0, 1], [0.9, 0.1])
    mean = mean_roc([first, second], [1, 1])
    assert np.interp(0.5, mean.fpr, mean.tpr) == pytest.approx(0.5)
    mean = mean_roc([first, second], [3, 1])
    assert np.interp(0.5, mean.fpr, mean.tpr) == pytest.approx(0.75)


def test_the_area_under_a_mean_curve_is_the_mean_area():
    made, weights = tables(), [1.0, 2.0, 5.0]
    roc, steps = mean_roc(made, weights), mean_precision_recall(made, weights)
    areas, precisions = ([area(t) for t in made] for area in (roc_area, average_precision))
    assert roc.area == pytest.approx(np.average(areas, weights=weights), abs=2e-3)
    average = np.average(precisions, weights=weights)
    assert below(steps) == pytest.approx(average, abs=3e-3)


def test_a_class_without_rows_takes_no_part():
    full, empty = score_table([1, 0], [0.9, 0.1]), score_table([0, 0], [0.9, 0.1])
    assert mean_roc([full, empty], [1, 1]).area == pytest.approx(1)
    assert below(mean_precision_recall([full, empty], [1, 1])) == pytest.approx(1)
    assert np.isnan(mean_roc([empty], [1]).tpr[1:]).all()
    assert np.isnan(mean_precision_recall([empty], [1]).precision).all()
