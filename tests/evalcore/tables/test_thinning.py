import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evalcore.tables.scores import ScoreTable

LIMIT = 50


def staircase(draws: int, seed: int, ties: int, share: float = 0.3) -> ScoreTable:
    rng = np.random.default_rng(seed)
    truth = (rng.random(draws) < share).astype(np.int8)
    score = rng.normal(size=draws) + 1.5 * truth
    return ScoreTable.from_scores(truth, np.round(score * ties) / ties)


def squares(draws: int) -> ScoreTable:
    """Positives and negatives in turns of equal length: the worst for straight lines."""
    truth = (np.arange(draws) // (draws // 40) % 2).astype(np.int8)
    return ScoreTable.from_scores(truth, -np.arange(draws, dtype=float))


def points(table: ScoreTable, full: ScoreTable) -> NDArray[np.float64]:
    return np.column_stack([table.fp / (full.negatives or 1), table.tp / (full.positives or 1)])


def farthest(full: ScoreTable, thin: ScoreTable) -> float:
    """Largest distance from a point of the full ROC curve to the line of the thinned one."""
    line, dots = points(thin, full), points(full, full)
    segment = np.maximum(
        np.searchsorted(-thin.threshold, -full.threshold, side="right") - 1, 0
    ).clip(max=len(line) - 2)
    start, along = line[segment], line[segment + 1] - line[segment]
    length = np.maximum((along**2).sum(axis=1), 1e-300)
    share = (((dots - start) * along).sum(axis=1) / length).clip(0, 1)
    return float(np.linalg.norm(dots - start - share[:, None] * along, axis=1).max())


tables = st.builds(
    staircase, st.integers(60, 3000), st.integers(0, 99), st.sampled_from([3, 30, 3000])
)


def test_a_table_within_the_limit_is_left_alone() -> None:
    table = staircase(LIMIT, 0, 3000)
    assert table.thinned(LIMIT) is table


@given(tables, st.integers(LIMIT, 300))
def test_the_limit_holds_and_every_row_is_a_row_of_the_full_table(
    table: ScoreTable, limit: int
) -> None:
    thin = table.thinned(limit)
    assert len(thin.threshold) <= limit
    rows = np.searchsorted(-table.threshold, -thin.threshold)
    assert np.array_equal(table.threshold[rows], thin.threshold)
    assert np.array_equal(table.tp[rows], thin.tp)
    assert np.array_equal(table.fp[rows], thin.fp)
    assert (rows[0], rows[-1]) == (0, len(table.threshold) - 1)


@given(tables, st.lists(st.floats(-5, 5), max_size=5))
def test_rows_to_keep_answer_as_the_full_table_does(table: ScoreTable, keep: list[float]) -> None:
    thin = table.thinned(LIMIT, keep)
    assert len(thin.threshold) <= LIMIT + len(keep)
    for threshold in keep:
        assert thin.at(threshold) == table.at(threshold)


@given(tables, st.integers(LIMIT, 300))
def test_no_point_of_the_roc_curve_is_further_than_two_over_the_limit(
    table: ScoreTable, limit: int
) -> None:
    assert farthest(table, table.thinned(limit)) < 2 / limit


@pytest.mark.parametrize("full", [squares(20_000), staircase(50_000, 1, 10**6, share=0.01)])
def test_two_thousand_rows_stay_within_a_thousandth_of_the_roc_curve(full: ScoreTable) -> None:
    assert farthest(full, full.thinned(2000)) < 1e-3


@pytest.mark.parametrize("share", [0.01, 0.3])
def test_precision_keeps_its_highs_and_lows_within_a_pixel_of_recall(share: float) -> None:
    full = staircase(50_000, 2, 10**6, share=share)
    thin = full.thinned(2000)
    recall, precision = thin.tp / full.positives, thin.tp / (thin.tp + thin.fp)
    pixel = 1 / 500
    for row in np.random.default_rng(0).integers(0, len(full.tp), 2000):
        here = full.tp[row] / full.positives
        value = full.tp[row] / (full.tp[row] + full.fp[row])
        near = precision[np.abs(recall - here) <= pixel]
        assert near.min() <= value <= near.max()


@pytest.mark.parametrize("truth", [0, 1])
def test_one_class_alone_is_thinned_too(truth: int) -> None:
    score = np.arange(500, dtype=float)
    table = ScoreTable.from_scores(np.full(500, truth, dtype=np.int8), score)
    thin = table.thinned(LIMIT)
    assert len(thin.threshold) <= LIMIT
    assert thin.n == 500


def test_fractional_weights_are_thinned_too() -> None:
    rng = np.random.default_rng(3)
    truth = (rng.random(900) < 0.5).astype(np.int8)
    table = ScoreTable.from_scores(truth, rng.random(900), rng.random(900) / 900)
    thin = table.thinned(LIMIT)
    assert len(thin.threshold) <= LIMIT
    assert thin.positives == table.positives
