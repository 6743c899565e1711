"""Ten points and polynomials: the fits are numpy's, the errors theirs, the optimism Efron's."""

import numpy as np
import pytest
from playwright.sync_api import Page

from evalview.course.lessons import lessons
from tests.evalview.explorer.lessons.staging import NUMBERS, Load, Staged, numbers, start

pytestmark = pytest.mark.browser

X = np.arange(10) / 9


@pytest.mark.parametrize("degree", [1, 3, 6, 9])
@pytest.mark.parametrize("seed", [1, 7])
def test_fits_and_errors_are_those_of_numpy(degree: int, seed: int, module: Load) -> None:
    found = numbers(module("polynomials"), "polynomials", degree=degree, seed=seed)
    y, others = np.array(found["y"]), np.array(found["others"])
    fit = np.polynomial.Polynomial.fit(X, y, degree)
    assert found["fit"] == pytest.approx(fit(X), abs=1e-8)
    assert found["train"] == pytest.approx(np.mean((fit(X) - y) ** 2), abs=1e-9)
    error = np.mean((fit(others[:, 0]) - others[:, 1]) ** 2)
    assert found["test"] == pytest.approx(error, rel=1e-6)
    again = np.mean((fit(X) - np.sin(2 * np.pi * X)) ** 2) + 0.3**2
    assert found["again"] == pytest.approx(again, rel=1e-6)


def test_training_error_falls_with_every_degree_and_the_test_error_does_not(module: Load) -> None:
    found = numbers(module("polynomials"), "polynomials")
    assert np.all(np.diff(found["trains"]) < 0)
    assert found["trains"][8] == 0
    assert found["tests"][8] > 2 * min(found["tests"])
    assert 2 < found["best"] < 8


@pytest.mark.parametrize("degree", [1, 3, 6])
def test_the_gap_is_on_average_the_expected_optimism(degree: int, module: Load) -> None:
    one = lessons()["polynomials"]
    states = [start(one, degree=degree, seed=seed) for seed in range(1, 200)]
    found = module("polynomials").evaluate(NUMBERS, [states, []])
    gaps = np.array([each["gap"] for each in found])
    expected = 2 * 0.3**2 * (degree + 1) / 10
    assert found[0]["optimism"] == pytest.approx(expected)
    assert abs(gaps.mean() - expected) < 4 * gaps.std() / len(gaps) ** 0.5


def test_a_point_that_is_moved_moves_the_curve_and_new_points_undo_it(blank: Page) -> None:
    staged = Staged(blank, "polynomials")
    before = staged.says
    staged.slider("Point 5").press("Shift+ArrowUp")
    assert staged.says != before
    assert staged.told[-1] == "moved~0_0_0_0_0.25_0_0_0_0_0"
    blank.get_by_role("button", name="New points").click()
    assert staged.told[-1] == "seed~2"
