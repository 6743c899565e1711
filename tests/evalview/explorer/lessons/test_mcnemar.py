"""Two models on the same rows: McNemar's tests are evalcore's and scipy's."""

import numpy as np
import pytest
from playwright.sync_api import Page
from scipy import stats

from evalcore.comparison import rows
from evalcore.tables.confusion import PairedTable
from tests.evalview.explorer.lessons.staging import Load, Staged, numbers

pytestmark = pytest.mark.browser

CASES = [(25, 12, 140, 23), (5, 0, 10, 3), (25, 25, 0, 0), (50, 120, 700, 10), (0, 1, 5, 5)]


@pytest.mark.parametrize(("first", "second", "both", "none"), CASES)
def test_p_values_are_those_of_scipy_and_evalcore(
    first: int, second: int, both: int, none: int, module: Load
) -> None:
    found = numbers(module("mcnemar"), "mcnemar", first=first, second=second, both=both, none=none)
    exact = stats.binomtest(first, first + second, 0.5).pvalue
    assert found["exact"] == pytest.approx(exact, rel=1e-9)
    chi = (first - second) ** 2 / (first + second)
    assert found["p"] == pytest.approx(stats.chi2.sf(chi, 1), rel=1e-9)
    one, other = (
        np.repeat(right, [both, first, second, none]) for right in ([1, 1, 0, 0], [1, 0, 1, 0])
    )
    table = PairedTable.from_codes(("no", "yes"), (np.ones_like(one), one, other))
    assert found["exact"] == pytest.approx(rows.mcnemar_exact(table).p_value)
    assert found["mid"] == pytest.approx(rows.mcnemar_mid_p(table).p_value)
    n = first + second + both + none
    assert found["gap"] == pytest.approx((first + both) / n - (second + both) / n)


def test_rows_on_which_models_agree_change_no_p_value(module: Load) -> None:
    page = module("mcnemar")
    few, many = (numbers(page, "mcnemar", both=both) for both in (0, 1000))
    assert few["one"] < many["one"]
    assert all(few[name] == many[name] for name in ("exact", "mid", "p", "pContinued"))


def test_models_that_never_differ_are_said_to_be_alike(blank: Page) -> None:
    staged = Staged(blank, "mcnemar")
    assert "A fair coin shares 37 rows at least as unevenly" in staged.says
    staged.show("first~0~second~0")
    assert "nothing tells them apart" in staged.says
