import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.figures.density import Density, Scatter, Trend

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
