"""The order of rows that are selected, and the rows on which models disagree."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from evalcore.comparison.candidate import Candidate
from evalcore.comparison.candidates import choose_candidates
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes
from evalread.loading import load
from evalview.selections import FARTHEST, disagreeing_rows, surest_first


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


def candidates_of(data: pd.DataFrame, metric: str | None = None) -> Sequence[Candidate]:
    content = data.to_csv(index=False).encode()
    return choose_candidates(load([("f.csv", content)]), metric, Options()).models


def test_models_disagree_where_the_threshold_parts_their_scores():
    data = pd.DataFrame(
        {
            "truth": [1, 0, 1, 0, 1],
            "a_score": [0.9, 0.4, 0.2, 0.1, 0.6],
            "b_score": [0.8, 0.6, 0.3, 0.2, 0.1],
        }
    )
    one, other = candidates_of(data)
    assert disagreeing_rows(one, other, (0.5, 0.5)).tolist() == [5, 2]
    assert disagreeing_rows(one, one, (0.5, 0.5)).tolist() == []


def test_classes_that_differ_are_named_by_their_rows():
    data = pd.DataFrame({"truth": list("xyzx"), "a_label": list("xyzz"), "b_label": list("xzzy")})
    one, other = candidates_of(data, "accuracy")
    assert disagreeing_rows(one, other, (0.5, 0.5)).tolist() == [2, 4]


def test_numbers_that_are_farthest_apart_come_first():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=FARTHEST + 50)
    data = pd.DataFrame({"truth": truth, "a_pred": truth, "b_pred": truth + np.arange(len(truth))})
    one, other = candidates_of(data, "rmse")
    rows = disagreeing_rows(one, other, (0.5, 0.5))
    assert len(rows) == FARTHEST
    assert rows[0] == len(truth)
