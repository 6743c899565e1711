"""Densities: points counted place by place, and the bars of a histogram."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalcore.tables.scores import ScoreTable
from evalview.figures.lines import Density, Scatter, ScoreHistogram, Trend


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


VALUES = st.lists(
    st.tuples(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300)), min_size=1, max_size=50
)


def columns(pairs):
    return np.array(pairs, dtype=np.float64).T


@given(VALUES)
def test_every_row_is_counted_in_one_cell(pairs):
    x, y = columns(pairs)
    assert Density.from_values(x, y).counts.sum() == len(x)


def test_rows_and_columns_of_a_density_agree_with_numpy():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 5000))
    theirs, _, _ = np.histogram2d(y, x, bins=12)
    np.testing.assert_array_equal(Density.from_values(x, y, 12).counts, theirs)


def test_a_constant_falls_into_one_cell():
    counts = Density.from_values(np.full(7, 3.0), np.full(7, -1.0)).counts
    assert counts[0, 0] == 7


def test_few_rows_stay_points_with_their_numbers():
    x = np.arange(5.0)
    cloud = Scatter.from_values(x, x, None)
    assert cloud.row.tolist() == [1, 2, 3, 4, 5]
    assert cloud.density is None


def test_many_rows_are_counted_and_no_point_is_kept():
    x = np.arange(50.0)
    cloud = Scatter.from_values(x, x, None, most=10)
    assert (cloud.n, len(cloud.x)) == (50, 0)
    assert cloud.density is not None
    assert cloud.density.counts.sum() == 50


def test_a_trend_gives_the_percentiles_of_each_group_worked_out_by_hand():
    x = np.arange(22.0)
    y = np.concatenate([np.arange(11.0), 100 + np.arange(11.0)])
    trend = Trend.from_values(x[::-1], y[::-1], groups=2)
    assert trend.x.tolist() == [5, 16]
    np.testing.assert_allclose(trend.low, [1, 101])
    np.testing.assert_allclose(trend.median, [5, 105])
    np.testing.assert_allclose(trend.high, [9, 109])
    np.testing.assert_allclose(trend.overall, [2.1, 55, 107.9])


@pytest.mark.parametrize("n", [0, 1, 9])
def test_too_few_rows_have_no_trend(n):
    assert len(Trend.from_values(np.arange(n * 1.0), np.arange(n * 1.0)).x) == 0
