import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from evalcore.curves.averages import mean_precision_recall, mean_roc
from evalcore.curves.precision_recall import PrecisionRecallCurve
from evalcore.curves.roc import RocCurve
from evalcore.tables.scores import ScoreTable
from tests.evalcore.strategies import Scored, with_both_classes


def table(score: list[float], truth: list[int]) -> ScoreTable:
    return ScoreTable.from_scores(np.array(score), np.array(truth, np.int8))


def test_the_average_of_two_roc_curves_lies_halfway_at_each_rate() -> None:
    perfect, tied = table([0.9, 0.1], [1, 0]), table([0.5, 0.5], [1, 0])
    curve = mean_roc([perfect, tied])
    assert curve.x.tolist() == [0, 0, 1, 1]
    assert curve.y.tolist() == [0, 0.5, 1, 1]
    assert curve.area == 0.75
    assert mean_roc([perfect, tied], [3, 1]).area == 0.875


def test_the_average_of_two_stepped_curves_lies_halfway_at_each_recall() -> None:
    perfect, tied = table([0.9, 0.1], [1, 0]), table([0.5, 0.5], [1, 0])
    curve = mean_precision_recall([perfect, tied])
    assert curve.area == 0.75
    assert set(curve.y.tolist()) == {0.75}


@given(st.lists(with_both_classes(), min_size=1, max_size=3), st.booleans())
def test_its_area_is_the_average_of_the_areas(several: list[Scored], weighted: bool) -> None:
    tables = [ScoreTable.from_scores(one.score, one.truth, one.weight) for one in several]
    weight = np.arange(1.0, 1 + len(tables)) if weighted else np.ones(len(tables))
    areas = [RocCurve.from_table(one).area for one in tables]
    averages = [PrecisionRecallCurve.from_table(one).average_precision for one in tables]
    assert np.isclose(mean_roc(tables, weight).area, np.average(areas, weights=weight))
    average = mean_precision_recall(tables, weight).area
    assert np.isclose(average, np.average(averages, weights=weight))


def test_macro_and_weighted_areas_are_those_of_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    truth = rng.choice(3, 200, p=[0.6, 0.3, 0.1])
    score = rng.random((200, 3)) + 0.5 * np.eye(3)[truth]
    score /= score.sum(axis=1, keepdims=True)
    tables = [ScoreTable.from_scores(score[:, k], (truth == k).astype(np.int8)) for k in range(3)]
    for average, weight in (("macro", None), ("weighted", np.bincount(truth))):
        expected = roc_auc_score(truth, score, multi_class="ovr", average=average)
        assert mean_roc(tables, weight).area == pytest.approx(expected)


def test_a_class_without_rows_leaves_the_average_undefined() -> None:
    some, none = table([0.9, 0.1], [1, 0]), table([0.9, 0.1], [0, 0])
    assert np.isnan(mean_roc([some, none]).area)
    assert np.isnan(mean_precision_recall([some, none]).area)
