"""The metrics of predicted numbers and their intervals against R."""

import numpy as np
import pytest

from evalcore.evaluation.estimates import estimate_values, value_tables
from evalcore.intervals.closed import fisher_interval, mean_interval
from evalcore.intervals.resamples import Resamples, percentile_bootstrap
from evalcore.metrics.catalog import VALUES
from evalcore.metrics.regression import adjusted_r2, pinball
from evalcore.options import Options
from evalcore.outcomes import NumericOutcomes

from ..golden import Golden, entries, frame, ids

SAME = (
    "rmse", "mae", "r2", "mse", "medae", "max_error", "explained_variance", "rae", "rrse",
    "mape", "wape", "rmsle", "msle",
)  # fmt: skip
OTHER = {
    "mean_bias_pred_minus_truth": "bias",
    "smape_200": "smape",
    "ccc_n": "concordance_correlation",
}
KEY = {key: key for key in SAME} | OTHER


def outcomes(entry: Golden) -> NumericOutcomes:
    data = frame("diabetes_reg_cv.csv")
    if "group" in entry.params:
        data = data[data[entry.params["group_column"]] == entry.params["group"]]
    prediction = data[f"{entry.params['model']}_pred"].to_numpy(np.float64)
    return NumericOutcomes(truth=data["truth"].to_numpy(np.float64), prediction=prediction)


def value(metric, data: NumericOutcomes) -> float:
    return metric(value_tables(data)[metric.needs])


def metric(key: str):
    return next(metric for metric in VALUES if metric.key == key)


def estimated(entry: Golden, key: str):
    return estimate_values(outcomes(entry), Options(), [metric(key)])[key]


def picked(*quantities: str) -> list[Golden]:
    return [entry for entry in entries(id="reg.*") if entry.quantity in quantities]


@pytest.mark.parametrize("entry", picked(*KEY), ids=ids(picked(*KEY)))
def test_one_number(entry):
    entry.check(value(metric(KEY[entry.quantity]), outcomes(entry)))


SETTINGS = picked("adjusted_r2", "pinball_0.1", "pinball_0.5", "pinball_0.9")


@pytest.mark.parametrize("entry", SETTINGS, ids=ids(SETTINGS))
def test_one_number_with_a_setting(entry):
    declared = (
        adjusted_r2(entry.params["n_predictors"])
        if entry.quantity == "adjusted_r2"
        else pinball(entry.params["quantile"])
    )
    entry.check(value(declared, outcomes(entry)))


@pytest.mark.parametrize("entry", picked("rss_tss_ess"), ids=ids(picked("rss_tss_ess")))
def test_sums_of_squares_do_not_add_up_out_of_sample(entry):
    sums = {key: value(metric(key), outcomes(entry)) for key in ("rss", "tss", "ess")}
    entry.check(sums | {"cross_term": sums["tss"] - sums["rss"] - sums["ess"]})


@pytest.mark.parametrize("entry", picked("kendall_counts"), ids=ids(picked("kendall_counts")))
def test_kendall(entry):
    keys = {"tau_a": "kendall_tau_a", "tau_b": "kendall_tau_b"}
    entry.check({name: value(metric(key), outcomes(entry)) for name, key in keys.items()})


@pytest.mark.parametrize("entry", picked("pearson"), ids=ids(picked("pearson")))
def test_pearson_with_its_interval(entry):
    mine, data = estimated(entry, "pearson"), outcomes(entry)
    fisher = fisher_interval(mine.value, lambda _: 1 / np.sqrt(len(data.truth) - 3))
    entry.check({"r": mine.value, "ci_low": fisher.low, "ci_high": fisher.high})
    # The product's own does not rest on normal values; of nearly normal ones it is much the same.
    assert [mine.low, mine.high] == pytest.approx([fisher.low, fisher.high], abs=0.02)


@pytest.mark.parametrize("entry", picked("spearman"), ids=ids(picked("spearman")))
def test_spearman(entry):
    entry.check({"rho": estimated(entry, "spearman").value})


SPEARMAN_INTERVALS = picked("spearman_ci_bonett_wright")


@pytest.mark.parametrize("entry", SPEARMAN_INTERVALS, ids=ids(SPEARMAN_INTERVALS))
def test_the_interval_of_spearman(entry):
    mine = estimated(entry, "spearman")
    entry.check([mine.low, mine.high])


CONCORDANCE = picked("concordance_correlation_coefficient")


@pytest.mark.parametrize("entry", CONCORDANCE, ids=ids(CONCORDANCE))
def test_concordance_with_its_interval(entry):
    mine = estimated(entry, "concordance_correlation")
    entry.check({"ccc": mine.value})
    theirs = [entry.value["ci_low_z"], entry.value["ci_high_z"]]
    assert [mine.low, mine.high] == pytest.approx(theirs, abs=0.02)


@pytest.mark.parametrize("entry", picked("bland_altman"), ids=ids(picked("bland_altman")))
def test_limits_of_agreement_and_the_standard_error_of_their_intervals(entry):
    bias, low, high = (estimated(entry, key) for key in
                       ("bias", "bland_altman_low", "bland_altman_high"))  # fmt: skip
    data = outcomes(entry)
    unit = mean_interval(0.0, np.sqrt(data.n), data.n, 0.95).high
    entry.check({"bias": bias.value, "bias_ci_low": bias.low, "bias_ci_high": bias.high,
                 "loa_low": low.value, "loa_high": high.value,
                 "loa_se_approx": (low.high - low.value) / unit})  # fmt: skip


@pytest.mark.parametrize("entry", picked("mae_ci_t"), ids=ids(picked("mae_ci_t")))
def test_students_interval_of_a_mean(entry):
    data = outcomes(entry)
    size = np.abs(data.prediction - data.truth)
    interval = mean_interval(size.mean(), size.std(ddof=1), data.n)
    entry.check([interval.low, interval.high])


@pytest.mark.parametrize("entry", picked("group_metrics"), ids=ids(picked("group_metrics")))
def test_groups_of_rows(entry):
    data = outcomes(entry)
    entry.check({"n": data.n} | {k: value(metric(k), data) for k in ("rmse", "mae", "bias", "r2")})


@pytest.mark.parametrize("entry", picked("rmse_per_fold"), ids=ids(picked("rmse_per_fold")))
def test_rmse_of_each_fold(entry):
    data, fold = outcomes(entry), frame("diabetes_reg_cv.csv")["fold"].to_numpy()
    entry.check([
        value(metric("rmse"), NumericOutcomes(truth=data.truth[fold == k],
                                              prediction=data.prediction[fold == k]))
        for k in range(1, 11)
    ])  # fmt: skip


@pytest.mark.parametrize("entry", entries(id="textbook.h.*"), ids=ids(entries(id="textbook.h.*")))
def test_exact_values_of_a_small_example(entry):
    data = NumericOutcomes(truth=np.array(entry.params["truth"], dtype=np.float64),
                           prediction=np.array(entry.params["pred"], dtype=np.float64))  # fmt: skip
    same = (
        "mse", "rmse", "mae", "medae", "max_error", "r2", "explained_variance", "pearson",
        "spearman", "kendall_tau_a", "kendall_tau_b", "tss", "rss", "ess",
    )  # fmt: skip
    mine = {key: value(metric(key), data) for key in same}
    entry.check(mine | {"bias_pred_minus_truth": value(metric("bias"), data)})


@pytest.mark.parametrize("quantity", ["r2", "rmse"])
def test_percentile_intervals_are_those_of_ten_thousand_resamples_in_r(quantity):
    (entry,) = entries(id=f"boot.diabetes_reg_cv.linreg.{quantity}")
    data = outcomes(entry)
    [moments] = Resamples.of(data.n, None, np.random.default_rng(0)).moments(
        data.truth, [data.prediction], None
    )
    mine = percentile_bootstrap(np.asarray(metric(quantity)(moments)), 0.95).interval
    theirs = entry.value["percentile"]
    # The entry's tolerance covers three runs of 10,000; this is one of 2,000.
    np.testing.assert_allclose([mine.low, mine.high], theirs, atol=2 * entry.tolerance)
