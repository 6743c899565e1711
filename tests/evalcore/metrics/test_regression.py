"""The metrics of predicted numbers: by hand, against scikit-learn and scipy, and at their edges."""

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from scipy import stats
from sklearn import metrics as sk

from evalcore.evaluation.estimates import value_tables
from evalcore.metrics.catalog import VALUES
from evalcore.metrics.metric import Family
from evalcore.metrics.regression import adjusted_r2, pinball
from evalcore.outcomes import NumericOutcomes

METRIC = {metric.key: metric for metric in VALUES}
PUBLISHED = (
    "mae", "mse", "rmse", "sse", "medae", "max_error", "bias", "r2", "adjusted_r2",
    "explained_variance", "mape", "smape", "wape", "msle", "rmsle", "male", "pearson",
    "spearman", "kendall_tau_a", "kendall_tau_b", "concordance_correlation", "rae", "rrse",
    "pinball", "bland_altman_low", "bland_altman_high", "tss", "rss", "ess", "mape_nonzero",
)  # fmt: skip
POSITIVE = st.floats(0.125, 1000)
ROWS = st.lists(st.tuples(POSITIVE, POSITIVE, st.integers(0, 3)), min_size=3, max_size=40)


def values(truth, prediction, weight=None):
    """Return every metric's value by its key."""
    outcomes = NumericOutcomes(
        truth=np.asarray(truth, dtype=np.float64),
        prediction=np.asarray(prediction, dtype=np.float64),
        weight=None if weight is None else np.asarray(weight, dtype=np.float64),
    )
    tables = value_tables(outcomes)
    return {metric.key: metric(tables[metric.needs]) for metric in VALUES}


def columns(rows):
    truth, prediction, weight = np.array(rows, dtype=np.float64).T
    return truth, prediction, weight


def assert_equal_values(one, other):
    for key in one:
        assert one[key] == pytest.approx(other[key], rel=1e-6, abs=1e-6, nan_ok=True), key


HAND_WORKED = {
    "mae": 1.0,
    "mse": 1.5,
    "rmse": 1.5**0.5,
    "sse": 6.0,
    "medae": 1.0,
    "max_error": 2.0,
    "bias": 0.5,
    "r2": 1 - 6 / 14,
    "explained_variance": 1 - 5 / 14,
    "mape_nonzero": (0 + 2 / 2 + 1 / 5) / 3,
    "smape": (2 + 0 + 4 / 6 + 2 / 9) / 4,
    "wape": 4 / 8,
    "male": np.log([2, 5 / 3, 6 / 5]).sum() / 4,
    "msle": (np.log([2, 5 / 3, 6 / 5]) ** 2).sum() / 4,
    "pearson": 9 / (14 * 9) ** 0.5,
    "concordance_correlation": 2 * 9 / (14 + 9 + 1),
    # Mid-ranks 1 2 3 4 against 1.5 1.5 3.5 3.5; four pairs in order, two tied.
    "spearman": 4 / (5 * 4) ** 0.5,
    "kendall_tau_a": 4 / 6,
    "kendall_tau_b": 4 / (6 * 4) ** 0.5,
    "rae": 4 / (2 + 1 + 0 + 3),
    "rrse": (6 / 14) ** 0.5,
    "pinball": 0.5,
    "bland_altman_low": 0.5 - 1.959963984540054 * (5 / 3) ** 0.5,
    "bland_altman_high": 0.5 + 1.959963984540054 * (5 / 3) ** 0.5,
    "tss": 14.0,
    "rss": 6.0,
    "ess": 1 + 1 + 4 + 4,
}


@pytest.mark.parametrize("key", HAND_WORKED)
def test_a_hand_worked_example(key):
    assert values([0, 1, 2, 5], [1, 1, 4, 4])[key] == pytest.approx(HAND_WORKED[key], rel=1e-12)


def test_every_published_key_is_declared_once_with_a_source():
    assert sorted(metric.key for metric in VALUES) == sorted(PUBLISHED)
    for metric in VALUES:
        assert metric.family is Family.VALUES
        assert metric.source.text
        assert metric.summary.endswith(".")


@given(ROWS)
def test_values_are_those_of_scikit_learn_and_scipy(rows):
    y, f, _ = columns(rows)
    assume(np.std(y) > 1e-3 and np.std(f) > 1e-3)
    mine = values(y, f)
    theirs = {
        "mae": sk.mean_absolute_error(y, f),
        "mse": sk.mean_squared_error(y, f),
        "rmse": sk.root_mean_squared_error(y, f),
        "medae": sk.median_absolute_error(y, f),
        "max_error": sk.max_error(y, f),
        "r2": sk.r2_score(y, f),
        "explained_variance": sk.explained_variance_score(y, f),
        "mape": sk.mean_absolute_percentage_error(y, f),
        "msle": sk.mean_squared_log_error(y, f),
        "rmsle": sk.root_mean_squared_log_error(y, f),
        "pinball": sk.mean_pinball_loss(y, f, alpha=0.5),
        "pearson": stats.pearsonr(y, f).statistic,
        "spearman": stats.spearmanr(y, f).statistic,
        "kendall_tau_b": stats.kendalltau(y, f).statistic,
    }
    for key, value in theirs.items():
        assert mine[key] == pytest.approx(value, rel=1e-6, abs=1e-6), key
    for quantile in (0.1, 0.9):
        table = value_tables(NumericOutcomes(truth=y, prediction=f))
        assert pinball(quantile)(table[METRIC["mae"].needs]) == pytest.approx(
            sk.mean_pinball_loss(y, f, alpha=quantile), rel=1e-6, abs=1e-9
        )


@given(ROWS)
def test_weight_two_is_the_row_twice_and_weight_zero_no_row(rows):
    y, f, weight = columns(rows)
    times = weight.astype(int)
    assume(times.sum() > 1)
    repeated = values(np.repeat(y, times), np.repeat(f, times))
    assume(not np.isnan(repeated["r2"]))
    assert_equal_values(values(y, f, weight), repeated)


@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(rows, random):
    y, f, _ = columns(rows)
    order = random.sample(range(len(y)), len(y))
    assert_equal_values(values(y, f), values(y[order], f[order]))


@given(ROWS)
def test_values_stay_in_their_range(rows):
    for key, value in values(*columns(rows)[:2]).items():
        if not np.isnan(value):
            assert METRIC[key].low <= value <= METRIC[key].high, key


@given(st.lists(POSITIVE, min_size=3, max_size=40, unique=True))
def test_a_perfect_prediction_reaches_the_good_end(truth):
    perfect = values(truth, truth)
    for key, metric in METRIC.items():
        goal = metric.low if metric.better.value == "lower" else metric.high
        if metric.better.value != "neither" and key != "adjusted_r2":
            assert perfect[key] == pytest.approx(goal, abs=1e-12), key
    assert perfect["bias"] == 0
    assert perfect["rss"] + perfect["ess"] == pytest.approx(perfect["tss"])


def test_a_constant_truth_leaves_shares_of_its_variation_undefined():
    constant = values([7, 7, 7, 7], [7.5, 6.5, 7.1, 7.1])

    undefined = {key for key, value in constant.items() if np.isnan(value)}
    correlations = {"pearson", "spearman", "kendall_tau_b"}
    shares = {"r2", "adjusted_r2", "explained_variance", "rae", "rrse"}
    assert undefined == shares | correlations
    assert constant["mae"] == pytest.approx(0.3)
    assert constant["kendall_tau_a"] == 0
    assert constant["concordance_correlation"] == 0


def test_a_zero_truth_leaves_the_percentage_error_undefined_but_not_that_of_other_rows():
    zero = values([0, 10, 0, 5], [1, 9, 0, 6])

    assert np.isnan(zero["mape"])
    assert zero["mape_nonzero"] == pytest.approx((0.1 + 0.2) / 2)
    assert np.isnan(values([0, 0], [1, 2])["mape_nonzero"])
    assert values([0, 0], [1, 2])["wape"] == np.inf


def test_values_of_minus_one_or_less_leave_logarithmic_errors_undefined():
    assert all(np.isnan(values([-1, 2], [0, 2])[key]) for key in ("msle", "rmsle", "male"))
    assert values([-0.5, 2], [0, 2])["male"] == pytest.approx(np.log(2) / 2)


def test_without_rows_nothing_is_defined():
    assert all(np.isnan(value) for value in values([], []).values())


def test_one_row_has_an_error_but_no_spread():
    one = values([3], [5])

    assert (one["mae"], one["rmse"], one["bias"], one["medae"]) == (2, 2, 2, 2)
    assert all(np.isnan(one[key]) for key in ("r2", "pearson", "bland_altman_low"))


def test_squares_beyond_the_largest_number_are_infinite_not_an_error():
    huge = values([1e200, 2e200], [3e200, 1e200])

    assert (huge["mse"], huge["tss"]) == (np.inf, np.inf)
    assert np.isnan(huge["pearson"])
    assert huge["mae"] == pytest.approx(1.5e200)


def test_adjusted_r2_needs_the_number_of_predictors_and_enough_rows():
    outcomes = NumericOutcomes(truth=np.array([0.0, 1, 2, 5]), prediction=np.array([1.0, 1, 4, 4]))
    table = value_tables(outcomes)[METRIC["r2"].needs]

    assert adjusted_r2(1)(table) == pytest.approx(1 - 6 / 14 * 3 / 2)
    assert np.isnan(adjusted_r2(3)(table))
    assert np.isnan(METRIC["adjusted_r2"](table))
