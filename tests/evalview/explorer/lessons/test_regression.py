"""Regression errors: every number is evalcore's, scipy's and scikit-learn's."""

import warnings

import numpy as np
import pytest
from playwright.sync_api import Page
from scipy import stats
from sklearn import metrics as sk

from evalcore.metrics import regression
from evalcore.tables.residuals import Ranks, ResidualMoments
from tests.evalview.explorer.lessons.staging import Load, Staged, numbers

pytestmark = pytest.mark.browser

ROUNDED = ("mae", "mse", "rmse", "largest", "r2", "pearson")


def test_the_worked_example_of_four_points(module: Load) -> None:
    found = numbers(module("regression"), "regression")
    values = [round(found[name], 4) for name in ROUNDED]
    assert values == [0.5, 0.375, 0.6124, 1, 0.9486, 0.9849]
    assert found["half"] == 0.1875
    assert (found["same"], found["opposite"], found["tied"]) == (6, 0, 0)


@pytest.mark.parametrize(
    ("truth", "predicted", "tau_b"),
    [([3, -0.5, 2, 7], [2.5, 0, 2, 2], 0.5477), ([2, -1, 1, 4], [1, 0, 2, 2], 0.5477)],
)
def test_the_worked_examples_of_tied_ranks(
    truth: list[float], predicted: list[float], tau_b: float, module: Load
) -> None:
    found = numbers(module("regression"), "regression", truth=truth, predicted=predicted)
    assert (found["same"], found["opposite"], found["tied"]) == (4, 1, 1)
    assert round(found["tauB"], 4) == tau_b
    assert found["tauA"] == 0.5
    assert round(found["spearman"], 4) == 0.6325


@pytest.mark.parametrize("seed", range(8))
def test_every_number_is_that_of_evalcore_scipy_and_scikit_learn(seed: int, module: Load) -> None:
    rng = np.random.default_rng(seed)
    truth, predicted = rng.integers(-8, 28, (2, 4)) / 4
    found = numbers(
        module("regression"), "regression", truth=truth.tolist(), predicted=predicted.tolist()
    )
    theirs = {
        "mae": sk.mean_absolute_error(truth, predicted),
        "mse": sk.mean_squared_error(truth, predicted),
        "rmse": sk.root_mean_squared_error(truth, predicted),
        "largest": sk.max_error(truth, predicted),
        "r2": sk.r2_score(truth, predicted),
        "pearson": stats.pearsonr(truth, predicted).statistic,
        "spearman": stats.spearmanr(truth, predicted).statistic,
        "tauB": stats.kendalltau(truth, predicted).statistic,
    }
    assert {name: found[name] for name in theirs} == pytest.approx(theirs)
    moments = ResidualMoments.from_values(truth, predicted)
    for name in ("mae", "mse", "rmse", "r2", "pearson"):
        assert found[name] == pytest.approx(getattr(regression, name.upper()).compute(moments))
    pairs = Ranks.from_values(truth, predicted).pairs
    assert found["same"] == pairs.concordant
    assert found["tauA"] == pytest.approx(regression.tau_a(pairs))


def test_what_does_not_vary_has_no_correlation(module: Load) -> None:
    found = numbers(module("regression"), "regression", predicted=[2, 2, 2, 2])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert np.isnan(stats.kendalltau([3, -0.5, 2, 7], [2, 2, 2, 2]).statistic)
    assert [found[name] for name in ("pearson", "spearman", "tauB")] == ["NaN"] * 3
    found = numbers(module("regression"), "regression", truth=[2, 2, 2, 2])
    assert found["r2"] == "NaN"


def test_predictions_that_are_all_too_high_have_perfect_correlations(module: Load) -> None:
    found = numbers(module("regression"), "regression", predicted=[5, 1.5, 4, 9])
    assert [found[name] for name in ("pearson", "spearman", "tauB")] == pytest.approx([1, 1, 1])
    assert found["mae"] == found["rmse"] == 2


def test_a_point_is_moved_both_ways(blank: Page) -> None:
    staged = Staged(blank, "regression")
    assert staged.says.startswith("The mean absolute error is 0.500, the RMSE 0.612")
    staged.slider("Point 1").press("ArrowUp")
    assert staged.told[-1] == "predicted~3_0_2_8"
    staged.slider("Point 1").press("ArrowRight")
    assert staged.told[-1] == "truth~3.5_-0.5_2_7~predicted~3_0_2_8"
    staged.show("predicted~2_2_2_2")
    assert "Pearson’s r undefined" in staged.says
