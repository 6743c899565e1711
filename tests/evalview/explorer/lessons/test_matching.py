"""Simple matching, Jaccard and edits: scipy's, and edits by trying them all."""

import itertools
from functools import cache

import numpy as np
import pytest
from playwright.sync_api import Page
from scipy.spatial import distance

from evalview.course.lessons import lessons
from tests.evalview.explorer.lessons.staging import Load, Staged, numbers

pytestmark = pytest.mark.browser

[WORDS] = [one.options for one in lessons()["matching"].settings if one.options]


@pytest.mark.parametrize("seed", range(6))
def test_features_are_compared_as_by_scipy(seed: int, module: Load) -> None:
    first, second = np.random.default_rng(seed).integers(0, 2, (2, 8))
    state = {"first": first.tolist(), "second": second.tolist()}
    found = numbers(module("matching"), "matching", **state)
    assert found["mismatching"] == pytest.approx(distance.hamming(first, second))
    assert found["matching"] == pytest.approx(1 - found["mismatching"])
    assert found["jaccard"] == pytest.approx(1 - distance.jaccard(first == 1, second == 1))


@cache
def edits(first: str, second: str) -> int:
    """Return the edits by their definition: what the last letters can have become."""
    if not first or not second:
        return len(first) + len(second)
    if first[-1] == second[-1]:
        return edits(first[:-1], second[:-1])
    ways = (first[:-1], second), (first, second[:-1]), (first[:-1], second[:-1])
    return 1 + min(edits(*way) for way in ways)


@pytest.mark.parametrize("words", WORDS)
def test_edits_are_the_fewest_and_a_way_leads_there(words: str, module: Load) -> None:
    found = numbers(module("matching"), "matching", words=words)
    one, other = words.split()
    expected = [
        [edits(one[:i], other[:j]) for j in range(len(other) + 1)] for i in range(len(one) + 1)
    ]
    assert found["table"] == expected
    way = found["way"][::-1]
    assert (way[0], way[-1]) == ([0, 0], [len(one), len(other)])
    cost = 0
    for (i, j), (k, m) in itertools.pairwise(way):
        assert (k - i, m - j) in {(1, 1), (1, 0), (0, 1)}
        cost += not (k - i == m - j == 1 and one[k - 1] == other[m - 1])
    assert cost == found["edits"]


def test_known_words(module: Load) -> None:
    page = module("matching")
    known = {"kitten sitting": 3, "sunday saturday": 3}
    for words, many in known.items():
        assert numbers(page, "matching", words=words)["edits"] == many


def test_nothing_in_common_and_nothing_at_all(module: Load) -> None:
    found = numbers(module("matching"), "matching", first=[0] * 8, second=[0] * 8)
    assert (found["matching"], found["jaccard"]) == (1, "NaN")


def test_a_feature_is_changed_by_a_click(blank: Page) -> None:
    staged = Staged(blank, "matching")
    assert "simple matching 0.750, Jaccard 0.500" in staged.says
    blank.get_by_role("button", name="The first customer bought thing 3").click()
    assert staged.told[-1] == "first~1_0_0_0_0_0_1_0"
    assert "simple matching 0.875, Jaccard 0.667" in staged.says
    blank.get_by_role("button", name="sunday saturday").click()
    assert "it takes 3 edits" in staged.says
