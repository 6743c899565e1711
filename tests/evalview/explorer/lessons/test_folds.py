"""Cross-validation: folds and estimates are those of scikit-learn, and spreads are as is said."""

import numpy as np
import pytest
from playwright.sync_api import Page
from scipy import stats
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.neighbors import NearestCentroid

from tests.evalview.explorer.lessons.staging import Load, Staged, numbers

pytestmark = pytest.mark.browser

ALONE = "n"


@pytest.mark.parametrize("folds", ["2", "5", "10", ALONE])
@pytest.mark.parametrize(("n", "seed", "deal"), [(20, 1, 1), (34, 5, 9)])
def test_rows_right_are_those_of_scikit_learn(
    n: int, seed: int, deal: int, folds: str, module: Load
) -> None:
    state = {"n": n, "seed": seed, "deal": deal, "folds": folds}
    found = numbers(module("folds"), "folds", **state)
    sizes = np.bincount(found["folds"], minlength=found["k"])
    assert sizes.max() - sizes.min() <= 1
    assert found["k"] == (n if folds == ALONE else int(folds))
    x = np.array([[row["value"]] for row in found["rows"]])
    y = np.array([row["label"] for row in found["rows"]])
    called = cross_val_predict(NearestCentroid(), x, y, cv=PredefinedSplit(found["folds"]))
    assert found["rights"] == (called == y).astype(int).tolist()
    assert found["estimate"] == pytest.approx((called == y).mean())
    border = x[y == 0].mean() / 2 + x[y == 1].mean() / 2
    truth = (stats.norm.cdf(border) + stats.norm.sf(border - 1.5)) / 2
    assert found["truth"] == pytest.approx(truth, abs=1e-9)


def test_leave_one_out_does_not_move_with_the_deal_and_moves_with_the_rows(module: Load) -> None:
    page = module("folds")
    alone = numbers(page, "folds", folds=ALONE)
    assert sorted(alone["folds"]) == list(range(20))
    assert alone["rights"] == numbers(page, "folds", folds=ALONE, deal=2)["rights"]
    assert alone["sdDeals"] == 0
    of_k = {one["k"]: np.std(one["sets"], ddof=1) for one in alone["spreads"]}
    assert of_k[20] == pytest.approx(alone["sdSets"])
    assert 0.7 < of_k[20] / of_k[10] < 1.4
    assert of_k[20] > 0.05


def test_what_is_to_notice_is_so(module: Load) -> None:
    page = module("folds")
    two = numbers(page, "folds", folds="2", n=12)
    assert two["bias"] < 0
    blind = numbers(page, "folds", folds=ALONE, distance=0)
    assert blind["meanTruth"] == pytest.approx(0.5)
    assert abs(blind["meanSets"] - 0.5) < 4 * blind["sdSets"] / 200**0.5
    spreads = [np.std(one["sets"]) for one in blind["spreads"]]
    assert spreads[3] == max(spreads) > 1.3 * (0.25 / 20) ** 0.5
    few, many = (numbers(page, "folds", n=n)["sdSets"] for n in (12, 40))
    assert many < few


def test_the_same_rows_are_dealt_anew(blank: Page) -> None:
    staged = Staged(blank, "folds")
    assert staged.says.startswith("5 models, each trained on about 16 rows, call ")
    blank.get_by_role("button", name="Deal again").click()
    assert staged.told[-1] == "deal~2"
    blank.get_by_role("button", name=ALONE, exact=True).click()
    assert "20 models, each trained on 19 rows" in staged.says
    assert "nothing changes with it" in staged.says
