"""The bootstrap: draws, rows left out, standard errors and .632, worked out again by numpy."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page
from sklearn.neighbors import KNeighborsClassifier

from tests.evalview.explorer.lessons.staging import Load, Staged, numbers

pytestmark = pytest.mark.browser


def drawn(page: Page, n: int, samples: int, seed: int = 1) -> tuple[np.ndarray, Any, Any]:
    """Return drawn rows (samples, n), the features (n,) and the labels (n,)."""
    rows = page.evaluate("(n) => rowsOf(n)", n)
    places = page.evaluate("([seed, n, many]) => drawnRows(seed, n, many)", [seed, n, samples * n])
    values, labels = (np.array([row[key] for row in rows]) for key in ("value", "label"))
    return np.reshape(places, (samples, n)), values, labels


def test_a_row_is_never_drawn_with_the_probability_of_the_course(module: Load) -> None:
    page = module("bootstrap")
    expected = {n: round(numbers(page, "resampling", n=n)["expected"], 4) for n in (5, 10, 40)}
    assert expected == {5: 0.3277, 10: 0.3487, 40: 0.3632}
    assert round(numbers(page, "resampling")["limit"], 3) == 0.368
    found = numbers(page, "resampling", n=10, drawn=10_000)
    left = np.array([len(one["out"]) for one in found["samples"]]) / 10
    assert found["neverShare"] == pytest.approx(left.mean())
    assert abs(left.mean() - 0.9**10) < 4 * left.std() / 1000**0.5


def test_means_spread_as_the_formula_says(module: Load) -> None:
    page = module("bootstrap")
    found = numbers(page, "resampling", n=20, drawn=20_000)
    places, values, _ = drawn(page, 20, 1000)
    means = values[places].mean(axis=1)
    assert found["statistics"] == pytest.approx(means.tolist())
    assert found["error"] == pytest.approx(means.std(ddof=1))
    # The standard deviation of 1,000 means is known to about one part in 45.
    assert found["formula"] == pytest.approx(values.std() / 20**0.5)
    assert abs(found["error"] / found["formula"] - 1) < 4 / 2000**0.5


@pytest.mark.parametrize(("n", "seed"), [(10, 1), (15, 4), (30, 2)])
def test_both_forms_of_632_are_those_of_models_trained_by_scikit_learn(
    n: int, seed: int, module: Load
) -> None:
    page = module("bootstrap")
    found = numbers(page, "resampling", n=n, drawn=50 * n + 3, seed=seed)
    assert (found["complete"], found["inThis"]) == (50, 3)
    places, values, labels = drawn(page, n, 50, seed)
    assert len(np.unique(values)) == n
    wrong, out = np.empty((50, n)), np.empty((50, n), dtype=bool)
    for at, sample in enumerate(places):
        model = KNeighborsClassifier(1).fit(values[sample][:, None], labels[sample])
        wrong[at] = model.predict(values[:, None]) != labels
        out[at] = ~np.isin(np.arange(n), sample)
    of_rows = np.ma.masked_array(wrong, ~out).mean(axis=0).mean()
    of_samples = np.ma.masked_array(wrong, ~out).mean(axis=1)
    assert found["train"] == 0
    assert found["single"] == pytest.approx(0.632 * of_rows)
    both = 0.632 * of_samples + 0.368 * wrong.mean(axis=1)
    assert found["rounds"] == pytest.approx(float(both.mean()))


def test_samples_drawn_one_by_one_are_those_drawn_at_once(module: Load) -> None:
    page = module("bootstrap")
    steps = [numbers(page, "resampling", drawn=many) for many in (10, 11, 500, 40)]
    assert [one["complete"] for one in steps] == [1, 1, 50, 4]
    assert steps[2]["statistics"][:4] == steps[3]["statistics"]
    assert steps[1]["bag"] != steps[0]["bag"]
    assert sum(steps[1]["bag"]) == 1


def test_rows_are_drawn_by_hand(blank: Page) -> None:
    staged = Staged(blank, "resampling")
    staged.show("drawn~0")
    assert staged.says.startswith("Draw from these 10 rows")
    blank.get_by_role("button", name="Draw one row").click()
    assert staged.says == "1 of 10 rows are drawn, and 9 of the rows are not among them yet."
    blank.get_by_role("button", name="A whole sample").click()
    assert staged.told[-1] == "drawn~10"
    assert "34.9% is expected" in staged.says
    blank.get_by_role("button", name="100 samples").click()
    assert staged.told[-1] == "drawn~1010"
    assert "Over 101 samples" in staged.says
