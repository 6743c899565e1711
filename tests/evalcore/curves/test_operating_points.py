import math

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from evalcore.curves.roc import (
    threshold_finding,
    threshold_flagging,
    threshold_flagging_rows,
    threshold_precise,
)
from evalcore.tables.scores import ScoreTable
from tests.evalcore.strategies import Scored, with_both_classes


def _table(truth: list[int], score: list[float]) -> ScoreTable:
    return ScoreTable.from_scores(np.array(truth, dtype=np.int8), np.array(score, dtype=np.float64))


BY_HAND = _table([1, 0, 1, 0, 1], [0.9, 0.8, 0.8, 0.4, 0.3])


def test_by_hand_the_second_positive_is_found_at_its_own_score() -> None:
    assert threshold_finding(BY_HAND, 0.5) == 0.8
    assert threshold_finding(BY_HAND, 2 / 3) == 0.8
    assert threshold_finding(BY_HAND, 0.67) == 0.3
    assert threshold_finding(BY_HAND, 0.1) == 0.9


def test_by_hand_tied_rows_are_flagged_together_or_not_at_all() -> None:
    assert threshold_flagging(BY_HAND, 0.2) == 0.9
    assert threshold_flagging(BY_HAND, 0.59) == 0.9
    assert threshold_flagging(BY_HAND, 0.6) == 0.8
    assert math.isnan(threshold_flagging(BY_HAND, 0.19))


def test_without_positives_or_rows_there_is_no_such_threshold() -> None:
    assert math.isnan(threshold_finding(_table([0], [0.5]), 0.9))
    assert math.isnan(threshold_finding(_table([], []), 0.9))
    assert math.isnan(threshold_flagging(_table([], []), 0.5))


rows = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 1)), min_size=1, max_size=30)


@given(rows=rows, share=st.floats(0.01, 1))
def test_enough_is_found_there_and_too_little_at_the_next_higher_score(
    rows: list[tuple[int, int]], share: float
) -> None:
    score, truth = (np.array(column) for column in zip(*rows, strict=True))
    assume(truth.any())
    threshold = threshold_finding(ScoreTable.from_scores(truth, score), share)
    assert truth[score >= threshold].sum() / truth.sum() >= share
    assert truth[score > threshold].sum() / truth.sum() < share


@given(rows=rows, share=st.floats(0.01, 1))
def test_few_enough_are_flagged_there_and_too_many_at_the_next_lower_score(
    rows: list[tuple[int, int]], share: float
) -> None:
    score, truth = (np.array(column) for column in zip(*rows, strict=True))
    threshold = threshold_flagging(ScoreTable.from_scores(truth, score), share)
    if math.isnan(threshold):
        assert (score == score.max()).mean() > share
        return
    assert (score >= threshold).mean() <= share
    lower = score[score < threshold]
    assert not len(lower) or (score >= lower.max()).mean() > share


@given(with_both_classes(), st.floats(0, 1))
def test_a_precise_threshold_is_the_lowest_that_keeps_its_promise(
    data: Scored, precision: float
) -> None:
    table = ScoreTable.from_scores(data.truth, data.score)
    reached = table.tp / (table.tp + table.fp) >= precision
    found = threshold_precise(table, precision)
    assert np.isnan(found) if not reached.any() else found == table.threshold[reached].min()


@given(with_both_classes(), st.integers(0, 30))
def test_so_many_rows_are_flagged_and_with_the_next_score_more(data: Scored, rows: int) -> None:
    table = ScoreTable.from_scores(data.truth, data.score)
    found = threshold_flagging_rows(table, rows)
    lower = table.threshold if np.isnan(found) else table.threshold[table.threshold < found]
    assert np.isnan(found) or table.at(found).predicted_positive <= rows
    assert not len(lower) or table.at(float(lower[0])).predicted_positive > rows
