import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from evalcore.comparison.folds import (
    Blocks,
    RankGap,
    critical_difference,
    friedman,
    iman_davenport,
    nemenyi,
)
from evalcore.comparison.spec import IDENTICAL
from evalcore.intervals.closed import holm

SCORES = st.lists(
    st.tuples(*[st.integers(0, 5)] * 4), min_size=3, max_size=20
).map(lambda rows: np.array(rows, dtype=float))  # fmt: skip


def test_holm_by_hand():
    # 0.01 x 4, then 0.02 x 3, 0.03 x 2, 0.5; none below the one before.
    assert holm([0.5, 0.01, 0.03, 0.02]) == pytest.approx((0.5, 0.04, 0.06, 0.06))
    assert holm([0.02, 0.03]) == pytest.approx((0.04, 0.04))
    assert holm([0.9, 0.8]) == (1, 1)


def test_holm_leaves_undefined_p_values_out_of_the_number():
    adjusted = holm([0.02, float("nan"), 0.03])

    assert adjusted[0] == pytest.approx(0.04)
    assert np.isnan(adjusted[1])


def test_holm_of_none_is_none():
    assert holm([]) == ()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_lies_between_the_p_values_and_bonferronis(p_values):
    for raw, adjusted in zip(p_values, holm(p_values), strict=True):
        assert raw <= adjusted <= min(1, raw * len(p_values)) + 1e-15


def test_ranks_start_at_the_best_and_ties_share_theirs():
    assert Blocks(np.array([[0.9, 0.7, 0.9, 0.8]])).ranks.tolist() == [[1.5, 4, 1.5, 3]]


@given(SCORES)
def test_friedmans_test_is_that_of_scipy(scores):
    found = friedman(Blocks(scores))
    if (scores == scores[:, :1]).all():
        assert (found.p_value, found.note) == (1, IDENTICAL)
        return
    theirs = stats.friedmanchisquare(*scores.T)
    assert found.statistic == pytest.approx(theirs.statistic, abs=1e-9)
    assert found.p_value == pytest.approx(theirs.pvalue, abs=1e-9)


def test_iman_and_davenports_statistic_follows_from_friedmans():
    scores = np.random.default_rng(0).normal(size=(14, 4))
    chi2, found = friedman(Blocks(scores)).statistic, iman_davenport(Blocks(scores))

    assert found.statistic == pytest.approx(13 * chi2 / (14 * 3 - chi2))
    assert found.p_value == pytest.approx(stats.f.sf(found.statistic, 3, 39))


def test_data_sets_that_all_rank_alike_leave_a_small_chance_not_none():
    scores = np.tile([3.0, 2.0, 1.0], (4, 1))

    # Three further data sets, each with one order of six.
    assert iman_davenport(Blocks(scores)).p_value == pytest.approx(1 / 6**3)


def test_one_data_set_is_no_evidence():
    assert np.isnan(iman_davenport(Blocks(np.array([[1.0, 2.0, 3.0]]))).p_value)


@pytest.mark.parametrize(("models", "quantile"), [(2, 1.960), (3, 2.343), (4, 2.569), (10, 3.164)])
def test_critical_values_are_those_printed_by_demsar(models, quantile):
    error = (models * (models + 1) / (6 * 30)) ** 0.5

    assert critical_difference(models, 30) / error == pytest.approx(quantile, abs=1e-3)


def test_nemenyis_test_reaches_its_level_at_the_critical_difference():
    gap = critical_difference(5, 12, 0.95)

    assert nemenyi(RankGap(gap, 5, 12)).p_value == pytest.approx(0.05, abs=1e-6)
    assert nemenyi(RankGap(-gap, 5, 12)).statistic < 0


def test_equal_mean_ranks_have_p_of_1():
    assert nemenyi(RankGap(0.0, 5, 12)).p_value == 1
