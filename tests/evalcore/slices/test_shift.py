"""Two files apart: tests of two samples, and what to expect without labels."""

import numpy as np
import pytest
from scipy import stats

from evalcore.errors import EvalError
from evalcore.options import Options
from evalcore.slices.shift import expected, shift
from tests.evalcore.made import rows as file
from tests.evalcore.slices.made import QUICK


def test_prevalence_and_recall_of_two_months_worked_by_hand():
    last = file([1] * 40 + [0] * 60, [1] * 36 + [0] * 64, header="truth,label")
    this = file([1] * 60 + [0] * 40, [1] * 45 + [0] * 55, header="truth,label")
    made = shift(last, this, ["prevalence", "recall"], QUICK)
    gap = made.metrics["prevalence"].difference
    assert (gap.value, gap.method) == (pytest.approx(0.2), "newcombe")
    assert made.metrics["recall"].difference.value == pytest.approx(0.75 - 0.9)
    assert made.metrics["recall"].test == "fisher-mid-p"
    assert made.n == (100, 100)
    assert np.isnan(made.distance)


def test_distance_of_scores_is_that_of_kolmogorov_and_smirnov():
    rng = np.random.default_rng(0)
    first, second = rng.random(300).round(2), (rng.random(200) ** 1.3).round(2)
    made = shift(
        file([0, 1] * 150, list(first), header="truth,score"),
        file([0, 1] * 100, list(second), header="truth,score"),
        ["roc_auc", "brier"],
        QUICK,
    )
    theirs = stats.ks_2samp(first, second)
    assert made.distance == pytest.approx(theirs.statistic)
    assert made.p_value == pytest.approx(stats.kstwobign.sf(made.distance * 120**0.5))
    assert made.p_value == pytest.approx(theirs.pvalue, rel=0.3)  # exact, for so many rows
    assert made.metrics["brier"].test == "welch"


def test_what_is_expected_without_labels_comes_true_where_probabilities_are_right():
    keys = ["accuracy", "recall", "precision", "specificity", "prevalence"]
    held = dict.fromkeys(keys, 0)
    for seed in range(100):
        rng = np.random.default_rng(seed)
        probability = rng.beta(0.8, 1.2, 600)
        truth = rng.random(600) < probability
        called = probability >= 0.4
        true = {
            "accuracy": np.mean(called == truth),
            "recall": np.mean(called[truth]),
            "precision": np.mean(truth[called]),
            "specificity": np.mean(~called[~truth]),
            "prevalence": np.mean(truth),
        }
        made = expected(probability, keys, Options(threshold=0.4))
        for key in keys:
            held[key] += made[key].low <= true[key] <= made[key].high
    assert min(held.values()) >= 92, held


def test_what_cannot_be_compared_or_expected_is_said():
    one = file([0, 1] * 10, [0.1, 0.9] * 10, header="truth,a_score")
    other = file([0, 1] * 10, [0.1, 0.9] * 10, header="truth,b_score")
    with pytest.raises(EvalError, match="both files"):
        shift(one, other, ["accuracy"], QUICK)
    with pytest.raises(EvalError, match="metric of decisions"):
        expected(np.array([0.5]), ["roc_auc"], QUICK)
