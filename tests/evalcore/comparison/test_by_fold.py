"""Scores of each fold, and what the folds say together."""

import numpy as np
import pytest

from evalcore.comparison.candidates import choose_candidates, scores_by_fold
from evalcore.options import Options
from evalread.loading import load
from evalview.figures.folds import over_folds

NUMBERS = b"truth,fold,prediction\n" + b"\n".join(
    f"{i % 7 + i / 10},{1 + i // 10},{i % 7 + i / 10 + (i * i % 11) / 2 - 1}".encode()
    for i in range(30)
)


def test_mean_error_and_interval_of_the_folds_by_scikit_learn_and_scipy():
    from scipy.stats import t
    from sklearn.metrics import mean_absolute_error

    dataset = load([("f.csv", NUMBERS)])
    made = over_folds(dataset, "mae", Options())
    [outcomes] = dataset.models.values()
    each = [
        mean_absolute_error(outcomes.truth[k : k + 10], outcomes.prediction[k : k + 10])
        for k in (0, 10, 20)
    ]
    assert made.scores.score[0] == pytest.approx(each)
    assert made.merged == pytest.approx(mean_absolute_error(outcomes.truth, outcomes.prediction))
    error = np.std(each, ddof=1) * np.sqrt(1 / 3 + 10 / 20)
    assert made.corrected == pytest.approx(error)
    low, high = t.interval(0.95, 2, np.mean(each), error)
    assert (float(made.interval.low), float(made.interval.high)) == pytest.approx((low, high))


def test_a_metric_that_the_model_does_not_give_has_no_folds():
    assert over_folds(load([("f.csv", NUMBERS)]), "roc_auc", Options()) is None


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
