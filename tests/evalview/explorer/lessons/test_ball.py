"""Minkowski distances: values and the line of equal distance are those of scipy."""

import numpy as np
import pytest
from playwright.sync_api import Page
from scipy.spatial.distance import minkowski

from tests.evalview.explorer.lessons.staging import Load, Staged, numbers

pytestmark = pytest.mark.browser


def test_the_worked_example_of_four_distances(module: Load) -> None:
    found = numbers(module("ball"), "unit_ball")
    assert (found["first"], found["second"]) == ([1, 2], [3, 5])
    values = [round(found[name], 3) for name in ("one", "two", "three", "most")]
    assert values == [5, 3.606, 3.271, 3]


@pytest.mark.parametrize("order", [0.5, 1, 2, 3, 7.5, 10])
@pytest.mark.parametrize("seed", range(3))
def test_distances_are_those_of_scipy_and_the_line_is_as_far_away(
    seed: int, order: float, module: Load
) -> None:
    first, second = np.random.default_rng(seed).integers(-4, 9, (2, 2))
    state = {"order": order, "first": first.tolist(), "second": second.tolist()}
    found = numbers(module("ball"), "unit_ball", **state)
    p = np.inf if order == 10 else order
    assert found["distance"] == pytest.approx(minkowski(first, second, p))
    far = [minkowski(first, point, p) for point in found["points"]]
    # Below order 1 a rounding error of the smaller difference is raised to a root.
    assert far == pytest.approx([found["distance"]] * 241, rel=1e-7)


def test_no_power_overflows(module: Load) -> None:
    found = module("ball").evaluate("[minkowski(1e200, 1e200, 9), minkowski(0, 0, 2)]")
    assert found == [pytest.approx(1e200 * 2 ** (1 / 9)), 0]


def test_below_1_the_triangle_does_not_hold(blank: Page) -> None:
    staged = Staged(blank, "unit_ball")
    assert staged.says.startswith(
        "With order 2, the Euclidean distance, the points are 3.606 apart"
    )
    staged.slider("Order").press("Home")
    assert "This is not a distance: via the corner it is only 5." in staged.says
    staged.slider("Order").press("End")
    assert "With order ∞, the Chebyshev distance, the points are 3 apart" in staged.says
    staged.slider("The second point").press("ArrowUp")
    assert staged.told[-1] == "order~10~second~3_5.5"
