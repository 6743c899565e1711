"""Costs of two models: the worked example, evalcore's costs, and the line of equal costs."""

import numpy as np
import pytest
from playwright.sync_api import Page

from evalcore.metrics.decisions import mean_cost, total_cost
from evalcore.tables.confusion import ConfusionMatrix
from tests.evalview.explorer.lessons.staging import Load, Staged, numbers

pytestmark = pytest.mark.browser


def test_the_worked_example(module: Load) -> None:
    found = numbers(module("cost_matrix"), "cost_matrix")
    assert found["costs"] == [-1, 100, 1, 0]
    assert (found["accuracy1"], found["total1"]) == (0.8, 3910)
    assert (found["accuracy2"], found["total2"]) == (0.9, 4255)
    assert found["weighted1"] == 0.8


@pytest.mark.parametrize("seed", range(5))
def test_costs_and_weighted_accuracy_are_sums_over_cells(seed: int, module: Load) -> None:
    rng = np.random.default_rng(seed)
    cells, costs = rng.integers(1, 300, 4), rng.integers(-5, 100, 4)
    weights = rng.integers(1, 20, 4)
    found = numbers(
        module("cost_matrix"), "cost_matrix",
        first=cells.tolist(), costs=costs.tolist(), weights=weights.tolist(),
    )  # fmt: skip
    assert found["total1"] == cells @ costs
    # Positives first, both ways; a table has rows true.
    table = ConfusionMatrix(("yes", "no"), cells.reshape(2, 2))
    prices = costs.reshape(2, 2)
    assert found["total1"] == total_cost(prices)(table)
    assert found["mean1"] == pytest.approx(mean_cost(prices)(table))
    assert found["mean1"] == pytest.approx(np.average(costs, weights=cells))
    right = np.array([True, False, False, True])
    assert found["weighted1"] == pytest.approx(np.average(right, weights=cells * weights))


def test_every_model_lies_in_the_area_and_on_a_line_where_costs_are_equal(module: Load) -> None:
    page = module("cost_matrix")
    rng = np.random.default_rng(1)
    for costs in ([-1, 100, 1, 0], [1, 5, 5, 1]):
        corners = np.array(
            page.evaluate("(costs) => cornersOf({ positives: 190, negatives: 310 }, costs)", costs)
        )
        for tp, tn in zip(rng.integers(0, 191, 20), rng.integers(0, 311, 20), strict=True):
            cells = [int(tp), int(190 - tp), int(310 - tn), int(tn)]
            found = numbers(page, "cost_matrix", first=cells, costs=costs)
            # The corners are none and all of the positives and of the negatives right.
            found_share, passed = tp / 190, tn / 310
            shares = [
                (1 - found_share) * (1 - passed), found_share * (1 - passed),
                found_share * passed, (1 - found_share) * passed,
            ]  # fmt: skip
            place = np.array([found["accuracy1"], found["mean1"]])
            assert place == pytest.approx(np.array(shares) @ corners)
            if found["isLine"]:
                assert found["mean1"] == pytest.approx(5 - 4 * found["accuracy1"])
    assert found["isLine"]


def test_what_is_typed_is_followed_and_what_is_no_number_changes_nothing(blank: Page) -> None:
    staged = Staged(blank, "cost_matrix")
    assert "the second is better. They cost 3,910 and 4,255: the first is better" in staged.says
    box = blank.get_by_role("textbox", name="costs, FN")
    box.fill("2")
    assert "They cost −10 and −155: the second is better" in staged.says
    assert staged.told[-1] == "costs~-1_2_1_0"
    box.fill("two")
    assert blank.get_by_role("alert").inner_text() == "“two” is not a cost from −10,000 to 10,000."
    assert "−155" in staged.says
    count = blank.get_by_role("textbox", name="first model, TP")
    count.fill("1.5")
    assert "is not a count of rows from 0 to 1,000,000." in blank.get_by_role("alert").inner_text()
    staged.show("costs~0_1_1_0")
    assert "cost falls with the accuracy" in staged.says
    staged.show("first~0_0_0_0")
    assert staged.says == "A model has no rows: type a count."
