from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import ks_2samp

from evalcore.intervals.bootstrap import Plan, bootstrap_counts, draw_counts
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from tests.evalcore.made import seeded

Statistic = Callable[[BinaryCounts], NDArray[np.float64]]

COUNTS = BinaryCounts(tp=40, fp=5, fn=10, tn=45)
MATRIX = ConfusionMatrix(("a", "b", "c"), np.array([[5, 1, 0], [2, 6, 1], [0, 3, 9]]))


def recall(counts: BinaryCounts) -> NDArray[np.float64]:
    with np.errstate(invalid="ignore"):
        return np.asarray(counts.tp / np.asarray(counts.positives))


def f1(counts: BinaryCounts) -> NDArray[np.float64]:
    return np.asarray(2 * counts.tp / (2 * counts.tp + counts.fp + counts.fn))


def accuracy(matrix: ConfusionMatrix) -> NDArray[np.float64]:
    return np.asarray(np.trace(matrix.counts, axis1=-2, axis2=-1) / matrix.counts.sum((-2, -1)))


def rows_of(counts: BinaryCounts) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    cells = [(1, 1, counts.tp), (0, 1, counts.fp), (1, 0, counts.fn), (0, 0, counts.tn)]
    truth = np.concatenate([np.full(int(n), y) for y, _, n in cells])
    label = np.concatenate([np.full(int(n), d) for _, d, n in cells])
    return truth, label


def naive(statistic: Statistic, resamples: int) -> NDArray[np.float64]:
    """Draw rows with replacement and count them, one resample after the other."""
    rng = seeded(99)
    truth, label = rows_of(COUNTS)
    values = []
    for _ in range(resamples):
        rows = rng.integers(len(truth), size=len(truth))
        y, d = truth[rows], label[rows]
        cells = (np.sum((y == i) & (d == j)) for i, j in ((1, 1), (0, 1), (1, 0), (0, 0)))
        values.append(float(statistic(BinaryCounts(*cells))))
    return np.array(values)


@pytest.mark.parametrize("statistic", [recall, f1])
def test_draws_are_distributed_as_those_of_the_rows(statistic: Statistic) -> None:
    plan = Plan(resamples=4000)
    mine = bootstrap_counts(COUNTS, {"it": statistic}, seeded(), plan)["it"].values
    theirs = naive(statistic, 4000)
    assert ks_2samp(mine, theirs).pvalue > 0.01
    assert mine.std() == pytest.approx(theirs.std(), rel=0.05)


def test_every_draw_has_as_many_rows_as_the_table() -> None:
    for draws in draw_counts(COUNTS, seeded(), Plan(resamples=500)):
        assert (draws.total == 100).all()


def test_cells_without_rows_stay_empty() -> None:
    for draws in draw_counts(MATRIX, seeded()):
        assert (draws.counts[:, 0, 2] == 0).all()
        assert draws.counts.shape[1:] == (3, 3)


def test_statistics_share_their_draws_and_a_seed_gives_them_again() -> None:
    both = bootstrap_counts(COUNTS, {"one": f1, "two": f1}, seeded(5))
    assert np.array_equal(both["one"].values, both["two"].values)
    again = bootstrap_counts(COUNTS, {"one": f1}, seeded(5))
    assert np.array_equal(both["one"].values, again["one"].values)


def test_a_matrix_of_many_cells_is_drawn_in_several_runs_with_the_same_result() -> None:
    wide = ConfusionMatrix(tuple("abcdefghij"), np.arange(100).reshape(10, 10))
    plan = Plan(resamples=50_000)
    bootstrap = bootstrap_counts(wide, {"accuracy": accuracy}, seeded(), plan)["accuracy"]
    share = np.trace(wide.counts) / wide.total
    assert len(bootstrap.values) == 50_000
    assert bootstrap.values.mean() == pytest.approx(share, abs=1e-4)
    error = np.sqrt(share * (1 - share) / wide.total)
    assert bootstrap.values.std() == pytest.approx(error, rel=0.02)


def test_a_statistic_per_class_has_an_interval_per_class() -> None:
    def recalls(matrix: ConfusionMatrix) -> NDArray[np.float64]:
        return recall(matrix.one_vs_rest())

    interval = bootstrap_counts(MATRIX, {"recall": recalls}, seeded())["recall"].interval
    assert (interval.low < [5 / 6, 6 / 9, 9 / 12]).all()
    assert (interval.high > [5 / 6, 6 / 9, 9 / 12]).all()


def test_a_perfect_model_is_marked() -> None:
    perfect = bootstrap_counts(BinaryCounts(5, 0, 0, 7), {"recall": recall}, seeded())["recall"]
    assert (perfect.interval.low, perfect.interval.high) == (1, 1)
    assert perfect.interval.degenerate


def test_draws_without_a_positive_are_counted_as_failed() -> None:
    rare = bootstrap_counts(BinaryCounts(1, 0, 0, 9), {"recall": recall}, seeded())["recall"]
    # A draw of ten rows misses one given row with probability 0.9^10.
    assert rare.failed == pytest.approx(2000 * 0.9**10, rel=0.1)


def test_no_rows_give_no_interval() -> None:
    none = bootstrap_counts(BinaryCounts(0, 0, 0, 0), {"recall": recall}, seeded())["recall"]
    assert np.isnan([none.interval.low, none.interval.high]).all()
    assert none.failed == 2000


def test_fractional_weights_draw_their_rounded_sum_and_keep_it() -> None:
    counts = BinaryCounts(10.5, 2.25, 3.0, 4.5)
    for draws in draw_counts(counts, seeded(), Plan(resamples=200)):
        assert draws.total == pytest.approx(20.25)  # type: ignore[comparison-overlap]
        assert np.unique(draws.tp / (20.25 / 20)).tolist() == pytest.approx(
            sorted(set(np.round(draws.tp / (20.25 / 20)).tolist()))
        )


@given(st.tuples(*[st.integers(0, 20)] * 4))
def test_no_interval_of_a_share_leaves_the_range(cells: tuple[int, ...]) -> None:
    made = bootstrap_counts(BinaryCounts(*cells), {"recall": recall}, seeded(), Plan(200))
    interval = made["recall"].interval
    assert np.isnan(interval.low) or 0 <= interval.low <= interval.high <= 1
