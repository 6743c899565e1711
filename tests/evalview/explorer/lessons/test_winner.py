"""Train, dev and test: what winners promise is exact, and agrees with scipy and a simulation."""

import numpy as np
import pytest
from playwright.sync_api import Page
from scipy import stats

from evalview.course.lessons import lessons
from tests.evalview.explorer.lessons.staging import NUMBERS, Load, Staged, numbers, start

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("n", "p"), [(20, 0.5), (100, 0.8), (3000, 0.995), (2999, 0.005)])
def test_counts_are_those_of_scipy(n: int, p: float, module: Load) -> None:
    found = module("winner").evaluate(
        """([n, p]) => {
            const { chances, upTo } = countsOf(n, p);
            return [[...chances], [...upTo]];
        }""",
        [n, p],
    )
    k = np.arange(n + 1)
    assert found[0] == pytest.approx(stats.binom.pmf(k, n, p), rel=1e-8, abs=1e-15)
    assert found[1] == pytest.approx(stats.binom.cdf(k, n, p), abs=1e-11)


@pytest.mark.parametrize(
    ("models", "dev", "accuracy"), [(20, 100, 0.8), (2, 20, 0.5), (60, 900, 0.9)]
)
def test_the_best_of_equal_models_is_the_largest_of_binomials(
    models: int, dev: int, accuracy: float, module: Load
) -> None:
    found = numbers(module("winner"), "winner", models=models, dev=dev, accuracy=accuracy)
    k = np.arange(dev)
    largest = (1 - stats.binom.cdf(k, dev, accuracy) ** models).sum() / dev
    assert found["expectedDev"] == pytest.approx(largest, abs=1e-10)
    assert found["expectedTest"] == pytest.approx(accuracy)
    assert found["curse"] > 0


def test_one_model_promises_nothing_too_much(module: Load) -> None:
    found = numbers(module("winner"), "winner", models=1)
    assert found["curse"] == pytest.approx(0, abs=1e-12)


def test_unequal_models_win_as_often_as_in_a_simulation(module: Load) -> None:
    found = numbers(module("winner"), "winner", models=8, spread=0.04, dev=60)
    truths = np.array(found["truths"])
    assert truths == pytest.approx(0.8 - 0.04 * stats.norm.ppf((np.arange(8) + 0.5) / 8))
    rng = np.random.default_rng(0)
    rights = rng.binomial(60, truths, (200_000, 8))
    # Of models with as many right the first is taken, as here.
    chosen = rights.argmax(axis=1)
    wins = truths[chosen]
    assert abs(found["expectedTest"] - wins.mean()) < 4 * wins.std() / len(wins) ** 0.5
    best = rights.max(axis=1) / 60
    assert abs(found["expectedDev"] - best.mean()) < 4 * best.std() / len(best) ** 0.5
    assert found["top"] > found["expectedTest"] > 0.8


def test_draws_are_on_average_what_is_expected(module: Load) -> None:
    one = lessons()["winner"]
    states = [start(one, seed=seed) for seed in range(1, 400)]
    found = module("winner").evaluate(NUMBERS, [states, []])
    for drawn, expected in (("devShare", "expectedDev"), ("testShare", "expectedTest")):
        shares = np.array([each[drawn] for each in found])
        error = shares.std(ddof=1) / len(shares) ** 0.5
        assert abs(shares.mean() - found[0][expected]) < 4 * error


def test_what_is_said_of_sizes_is_so(module: Load) -> None:
    page = module("winner")
    assert numbers(page, "winner")["curse"] > 0.07
    assert numbers(page, "winner", dev=3000)["curse"] == pytest.approx(0.0136, abs=0.001)
    assert round(numbers(page, "winner", test=3000)["halfTest"], 3) == 0.014


def test_other_rows_are_drawn(blank: Page) -> None:
    staged = Staged(blank, "winner")
    assert staged.says.startswith("The best of 20 models is right for")
    before = staged.says
    blank.get_by_role("button", name="Other rows").click()
    assert staged.says != before
    staged.show("models~1")
    assert staged.says.startswith("The model is right for")
