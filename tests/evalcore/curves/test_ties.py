from itertools import permutations

import numpy as np
from hypothesis import given

from evalcore.curves.roc import Ties
from evalcore.tables.areas import roc_area
from evalcore.tables.scores import ScoreTable
from tests.evalcore.strategies import Scored, with_both_classes


def test_the_best_and_the_worst_order_are_those_of_every_order_tried() -> None:
    score = np.array([3.0, 2.0, 2.0, 2.0, 1.0, 1.0, 1.0])
    truth = np.array([1, 1, 0, 0, 0, 1, 1])
    areas = []
    for within in permutations(range(7)):
        if np.all(np.diff(score[list(within)]) <= 0):
            areas.append(
                roc_area(ScoreTable.from_scores(truth[list(within)], np.arange(7, 0, -1.0)))
            )
    ties = Ties.of(ScoreTable.from_scores(truth, score))
    assert np.allclose([ties.low, ties.high], [min(areas), max(areas)])
    assert ties.share == 6 / 7


@given(with_both_classes())
def test_the_area_lies_halfway_and_the_boxes_make_the_difference(data: Scored) -> None:
    table = ScoreTable.from_scores(data.truth, data.score, data.weight)
    ties = Ties.of(table)
    assert np.isclose((ties.low + ties.high) / 2, roc_area(table))
    left, bottom, right, top = ties.boxes.T
    assert np.isclose(ties.high - ties.low, ((right - left) * (top - bottom)).sum())
    assert (np.diff((right - left) * (top - bottom)) <= 1e-12).all()


def test_rows_of_one_class_that_share_a_score_leave_nothing_open() -> None:
    ties = Ties.of(ScoreTable.from_scores(np.array([1, 1, 0, 0]), np.array([2.0, 2.0, 1.0, 1.0])))
    assert (ties.share, ties.low, ties.high, len(ties.boxes)) == (0, 1, 1, 0)


def test_constant_scores_leave_everything_open() -> None:
    ties = Ties.of(ScoreTable.from_scores(np.array([1, 0, 1, 0]), np.full(4, 0.5)))
    assert (ties.share, ties.low, ties.high, ties.boxes.tolist()) == (1, 0, 1, [[0, 0, 1, 1]])


def test_one_class_has_ties_of_neither_kind() -> None:
    for score in ([], [1.0, 1.0]):
        table = ScoreTable.from_scores(np.ones(len(score), np.int8), np.array(score))
        ties = Ties.of(table)
        assert np.isnan([ties.low, ties.high]).all()
        assert len(ties.boxes) == 0
