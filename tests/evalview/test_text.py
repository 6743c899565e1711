"""Thresholds in few digits that flag the same rows."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalcore.tables.scores import ScoreTable
from evalview import escape, text
from evalview.text import shortest_threshold


@pytest.mark.parametrize(
    ("score", "below", "short"),
    [
        (0.3412875, 0.33, 0.34),
        (0.3412875, 0.3405, 0.341),
        (0.3412875, 0.34128, 0.341287),
        (0.99996, 0.9999, 0.99996),
        (-3.2712, -3.29, -3.28),
        (1.0, 0.98, 1.0),
        (0.5, -1.0, 0.5),
        (1e300, 2.0, 1e300),
        (1e-9, 0.0, 1e-9),
        (1.23e-13, 0.0, 1.23e-13),
    ],
)
def test_a_threshold_takes_as_few_digits_as_flag_the_same_rows(
    score: float, below: float, short: float
) -> None:
    table = ScoreTable.from_scores(np.array([1, 0], dtype=np.int8), np.array([score, below]))
    assert shortest_threshold(table, score) == short


scores = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(scores, min_size=1, max_size=12, unique=True))
def test_the_shortest_threshold_flags_what_every_score_of_a_table_flags(
    values: list[float],
) -> None:
    table = ScoreTable.from_scores(np.ones(len(values), dtype=np.int8), np.array(values))
    for score in table.threshold.tolist():
        short = shortest_threshold(table, score)
        assert short <= score
        assert table.at(short) == table.at(score)
        assert shortest_threshold(table, short) == short or short in values


@given(st.lists(scores, min_size=1, max_size=12, unique=True), scores)
def test_what_is_no_score_stays_as_it_is(values: list[float], typed: float) -> None:
    table = ScoreTable.from_scores(np.ones(len(values), dtype=np.int8), np.array(values))
    if typed not in values:
        assert shortest_threshold(table, typed) == typed


def test_a_threshold_beyond_all_scores_stays_as_it_is() -> None:
    table = ScoreTable.from_scores(np.array([1], dtype=np.int8), np.array([0.5]))
    assert shortest_threshold(table, np.inf) == np.inf
    assert np.isnan(shortest_threshold(table, np.nan))


def test_a_rule_from_right_to_left_reads_from_its_column_to_its_value():
    said = escape.in_order("\u05d0\u05d1 = \u05d2")
    assert text.from_left(said).startswith(text.LEFT_TO_RIGHT + "\u05d0\u05d1" + "\u200e")
