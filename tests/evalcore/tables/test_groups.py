"""Score tables of fewer rows, each still exact."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.metrics import roc_auc_score

from evalcore.tables.areas import roc_area
from evalcore.tables.scores import ScoreTable, area_in_doubt, grouped

ROWS = st.lists(st.tuples(st.floats(-4, 4), st.booleans()), min_size=1, max_size=60)


def table(rows: list[tuple[float, bool]]) -> ScoreTable:
    score, truth = zip(*rows, strict=True)
    return ScoreTable.from_scores(np.array(truth, np.int8), np.array(score))


@given(ROWS, ROWS, st.integers(1, 40))
def test_every_row_has_the_counts_of_the_full_table_even_after_adding(
    first: list[tuple[float, bool]], second: list[tuple[float, bool]], most: int
) -> None:
    full = table(first + second)
    few = grouped(grouped(table(first), most) + grouped(table(second), most), most)
    assert set(few.threshold) <= set(full.threshold)
    assert (few.positives, few.negatives) == (full.positives, full.negatives)
    exact = full.at(few.threshold)
    assert few.tp.tolist() == exact.tp.tolist()
    assert few.fp.tolist() == exact.fp.tolist()


@given(ROWS, st.integers(1, 20))
def test_the_area_is_off_by_no_more_than_is_said(rows: list[tuple[float, bool]], most: int) -> None:
    full, few = table(rows), grouped(table(rows), most)
    if full.positives and full.negatives:
        assert abs(roc_area(full) - roc_area(few)) <= area_in_doubt(few) + 1e-12


def test_scores_are_grouped_until_they_are_few_enough_and_no_further() -> None:
    rng = np.random.default_rng(0)
    truth = (rng.random(20_000) < 0.3).astype(np.int8)
    score = np.clip(0.3 * truth + rng.normal(0.4, 0.1, len(truth)), 0, 1)
    full = ScoreTable.from_scores(truth, score)
    few = grouped(full, 4000)
    assert grouped(full, len(full.threshold)) is full
    assert 1000 < len(few.threshold) <= 4000
    assert roc_area(few) == pytest.approx(roc_auc_score(truth, score), abs=area_in_doubt(few))
    assert area_in_doubt(few) < 1e-3
    assert few.at(0.5) == full.at(0.5)


def test_the_area_in_doubt_is_half_of_the_tied_pairs() -> None:
    tied = table([(0.9, True), (0.5, True), (0.5, False), (0.1, False)])
    assert area_in_doubt(tied) == 1 / (2 * 4)
    assert np.isnan(area_in_doubt(table([(0.9, True)])))
