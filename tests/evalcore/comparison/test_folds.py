import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from evalcore.comparison.folds import (
    CONSTANT,
    MOST_EXACT,
    FiveByTwo,
    FoldDifferences,
    bayes_correlated_t,
    corrected_interval,
    corrected_resampled_t,
    five_by_two_f,
    five_by_two_t,
    paired_t,
    wilcoxon,
)
from evalcore.comparison.spec import IDENTICAL

from ..golden import entries, frame, ids
from .helpers import fold_accuracies

ON_FOLDS = (paired_t, corrected_resampled_t, wilcoxon)
VALUES = st.lists(st.integers(-1000, 1000).map(lambda k: k / 1000), min_size=2, max_size=30)


def parametrised(quantity):
    found = entries(id="test.*", quantity=quantity)
    return pytest.mark.parametrize("entry", found, ids=ids(found))


@parametrised("paired_t_over_folds")
def test_the_paired_t_test_is_that_of_r(entry):
    table = FoldDifferences(fold_accuracies(entry))
    found = paired_t(table)
    interval = corrected_interval(FoldDifferences(table.values))
    # The entry is first minus second.
    entry.check(
        {"t": -found.statistic, "df": found.details["df"], "p_value": found.p_value,
         "mean_diff": -table.mean, "ci_low": -interval.high, "ci_high": -interval.low}
    )  # fmt: skip


@parametrised("nadeau_bengio_over_folds")
def test_the_corrected_t_test_is_that_of_r(entry):
    found = corrected_resampled_t(FoldDifferences(fold_accuracies(entry), 1 / 9))
    entry.check(
        {"t": -found.statistic, "df": found.details["df"], "p_value": found.p_value}
    )  # fmt: skip


@parametrised("wilcoxon_over_folds_normal_cc")
def test_the_normal_signed_rank_test_is_that_of_r(entry, monkeypatch):
    monkeypatch.setattr("evalcore.comparison.folds.MOST_EXACT", 0)
    found = wilcoxon(FoldDifferences(-fold_accuracies(entry)))

    if found.note == IDENTICAL:
        assert entry.value == {"V": 0, "p_value": "NaN"}
        assert found.p_value == 1
    else:
        entry.check({"V": found.statistic, "p_value": found.p_value})


def test_the_normal_signed_rank_test_of_many_errors_is_that_of_r():
    data = frame("diabetes_reg_cv.csv")
    for entry in entries(id="reg.*", quantity="wilcoxon_absolute_error"):
        first, second = (
            np.abs(data[f"{entry.params[name]}_pred"] - data["truth"]).to_numpy() for name in "AB"
        )
        found = wilcoxon(FoldDifferences(first - second))
        assert found.note == "normal approximation"
        entry.check({"V": found.statistic, "p_value": found.p_value})


@given(VALUES)
def test_the_paired_t_test_is_that_of_scipy(values):
    gaps = np.array(values)
    found = paired_t(FoldDifferences(gaps))
    if gaps.std() > 1e-9:
        theirs = stats.ttest_1samp(gaps, 0)
        assert found.statistic == pytest.approx(theirs.statistic)
        assert found.p_value == pytest.approx(theirs.pvalue)


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=30, unique=True), st.randoms())
def test_the_exact_signed_rank_test_is_that_of_scipy(sizes, random):
    gaps = np.array([random.choice([-1, 1]) * size for size in sizes], dtype=float)
    theirs = stats.wilcoxon(gaps, method="exact")

    assert wilcoxon(FoldDifferences(gaps)).p_value == pytest.approx(theirs.pvalue)


def test_the_exact_signed_rank_test_counts_signs_where_ranks_are_tied():
    # Ranks 1.5, 1.5, 3: of 8 ways to sign them 2 are as far out as 0 against 6.
    assert wilcoxon(FoldDifferences(np.array([0.1, 0.1, 0.2]))).p_value == 0.25
    # 0.3 - 0.2 and 0.1 are the same on paper, so that they are tied.
    assert wilcoxon(FoldDifferences(np.array([0.3 - 0.2, 0.1, 0.2]))).p_value == 0.25


def test_the_exact_and_the_normal_test_agree_where_they_meet():
    gaps = np.random.default_rng(0).normal(0.2, 1, size=MOST_EXACT + 1)
    exact, normal = (wilcoxon(FoldDifferences(gaps[:k])) for k in (MOST_EXACT, MOST_EXACT + 1))

    assert exact.note == ""
    assert normal.note == "normal approximation"
    assert normal.p_value == pytest.approx(stats.wilcoxon(gaps, method="approx",
                                                          correction=True).pvalue)  # fmt: skip


@pytest.mark.parametrize("test", ON_FOLDS)
@given(VALUES)
def test_exchanging_the_models_changes_no_p_value(test, values):
    one, other = (test(FoldDifferences(sign * np.array(values), 0.1)).p_value for sign in (1, -1))

    assert one == pytest.approx(other, nan_ok=True)


@pytest.mark.parametrize("test", ON_FOLDS)
def test_identical_models_have_p_of_1(test):
    found = test(FoldDifferences(np.zeros(10), 0.1))

    assert (found.p_value, found.note) == (1, IDENTICAL)


@pytest.mark.parametrize("test", [paired_t, corrected_resampled_t])
def test_a_difference_that_never_varies_is_no_evidence(test):
    found = test(FoldDifferences(np.full(10, 0.1) + 1e-17, 0.1))

    assert np.isnan(found.p_value)
    assert found.note == CONSTANT


@pytest.mark.parametrize("test", [paired_t, corrected_resampled_t])
def test_one_fold_is_no_evidence(test):
    assert np.isnan(test(FoldDifferences(np.array([0.1]))).p_value)


def test_folds_of_unknown_size_have_no_corrected_test():
    found = corrected_resampled_t(FoldDifferences(np.array([0.1, 0.2]), np.nan))

    assert "sizes" in found.note


def test_a_hand_worked_corrected_test():
    # d = 0.01 0.02 0.03: mean 0.02, variance 1e-4, times 1/3 + 1/2.
    found = corrected_resampled_t(FoldDifferences(np.array([0.01, 0.02, 0.03]), 0.5))

    assert found.statistic == pytest.approx(0.02 / (1e-4 * 5 / 6) ** 0.5)


def five_by_two(model="logreg", other="knn", dataset="breast_cancer"):
    data = frame("five_by_two_cv_scores.csv").query(
        "dataset == @dataset and model_A == @model and model_B == @other"
    )
    gaps = (data["score_B"] - data["score_A"]).to_numpy()
    return data, FiveByTwo(gaps.reshape(5, 2))


def test_five_by_two_tests_follow_their_formulas_on_real_scores():
    data, table = five_by_two()
    squares, total = 0.0, 0.0
    for _, repeat in data.groupby("repeat"):
        one, two = repeat["score_B"] - repeat["score_A"]
        mean = (one + two) / 2
        squares += (one - mean) ** 2 + (two - mean) ** 2
        total += one**2 + two**2
    first = data["score_B"].iloc[0] - data["score_A"].iloc[0]
    t, f = first / (squares / 5) ** 0.5, total / (2 * squares)

    assert five_by_two_t(table).statistic == pytest.approx(t)
    assert five_by_two_t(table).p_value == pytest.approx(2 * stats.t.sf(abs(t), 5))
    assert five_by_two_f(table).statistic == pytest.approx(f)
    assert five_by_two_f(table).p_value == pytest.approx(stats.f.sf(f, 10, 5))


@pytest.mark.parametrize("test", [five_by_two_t, five_by_two_f])
def test_five_by_two_tests_of_identical_models_have_p_of_1(test):
    assert test(FiveByTwo(np.zeros((5, 2)))).note == IDENTICAL
    assert test(FiveByTwo(np.zeros((5, 2)))).p_value == 1
    assert np.isnan(test(FiveByTwo(np.full((5, 2), 0.1))).p_value)


def test_the_bayesian_test_is_a_t_distribution_about_the_mean_difference():
    gaps = np.random.default_rng(1).normal(0.01, 0.02, size=10)
    found = bayes_correlated_t(FoldDifferences(gaps, 1 / 9, rope=0.01)).details
    scale = (gaps.var(ddof=1) * (1 / 10 + 1 / 9)) ** 0.5
    posterior = stats.t(9, loc=gaps.mean(), scale=scale)

    assert found["first_better"] == pytest.approx(posterior.cdf(-0.01))
    assert found["second_better"] == pytest.approx(posterior.sf(0.01))
    assert found["practically_equal"] == pytest.approx(posterior.cdf(0.01) - posterior.cdf(-0.01))


def test_the_bayesian_test_without_a_rope_goes_with_the_corrected_one():
    table = FoldDifferences(np.array([0.01, 0.03, -0.01, 0.02]), 1 / 3)
    one_sided = corrected_resampled_t(table).p_value / 2

    assert bayes_correlated_t(table).details["first_better"] == pytest.approx(one_sided)


def test_the_bayesian_test_of_identical_models_says_that_they_are_equal():
    found = bayes_correlated_t(FoldDifferences(np.zeros(5), 0.25, rope=0.01))

    assert found.details["practically_equal"] == 1
    assert found.note == IDENTICAL
