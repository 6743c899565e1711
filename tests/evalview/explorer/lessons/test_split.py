"""Splitting: the hypergeometric distribution is scipy's, and deals follow it."""

import numpy as np
import pytest
from playwright.sync_api import Page
from scipy import stats

from evalview.course.lessons import lessons
from tests.evalview.explorer.lessons.staging import NUMBERS, Load, Staged, numbers, start

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("train", ["70%", "75%", "80%"])
@pytest.mark.parametrize(("rows", "cases"), [(60, 4), (300, 40), (20, 19), (25, 1)])
def test_chances_are_those_of_scipy(rows: int, cases: int, train: str, module: Load) -> None:
    found = numbers(module("split"), "stratified", rows=rows, cases=cases, train=train)
    test = found["test"]
    assert abs(test - rows * (100 - float(train[:-1])) / 100) <= 0.5
    k = np.arange(len(found["exact"]))
    theirs = stats.hypergeom.pmf(k, rows, cases, test)
    assert found["exact"] == pytest.approx(theirs, rel=1e-9, abs=1e-13)
    assert sum(found["exact"]) == pytest.approx(1)
    assert found["noneLeft"] == pytest.approx(stats.hypergeom.pmf(cases, rows, cases, test))
    error = (found["none"] * (1 - found["none"]) / 1000) ** 0.5
    assert abs(found["noneSeen"] - found["none"]) <= 4.5 * error


def test_a_deal_takes_each_row_at_most_once_and_is_random(module: Load) -> None:
    one = lessons()["stratified"]
    states = [start(one, seed=seed) for seed in range(1, 250)]
    found = module("split").evaluate(NUMBERS, [states, []])
    assert all(len(set(each["here"])) == 15 for each in found)
    times = np.bincount([row for each in found for row in each["here"]], minlength=60)
    assert stats.chisquare(times).pvalue > 1e-4


@pytest.mark.parametrize(("rows", "cases"), [(60, 4), (100, 12), (25, 1)])
def test_stratified_parts_have_their_share_of_cases(rows: int, cases: int, module: Load) -> None:
    page = module("split")
    for seed in range(1, 6):
        found = numbers(page, "stratified", rows=rows, cases=cases, way="stratified", seed=seed)
        assert len(set(found["here"])) == found["test"]
        assert found["found"] == found["strata"]
        assert abs(found["strata"] - found["expected"]) <= 0.5


def test_what_is_said_of_sizes_is_so(module: Load) -> None:
    page = module("split")
    none = [
        numbers(page, "stratified", **state)["none"]
        for state in ({}, {"train": "80%"}, {"rows": 300, "cases": 20})
    ]
    assert round(none[0], 1) == 0.3
    assert none[1] > none[0]
    assert none[2] < 0.005
    assert round(float(stats.hypergeom.pmf(0, 1000, 10, 250)), 3) == 0.055


def test_a_scheme_that_leaves_the_test_part_empty_says_so(blank: Page) -> None:
    staged = Staged(blank, "stratified")
    assert "At random it has none in 30." in staged.says
    staged.show("cases~1~way~stratified")
    assert "too few cases to give the test part one" in staged.says
    blank.get_by_role("button", name="Split again").click()
    assert staged.told[-1].endswith("seed~2")
