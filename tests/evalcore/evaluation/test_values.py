"""Predicted numbers from rows to estimates: intervals, reasons and remarks."""

import numpy as np
import pytest

from evalcore.evaluation.estimates import estimate_values
from evalcore.evaluation.remarks import value_remarks
from evalcore.metrics.catalog import VALUES
from evalcore.metrics.regression import RAE, tau_b
from evalcore.options import Options
from evalcore.outcomes import NumericOutcomes
from evalcore.tables.residuals import Pairs


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
