"""Distances of two rows: values, shares and nearest rows are those of evalcore's and scipy's."""

import numpy as np
import pytest
from playwright.sync_api import Page
from scipy.spatial.distance import cdist
from scipy.stats import zscore
from sklearn.datasets import load_iris

from evalview.lab.steps import minkowski
from tests.evalview.explorer.lessons.staging import Load, Staged, numbers

pytestmark = pytest.mark.browser

ORDERS = {"1": 1.0, "1.5": 1.5, "2": 2.0, "3": 3.0, "5": 5.0, "10": 10.0, "∞": np.inf}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("standardise", ["no", "yes"])
def test_distances_shares_and_nearest_rows(order: str, standardise: str, module: Load) -> None:
    state = {"order": order, "standardise": standardise, "first": 51, "second": 120}
    found = numbers(module("distances"), "distances", **state)
    flowers = load_iris().data
    values = zscore(flowers) if standardise == "yes" else flowers
    theirs = minkowski(values[50], values[119], ORDERS[order])
    assert found["distance"] == pytest.approx(theirs.distance)
    assert found["share"] == pytest.approx(theirs.share.tolist())
    assert found["rows"] == [51, 120]
    for one in found["byOrder"]:
        p = ORDERS[one["name"]]
        far = cdist(values[50:51], values, *(("chebyshev",) if p == np.inf else ("minkowski",)),
                    **({} if p == np.inf else {"p": p}))[0]  # fmt: skip
        far[50] = np.inf
        assert one["far"] == pytest.approx(far.min())
        assert far[one["near"] - 1] == pytest.approx(far.min())


def test_no_power_overflows_and_equal_rows_are_not_apart(module: Load) -> None:
    page = module("distances")
    found = page.evaluate("termsOf([1e200, 0], [0, 1e200], 9).distance")
    assert found == pytest.approx(1e200 * 2 ** (1 / 9))
    same = numbers(page, "distances", first=6, second=6)
    assert same["distance"] == 0
    assert all(np.isnan(share) for share in same["share"])


def test_two_points_of_a_file_by_four_orders(module: Load) -> None:
    two = {"features": [[1, 2], [3, 5]], "names": ["x", "y"], "number": [1, 2]}
    found = module("distances").evaluate(
        "([state, data]) => numbers(state, null, data)",
        [{"order": "3", "first": 1, "second": 2, "standardise": "no"}, {"your file": two}],
    )
    named = [found[name] for name in ("manhattan", "euclidean", "distance", "chebyshev")]
    assert [round(one, 3) for one in named] == [5, 3.606, 3.271, 3]
    assert found["whose"] == "your file"


def test_another_order_calls_another_row_the_nearest(blank: Page) -> None:
    staged = Staged(blank, "distances")
    assert staged.says == (
        "Rows 6 and 150 of the iris data are 3.818 apart by order 2 (Euclidean). "
        "The largest part of the sum, 79%, is petal length (cm)."
    )
    table = blank.locator(".values").inner_text()
    assert "row 17, 0.400 away" in table
    assert "row 19, 0.332 away" in table
    blank.get_by_role("button", name="∞").click()
    assert "3.400 apart by order ∞ (Chebyshev). Only the largest" in staged.says
    staged.slider("Second row").press("Home")
    assert staged.told[-1] == "order~∞~second~1"
