import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from evalcore.comparison.rows import (
    Correctness,
    TwoProportions,
    cochran_q,
    mcnemar_chi2,
    mcnemar_chi2_corrected,
    mcnemar_exact,
    mcnemar_mid_p,
    newcombe,
    newcombe_paired,
    two_proportion_z,
)
from evalcore.comparison.spec import IDENTICAL
from evalcore.intervals.closed import wilson
from evalcore.tables.confusion import Rightness

from ..golden import entries, ids
from .helpers import decisions, of_entry, paired

MCNEMAR = (mcnemar_exact, mcnemar_mid_p, mcnemar_chi2, mcnemar_chi2_corrected)
CELLS = st.tuples(*[st.integers(0, 30)] * 4).filter(any)


def picked(quantity):
    return entries(id="test.*", quantity=quantity)


def parametrised(quantity):
    return pytest.mark.parametrize("entry", picked(quantity), ids=ids(picked(quantity)))


@parametrised("paired_table")
def test_paired_tables_are_those_of_r(entry):
    names = ("both_right", "only_A_right", "only_B_right", "both_wrong")
    entry.check(dict(zip(names, of_entry(entry).rightness, strict=True)))


@parametrised("mcnemar_exact_p")
def test_mcnemar_exact_is_that_of_r(entry):
    entry.check(mcnemar_exact(of_entry(entry)).p_value)


@parametrised("mcnemar_mid_p")
def test_mcnemar_mid_p_is_that_of_r(entry):
    entry.check(mcnemar_mid_p(of_entry(entry)).p_value)


@parametrised("mcnemar_chisq")
def test_mcnemar_chi_squared_is_that_of_r(entry):
    found = mcnemar_chi2(of_entry(entry))
    entry.check({"statistic": found.statistic, "p_value": found.p_value})


@parametrised("mcnemar_chisq_cc")
def test_mcnemar_chi_squared_corrected_is_that_of_r(entry):
    found = mcnemar_chi2_corrected(of_entry(entry))
    entry.check({"statistic": found.statistic, "p_value": found.p_value})


def test_models_without_a_discordant_row_are_not_told_apart():
    (entry,) = entries(id="edge.mcnemar_no_discordant")
    entry.check(mcnemar_exact(paired(144, 0, 0, 6)).p_value)


@pytest.mark.parametrize("test", MCNEMAR, ids=[test.key for test in MCNEMAR])
def test_identical_models_have_p_of_1(test):
    found = test(paired(6, 0, 0, 2))

    assert found.p_value == 1
    assert found.note == IDENTICAL
    assert found.details == {"b": 0, "c": 0}


@pytest.mark.parametrize("test", MCNEMAR, ids=[test.key for test in MCNEMAR])
@given(CELLS)
def test_exchanging_the_models_changes_no_p_value(test, cells):
    both, b, c, neither = cells
    one, other = test(paired(both, b, c, neither)), test(paired(both, c, b, neither))

    assert one.p_value == pytest.approx(other.p_value, abs=1e-12)
    assert 0 < one.p_value <= 1


@given(CELLS)
def test_the_exact_test_is_scipys_and_the_others_are_bolder(cells):
    both, b, c, neither = cells
    exact, middle = (test(paired(both, b, c, neither)).p_value for test in MCNEMAR[:2])

    if b + c:
        assert exact == pytest.approx(stats.binomtest(b, b + c).pvalue)
        assert middle <= exact


@parametrised("accuracy_diff_ci_newcombe_paired")
def test_newcombes_interval_is_that_of_r(entry):
    interval = newcombe_paired(of_entry(entry).rightness)
    # The entry is first minus second.
    entry.check({"low": -interval.high, "high": -interval.low})


@parametrised("accuracy_diff_ci_newcombe_paired_epiR")
def test_newcombes_interval_is_that_of_epir(entry):
    interval = newcombe_paired(of_entry(entry).rightness)
    entry.check([-interval.high, -interval.low])


@given(CELLS)
def test_intervals_hold_the_difference_and_stay_in_range(cells):
    made = Rightness(*map(float, cells))
    interval = newcombe_paired(made)

    assert -1 - 1e-12 <= interval.low <= made.difference + 1e-12
    assert made.difference - 1e-12 <= interval.high <= 1 + 1e-12


def test_independent_accuracies_by_hand():
    # Newcombe (1998), table II, example 56/70 against 48/80, method 10.
    interval = newcombe((48, 80), (56, 70))

    assert interval.low == pytest.approx(0.0524, abs=5e-5)
    assert interval.high == pytest.approx(0.3339, abs=5e-5)


def test_the_paired_interval_without_correlation_is_the_independent_one():
    # 25 of 100 right alike in every way: phi is 0.
    interval = newcombe_paired(Rightness(25, 25, 25, 25))
    theirs = newcombe((50, 100), (50, 100))

    assert (interval.low, interval.high) == pytest.approx((theirs.low, theirs.high))


@given(st.integers(0, 40), st.integers(0, 40))
def test_two_proportions_are_the_chi_squared_test_of_scipy(k, m):
    table = np.array([[k, 40 - k], [m, 50 - m]])
    found = two_proportion_z(TwoProportions((k, 40), (m, 50)))

    if 0 < k + m < 90:
        theirs = stats.chi2_contingency(table, correction=False)
        assert found.statistic**2 == pytest.approx(theirs.statistic)
        assert found.p_value == pytest.approx(theirs.pvalue)
        assert np.sign(found.statistic) == np.sign(m / 50 - k / 40)
    else:
        assert found.p_value == 1


@parametrised("cochran_q")
def test_cochrans_q_is_that_of_r(entry):
    codes = decisions(entry)
    right = np.stack([codes[m] == codes["truth"] for m in entry.params["models"]], axis=1)
    found = cochran_q(Correctness(right.astype(float)))
    entry.check({"Q": found.statistic, "df": found.details["df"], "p_value": found.p_value})


def test_cochrans_q_of_two_models_is_mcnemars():
    codes = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [30, 9, 4, 7], axis=0)

    assert cochran_q(Correctness(codes.astype(float))).statistic == pytest.approx(
        mcnemar_chi2(paired(30, 9, 4, 7)).statistic
    )


def test_cochrans_q_weighs_rows():
    right = np.array([[1.0, 1, 0], [1, 0, 0], [0, 1, 1]])
    weight = np.array([3.0, 2.0, 1.0])

    assert cochran_q(Correctness(right, weight)).statistic == pytest.approx(
        cochran_q(Correctness(np.repeat(right, [3, 2, 1], axis=0))).statistic
    )


def test_cochrans_q_of_models_right_on_the_same_rows_is_0():
    found = cochran_q(Correctness(np.repeat([[1.0, 1, 1], [0, 0, 0]], 5, axis=0)))

    assert (found.statistic, found.p_value) == (0, 1)


def test_wilson_is_the_interval_under_newcombes():
    # With the other accuracy certain, the difference is as unsure as the first alone.
    interval = newcombe((30, 40), (10**9, 10**9))
    alone = wilson(30, 40)

    assert interval.low == pytest.approx(1 - alone.high, abs=1e-4)
    assert interval.high == pytest.approx(1 - alone.low, abs=1e-4)
