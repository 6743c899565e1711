"""Headlines: right in direction and strength, and silent where the rows are."""

import numpy as np
import pytest

from evalcore.evaluation.gaps import Gap
from evalcore.evaluation.leader import Leader
from evalcore.metrics.spec import Estimate
from evalcore.tables.confusion import ConfusionMatrix
from pages.widgets import sayings


def gap(model, difference, low, high):
    return Gap(model, difference, low, high, 500)


def lead(*gaps, metric="roc_auc", value=0.9, model="A", left_out=()):
    way = "labels" if metric == "accuracy" else None
    return Leader(model, metric, value, gaps, 0.95, 500, left_out, way)


AHEAD_B, AHEAD_C = gap("B", 0.05, 0.01, 0.09), gap("C", 0.2, 0.1, 0.3)
NEAR_B, NEAR_C = gap("B", 0.01, -0.02, 0.04), gap("C", 0.02, -0.01, 0.05)
SAME_B, SAME_C = gap("B", 0.0, 0.0, 0.0), gap("C", 0.0, 0.0, 0.0)
FEW = gap("B", 0.3, np.nan, np.nan)
OTHERS = [gap(f"M{i}", 0.1, 0.05, 0.15) for i in range(5)]

HEADLINES = [
    (None, "No model can be ranked here"),
    (lead(), "A ranks 90 of 100 pairs right"),
    (lead(value=1.0), "A ranks all pairs right"),
    (lead(value=0.9999), "A ranks more than 99 of 100 pairs right"),
    (lead(value=0.4), "A ranks 40 of 100 pairs right — worse than chance"),
    (lead(metric="accuracy", value=0.963), "A is right on 96.3% of 500 rows"),
    (lead(AHEAD_B), "A ranks best, ahead of B"),
    (lead(AHEAD_B, AHEAD_C), "A ranks best, ahead of B and C"),
    (lead(*OTHERS), "A ranks best, ahead of 5 others"),
    (lead(AHEAD_B, metric="accuracy"), "A is right most often, ahead of B"),
    (lead(NEAR_B, AHEAD_C), "A ranks better than C; B may be as good"),
    (lead(NEAR_B, AHEAD_C, metric="accuracy"), "A is right more often than C; B may be as good"),
    (lead(NEAR_B), "A has the highest AUC, but 500 rows cannot tell it from B"),
    (lead(NEAR_B, NEAR_C), "A has the highest AUC, but 500 rows cannot tell it from B and C"),
    (lead(SAME_B, SAME_C), "All models have the same AUC, 0.900"),
    (lead(FEW), "A has the highest AUC, but 500 rows cannot tell it from B"),
    (lead(SAME_B, AHEAD_C), "A ranks better than C; B may be as good"),
]


@pytest.mark.parametrize(("found", "says"), HEADLINES)
def test_the_headline_claims_what_the_rows_show_and_no_more(found, says):
    assert sayings.leading(found) == says


def test_the_line_below_holds_the_gap_its_interval_and_how_it_was_made():
    own = Estimate(0.9, 0.85, 0.95, "delong", 0.95)
    assert sayings.closest(lead(AHEAD_B, AHEAD_C), own) == (
        "AUC 0.900, 0.050 ahead of B (95% interval 0.010 to 0.090, paired DeLong, "
        "allowing for all 3 models)."
    )
    assert sayings.closest(lead(NEAR_B, metric="accuracy"), own) == (
        "Accuracy 0.900, 0.010 ahead of B (95% interval −0.020 to 0.040, paired rows)."
    )
    assert sayings.closest(lead(), own) == "AUC 0.900 (0.850 – 0.950)."
    assert "nothing is said for sure" in sayings.closest(lead(FEW), own)
    assert sayings.closest(None, own) == ""
    assert sayings.closest(lead(left_out=("B", "C")), own).endswith(
        "Not compared, for want of scores: B and C."
    )


def test_a_matrix_of_two_classes_is_said_in_the_words_of_the_data():
    matrix = ConfusionMatrix(("honest", "fraud"), np.array([[2814, 570], [65, 551]]))
    assert sayings.matrix("gb", matrix) == (
        "gb finds 551 of 616 fraud rows and flags 570 of 3,384 honest ones"
    )


def test_a_matrix_of_many_classes_names_its_most_frequent_error():
    matrix = ConfusionMatrix(("a", "b", "1"), np.array([[5, 0, 3], [0, 5, 0], [0, 0, 5]]))
    assert (
        sayings.matrix("m", matrix) == "m is right on 15 of 18 rows; most often it takes a for “1”"
    )
    right = ConfusionMatrix(("a", "b", "c"), np.eye(3, dtype=int))
    assert sayings.matrix("m", right) == "m is right on 3 of 3 rows"


def test_where_decisions_come_from_is_said():
    assert sayings.decided_by("threshold", ("honest", "fraud"), 0.34) == (
        "Called fraud when the score is at least 0.34."
    )
    assert "own labels" in sayings.decided_by("labels", ("a", "b"), 0.5)
    assert "largest probability" in sayings.decided_by("argmax", ("a", "b", "c"), 0.5)


def test_control_characters_of_a_name_are_visible():
    assert "␊" in sayings.leading(lead(model="a\nb"))
