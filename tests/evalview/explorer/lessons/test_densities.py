"""Two normal densities: every number is that of the distributions and of simulated rows."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

from tests.evalview.explorer.lessons.staging import Load, numbers

pytestmark = pytest.mark.browser

STATES = [
    {},
    {"distance": 0.0, "threshold": 0.0},
    {"distance": 2.5, "spread": 0.5, "prevalence": 0.01, "threshold": 1.3},
    {"distance": 1.0, "spread": 2.0, "prevalence": 0.9, "threshold": -1.0},
]


@pytest.mark.parametrize("state", STATES)
def test_rates_counts_and_area_are_those_of_the_distributions(
    state: dict[str, float], module: Load
) -> None:
    found = numbers(module("densities"), "densities", **state)
    at = {"distance": 1.5, "spread": 1.0, "prevalence": 0.3, "threshold": 0.75} | state
    tpr = norm.sf(at["threshold"], at["distance"], at["spread"])
    fpr = norm.sf(at["threshold"])
    tp, fp = 1000 * at["prevalence"] * tpr, 1000 * (1 - at["prevalence"]) * fpr
    expected = {"tpr": tpr, "fpr": fpr, "tp": tp, "fp": fp, "precision": tp / (tp + fp)}
    expected["fn"] = 1000 * at["prevalence"] - tp
    expected["tn"] = 1000 * (1 - at["prevalence"]) - fp
    expected["accuracy"] = (tp + expected["tn"]) / 1000
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, rel=1e-9), name


@pytest.mark.parametrize("state", STATES)
def test_the_area_is_that_of_rows_drawn_from_the_densities(
    state: dict[str, float], module: Load
) -> None:
    found = numbers(module("densities"), "densities", **state)
    rng = np.random.default_rng(0)
    truth = rng.random(200_000) < 0.5
    score = rng.normal(size=truth.size)
    score[truth] = found["distance"] + found["spread"] * score[truth]
    assert found["auc"] == pytest.approx(roc_auc_score(truth, score), abs=0.004)


def test_the_curves_begin_and_end_in_their_corners(module: Load) -> None:
    state = {"distance": 1.5, "spread": 1.0, "prevalence": 0.3, "threshold": 0.75}
    found = module("densities").evaluate("(state) => curves(state)", state)
    np.testing.assert_allclose(found["roc"][0], [0, 0], atol=1e-3)
    np.testing.assert_allclose(found["roc"][-1], [1, 1], atol=1e-3)
    np.testing.assert_allclose(found["pr"][-1], [1, 0.3], atol=1e-3)
    area = np.trapezoid(*np.array(found["roc"]).T[::-1])
    assert area == pytest.approx(norm.cdf(1.5 / 2**0.5), abs=1e-3)


def test_the_share_of_positives_moves_precision_and_no_roc_curve(module: Load) -> None:
    call = "(states) => states.map((state) => curves(state))"
    states = [
        {"distance": 2, "spread": 1, "prevalence": share, "threshold": 2} for share in (0.3, 0.01)
    ]
    often, rarely = module("densities").evaluate(call, states)
    assert often["roc"] == rarely["roc"]
    assert np.mean(often["pr"], axis=0)[1] > np.mean(rarely["pr"], axis=0)[1] + 0.2
    found = numbers(module("densities"), "rare_positives", prevalence=0.01, threshold=1.6449)
    assert found["fp"] == pytest.approx(0.05 * 990, abs=0.01)
    assert found["alarms"] == pytest.approx(found["fp"] / found["tp"])
