import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalcore.errors import EvalError
from evalcore.evaluation.condense import condense, decide
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, data_rows
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.tables.scores import ScoreTable
from evalread.loading import load
from evalview.headlines import labels_agree

NO_YES = ("no", "yes")


def binary(truth, **given_):
    return BinaryOutcomes(classes=NO_YES, truth=np.array(truth, np.int8), **given_)


def test_a_score_equal_to_the_threshold_is_called_positive():
    outcomes = binary([0, 1, 1], score=np.array([0.3, 0.29, 0.31]))
    assert decide(outcomes, "threshold", 0.3).tolist() == [1, 0, 1]


def test_labels_are_taken_as_the_file_gives_them():
    label = np.array([1, 0], np.int8)
    assert decide(binary([0, 1], label=label), "labels").tolist() == [1, 0]


def test_the_first_of_equally_likely_classes_is_decided_and_a_missing_one_never():
    outcomes = ClassOutcomes(
        classes=("a", "b", "c"),
        truth=np.array([0, 1]),
        probabilities=np.array([[np.nan, 0.4, 0.4], [np.nan, 0.0, 0.0]]),
    )
    assert decide(outcomes, "argmax").tolist() == [1, 1]


@pytest.mark.parametrize("way", ["labels", "argmax"])
def test_a_way_of_deciding_that_the_model_lacks_is_refused(way):
    with pytest.raises(EvalError, match="does not decide by"):
        decide(binary([0], score=np.array([0.1])), way)


@pytest.mark.parametrize(
    ("columns", "agree"),
    [
        ("truth,m_label,m_score\nno,no,0.49\nyes,yes,0.5\nyes,no,0.1", True),
        ("truth,m_label,m_score\nno,no,0.5\nyes,yes,0.9\nyes,no,0.1", False),
        ("truth,m_score\nno,0.5\nyes,0.9", False),
        (
            "truth,m_label,m_prob_a,m_prob_b,m_prob_c\na,a,0.6,0.2,0.2\nb,b,0.1,0.8,0.1\nc,b,0.1,0.8,0.1",
            True,
        ),
        (
            "truth,m_label,m_prob_a,m_prob_b,m_prob_c\na,b,0.6,0.2,0.2\nb,b,0.1,0.8,0.1\nc,b,0.1,0.8,0.1",
            False,
        ),
    ],
)
def test_the_labels_agree_with_the_scores_only_where_every_row_does(columns, agree):
    (tables,) = condense(load([("file.csv", columns.encode())])).values()
    assert labels_agree(tables, 0.5) is agree


def test_rows_are_numbered_as_in_the_file():
    outcomes = binary([1, 0, 1, 1], rows=np.array([2, 3, 7, 9]))
    missed = np.array([0, 3])
    assert data_rows(outcomes, missed).tolist() == [2, 9]
    assert data_rows(binary([1, 0, 1, 1]), missed).tolist() == [1, 4]


@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 1)), min_size=1, max_size=50),
    st.floats(0, 1),
)
def test_the_cells_hold_as_many_rows_as_the_count_tables_say(rows, threshold):
    score, truth = np.array([r[0] for r in rows]), np.array([r[1] for r in rows], np.int8)
    outcomes = binary(truth, score=score)
    decision = decide(outcomes, "threshold", threshold)
    counts = ScoreTable.from_scores(truth, score).at(threshold)
    matrix = ConfusionMatrix.from_codes(truth, decision, NO_YES)
    cells = [[int(((truth == t) & (decision == d)).sum()) for d in (0, 1)] for t in (0, 1)]
    assert cells == matrix.counts.tolist()
    assert cells == [[counts.tn, counts.fp], [counts.fn, counts.tp]]
