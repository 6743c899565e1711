"""Predicted numbers from rows to estimates: intervals, reasons and remarks."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import bootstrap
from sklearn.metrics import log_loss

from evalcore.compare import compare
from evalcore.evaluate import evaluate
from evalcore.evaluation.estimates import estimate_values
from evalcore.evaluation.remarks import few_rows, value_remarks
from evalcore.intervals.closed import mean_interval
from evalcore.metrics.catalog import VALUES
from evalcore.metrics.regression import RAE, tau_b
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, NumericOutcomes
from evalcore.tables.residuals import Pairs
from evalcore.text import significant
from tests.evalcore.made import rows


def outcomes(truth, prediction, **others):
    truth, prediction = (np.asarray(column, dtype=np.float64) for column in (truth, prediction))
    return NumericOutcomes(truth=truth, prediction=prediction, **others)


def noisy(n, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=n)
    return outcomes(truth, truth + rng.normal(size=n))


def test_every_metric_has_an_estimate_in_reading_order():
    made = estimate_values(noisy(50), Options())

    assert list(made) == [metric.key for metric in VALUES]


@pytest.mark.parametrize("n", [2, 3, 4, 50])
def test_an_interval_holds_its_value_and_stays_in_range(n):
    for metric, estimate in zip(VALUES, estimate_values(noisy(n), Options()).values(), strict=True):
        if estimate.low is not None:
            assert metric.low <= estimate.low <= estimate.high <= metric.high, metric.key
        if estimate.method not in (None, "bootstrap-percentile"):
            assert estimate.low <= estimate.value <= estimate.high, metric.key


def test_an_undefined_metric_has_its_reason_and_no_interval():
    made = estimate_values(outcomes([7, 7, 7], [7, 8, 7]), Options())

    assert made["r2"].why == "all true values are the same"
    assert made["r2"].low is None
    assert made["mae"].low is not None


def test_an_infinite_metric_has_its_reason():
    made = estimate_values(outcomes([0, 0], [1, 2]), Options())

    assert made["wape"].value == np.inf
    assert "every true value is 0" in made["wape"].why


def test_a_perfect_prediction_has_degenerate_intervals():
    made = estimate_values(outcomes(range(30), range(30)), Options())

    for key in ("rmse", "mae", "r2", "pearson", "spearman", "bias", "rae", "medae"):
        assert "degenerate" in made[key].note, key


def test_the_largest_error_has_no_interval():
    assert estimate_values(noisy(50), Options())["max_error"].method is None


def test_methods_are_named():
    made = estimate_values(noisy(50), Options(level=0.9))

    assert made["rmse"].method == "bootstrap-se"
    assert made["bias"].method == "t"
    assert made["medae"].method == "order-statistics"
    assert made["kendall_tau_b"].method == "fisher-z"
    assert made["rae"].method == "wald"
    assert {estimate.level for estimate in made.values() if estimate.low is not None} == {0.9}


def test_many_rows_are_resampled_in_groups():
    made = estimate_values(noisy(20_000), Options())["r2"]

    assert made.method == "bootstrap-se"
    assert made.low < made.value < made.high


def test_the_interval_of_rae_is_as_wide_as_resampling_makes_it():
    data = noisy(400)
    estimate = estimate_values(data, Options())["rae"]
    rng = np.random.default_rng(5)
    draws = [
        RAE(outcomes(data.truth[rows], data.prediction[rows]))
        for rows in (rng.integers(400, size=400) for _ in range(2000))
    ]

    assert (estimate.high - estimate.low) / 2 / 1.96 == pytest.approx(np.std(draws), rel=0.1)


def limits(errors, **others):
    made = estimate_values(outcomes(np.zeros(len(errors)), errors, **others), Options())
    return [made[key] for key in ("bland_altman_low", "bland_altman_high")]


def half_widths(errors):
    return [(made.high - made.low) / 2 for made in limits(errors)]


def test_limits_of_agreement_of_few_large_errors_have_the_interval_that_these_ask():
    # Of 400 errors 20 are 1, all others 0. With the share p of ones the limits p + z s move by
    # 1 + z (1 - 2 p) / (2 s), where s^2 = p (1 - p), and p has the standard error s / 20.
    p, z = 0.05, 1.959963984540054
    s = (p * (1 - p)) ** 0.5
    by_hand = [1.9659 * s / 20 * abs(1 + side * z * (1 - 2 * p) / (2 * s)) for side in (-1, 1)]
    normal = 1.9659 * s / 20 * (1 + z**2 / 2) ** 0.5
    found = half_widths([1.0] * 20 + [0.0] * 380)
    assert found == pytest.approx(by_hand, rel=0.06)
    assert min(found) > 1.5 * normal


def test_limits_of_agreement_have_the_standard_error_of_a_bootstrap_elsewhere():
    errors = np.random.default_rng(3).lognormal(size=300)
    for side, mine in zip((-1, 1), half_widths(errors), strict=True):
        theirs = bootstrap(
            (errors,), lambda e, axis, k=side: e.mean(axis) + k * 1.96 * e.std(axis, ddof=1),
            method="percentile", rng=np.random.default_rng(4),
        ).standard_error  # fmt: skip
        assert mine == pytest.approx(1.968 * theirs, rel=0.06)


@given(
    errors=st.lists(st.floats(-100, 100), min_size=5, max_size=60).filter(lambda e: np.ptp(e) > 1),
    shift=st.integers(-50, 50),
)
def test_limits_of_agreement_are_never_narrower_than_those_of_normal_errors(errors, shift):
    n, s = len(errors), np.std(errors, ddof=1)
    normal = mean_interval(0.0, s * (1 + 1.959963984540054**2 * n / (2 * (n - 1))) ** 0.5, n).high
    found = limits(errors)
    assert all((made.high - made.low) / 2 >= normal * (1 - 1e-6) for made in found)
    for made, moved in zip(found, limits(np.array(errors) + shift), strict=True):
        assert moved.low == pytest.approx(made.low + shift, abs=1e-6)
        assert moved.method == made.method


def test_limits_of_agreement_that_few_errors_decide_say_so():
    errors = np.random.default_rng(1).normal(size=200)
    assert not any(made.note for made in limits(errors))
    errors[7] = 60
    assert all(
        "few rows hold much of the errors’ variation" in made.note for made in limits(errors)
    )


def covered(metric, truth, n=150, trials=300):
    """Return how often a 95% interval holds the true value, over samples of noisy rows."""
    held = 0
    for seed in range(trials):
        estimate = estimate_values(noisy(n, seed), Options(resamples=400), [metric])[metric.key]
        held += estimate.low <= truth <= estimate.high
    return held / trials


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "truth"),
    [("bias", 0.0), ("medae", 0.6744897501960817), ("r2", 0.0), ("pearson", 0.5**0.5),
     ("rae", 1.0), ("kendall_tau_b", 0.5), ("rmse", 1.0)],
)  # fmt: skip
def test_intervals_cover_the_truth_about_as_often_as_they_say(key, truth):
    (metric,) = (metric for metric in VALUES if metric.key == key)

    # Within three standard errors of 300 trials, and 1% that 150 rows cost the bootstrap.
    assert 0.9 <= covered(metric, truth) <= 0.985


def codes(data):
    return {notice.code: notice for notice in value_remarks("m", data)}


def test_remarks_name_the_rows():
    data = outcomes([0, 10, 0, 5], [1, 9, -2, 6], rows=np.array([3, 4, 8, 9]))
    found = codes(data)

    assert set(found) == {"zero-truth", "no-logarithm"}
    assert found["zero-truth"].rows == (3, 8)
    assert "zero in 2 of 4 rows" in found["zero-truth"].message
    assert found["no-logarithm"].rows == (8,)


def test_a_constant_truth_is_remarked():
    assert "constant" in codes(outcomes([7, 7], [7, 8]))["constant-truth"].message


def test_ordinary_values_need_no_remark():
    assert codes(outcomes([1, 2], [2, 1])) == {}


def test_pairs_whose_ties_are_rounded_above_their_total_have_no_tau_and_no_warning(
    recwarn: pytest.WarningsRecorder,
) -> None:
    total = 0.3
    assert np.isnan(tau_b(Pairs(total, 0.0, 0.1 + 0.2, 0.1, 0.1)))
    assert len(recwarn) == 0


def few(**models):
    return list(few_rows({name: outcomes(*columns) for name, columns in models.items()}))


# 19 errors of 1 and one of 10: the squares add up to 119, of which 100 are one row's.
TRUTH, ONE_OFF = [0.0] * 20, [1.0] * 19 + [10.0]
# 19 errors of 2 and one of 4 add up to 92: less with the row, more without it.
STEADY = [2.0] * 19 + [4.0]


def test_a_row_that_makes_up_most_of_the_squared_error_is_named_with_what_it_does():
    [found] = few(a=(TRUTH, ONE_OFF))

    assert found.message == (
        'Row 20 makes up 84% of the squared error of "a" (true 0, predicted 10; RMSE 2.439 with '
        "it, 1 without). Check it: the mean absolute error rests less on it."
    )
    assert (found.code, found.severity, found.rows) == ("one-row", "warning", (20,))


def test_a_row_that_decides_which_model_leads_is_said_first():
    [found] = few(a=(TRUTH, ONE_OFF), b=(TRUTH, STEADY))

    lead = 'Row 20 decides which model has the lowest RMSE: "b" with it, "a" without it. Row 20'
    assert found.message.startswith(lead)
    assert '"b" (true' not in found.message  # 16 of 92 are no half


def test_rows_that_decide_which_model_leads_come_before_others():
    one_large, two_large = [1.0] * 97 + [12.0] * 2 + [50.0], [1.0] * 98 + [70.0] * 2
    found = few(a=([0.0] * 100, one_large), b=([0.0] * 100, two_large))
    assert [one.code for one in found] == ["few-rows", "one-row"]
    assert found[0].message.startswith(
        'Rows 99 and 100 decide which model has the lowest RMSE: "a"'
    )


def test_a_row_that_several_models_miss_is_said_once():
    [found] = few(a=(TRUTH, ONE_OFF), b=(TRUTH, [1.0] * 19 + [20.0]))

    # 400 of 419
    assert '84% of the squared error of "a"' in found.message
    assert '95.4% of the squared error of "b" (true 0, predicted 20;' in found.message
    assert "decide" not in found.message


@pytest.mark.parametrize(
    "columns", [(TRUTH[1:], ONE_OFF[1:]), (TRUTH, STEADY), (TRUTH, TRUTH), ([], [])]
)
def test_one_row_small_shares_and_no_errors_at_all_need_no_word(columns):
    assert few(a=columns) == []


def test_two_or_three_rows_that_make_up_most_of_the_squared_error_are_named_together():
    # Of 100 errors, two of 8 make 128 of 226; three of 6 make 108 of 205.
    two, three = [1.0] * 98 + [8.0, -8.0], [6.0] * 3 + [1.0] * 97
    [found] = few(a=([0.0] * 100, two))
    assert found.message == (
        'Rows 99 and 100 make up 56.6% of the squared error of "a" (true 0, predicted 8; true 0, '
        "predicted -8; RMSE 1.503 with them, 1 without). Check them: the mean absolute error "
        "rests less on them."
    )
    assert (found.code, found.rows) == ("few-rows", (99, 100))
    [found] = few(a=([0.0] * 100, three), b=([0.0] * 100, [1.4] * 100))
    assert found.message.startswith('Rows 1, 2 and 3 decide which model has the lowest RMSE: "b"')
    assert "make up 52.6%" in found.message
    assert few(a=([0.0] * 99, three[:99])) == []  # of so few, three easily do


@given(
    errors=st.lists(st.integers(-50, 50), min_size=1, max_size=120),
    large=st.lists(st.integers(50, 900), max_size=4),
    seed=st.integers(0, 5),
    scale=st.sampled_from([0.5, 1.0, 8.0]),
)
def test_rows_are_told_of_exactly_where_the_fewest_outweigh_all_others(errors, large, seed, scale):
    every = np.random.default_rng(seed).permutation(np.array(errors + large, dtype=np.float64))
    error, found = scale * every, few(a=(np.zeros(len(every)), scale * every))
    order = np.argsort(-(every**2), kind="stable")
    enough = [k for k, n in ((1, 20), (2, 50), (3, 100)) if len(every) >= n]
    heavy = [k for k in enough if 2 * np.sum(every[order[:k]] ** 2) > np.sum(every**2)]

    assert [len(one.rows) for one in found] == heavy[:1]
    if heavy:
        rest = np.delete(error, np.array(found[0].rows) - 1)
        assert np.sum(rest**2) == pytest.approx(np.sum(error[order[heavy[0] :]] ** 2))
        them = "them" if heavy[0] > 1 else "it"
        assert f"RMSE {significant(np.sqrt(np.mean(error**2)), 4)} with {them}, " in (
            found[0].message
        )
        assert f"{significant(np.sqrt(np.mean(rest**2)), 4)} without)" in found[0].message


def probable(chances, **others):
    """Return a model that gives the truth, 0 and 1 by turns, these probabilities."""
    chances = np.asarray(chances, dtype=np.float64)
    truth = np.arange(len(chances)) % 2
    score = np.where(truth == 1, chances, 1 - chances)
    return BinaryOutcomes(
        classes=("no", "yes"), truth=truth.astype(np.int8), score=score, probability=True, **others
    )


def test_a_confident_error_that_makes_up_most_of_the_log_loss_is_named():
    # 19 losses of -ln 0.9 add up to 2.0018, beside one of -ln 0.0001 = 9.2103.
    model = probable([0.9] * 19 + [0.0001])
    [found] = few_rows({"a": model})
    theirs = [log_loss(model.truth[:n], model.score[:n], labels=[0, 1]) for n in (20, 19)]
    assert found.message == (
        'Row 20 makes up 82.1% of the log loss of "a" (the true class has a probability of 0.0001; '
        f"log loss {significant(theirs[0], 4)} with it, {significant(theirs[1], 4)} without). "
        "Check it: the Brier score rests less on it."
    )
    three = ClassOutcomes(
        classes=tuple("abc"),
        truth=np.zeros(20, np.int8),
        probabilities=np.array([[0.9, 0.05, 0.05]] * 19 + [[0.0001, 0.4999, 0.5]]),
    )
    assert [one.message for one in few_rows({"a": three})] == [found.message]


@pytest.mark.parametrize(
    "chances",
    [
        [0.99] * 19 + [0.01],  # most of the loss, but one row in 100 is that unlikely
        [0.9] * 18 + [0.0001] * 2,  # no row has more than half
        [0.9] * 18 + [0.0001],  # fewer than 20 rows
    ],
)
def test_other_errors_of_probabilities_need_no_word(chances):
    assert list(few_rows({"a": probable(chances)})) == []


def test_a_probability_of_zero_makes_up_all_of_the_log_loss():
    [found] = few_rows({"a": probable([0.9] * 19 + [0.0])})
    assert "makes up 100% of the log loss" in found.message
    assert "probability of 0; log loss ∞ with it, 0.105 without" in found.message


def test_scores_that_are_no_probabilities_have_no_log_loss():
    model = replace(probable([0.9] * 19 + [0.0001]), probability=False)
    assert list(few_rows({"a": model})) == []


def test_whole_weights_are_rows_and_relative_ones_are_not():
    data = {"weight": np.array([1.0] * 19 + [2.0])}
    twice = outcomes(TRUTH, ONE_OFF, **data)
    # Two rows alike are no single row; a row that matters twice is one row.
    assert list(few_rows({"a": twice})) == []
    [found] = few_rows({"a": replace(twice, counted=False)})
    assert "makes up 91.3% of the squared error" in found.message  # 200 of 219


def test_cells_of_counts_are_not_named_as_rows():
    [found] = few_rows({"a": outcomes(TRUTH, ONE_OFF, weight=np.array([2.0] * 19 + [1.0]))})

    # 100 of 138
    assert found.message.startswith('One row makes up 72.4% of the squared error of "a"')
    assert found.rows == ()


def test_evaluating_and_comparing_say_it_once():
    rng = np.random.default_rng(0)
    truth = rng.normal(200, 30, 100).round()
    first, second = (truth + rng.normal(0, spread, 100).round() for spread in (5, 9))
    truth[16], second[16] = 9999, 900
    dataset = rows(list(truth), list(first), list(second), header="truth,pred_a,pred_b")

    told = [one for one in evaluate(dataset, Options()).notices if one.code == "one-row"]
    assert len(told) == 1
    assert "Row 17 decides which model has the lowest RMSE" in told[0].message
    assert told == [one for one in compare(dataset, Options()).notices if one.code == "one-row"]
    by_mae = compare(dataset, Options(), metric="mae")
    assert "one-row" not in {one.code for one in by_mae.notices}
