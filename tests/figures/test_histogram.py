import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.tables.scores import ScoreTable
from pages.figures.density import ScoreHistogram


def histogram(truth, score, bins, weight=None):
    table = ScoreTable.from_scores(np.array(truth), np.array(score, float), weight)
    return ScoreHistogram.from_table(table, bins)


def test_bins_are_closed_below_and_the_last_one_above_too():
    counted = histogram([1, 1, 0, 1], [0.0, 0.25, 0.5, 1.0], 4)
    assert counted.edges.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert counted.positives.tolist() == [1, 1, 0, 1]
    assert counted.negatives.tolist() == [0, 0, 1, 0]


def test_scores_beyond_one_set_their_own_range():
    counted = histogram([0, 1], [-3.0, 5.0], 2)
    assert counted.edges.tolist() == [-3, 1, 5]


def test_one_distinct_score_has_room_on_both_sides():
    counted = histogram([0, 1], [7.0, 7.0], 3)
    assert counted.positives.tolist() == [0, 1, 0]
    assert counted.edges[0] < 7 < counted.edges[-1]


def test_huge_scores_do_not_overflow():
    counted = histogram([0, 1], [-1.5e308, 1.5e308], 4)
    assert np.isfinite(counted.edges).all()
    assert counted.positives.sum() == 1


def test_no_rows_are_no_counts():
    assert histogram(np.empty(0, dtype=int), [], 5).positives.tolist() == [0] * 5


def test_weights_count_as_rows():
    counted = histogram([1, 0], [0.1, 0.9], 2, np.array([2.0, 3.0]))
    assert (counted.positives.tolist(), counted.negatives.tolist()) == ([2, 0], [0, 3])


@given(
    st.lists(st.tuples(st.floats(-1e6, 1e6), st.integers(0, 1)), min_size=1, max_size=60),
    st.integers(1, 12),
)
def test_every_row_falls_into_the_bin_that_numpy_gives(rows, bins):
    score, truth = (np.array(column) for column in zip(*rows, strict=True))
    counted = histogram(truth, score, bins)
    expected, _ = np.histogram(score[truth == 1], bins=counted.edges)
    assert counted.positives.tolist() == pytest.approx(expected)
    assert counted.positives.sum() + counted.negatives.sum() == len(rows)
