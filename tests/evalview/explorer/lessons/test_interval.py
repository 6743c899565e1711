"""How sure is a share: intervals are evalcore's and scipy's, the worked table is right."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page
from scipy import stats

from evalcore.intervals.closed import wilson
from tests.evalview.explorer.lessons.staging import Load, Staged, numbers

pytestmark = pytest.mark.browser

LEVELS = {"80%": 0.8, "90%": 0.9, "95%": 0.95, "99%": 0.99}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("n", "accuracy"), [(50, 0.8), (10, 0.0), (20, 1.0), (30, 0.85), (9999, 0.5)]
)
def test_every_interval_is_that_of_its_method(
    n: int, accuracy: float, level: str, module: Load
) -> None:
    found = numbers(module("interval"), "interval", n=n, accuracy=accuracy, level=level)
    right = int(np.floor(n * accuracy + 0.5))
    assert found["right"] == right
    expected = wilson(right, n, LEVELS[level])
    assert [found["low"], found["high"]] == pytest.approx([expected.low, expected.high], abs=1e-9)
    exact = stats.binomtest(right, n).proportion_ci(LEVELS[level], "exact")
    assert [found["least"], found["most"]] == pytest.approx(list(exact), abs=1e-9)
    assert found["z"] == pytest.approx(stats.norm.ppf((1 + LEVELS[level]) / 2))
    assert found["t"] == pytest.approx(stats.t.ppf((1 + LEVELS[level]) / 2, n - 1), rel=1e-7)
    share = right / n
    half = found["z"] * (share * (1 - share) / n) ** 0.5
    assert [found["below"], found["above"]] == pytest.approx([share - half, share + half])


def test_the_worked_table_of_an_accuracy_of_80_percent(module: Load) -> None:
    found = numbers(module("interval"), "interval")
    assert [rows for rows, *_ in found["table"]] == [50, 100, 500, 1000, 5000]
    for rows, low, high in found["table"]:
        expected = wilson(round(0.8 * rows), rows, 0.95)
        assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-9)
    ends = [(round(low, 3), round(high, 3)) for _, low, high in found["table"]]
    assert ends == [(0.67, 0.888), (0.711, 0.867), (0.763, 0.833), (0.774, 0.824), (0.789, 0.811)]
    assert [round(t, 3) for _, t in found["ts"]] == [2.776, 2.262, 2.045, 1.984]
    assert round(found["z"], 4) == 1.96


def test_a_share_that_is_no_count_is_said(blank: Page) -> None:
    staged = Staged(blank, "interval")
    assert staged.says.startswith("40 of 50 right is 80.0%; 95% interval 67.0% to 88.8%")
    staged.show("n~30~accuracy~0.85")
    assert staged.says.startswith(
        "85.0% of 30 would be 25.5 rows, which is impossible. 26 of 30 right"
    )


@pytest.mark.parametrize(("n", "p"), [(10, 0.8), (50, 0.8), (1000, 0.95), (10_000, 0.5)])
def test_samples_are_drawn_from_the_binomial(n: int, p: float, module: Load) -> None:
    page = module("interval")
    found = page.evaluate(
        "([n, p]) => Array.from({ length: 40 }, (_, at) => drawnRights(at + 1, n, p)).flat()",
        [n, p],
    )
    assert len(found) == 4000
    assert np.mean(found) == pytest.approx(n * p, abs=4 * (n * p * (1 - p) / 4000) ** 0.5)
    assert np.std(found) == pytest.approx((n * p * (1 - p)) ** 0.5, rel=0.06)
    again = page.evaluate("([n, p]) => drawnRights(1, n, p)", [n, p])
    assert again == found[:100], "a seed draws the same again"


@pytest.mark.parametrize("accuracy", [0, 0.8, 1])
def test_an_interval_misses_where_the_true_share_is_outside_it(
    accuracy: float, module: Load
) -> None:
    page = module("interval")
    for seed in (1, 2, 3):
        state = {"show": "100 samples", "seed": seed, "accuracy": accuracy, "n": 200}
        samples = numbers(page, "interval", **state)["samples"]
        assert len(samples) == 100
        for one in samples:
            theirs = wilson(round(one["share"] * 200), 200, 0.95)
            assert [one["low"], one["high"]] == pytest.approx([theirs.low, theirs.high], abs=1e-9)
            outside = not theirs.low - 1e-12 <= accuracy <= theirs.high + 1e-12
            assert one["isMiss"] == outside
        missed = sum(one["isMiss"] for one in samples)
        assert missed <= 14, "of 100 with a chance of 5% each"
        assert accuracy == 0.8 or not missed


def test_repeated_samples_are_drawn_marked_and_told(blank: Page) -> None:
    staged = Staged(blank, "interval")
    blank.get_by_role("button", name="100 samples").click()
    found = re.match(
        r"The model is truly right for 80\.0%\. Of 100 samples of 50 rows, (\d+) give an interval "
        r"that holds this; (\d+) miss it \(red\); about 5 are expected to\.",
        staged.says,
    )
    assert found, staged.says
    held, missed = map(int, found.groups())
    assert held + missed == 100
    plane = blank.get_by_role("group", name=f"{held} of 100 intervals hold the true 80.0%")
    assert plane.locator(".line").count() == 100
    assert plane.locator(".line.chosen").count() == plane.locator(".dot").count() == missed
    staged.slider("Rows, n").press("End")
    assert "Of 100 samples of 10,000 rows" in staged.says
    assert staged.told[-1] == "n~10000~show~100 samples"
