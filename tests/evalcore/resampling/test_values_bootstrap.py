import numpy as np
import pytest

from evalcore.resampling import grouped
from evalcore.resampling.grouped import Resamples
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


def drawn(truth, prediction, weight=None, *, resamples=500, seed=1):
    rng = np.random.default_rng(seed)
    draws = Resamples.of(len(truth), weight, rng, resamples)
    return bootstrap_moments(truth, prediction, weight, draws)


def naive(truth, prediction, statistic, draws=3000):
    """Resample rows one resample at a time."""
    rng = np.random.default_rng(99)
    n = len(truth)
    samples = (rng.integers(n, size=n) for _ in range(draws))
    return np.array([
        statistic(ResidualMoments.from_values(truth[rows], prediction[rows])) for rows in samples
    ])  # fmt: skip


def assert_same_distribution(mine, theirs, *, grouped=False):
    spread = theirs.std()
    # Chance in 250 groups moves the spread by 4.5%.
    assert mine.std() == pytest.approx(spread, rel=0.15 if grouped else 0.06)
    assert mine.mean() == pytest.approx(theirs.mean(), abs=0.08 * spread)
    for share in (0.025, 0.975):
        gap = np.quantile(mine, share) - np.quantile(theirs, share)
        assert abs(gap) < (0.35 if grouped else 0.15) * spread


@pytest.fixture(params=[True, False], ids=["row by row", "grouped"])
def exact(request, monkeypatch):
    """Draw rows, or groups of two rows or so."""
    if not request.param:
        monkeypatch.setattr(grouped, "GROUPS", 250)
    return request.param


@pytest.mark.parametrize("statistic", [r2, mae])
def test_draws_are_distributed_as_those_of_a_loop_over_resamples(statistic, exact):
    truth, prediction = made(500)
    mine = statistic(drawn(truth, prediction, resamples=3000))

    assert_same_distribution(mine, naive(truth, prediction, statistic), grouped=not exact)


def test_sorted_rows_are_dealt_at_random():
    truth, prediction = made(40_000)
    order = np.argsort(prediction - truth)
    mine, sorted_ = (
        mae(drawn(y, f, resamples=2000))
        for y, f in ((truth, prediction), (truth[order], prediction[order]))
    )

    assert sorted_.std() == pytest.approx(mine.std(), rel=0.12)
    error = np.abs(prediction - truth).std() / 200
    assert sorted_.std() == pytest.approx(error, rel=0.08)


def test_draws_of_two_models_are_of_the_same_rows(exact):
    truth, prediction = made(400)
    draws = Resamples.of(400, None, np.random.default_rng(1), 500)
    one, other = (bootstrap_moments(truth, f, None, draws) for f in (prediction, prediction + 1))

    np.testing.assert_allclose(other.mean_error - one.mean_error, 1.0)
    np.testing.assert_allclose(other.error_ss, one.error_ss, rtol=1e-6)


def test_whole_weights_are_rows(exact):
    truth, prediction = made(300)
    weight = np.random.default_rng(3).integers(0, 4, size=300).astype(np.float64)
    times = weight.astype(int)
    mine = mae(drawn(truth, prediction, weight, resamples=4000))
    theirs = mae(drawn(np.repeat(truth, times), np.repeat(prediction, times), resamples=4000))

    assert_same_distribution(mine, theirs, grouped=not exact)


def test_undefined_logarithms_leave_the_other_draws_alone(exact):
    truth, prediction = made(400)
    table = drawn(truth - 5, prediction)

    assert np.isnan(table.log_error).all()
    assert np.isfinite(table.error_ss).all()
    assert np.std(table.error_ss) > 0


def test_the_same_seed_gives_the_same_draws():
    truth, prediction = made(500)
    one, other = (drawn(truth, prediction, seed=7) for _ in range(2))

    np.testing.assert_array_equal(one.error_ss, other.error_ss)
    assert not np.array_equal(one.error_ss, drawn(truth, prediction, seed=8).error_ss)
