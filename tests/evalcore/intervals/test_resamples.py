"""Rows and groups that are drawn again, and correlations over the draws."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from evalcore.intervals import resamples
from evalcore.intervals.resamples import GROUPS, Resamples
from evalcore.metrics.regression import tau_b
from evalcore.tables.residuals import Ranks, ResidualMoments


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
    return draws.moments(truth, [prediction], weight)[0]


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
        monkeypatch.setattr(resamples, "GROUPS", 250)
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
    one, other = draws.moments(truth, [prediction, prediction + 1], None)

    np.testing.assert_allclose(other.mean_error - one.mean_error, 1.0)
    np.testing.assert_allclose(other.error_ss, one.error_ss, rtol=1e-6)


@pytest.mark.parametrize("n", [40, 3000])  # each row by itself, and rows dealt into groups
def test_models_drawn_together_are_each_as_if_alone(n):
    rng = np.random.default_rng(2)
    truth, weight = rng.normal(size=n), rng.random(n)
    models = [truth + rng.normal(size=n) for _ in range(5)]
    draws = Resamples.of(n, weight, np.random.default_rng(1), 100)
    for model, together in zip(models, draws.moments(truth, models, weight), strict=True):
        [alone] = draws.moments(truth, [model], weight)
        for name, value in vars(alone).items():
            np.testing.assert_allclose(getattr(together, name), value, rtol=1e-12, err_msg=name)


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


few = arrays(np.float64, 9, elements=st.integers(-3, 3))


def draws(n, weight=None, times=20):
    return Resamples.of(n, weight, np.random.default_rng(0), times)


def rows_of(made):
    """The rows of each draw, one after the other."""
    row = np.arange(len(made.group)) if made.row is None else made.row
    return [np.repeat(row, times[made.group].astype(int)) for times in made.times]


@given(few)
def test_medians_are_those_of_the_rows_drawn(values):
    made = draws(9)
    theirs = [np.median(values[rows]) for rows in rows_of(made)]
    assert made.medians(values) == pytest.approx(theirs)


@pytest.mark.filterwarnings("ignore:An input array is constant")
@given(few, few)
def test_correlations_of_ranks_are_scipys(truth, prediction):
    from scipy.stats import spearmanr

    made = draws(9)
    theirs = [spearmanr(truth[rows], prediction[rows]).statistic for rows in rows_of(made)]
    found = made.rank_correlations(truth, prediction)
    assert found == pytest.approx(theirs, nan_ok=True)


@given(few, few)
def test_pairs_are_those_of_the_rows_drawn(truth, prediction):
    made = draws(9)
    found = made.pairs(truth, prediction)
    theirs = [Ranks.from_values(truth[rows], prediction[rows]).pairs for rows in rows_of(made)]
    assert np.array_equal(np.transpose(found), theirs)


@given(few, few)
def test_kendalls_correlation_over_resamples_is_scipys(truth, prediction):
    from scipy.stats import kendalltau

    made = draws(9)
    theirs = [kendalltau(truth[rows], prediction[rows]).statistic for rows in rows_of(made)]
    found = tau_b(made.pairs(truth, prediction))
    assert found == pytest.approx(theirs, nan_ok=True)


def test_pairs_of_fractional_weights_are_those_of_a_table():
    truth, prediction = made(9)
    weight = np.full(9, 1.5)
    drawn_once = Resamples(np.ones((1, 9), np.float32), np.arange(9), None, weight)
    found = drawn_once.pairs(truth, prediction)
    theirs = Ranks.from_values(truth, prediction, weight).pairs
    assert np.ravel(found) == pytest.approx(np.array(theirs))


def test_a_weight_of_two_is_a_row_twice():
    values = np.array([5.0, 1.0, 7.0])
    made = draws(3, weight=np.array([2.0, 1.0, 0.0]))
    assert set(made.pairs(values, values).total) == {3.0}
    theirs = [np.median(values[rows]) for rows in rows_of(made)]
    assert made.medians(values).tolist() == theirs
    assert 7.0 not in theirs


def of(n, weight=None, resamples=50):
    return Resamples.of(n, weight, np.random.default_rng(0), resamples)


def test_few_rows_are_drawn_one_by_one():
    draws = of(30)

    assert draws.times.shape == (50, 30)
    assert (draws.times.sum(axis=1) == 30).all()
    assert (draws.n == 30).all()
    assert draws.method == "bootstrap-percentile"


def test_many_rows_are_dealt_into_groups_of_about_equal_size():
    draws = of(3 * GROUPS + 7)

    assert draws.times.shape == (50, GROUPS)
    sizes = np.bincount(draws.group)
    assert set(sizes) == {3, 4}
    assert draws.method == "bootstrap-grouped"


@pytest.mark.parametrize("n", [40, 5000])
def test_counts_of_all_cells_are_the_rows_drawn(n):
    draws = of(n)
    cell = np.arange(n) % 3

    counts = draws.counts(cell, 3)
    assert counts.shape == (50, 3)
    np.testing.assert_allclose(counts.sum(axis=1), draws.n)


@pytest.mark.parametrize("n", [40, 5000, 70_000])
def test_counts_are_sums_of_ones(n):
    draws = of(n)
    cell = np.arange(n) % 3

    sums = draws.sums(lambda rows: np.stack([cell[rows] == k for k in range(3)]).astype(float))
    np.testing.assert_allclose(sums, draws.counts(cell, 3))


def test_whole_weights_make_rows_that_are_drawn_apart():
    draws = of(3, np.array([2.0, 0.0, 5.0]))

    assert draws.times.shape == (50, 7)
    counts = draws.counts(np.arange(3), 3)
    assert (counts[:, 1] == 0).all()
    assert len(np.unique(counts[:, 0])) > 4


def test_fractional_weights_count_as_they_are():
    draws = of(3, np.array([0.5, 0.0, 2.5]))

    counts = draws.counts(np.arange(3), 3)
    assert set(counts[:, 0]) <= {0.0, 0.5, 1.0}
    assert (counts[:, 1] == 0).all()


def test_no_rows_give_empty_draws():
    assert (of(0).n == 0).all()
