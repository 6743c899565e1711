"""Two files apart: tests of two samples, and what to expect without labels."""

import numpy as np
import pytest
from scipy import stats

from evalcore.errors import EvalError
from evalcore.intervals.closed import holm, wilson
from evalcore.options import Options
from evalcore.outcomes import ClassOutcomes
from evalcore.predictions import Predictions
from evalcore.slices.results import fisher_mid_p
from evalcore.slices.shift import EXPECTED, expected, shift, shift_expected
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
    assert made.scores is None


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
    assert made.scores is not None
    distance = made.scores.distance
    assert distance.value == pytest.approx(theirs.statistic)
    assert made.scores.p_value == pytest.approx(stats.kstwobign.sf(distance.value * 120**0.5))
    assert made.scores.p_value == pytest.approx(theirs.pvalue, rel=0.3)  # exact, for so many rows
    higher = stats.mannwhitneyu(second, first).statistic / (300 * 200)
    assert made.scores.above.value == pytest.approx(higher)
    assert made.metrics["brier"].test == "welch"
    p_values = [made.truth["1"].p_value, *(one.p_value for one in made.metrics.values())]
    wanted = holm([*p_values, made.scores.p_value])
    assert [*made.p_adjusted] == ["1", "roc_auc", "brier", "scores"]
    assert [*made.p_adjusted.values()] == pytest.approx(wanted)


@pytest.mark.parametrize("drift", [0.0, 1.0])
def test_the_interval_of_the_distance_holds_the_true_one(drift: float):
    true, held = 2 * stats.norm.cdf(drift / 2) - 1, 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        scores = rng.normal(size=150), drift + rng.normal(size=100)
        made = shift(
            *(file([0, 1] * (len(s) // 2), list(s), header="truth,score") for s in scores),
            ["roc_auc"],
            QUICK,
        )
        assert made.scores is not None
        distance = made.scores.distance
        assert distance.low is not None
        assert distance.high is not None
        held += distance.low <= true <= distance.high
    assert held >= 38  # it is wide rather than narrow


def test_the_usual_metrics_are_those_of_which_both_files_give_what_they_need():
    scored = file([0, 1] * 30, [0.2, 0.9] * 30, header="truth,m_score")
    labelled = file([0, 1] * 30, [0, 1] * 30, header="truth,m_label")
    keys = [*shift(scored, scored, None, QUICK).metrics]
    assert keys == ["recall", "precision", "accuracy", "roc_auc", "brier"]
    assert [*shift(labelled, labelled, None, QUICK).metrics] == keys[:3]
    numbers = file([1.5, 2.5, 3.5], [1.0, 2.0, 4.5], header="actual,predicted")
    made = shift(numbers, numbers, None, QUICK)
    assert [*made.metrics] == ["mae", "rmse"]
    assert made.truth["mean of the truth"].difference.value == 0
    assert made.scores is not None
    assert made.scores.of == "predictions"


def test_shares_of_several_classes_are_compared_each_with_its_rest():
    before = file(["a"] * 50 + ["b"] * 30 + ["c"] * 20, ["a"] * 100, header="truth,m_label")
    after = file(["a"] * 20 + ["b"] * 60 + ["d"] * 20, ["a"] * 100, header="truth,m_label")
    made = shift(before, after, None, QUICK)
    told = {name: (one.rest.value, one.value.value) for name, one in made.truth.items()}
    assert told == {"a": (0.5, 0.2), "b": (0.3, 0.6), "c": (0.2, 0.0), "d": (0.0, 0.2)}
    assert made.truth["a"].p_value == pytest.approx(fisher_mid_p(20, 100, 50, 100))


def test_what_is_expected_stands_beside_the_same_estimate_of_the_earlier_file():
    truth, score = [0, 0, 1, 1], [0.1, 0.6, 0.7, 0.9]
    before = file(truth * 25, score * 25, header="truth,m_score")
    made = shift_expected(before, np.array([0.2, 0.8]), None, QUICK)
    accuracy = made.metrics["accuracy"]
    assert (accuracy.rest.value, accuracy.value.value) == (0.75, pytest.approx(0.8))
    assert made.check["accuracy"].value == pytest.approx((0.9 + 0.6 + 0.7 + 0.9) / 4)
    assert made.truth["1"].value.value == pytest.approx(0.5)
    assert made.assumed == EXPECTED
    assert (made.n, made.notices) == ((100, 2), ())
    assert np.isnan(accuracy.p_value)


def test_of_rare_positives_recall_is_expected_first():
    before = file([0] * 95 + [1] * 5, [0.1] * 95 + [0.7] * 5, header="truth,m_score")
    made = shift_expected(before, np.array([0.2, 0.8]), None, QUICK)
    assert [*made.metrics] == ["recall", "precision", "accuracy"]
    assert made.metrics["recall"].value.value == pytest.approx(0.8 / (0.8 + 0.2))


def test_probabilities_that_were_wrong_before_are_a_warning():
    before = file([0, 1] * 100, [0.45, 0.55] * 100, header="truth,m_score")
    made = shift_expected(before, np.array([0.45, 0.55]), ["accuracy"], QUICK)
    (told,) = made.notices
    assert told.code == "promise-not-kept"
    assert "expects a accuracy" not in told.message


def test_of_several_classes_accuracy_is_expected():
    chances = np.array([[0.6, 0.3, 0.1], [0.2, 0.2, 0.6]] * 40)
    rows = ClassOutcomes(
        classes=("a", "b", "c"), truth=np.array([0, 2] * 40), probabilities=chances
    )
    before = Predictions(digest="", classes=rows.classes, models={"m": rows})
    made = shift_expected(before, chances[:2], None, QUICK)
    assert made.metrics["accuracy"].value.value == pytest.approx(0.6)
    assert made.truth["c"].value.value == pytest.approx(0.35)
    with pytest.raises(EvalError, match="only accuracy"):
        shift_expected(before, chances, ["recall"], QUICK)


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


def classes(*counts: list[int]) -> Predictions:
    """Return the rows of a confusion matrix of the classes a, b and c, row = truth."""
    truth, label = (
        np.repeat(places, np.ravel(counts)).astype(np.int8)
        for places in np.indices((3, 3)).reshape(2, -1)
    )
    names = ("a", "b", "c")
    rows = ClassOutcomes(classes=names, truth=truth, label=label)
    return Predictions(digest=str(counts), classes=names, models={"m": rows})


def test_each_of_several_classes_is_compared_as_the_two_matrices_tell():
    made = shift(
        classes([8, 1, 1], [2, 16, 2], [0, 0, 30]),
        classes([18, 2, 0], [9, 10, 1], [2, 0, 18]),
        None,
        QUICK,
    )
    assert [*made.per_class] == ["a", "b", "c"]
    recall, precision = made.per_class["b"]["recall"], made.per_class["b"]["precision"]
    assert (recall.rest.value, recall.value.value) == (0.8, 0.5)
    assert (precision.rest.value, precision.value.value) == (16 / 17, 10 / 12)
    assert recall.value.low == pytest.approx(wilson(10, 20, 0.95).low)
    assert recall.p_value == pytest.approx(fisher_mid_p(10, 20, 16, 20))
    p_values = [one.p_value for row in made.per_class.values() for one in row.values()]
    assert [*made.per_class_p.values()] == pytest.approx(holm(p_values))
    assert [*made.p_adjusted] == ["a", "b", "c", "accuracy"]
