"""Two models over folds: t, its correction and the decision are scipy's and evalcore's."""

import numpy as np
import pytest
from playwright.sync_api import Page
from scipy import stats

from evalcore.comparison.folds import FoldDifferences, corrected_resampled_t, paired_t
from tests.evalview.explorer.lessons.staging import Load, Staged, numbers

pytestmark = pytest.mark.browser

FIRST = [79, 79, 78, 79, 86, 76, 81, 86, 75, 80]
SECOND = [81, 84, 79, 82, 85, 80, 83, 86, 78, 82]


def test_the_worked_example_of_ten_folds(module: Load) -> None:
    found = numbers(module("paired"), "paired")
    assert [found["first"], found["second"]] == [FIRST, SECOND]
    assert round(found["t"], 3) == -3.706
    assert round(found["critical"], 3) == 2.262
    assert found["isFar"]
    assert found["df"] == 9


@pytest.mark.parametrize("alpha", ["10%", "5%", "1%"])
@pytest.mark.parametrize("seed", range(5))
def test_t_p_and_critical_value_are_those_of_scipy(seed: int, alpha: str, module: Load) -> None:
    rng = np.random.default_rng(seed)
    first, second = rng.integers(60, 90, (2, 10))
    found = numbers(
        module("paired"), "paired", first=first.tolist(), second=second.tolist(), alpha=alpha
    )
    test = stats.ttest_rel(first, second)
    assert (found["t"], found["p"]) == pytest.approx((test.statistic, test.pvalue))
    share = float(alpha[:-1]) / 100
    assert found["critical"] == pytest.approx(stats.t.ppf(1 - share / 2, 9))
    d = first - second
    corrected = d.mean() / np.sqrt(d.var(ddof=1) * (1 / 10 + 1 / 9))
    assert found["t2"] == pytest.approx(corrected)
    assert found["p2"] == pytest.approx(2 * stats.t.sf(abs(corrected), 9))
    table = FoldDifferences(d.astype(float), test_over_train=1 / 9)
    assert found["p"] == pytest.approx(paired_t(table).p_value)
    assert found["p2"] == pytest.approx(corrected_resampled_t(table).p_value)
    assert found["isFar2"] == (found["p2"] < share)
    half = found["critical"] * found["error2"]
    assert (found["low"], found["high"]) == pytest.approx((d.mean() - half, d.mean() + half))


def test_equal_differences_leave_t_undefined(module: Load) -> None:
    found = numbers(module("paired"), "paired", first=[one - 2 for one in SECOND])
    assert found["t"] == "NaN"
    assert found["mean"] == -2


def test_the_density_is_scipys(module: Load) -> None:
    found = module("paired").evaluate("[-3, 0, 0.5, 9].map((t) => tDensity(t, 9))")
    assert found == pytest.approx(stats.t.pdf([-3, 0, 0.5, 9], 9).tolist())


def test_scores_are_typed_and_differences_dragged(blank: Page) -> None:
    staged = Staged(blank, "paired")
    assert "The plain paired t is −3.706" in staged.says
    box = blank.get_by_role("textbox", name="Fold 1, first model, percent")
    box.fill("abc")
    assert blank.get_by_role("alert").inner_text() == "“abc” is not a score from 0 to 100."
    assert "−3.706" in staged.says
    box.fill("101")
    assert "101" in blank.get_by_role("alert").inner_text()
    box.fill("81,5")
    assert blank.get_by_role("alert").inner_text() == ""
    assert staged.told[-1].startswith("first~81.5_79")
    box.blur()
    staged.slider("Difference of fold 2").press("ArrowUp")
    assert staged.told[-1].startswith("first~81.5_80")
