"""Models on rows of their own, compared as independent samples."""

from math import sqrt

import numpy as np
import pytest
from scipy import stats

from evalcore.compare import compare
from evalcore.comparison.results import Comparison
from evalcore.comparison.rows import TwoProportions, two_proportion_z
from evalcore.comparison.spec import Design
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, NumericOutcomes, Outcomes
from evalcore.predictions import Predictions


def compared(metric: str, **models: Outcomes) -> Comparison:
    classes = () if metric in ("mae", "rmse") else ("0", "1")
    data = Predictions(digest="", classes=classes, models=models)
    return compare(data, Options(resamples=4000), metric=metric)


def found(made: Comparison, test: str):
    (one,) = (tested for tested in made.tests if tested.test == test)
    return one.finding


def binary(n: int, start: int, noise: float, rng: np.random.Generator) -> BinaryOutcomes:
    truth = (rng.random(n) < 0.4).astype(np.int8)
    score = truth + noise * rng.normal(size=n)
    label, rows = (score > 0.5).astype(np.int8), np.arange(start, start + n)
    return BinaryOutcomes(classes=("0", "1"), truth=truth, score=score, label=label, rows=rows)


def test_two_proportions_by_hand():
    # 45 of 60 against 50 of 80: pooled 95/140, error sqrt(0.678571 x 0.321429 x 0.0291667).
    found = two_proportion_z(TwoProportions((45, 60), (50, 80)))

    assert found.statistic == pytest.approx(-0.125 / 0.0797597, abs=1e-5)
    assert found.p_value == pytest.approx(0.11706, abs=1e-5)
    assert found.p_value == pytest.approx(
        stats.chi2_contingency([[45, 15], [50, 30]], correction=False).pvalue
    )


def test_models_on_rows_of_their_own_are_compared_by_their_shares():
    rng = np.random.default_rng(5)
    one, other = binary(90, 1, 0.5, rng), binary(130, 91, 1.2, rng)
    made = compared("accuracy", one=one, other=other)

    right = [int((own.truth == own.label).sum()) for own in (one, other)]
    table = [[right[0], 90 - right[0]], [right[1], 130 - right[1]]]
    assert (made.design, made.primary, made.n) == (Design.INDEPENDENT, "two_proportion_z", 220)
    assert found(made, "two_proportion_z").p_value == pytest.approx(
        stats.chi2_contingency(table, correction=False).pvalue
    )


def placements(own: BinaryOutcomes) -> tuple[float, float]:
    """Return an area and its variance, from how many rows of the other class each row beats."""
    positive, negative = own.score[own.truth == 1], own.score[own.truth == 0]
    wins = positive[:, np.newaxis] > negative
    by_row, by_column = wins.mean(axis=1), wins.mean(axis=0)
    variance = by_row.var(ddof=1) / len(positive) + by_column.var(ddof=1) / len(negative)
    return float(wins.mean()), float(variance)


def test_areas_of_independent_models_have_no_covariance():
    rng = np.random.default_rng(6)
    one, other = binary(90, 1, 0.7, rng), binary(130, 91, 1.5, rng)
    made = compared("roc_auc", one=one, other=other)

    (first, v), (second, w) = placements(one), placements(other)
    positive, negative = one.score[one.truth == 1], one.score[one.truth == 0]
    wins = stats.mannwhitneyu(positive, negative).statistic
    assert first == pytest.approx(wins / len(positive) / len(negative))
    z = (second - first) / sqrt(v + w)
    assert found(made, "delong").statistic == pytest.approx(z)
    assert found(made, "delong").p_value == pytest.approx(2 * stats.norm.sf(abs(z)))
    gap = made.differences[0]
    assert (gap.low, gap.high) == pytest.approx(
        (second - first - 1.959964 * sqrt(v + w), second - first + 1.959964 * sqrt(v + w))
    )


def numbers(n: int, start: int, spread: float, rng: np.random.Generator) -> NumericOutcomes:
    truth = rng.normal(size=n)
    rows = np.arange(start, start + n)
    return NumericOutcomes(truth=truth, prediction=truth + spread * rng.normal(size=n), rows=rows)


@pytest.mark.parametrize("spread", [1.0, 1.2, 1.5])
def test_the_bootstrap_of_mean_errors_agrees_with_welchs_test(spread):
    rng = np.random.default_rng(7)
    one, other = numbers(150, 1, 1, rng), numbers(200, 151, spread, rng)
    made = compared("mae", one=one, other=other)

    errors = [np.abs(own.prediction - own.truth) for own in (one, other)]
    welch = stats.ttest_ind(*errors, equal_var=False)
    ends = welch.confidence_interval()
    assert made.primary == "independent_bootstrap"
    assert found(made, made.primary).p_value == pytest.approx(welch.pvalue, abs=0.03)
    gap = made.differences[0]
    assert (gap.low, gap.high) == pytest.approx((-ends.high, -ends.low), abs=0.02)


def test_equal_models_are_called_different_as_often_as_the_level_says():
    rng = np.random.default_rng(8)
    p_values = []
    for _ in range(150):
        models = {"one": numbers(80, 1, 1, rng), "other": numbers(60, 81, 1, rng)}
        data = Predictions(digest="", classes=(), models=models)
        made = compare(data, Options(resamples=400), metric="mae")
        p_values.append(found(made, "independent_bootstrap").p_value)

    assert 0.01 <= np.mean(np.array(p_values) < 0.05) <= 0.1


def test_paired_tests_say_why_they_do_not_apply():
    rng = np.random.default_rng(9)
    made = compared("accuracy", one=binary(40, 1, 1, rng), other=binary(50, 41, 1, rng))

    why = {refusal.test: refusal.why for refusal in made.not_applicable}
    for test in ("mcnemar_exact", "mcnemar_mid_p", "cochran_q", "paired_bootstrap"):
        assert why[test] == "It compares models on the same rows; here each has rows of its own."
    assert "independent_bootstrap" not in why


def test_the_bootstrap_of_independent_rows_is_not_listed_where_the_paired_one_is():
    rng = np.random.default_rng(10)
    same = numbers(60, 1, 1, rng)
    made = compared("mae", one=same, other=NumericOutcomes(
        truth=same.truth, prediction=same.truth + 1, rows=same.rows
    ))  # fmt: skip

    assert "paired_bootstrap" in {tested.test for tested in made.tests}
    assert "independent_bootstrap" not in {refusal.test for refusal in made.not_applicable}
