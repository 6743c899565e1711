import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalcore.errors import EvalError
from evalcore.tables.confusion import ConfusionMatrix, PairedTable

CLASSES = ("a", "b", "c")
CODE = st.integers(0, 2)
ROWS = st.lists(st.tuples(CODE, CODE, CODE, st.integers(0, 3)), min_size=1, max_size=40)


def table(rows, classes=CLASSES, *, weighted=True):
    truth, first, second, weight = np.array(rows).T
    return PairedTable.from_codes(
        classes, (truth, first, second), weight.astype(float) if weighted else None
    )


def test_a_hand_worked_table():
    made = table([(0, 0, 0, 1), (0, 0, 1, 1), (1, 0, 1, 1), (1, 2, 2, 2), (0, 0, 0, 3)])

    assert made.rightness == (4, 1, 1, 2)
    assert made.rightness.difference == 0
    assert made.counts.sum() == 8
    assert not made.identical


@given(ROWS)
def test_margins_are_the_confusion_matrix_of_each_model(rows):
    truth, first, second, weight = np.array(rows).T
    made = table(rows)

    for mine, decision in ((made.first, first), (made.second, second)):
        counted = ConfusionMatrix.from_codes(made.truth, mine, CLASSES, made.counts)
        theirs = ConfusionMatrix.from_codes(truth, decision, CLASSES, weight.astype(float))
        np.testing.assert_array_equal(counted.counts, theirs.counts)


@given(ROWS, st.integers(0, 40))
def test_two_parts_of_a_file_add_up_to_the_whole(rows, cut):
    parts = [table(part) for part in (rows[:cut], rows[cut:]) if part]
    whole = parts[0] if len(parts) == 1 else parts[0] + parts[1]

    np.testing.assert_array_equal(whole.counts, table(rows).counts)
    np.testing.assert_array_equal(whole.second, table(rows).second)


@given(ROWS)
def test_many_classes_are_counted_as_few_are(rows):
    many = tuple(f"c{k}" for k in range(150))
    one, other = table(rows), table(rows, many)

    assert one.rightness == other.rightness
    np.testing.assert_array_equal(one.counts, other.counts)
    np.testing.assert_array_equal(one.first, other.first)


@given(ROWS)
def test_weight_two_is_the_row_twice(rows):
    repeated = [row for row in rows for _ in range(row[3])]
    if repeated:
        assert table(rows).rightness == table(repeated, weighted=False).rightness


def test_models_that_decide_alike_are_identical():
    assert table([(0, 1, 1, 1), (1, 1, 1, 1)]).identical
    # Wrong on the same rows, but in different ways.
    assert not table([(0, 1, 2, 1)]).identical


def test_tables_of_different_classes_do_not_add_up():
    with pytest.raises(EvalError, match="same classes"):
        table([(0, 0, 0, 1)]) + table([(0, 0, 0, 1)], ("a", "b"))
