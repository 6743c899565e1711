import numpy as np
import pytest

from evalcore.intervals.resamples import GROUPS, Resamples


def of(n, weight=None, resamples=50):
    return Resamples.of(n, weight, np.random.default_rng(0), resamples)


def test_few_rows_are_drawn_one_by_one():
    draws = of(30)

    assert draws.times.shape == (50, 30)
    assert (draws.times.sum(axis=1) == 30).all()
    assert (draws.n == 30).all()
    assert draws.method == "bootstrap-percentile"


def test_many_rows_are_dealt_into_groups_of_about_equal_size():
    draws = of(3 * GROUPS + 7)

    assert draws.times.shape == (50, GROUPS)
    sizes = np.bincount(draws.group)
    assert set(sizes) == {3, 4}
    assert draws.method == "bootstrap-grouped"


@pytest.mark.parametrize("n", [40, 5000])
def test_counts_of_all_cells_are_the_rows_drawn(n):
    draws = of(n)
    cell = np.arange(n) % 3

    counts = draws.counts(cell, 3)
    assert counts.shape == (50, 3)
    np.testing.assert_allclose(counts.sum(axis=1), draws.n)


@pytest.mark.parametrize("n", [40, 5000, 70_000])
def test_counts_are_sums_of_ones(n):
    draws = of(n)
    cell = np.arange(n) % 3

    sums = draws.sums(lambda rows: np.stack([cell[rows] == k for k in range(3)]).astype(float))
    np.testing.assert_allclose(sums, draws.counts(cell, 3))


def test_whole_weights_make_rows_that_are_drawn_apart():
    draws = of(3, np.array([2.0, 0.0, 5.0]))

    assert draws.times.shape == (50, 7)
    counts = draws.counts(np.arange(3), 3)
    assert (counts[:, 1] == 0).all()
    assert len(np.unique(counts[:, 0])) > 4


def test_fractional_weights_count_as_they_are():
    draws = of(3, np.array([0.5, 0.0, 2.5]))

    counts = draws.counts(np.arange(3), 3)
    assert set(counts[:, 0]) <= {0.0, 0.5, 1.0}
    assert (counts[:, 1] == 0).all()


def test_no_rows_give_empty_draws():
    assert (of(0).n == 0).all()
