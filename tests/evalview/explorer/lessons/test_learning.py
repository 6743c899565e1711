"""Learning and validation curves: the expected errors are those of least squares, simulated."""

import numpy as np
import pytest
from playwright.sync_api import Page

from tests.evalview.explorer.lessons.staging import Load, Staged, numbers

pytestmark = pytest.mark.browser


def weights(noise: float) -> np.ndarray:
    """Return the (40,) squared coefficients: each 0.75 of the one before, 1 - noise in all."""
    shares = 0.75 ** np.arange(40)
    return (1 - noise) * shares / shares.sum()


@pytest.mark.parametrize(("n", "d", "noise"), [(45, 14, 0.12), (68, 40, 0.08), (200, 3, 0.3)])
def test_expected_shares_are_those_of_least_squares(
    n: int, d: int, noise: float, module: Load
) -> None:
    found = numbers(module("learning"), "what_next", n=n, d=d, noise=noise)
    assert found["left"] == pytest.approx(noise + weights(noise)[d:].sum())
    rng = np.random.default_rng(0)
    beta = np.sqrt(weights(noise))
    train, test = [], []
    for _ in range(1500):
        x = rng.normal(size=(n, 40))
        y = x @ beta + noise**0.5 * rng.normal(size=n)
        fit, *_ = np.linalg.lstsq(x[:, :d], y)
        train.append(1 - np.mean((y - x[:, :d] @ fit) ** 2))
        # On new rows the error is known: features are independent, their variance is 1.
        wrong = beta.copy()
        wrong[:d] -= fit
        test.append(1 - noise - wrong @ wrong)
    for name, shares in (("train", train), ("test", test)):
        assert abs(found[name] - np.mean(shares)) < 4 * np.std(shares) / len(shares) ** 0.5


def test_each_case_is_at_80_percent_and_needs_something_else(module: Load) -> None:
    page = module("learning")
    cases = [numbers(page, "what_next", **case) for case in page.evaluate("CASES")]
    assert [round(one["test"], 2) for one in cases] == [0.8] * 4
    rows, features, noise, fewer = cases
    assert rows["double"] - rows["test"] > 0.03
    assert rows["atBest"] - rows["test"] < 0.005
    assert features["ten"] - features["test"] < 0.005
    assert features["atBest"] - features["test"] > 0.1
    assert features["best"] > 7
    assert noise["limit"] - noise["test"] < 0.01
    assert fewer["best"] < 40
    assert fewer["atBest"] - fewer["test"] > 0.05
    assert rows["gap"] > 0.08 < fewer["gap"]


def test_more_features_always_fit_the_training_rows_better(module: Load) -> None:
    found = numbers(module("learning"), "what_next", n=100)
    assert np.all(np.diff(found["trains"]) > 0)
    assert found["tests"][found["best"] - 1] == max(found["tests"])


def test_what_would_help_is_hidden_until_asked_for(blank: Page) -> None:
    staged = Staged(blank, "what_next")
    table = blank.get_by_role("row", name="twice the rows")
    assert not table.is_visible()
    blank.get_by_role("button", name="Case 2").click()
    assert staged.told[-1] == "n~1500~d~7~noise~0.075"
    assert "The gap is narrow" in staged.says
    blank.get_by_role("button", name="Show what would help").click()
    assert table.inner_text().split() == ["twice", "the", "rows", "80.1%"]
