"""The order of rows that are selected."""

import numpy as np

from evalcore.outcomes import BinaryOutcomes, ClassOutcomes
from evalview.selections import surest_first


def binary(truth, **given_):
    return BinaryOutcomes(classes=("no", "yes"), truth=np.array(truth, np.int8), **given_)


def test_the_surest_rows_come_first_whichever_class_was_called():
    outcomes = binary([0, 0, 0], score=np.array([0.6, 0.9, 0.6]))
    assert surest_first(outcomes, np.arange(3), called=1).tolist() == [1, 0, 2]
    assert surest_first(outcomes, np.arange(3), called=0).tolist() == [0, 2, 1]


def test_the_surest_rows_of_many_classes_go_by_the_probability_of_the_class_called():
    outcomes = ClassOutcomes(
        classes=("a", "b"), truth=np.array([0, 0]), probabilities=np.array([[0.2, 0.8], [0.1, 0.9]])
    )
    assert surest_first(outcomes, np.arange(2), called=1).tolist() == [1, 0]


def test_labels_alone_keep_the_order_of_the_file():
    outcomes = binary([0, 0], label=np.array([1, 1], np.int8))
    assert surest_first(outcomes, np.arange(2), called=1).tolist() == [0, 1]
