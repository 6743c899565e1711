import numpy as np
import pytest

from evalcore.resampling import values_bootstrap
from evalcore.resampling.values_bootstrap import bootstrap_moments
from evalcore.tables.residuals import ResidualMoments


def made(n, seed=0):
    """Return a truth and a prediction with skew errors, some of them zero."""
    rng = np.random.default_rng(seed)
    truth = rng.gamma(2.0, 3.0, size=n)
    return truth, truth + rng.exponential(size=n) * rng.integers(0, 2, size=n)


def r2(table):
    return 1 - (table.error_ss + table.bias_ss) / table.truth_ss


def mae(table):
    return table.absolute_error / table.n


def naive(truth, prediction, statistic, draws=3000):
    """Resample rows one resample at a time."""
    rng = np.random.default_rng(99)
    n = len(truth)
    samples = (rng.integers(n, size=n) for _ in range(draws))
    return np.array([
        statistic(ResidualMoments.from_values(truth[rows], prediction[rows])) for rows in samples
    ])  # fmt: skip


def assert_same_distribution(mine, theirs):
    spread = theirs.std()
    assert mine.mean() == pytest.approx(theirs.mean(), abs=0.08 * spread)
    assert mine.std() == pytest.approx(spread, rel=0.06)
    for share in (0.025, 0.975):
        gap = np.quantile(mine, share) - np.quantile(theirs, share)
        assert abs(gap) < 0.15 * spread


@pytest.mark.parametrize("statistic", [r2, mae])
@pytest.mark.parametrize("exact", [True, False])
def test_draws_are_distributed_as_those_of_a_loop_over_resamples(statistic, exact, monkeypatch):
    truth, prediction = made(400)
    if not exact:
        monkeypatch.setattr(values_bootstrap, "EXACT_ROWS", 0)
    draws = bootstrap_moments(truth, [prediction], None, np.random.default_rng(1), 3000)

    assert draws.method == ("bootstrap-percentile" if exact else "bootstrap-normal")
    assert_same_distribution(statistic(draws.tables[0]), naive(truth, prediction, statistic))


@pytest.mark.parametrize("exact", [True, False])
def test_draws_of_two_models_are_of_the_same_rows(exact, monkeypatch):
    truth, prediction = made(300)
    if not exact:
        monkeypatch.setattr(values_bootstrap, "EXACT_ROWS", 0)
    shifted = [prediction, prediction + 1]
    one, other = bootstrap_moments(truth, shifted, None, np.random.default_rng(1), 500).tables

    np.testing.assert_allclose(other.mean_error - one.mean_error, 1.0)
    np.testing.assert_allclose(other.error_ss, one.error_ss, rtol=1e-6)


def test_whole_weights_are_rows():
    truth, prediction = made(60)
    weight = np.random.default_rng(3).integers(0, 4, size=60).astype(np.float64)
    times = weight.astype(int)
    mine, theirs = (
        mae(bootstrap_moments(y, [f], w, np.random.default_rng(1), 4000).tables[0])
        for y, f, w in (
            (truth, prediction, weight),
            (np.repeat(truth, times), np.repeat(prediction, times), None),
        )
    )

    assert_same_distribution(mine, theirs)


def test_undefined_logarithms_leave_the_other_draws_alone(monkeypatch):
    monkeypatch.setattr(values_bootstrap, "EXACT_ROWS", 0)
    truth, prediction = made(100)
    truth = truth - 5
    (table,) = bootstrap_moments(truth, [prediction], None, np.random.default_rng(1), 200).tables

    assert np.isnan(table.log_error).all()
    assert np.isfinite(table.error_ss).all()
    assert np.std(table.error_ss) > 0


def test_sums_that_cannot_be_negative_never_are(monkeypatch):
    monkeypatch.setattr(values_bootstrap, "EXACT_ROWS", 0)
    truth = np.zeros(100)
    prediction = np.eye(1, 100)[0] * 1e6
    (table,) = bootstrap_moments(truth, [prediction], None, np.random.default_rng(1), 500).tables

    assert table.absolute_error.min() >= 0


def test_the_same_seed_gives_the_same_draws():
    truth, prediction = made(500)
    one, other = (
        bootstrap_moments(truth, [prediction], None, np.random.default_rng(7), 300).tables[0]
        for _ in range(2)
    )

    np.testing.assert_array_equal(one.error_ss, other.error_ss)
