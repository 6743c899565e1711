import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.decided import decided, rows_of_cell
from evalcore.errors import EvalError
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.tables.scores import ScoreTable

NO_YES = ("no", "yes")


def binary(truth, **given_):
    return BinaryOutcomes(classes=NO_YES, truth=np.array(truth, np.int8), **given_)


def test_a_score_equal_to_the_threshold_is_called_positive():
    outcomes = binary([0, 1, 1], score=np.array([0.3, 0.29, 0.31]))
    assert decided(outcomes, "threshold", 0.3).tolist() == [1, 0, 1]


def test_labels_are_taken_as_the_file_gives_them():
    label = np.array([1, 0], np.int8)
    assert decided(binary([0, 1], label=label), "labels").tolist() == [1, 0]


def test_the_first_of_equally_likely_classes_is_decided_and_a_missing_one_never():
    outcomes = ClassOutcomes(
        classes=("a", "b", "c"),
        truth=np.array([0, 1]),
        probabilities=np.array([[np.nan, 0.4, 0.4], [np.nan, 0.0, 0.0]]),
    )
    assert decided(outcomes, "argmax").tolist() == [1, 1]


@pytest.mark.parametrize("way", ["labels", "argmax"])
def test_a_way_of_deciding_that_the_model_lacks_is_refused(way):
    with pytest.raises(EvalError, match="does not decide by"):
        decided(binary([0], score=np.array([0.1])), way)


def test_the_rows_of_a_cell_are_numbered_as_in_the_file():
    outcomes = binary([1, 0, 1, 1], rows=np.array([2, 3, 7, 9]))
    missed = rows_of_cell(outcomes, np.array([0, 0, 1, 0]), truth=1, called=0)
    assert missed.tolist() == [2, 9]


def test_a_row_of_weight_zero_lies_in_no_cell():
    outcomes = binary([1, 1], weight=np.array([0.0, 2.0]))
    assert rows_of_cell(outcomes, np.array([1, 1]), truth=1, called=1).tolist() == [2]


@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 1)), min_size=1, max_size=50),
    st.floats(0, 1),
)
def test_the_cells_hold_as_many_rows_as_the_count_tables_say(rows, threshold):
    score, truth = np.array([r[0] for r in rows]), np.array([r[1] for r in rows], np.int8)
    outcomes = binary(truth, score=score)
    decision = decided(outcomes, "threshold", threshold)
    counts = ScoreTable.from_scores(score, truth).at(threshold)
    matrix = ConfusionMatrix.from_codes(truth, decision, NO_YES)
    cells = [[len(rows_of_cell(outcomes, decision, t, d)) for d in (0, 1)] for t in (0, 1)]
    assert cells == matrix.counts.tolist()
    assert cells == [[counts.tn, counts.fp], [counts.fn, counts.tp]]
