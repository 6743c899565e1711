import numpy as np
import pytest
from hypothesis import given
from sklearn.metrics import precision_recall_curve

from evalcore.curves.roc import PrecisionRecallCurve
from evalcore.tables.scores import ScoreTable
from tests.evalcore.golden import Golden, breast_cancer, entries, ids
from tests.evalcore.strategies import Scored, with_both_classes


def test_a_curve_by_hand() -> None:
    score, truth = np.array([0.9, 0.6, 0.6, 0.2]), np.array([0, 0, 1, 1])
    curve = PrecisionRecallCurve.from_table(ScoreTable.from_scores(truth, score))
    assert curve.recall.tolist() == [0, 0.5, 1]
    assert curve.precision.tolist() == [0, 1 / 3, 0.5]
    assert curve.threshold.tolist() == [0.9, 0.6, 0.2]


def test_without_positives_recall_is_undefined() -> None:
    score, truth = np.array([0.1, 0.2]), np.array([0, 0])
    curve = PrecisionRecallCurve.from_table(ScoreTable.from_scores(truth, score))
    assert np.isnan(curve.recall).all()
    assert curve.precision.tolist() == [0, 0]


def test_no_rows_leave_no_point() -> None:
    empty = ScoreTable.from_scores(np.array([], dtype=np.int8), np.array([]))
    curve = PrecisionRecallCurve.from_table(empty)
    assert len(curve.recall) == len(curve.precision) == 0


@given(with_both_classes())
def test_points_equal_scikit_learns_without_the_one_it_makes_up(data: Scored) -> None:
    curve = PrecisionRecallCurve.from_table(ScoreTable.from_scores(data.truth, data.score))
    precision, recall, threshold = precision_recall_curve(data.truth, data.score)
    assert np.array_equal(curve.precision[::-1], precision[:-1])
    assert np.array_equal(curve.recall[::-1], recall[:-1])
    assert np.array_equal(curve.threshold[::-1], threshold)


@pytest.mark.parametrize("golden", found := entries(quantity="pr_curve"), ids=ids(found))
def test_points_equal_rocrs(golden: Golden) -> None:
    table = ScoreTable.from_scores(*breast_cancer(golden.params["model"]))
    curve = PrecisionRecallCurve.from_table(table)
    golden.check(
        {
            "cutoff": curve.threshold.tolist(),
            "recall": curve.recall.tolist(),
            "precision": curve.precision.tolist(),
        }
    )
