"""What the catalogue says of a metric in words is what the metric does: each by a number."""

import re
from math import isinf

import numpy as np
import pytest
from scipy.stats import binom

import evalcore as ec
from evalcore.metrics.catalog import METRICS, WITH_COSTS, by_key, find
from evalcore.metrics.metric import Better, Family
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.contingency import Contingency
from evalcore.tables.scores import ScoreTable
from evalview.explained.concepts import legend
from tests.evalcore.metrics.rows import Rows, value

CANCER = BinaryCounts(tp=90, fn=210, fp=140, tn=9560)
"""A screening of 10,000: precision .391, recall .300."""

P, R = 90 / 230, 90 / 300


def number(key: str, truth: list[float], said: list[float]) -> float:
    return float(ec.estimate(key, truth, said).value)


@pytest.mark.parametrize("key", ["f1", "f0_5", "f2", "f_beta(3)"])
def test_the_f_scores_are_worded_by_the_mean_that_they_are(key: str) -> None:
    metric = find(key)
    weight, other = re.search(r"(\S*) ?P R / \((\S*) ?P \+ R\)", metric.summary).groups()
    worded = float(weight) * P * R / ((float(other) if other else 1.0) * P + R)
    assert metric(CANCER) == pytest.approx(worded)
    if told := re.search(r"counts (\S+) times", metric.summary):  # one missed more, or k alarms
        times = float(told[1])
        missed = BinaryCounts(tp=90, fn=211, fp=140, tn=9560)
        alarms = BinaryCounts(tp=90, fn=210, fp=140 + times, tn=9560)
        assert metric(missed) == pytest.approx(metric(alarms))


def test_dice_is_a_name_of_f1_alone() -> None:
    dice = 2 * 90 / (2 * 90 + 140 + 210)
    called = [m.key for m in METRICS if "Dice coefficient" in m.synonyms]
    assert called == ["f1"]
    assert find("f1")(CANCER) == pytest.approx(dice)
    assert find("f2")(CANCER) != pytest.approx(dice, abs=0.02)
    assert find("f0_5")(CANCER) != pytest.approx(dice, abs=0.005)


@pytest.mark.parametrize("key", ["kendall_tau_a", "kendall_tau_b"])
def test_kendall_is_mostly_but_not_always_nearer_to_0_than_spearman(key: str) -> None:
    assert "usually" in by_key()[key].misleads
    order = [1.0, 2.0, 3.0, 4.0]
    assert number(key, order, order) == number("spearman", order, order) == 1
    assert number(key, order, order[::-1]) == number("spearman", order, order[::-1]) == -1
    rng = np.random.default_rng(0)
    pairs = [rng.normal(size=(2, 20)) for _ in range(50)]
    nearer = [abs(number(key, *pair)) < abs(number("spearman", *pair)) for pair in pairs]
    assert np.mean(nearer) > 0.8


def test_a_percentage_error_too_low_is_at_most_one_and_too_high_any() -> None:
    assert "too low by 100% at most" in by_key()["mape"].misleads
    assert number("mape", [50.0, 60.0], [0.0, 0.0]) == 1
    assert number("mape", [50.0, 60.0], [5000.0, 6000.0]) == 99
    assert number("mape", [50.0, 60.0], [40.0, 50.0]) == pytest.approx(
        number("mape", [50.0, 60.0], [60.0, 70.0])  # the same distance costs the same either way
    )


VALUES = [m for m in METRICS if m.family is Family.VALUES]


@pytest.mark.parametrize("metric", VALUES, ids=lambda m: m.key)
def test_what_overflows_is_what_the_catalogue_says(metric) -> None:
    truth, said = [1e200, -1e200, 2e200, 3e200], [-1e200, 1e200, 1e200, 2e200]
    if metric.key in ("msle", "rmsle", "male", "adjusted_r2"):
        return  # of no negative numbers, or with a setting
    made = number(metric.key, truth, said)
    assert isinf(made) <= ("a square exceeds" in metric.infinite_when)
    if metric.key in ("mae", "medae", "max_error", "mape", "mape_nonzero", "smape"):
        assert np.isfinite(made)


def test_a_silhouette_of_all_points_has_no_interval() -> None:
    assert "none if all points are used" in by_key()["silhouette"].interval.says


def test_costs_and_weights_are_found_where_they_are_worked_out() -> None:
    assert set(WITH_COSTS) == {"total_cost", "mean_cost", "weighted_accuracy"}
    counts = BinaryCounts(tp=1, fn=1, fp=1, tn=1)
    nothing = WITH_COSTS["weighted_accuracy"]((0, 0, 0, 0))
    assert np.isnan(nothing(counts))
    assert "add up to 0" in nothing.undefined_when
    assert WITH_COSTS["weighted_accuracy"]((1, 1, 1, 1))(counts) == 0.5


def test_a_clipped_log_loss_is_written_with_a_power_of_ten() -> None:
    assert "e-" not in by_key()["log_loss_clipped"].formula
    assert r"10^{-15}" in by_key()["log_loss_clipped"].formula


@pytest.mark.parametrize(
    "key", ["hosmer_lemeshow_p", "hosmer_lemeshow_p_fitted", "spiegelhalter_p"]
)
def test_no_direction_of_a_p_value_is_better(key: str) -> None:
    assert by_key()[key].better is Better.NEITHER


@pytest.mark.parametrize(("positives", "share"), [(20, 0.1), (2, 0.1), (50, 0.25)])
def test_the_largest_lift_is_the_smaller_of_two(positives: int, share: float) -> None:
    truth = np.arange(100) < positives
    perfect = ScoreTable.from_scores(truth.astype(np.int8), 1.0 - np.arange(100) / 100)
    largest = find(f"lift_at({share})")(perfect)
    assert largest == pytest.approx(min(100 / positives, 1 / share))
    assert "smaller of 1 / prevalence and 1 / share" in find(f"lift_at({share})").misleads


def test_sharpness_is_of_forecasts_alone() -> None:
    # The same forecasts, hence as sharp, resolve nothing where every bin has the same share.
    said = [0.2, 0.2, 0.8, 0.8]
    assert number("brier_resolution", [0, 1, 0, 1], said) == pytest.approx(0)
    assert number("brier_resolution", [0, 0, 1, 1], said) == pytest.approx(0.25)
    assert not any("sharp" in name for name in by_key()["brier_resolution"].synonyms)


@pytest.mark.parametrize("key", ["mae", "medae"])
def test_an_absolute_error_is_no_deviation_from_the_middle_of_the_truth(key: str) -> None:
    truth = [0.0, 0.0, 0.0, 0.0]
    assert number(key, truth, [5.0, 5.0, 5.0, 5.0]) == 5  # which deviates by 0 from its median
    assert not any("deviation" in name for name in by_key()[key].synonyms)


def test_the_mean_of_average_precisions_is_that_over_several_questions() -> None:
    named = [m.key for m in METRICS if any("mean average precision" in n for n in m.synonyms)]
    assert "average_precision" not in named


def test_the_balanced_error_rate_is_a_complement_and_no_other_name() -> None:
    metric = by_key()["balanced_accuracy"]
    error = (210 / 300 + 140 / 9700) / 2
    assert metric(CANCER) == pytest.approx(1 - error)
    assert not any("BER" in name for name in metric.synonyms)
    assert "complement" in metric.misleads


def test_the_p_value_of_accuracy_is_of_at_least_so_many_right() -> None:
    made = by_key()["accuracy_p_value"](CANCER)
    assert made == pytest.approx(binom.sf(90 + 9560 - 1, 10000, 9700 / 10000))


def test_pairs_of_an_agreement_are_no_rows() -> None:
    classes, clusters = np.array([0, 0, 1, 1, 1]), np.array([0, 0, 0, 1, 1])
    together = sum(
        classes[i] == classes[j] and clusters[i] == clusters[j] for i in range(5) for j in range(i)
    )
    table = Contingency.from_codes(classes, clusters, ("a", "b"), ("0", "1"))
    assert by_key()["pairs_together"](table) == together == 2
    assert by_key()["pairs_together"].formula == by_key()["tp"].formula == "TP"
    meant = {family: dict(legend(by_key(family)[key])) for family, key in
             ((Family.COUNTS, "tp"), (Family.AGREEMENT, "pairs_together"))}  # fmt: skip
    assert "rows" in meant[Family.COUNTS]["TP"]
    assert "pairs" in meant[Family.AGREEMENT]["TP"]


OF_CLASSES = [m for m in METRICS if re.search(r"(ovr|hand_till)", m.key)]


@pytest.mark.parametrize("metric", OF_CLASSES, ids=lambda m: m.key)
def test_what_sets_classes_apart_is_undefined_where_the_catalogue_says_so(metric) -> None:
    said = np.array([[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.2, 0.2, 0.6], [0.5, 0.3, 0.2]])
    one_class = value(metric, Rows(np.zeros(4, np.int64), said, np.ones(4)))
    assert np.isnan(one_class) == (metric.undefined_when == "every row is of one class")
    none = Rows(np.zeros(0, np.int64), said[:0], np.ones(0))
    assert np.isnan(value(metric, none))
    assert np.isfinite(value(metric, Rows(np.array([0, 1, 2, 1]), said, np.ones(4))))


@pytest.mark.parametrize(
    ("key", "source"),
    [("mcc", "Matthews (1975)"), ("spearman", "Spearman (1904)"), ("male", "Tofallis (2015)")],
)
def test_a_source_holds_the_formula_or_the_difference_is_told(key: str, source: str) -> None:
    metric = by_key()[key]
    assert source in metric.source.text
    if key == "male":  # the source has ln(f / y) squared, here it is |ln((1 + f) / (1 + y))|
        assert number(key, [1.0, 3.0], [3.0, 1.0]) == pytest.approx(np.log(2))
        assert "source squares" in metric.misleads


def test_an_area_against_the_rest_is_high_because_the_rest_is_easy_not_because_it_is_large() -> (
    None
):
    assert "easily separated" in by_key()["roc_auc_ovr_macro"].misleads
    few = ScoreTable.from_scores(np.array([1, 1, 0, 0]), np.array([0.9, 0.3, 0.5, 0.1]))
    many = ScoreTable.from_scores(
        np.array([1, 1, 0, 0]), np.array([0.9, 0.3, 0.5, 0.1]), np.array([1.0, 1, 99, 99])
    )
    assert find("roc_auc")(few) == find("roc_auc")(many), "the size of the rest changes nothing"


def test_equal_probabilities_count_half_in_the_micro_area_as_its_formula_says() -> None:
    assert r"\tfrac{1}{2} P(p_{i, y_i} = p_{j, k})" in by_key()["roc_auc_ovr_micro"].formula
    assert ec.metric("roc_auc_ovr_micro")(["a", "b", "c"], np.full((3, 3), 1 / 3)) == 0.5


@pytest.mark.parametrize("key", ["msle", "rmsle", "male"])
def test_logarithms_of_numbers_that_a_computer_holds_are_never_infinite(key: str) -> None:
    assert not by_key()[key].infinite_when
    assert np.isfinite(number(key, [1.7e308, 1.0], [-1 + 1e-16, 2.0]))


@pytest.mark.parametrize(
    ("truth", "said", "z", "p"),
    [
        ([0, 1], [0.0, 0.5], np.nan, np.nan),  # what is 0 or 1 was right
        ([0, 1], [0.0, 1.0], np.nan, np.nan),
        ([1, 0], [0.0, 0.5], np.inf, 0),  # a probability of 0 was wrong
        ([0, 1], [1.0, 0.5], np.inf, 0),  # a probability of 1 was wrong
    ],
)
def test_spiegelhalters_z_is_infinite_where_a_certain_probability_was_wrong(
    truth: list[int], said: list[float], z: float, p: float
) -> None:
    assert "all that are 0 or 1 were right" in by_key()["spiegelhalter_z"].undefined_when
    assert "one that is 0 or 1 was wrong" in by_key()["spiegelhalter_z"].infinite_when
    found = [ec.metric(f"spiegelhalter_{key}")(truth, said) for key in "zp"]
    assert found == pytest.approx([z, p], nan_ok=True)


def test_the_symmetric_percentage_error_is_of_the_mean_size() -> None:
    assert "mean size" in by_key()["smape"].summary
    assert number("smape", [1.0, 1.0], [-1.0, -1.0]) == 2, "the mean of 1 and -1 itself is 0"


def test_of_a_single_class_homogeneity_is_1_by_definition() -> None:
    assert "by definition" in by_key()["homogeneity"].misleads
    assert ec.metric("homogeneity")(["a"] * 4, [0, 0, 1, 1]) == 1
    assert "by definition" in by_key()["completeness"].misleads
    assert ec.metric("completeness")(["a", "a", "b", "b"], [0] * 4) == 1


def test_with_rare_positives_a_guess_has_a_negative_predictive_value_near_1() -> None:
    assert "even for a model that guesses" in by_key()["npv"].misleads
    assert find("npv")(BinaryCounts(tp=5, fn=5, fp=495, tn=495)) == 0.99
    flags_the_wrong = BinaryCounts(tp=0, fn=10, fp=990, tn=0)
    assert find("npv")(flags_the_wrong) == 0, "not of any model whatever"


@pytest.mark.parametrize("key", ["best_f1", "best_youden", "best_mcc"])
def test_the_best_of_thresholds_is_the_largest_of_the_whole_formula(key: str) -> None:
    assert re.fullmatch(r"\\max_t \\left\(.*\\right\)", by_key()[key].formula)
