"""The ROC curve as it grows: moves, counted rectangles, samples of rows."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.metrics import roc_auc_score, roc_curve

from evalcore.metrics.ranking import ROC_AUC
from evalcore.outcomes import BinaryOutcomes
from evalcore.tables.scores import ScoreTable
from evalview.lab.steps import Instances, RocSteps


def outcomes(truth, score, rows=None) -> BinaryOutcomes:
    return BinaryOutcomes(
        classes=("honest", "fraud"),
        truth=np.array(truth, np.int8),
        score=np.array(score, np.float64),
        rows=None if rows is None else np.array(rows, np.int64),
    )


def test_six_rows_worked_by_hand() -> None:
    # + 0.9, - 0.8, then a tie of + and - at 0.6, + 0.4, - 0.2: columns of 1, 1.5 and 3 of 9.
    told = outcomes([1, 0, 1, 0, 1, 0], [0.9, 0.8, 0.6, 0.6, 0.4, 0.2])
    steps = RocSteps.from_table(Instances.drawn(told, 200, np.random.default_rng(0)).table)
    assert steps.score.tolist() == [0.9, 0.8, 0.6, 0.4, 0.2]
    assert steps.up.tolist() == [1, 0, 1, 1, 0]
    assert steps.right.tolist() == [0, 1, 1, 0, 1]
    assert steps.pairs.tolist() == [0, 1, 2.5, 2.5, 5.5]
    assert steps.all_pairs == 9
    assert steps.area == pytest.approx(5.5 / 9)


@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 1)), min_size=2, max_size=40).filter(
        lambda rows: len({truth for _, truth in rows}) == 2
    )
)
def test_the_moves_end_at_the_area_of_the_catalogue_and_of_scikit_learn(rows) -> None:
    score, truth = (np.array(column) for column in zip(*rows, strict=True))
    table = ScoreTable.from_scores(truth, score.astype(np.float64))
    steps = RocSteps.from_table(table)
    assert steps.area == pytest.approx(roc_auc_score(truth, score), abs=1e-12)
    assert steps.area == pytest.approx(float(ROC_AUC(table)), abs=1e-12)
    fpr, tpr, _ = roc_curve(truth, score, drop_intermediate=False)
    np.testing.assert_allclose(np.cumsum(steps.up) / truth.sum(), tpr[1:])
    np.testing.assert_allclose(np.cumsum(steps.right) / (1 - truth).sum(), fpr[1:])


def test_one_class_has_moves_and_no_area() -> None:
    steps = RocSteps.from_table(ScoreTable.from_scores(np.array([1, 1]), np.array([0.9, 0.4])))
    assert steps.up.tolist() == [1, 1]
    assert np.isnan(steps.area)


def test_no_rows_make_no_moves() -> None:
    steps = RocSteps.from_table(ScoreTable.from_scores(np.array([], np.int8), np.array([])))
    assert len(steps.score) == 0
    assert np.isnan(steps.area)


def test_rows_are_listed_from_the_highest_score_down_and_ties_as_in_the_file() -> None:
    told = outcomes([0, 1, 0, 1], [0.2, 0.7, 0.7, 0.9], rows=[3, 5, 8, 9])
    listed = Instances.drawn(told, 200, np.random.default_rng(0))
    assert listed.row.tolist() == [9, 5, 8, 3]
    assert listed.truth.tolist() == [1, 1, 0, 0]


def test_a_sample_keeps_the_shares_of_the_classes_and_is_the_same_every_time() -> None:
    truth = np.arange(1000) % 4 == 0
    told = outcomes(truth, np.linspace(0, 1, 1000))
    one, other = (Instances.drawn(told, 40, np.random.default_rng(7)) for _ in range(2))
    assert one.row.tolist() == other.row.tolist()
    assert (len(one.row), int(one.truth.sum())) == (40, 10)
    assert len(set(one.row.tolist())) == 40
    assert np.array_equal(one.truth == 1, truth[one.row - 1])
    assert np.all(np.diff(one.score) <= 0)


@pytest.mark.parametrize("rare", [0, 1])
def test_a_sample_holds_at_least_one_row_of_a_rare_class(rare: int) -> None:
    truth = np.full(500, 1 - rare)
    truth[123] = rare
    listed = Instances.drawn(outcomes(truth, np.zeros(500)), 20, np.random.default_rng(0))
    assert (len(listed.row), int((listed.truth == rare).sum())) == (20, 1)


def test_a_sample_of_one_class_is_of_that_class() -> None:
    listed = Instances.drawn(outcomes(np.ones(50), np.zeros(50)), 20, np.random.default_rng(0))
    assert listed.truth.tolist() == [1] * 20
