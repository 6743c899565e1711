"""Which folds are unlike the others."""

import numpy as np
import pytest
from scipy.stats import ttest_ind

from evalcore.predictions import FoldScores
from evalview.figures.folds import odd_folds


def scores_of(score):
    score = np.asarray(score, dtype=float)
    fold = tuple(str(k + 1) for k in range(score.shape[1]))
    return FoldScores(metric="accuracy", models=("A", "B")[: len(score)], score=score, fold=fold)


def test_a_fold_far_from_all_others_is_odd():
    score = np.array([[0.8, 0.81, 0.82, 0.3, 0.83], [0.7, 0.72, 0.71, 0.35, 0.7]])
    (odd,) = odd_folds(scores_of(score))
    assert (odd.place, odd.mean) == (3, pytest.approx(0.325))
    assert odd.median == pytest.approx(0.765)


@pytest.mark.parametrize(
    "score",
    [
        [[0.8, 0.2]],
        [[0.8] * 6],
        [[0.8, 0.8, 0.8, 0.8, 0.8, 0.1]],
        [[0.8, 0.81, 0.79, 0.82, 0.78, 0.8]],
        [[0.8, 0.81, 0.82, np.nan, 0.83, 0.84]],
    ],
)
def test_few_folds_equal_folds_and_missing_ones_are_not_odd(score):
    assert odd_folds(scores_of(score)) == ()


@pytest.mark.parametrize("seed", range(30))
def test_a_fold_is_odd_where_the_t_test_of_scipy_holds_it_against_the_others(seed):
    values = np.random.default_rng(seed).standard_t(1.5, 9)
    p = [ttest_ind([one], np.delete(values, k)).pvalue for k, one in enumerate(values)]
    odd = np.flatnonzero(np.array(p) * 9 < 0.01).tolist()
    assert [fold.place for fold in odd_folds(scores_of([values]))] == odd


def test_normal_folds_are_rarely_odd():
    rng = np.random.default_rng(0)
    found = sum(bool(odd_folds(scores_of(rng.normal(size=(2, 10))))) for _ in range(200))
    assert found <= 8  # 1% of 200 are 2
