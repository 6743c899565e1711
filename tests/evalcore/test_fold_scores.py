import numpy as np
import pytest

from evalcore.errors import EvalError
from evalcore.predictions import FoldScores


def scores(values=((0.8, 0.9), (0.7, 0.8)), **others):
    settled = {"metric": "accuracy", "models": ("A", "B"), "fold": ("1", "2")} | others
    return FoldScores(score=np.array(values, dtype=float), **settled)


def test_folds_are_named_by_data_set_repeat_and_fold():
    made = scores(fold=("1", "1"), repeat=("a", "b"))

    assert made.names == [("", "a", "1"), ("", "b", "1")]
    assert not made.score.flags.writeable


@pytest.mark.parametrize(
    ("others", "code"),
    [
        ({"models": ("A",)}, "wrong-shape"),
        ({"fold": ("1", "1")}, "repeated-fold"),
        ({"repeat": ("a",)}, "wrong-length"),
        ({"values": ((0.8, np.inf), (0.7, 0.8))}, "infinite-score"),
        ({"n_test": np.array([10.0])}, "wrong-length"),
        ({"n_train": np.array([10.0, 0.0])}, "bad-size"),
    ],
)
def test_what_cannot_be_used_is_refused(others, code):
    with pytest.raises(EvalError) as caught:
        scores(**others)

    assert caught.value.code == code


def test_a_missing_score_is_allowed():
    assert np.isnan(scores(values=((0.8, np.nan), (0.7, 0.8))).score).sum() == 1
