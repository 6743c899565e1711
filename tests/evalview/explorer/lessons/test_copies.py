"""Balancing and folds: answers are those of scikit-learn, and so is the leak."""

import numpy as np
import pytest
from playwright.sync_api import Page
from sklearn.metrics import precision_score, recall_score
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier

from tests.evalview.explorer.lessons.staging import Load, Staged, numbers

pytestmark = pytest.mark.browser

ONE = KNeighborsClassifier(1)


def table(rows: list[dict[str, float]]) -> tuple[np.ndarray, np.ndarray]:
    return (
        np.array([[row["x"], row["y"]] for row in rows]),
        np.array([row["label"] for row in rows]),
    )


@pytest.mark.parametrize("way", ["copy rare rows", "leave out others", "nothing"])
@pytest.mark.parametrize("seed", [1, 5])
def test_answers_of_the_folds_are_scikit_learns(seed: int, way: str, module: Load) -> None:
    state = {"way": way, "order": "before", "seed": seed}
    found = numbers(module("copies"), "over_sampling", **state)
    x, y = table(found["found"]["rows"])
    assert way == "nothing" or y.mean() == 0.5
    called = cross_val_predict(ONE, x, y, cv=PredefinedSplit(found["found"]["folds"]))
    assert found["found"]["called"] == called.tolist()
    assert found["recall"] == pytest.approx(recall_score(y, called))
    assert found["precision"] == pytest.approx(precision_score(y, called))
    sizes = np.bincount(found["found"]["folds"])
    assert sizes.max() - sizes.min() <= 2


def test_copies_inside_the_folds_change_no_answer_of_a_nearest_neighbour(module: Load) -> None:
    found = numbers(module("copies"), "over_sampling", order="inside")
    x, y = table(found["found"]["rows"])
    assert len(y) == 120
    called = cross_val_predict(ONE, x, y, cv=PredefinedSplit(found["found"]["folds"]))
    assert found["found"]["called"] == called.tolist()
    assert found["twins"] == 0


def test_copies_before_the_split_promise_too_much_and_inside_they_do_not(module: Load) -> None:
    page = module("copies")
    for distance in (0, 1, 2):
        before = numbers(page, "over_sampling", distance=distance)
        assert before["averages"]["before"]["recall"] > 0.95
        assert before["gap"] > 0.2
        inside = numbers(page, "over_sampling", distance=distance, order="inside")
        assert abs(inside["gap"]) < 0.1
    assert before["twins"] > 0.4


def test_fewer_others_before_the_split_promise_too_much_precision(module: Load) -> None:
    found = numbers(module("copies"), "over_sampling", way="leave out others")
    assert found["twins"] == 0
    averages = found["averages"]
    assert averages["before"]["precision"] > averages["real"]["precision"] + 0.2


def test_what_is_balanced_where_is_chosen(blank: Page) -> None:
    staged = Staged(blank, "over_sampling")
    assert "of the test rows are training rows too" in staged.says
    blank.get_by_role("button", name="inside").click()
    assert staged.told[-1] == "order~inside"
    assert staged.says.endswith("test folds keep the true share of cases.")
    staged.show("way~leave out others")
    assert "more cases than new rows" in staged.says
