import numpy as np

from evalcore.comparison.by_fold import scores_by_fold
from evalcore.comparison.candidates import choose_candidates
from evalread.loading import load

FILE = (
    b"truth,a_label,b_label,fold\n"
    b"yes,yes,no,one\nno,no,no,one\nyes,no,yes,two\nno,no,no,two\nyes,yes,yes,two\n"
)


def scored(content, key="accuracy"):
    dataset = load([("f.csv", content)])
    names = () if dataset.fold is None else dataset.fold.names
    return scores_by_fold(choose_candidates(dataset, key), names)


def test_each_model_is_scored_on_each_fold():
    found = scored(FILE)
    assert (found.models, found.fold) == (("a", "b"), ("one", "two"))
    np.testing.assert_allclose(found.score, [[1, 2 / 3], [1 / 2, 1]])


def test_what_is_undefined_in_a_fold_is_missing_there():
    without_positive = FILE + b"no,no,no,zero\n"
    assert np.isnan(scored(without_positive, "recall").score).tolist() == [[False, False, True]] * 2


def test_rows_without_folds_have_no_scores_by_fold():
    assert scored(b"truth,a_label,b_label\nyes,yes,no\nno,no,no\nno,no,no\n") is None
