"""Several classes: macro, micro and weighted averages are those of scikit-learn."""

import numpy as np
import pytest
from playwright.sync_api import Page
from sklearn.metrics import balanced_accuracy_score, precision_recall_fscore_support

from tests.evalview.explorer.lessons.staging import Load, Staged, numbers

pytestmark = pytest.mark.browser

TRUTH = [1, 0, 1, 1, 2, 2, 1, 2, 0, 1]
CALLED = [1, 1, 2, 1, 0, 2, 1, 2, 0, 2]


def test_the_worked_example_of_ten_rows(module: Load) -> None:
    found = numbers(module("matrix"), "averages")
    cells = np.zeros((3, 3))
    np.add.at(cells, (TRUTH, CALLED), 1)
    assert found["cells"] == cells.ravel().tolist()
    values = {name: round(found[name], 4) for name in ("accuracy", "macroF", "weightedF")}
    assert values == {"accuracy": 0.6, "macroF": 0.5794, "weightedF": 0.6048}


@pytest.mark.parametrize("seed", range(5))
def test_averages_are_those_of_scikit_learn(seed: int, module: Load) -> None:
    size = 3 + seed % 3
    cells = np.random.default_rng(seed).integers(1, 30, (size, size))
    found = numbers(module("matrix"), "averages", cells=cells.ravel().tolist())
    truth = np.repeat(np.arange(size).repeat(size), cells.ravel())
    called = np.repeat(np.tile(np.arange(size), size), cells.ravel())
    for average in ("macro", "weighted"):
        names = [f"{average}{name}" for name in ("Precision", "Recall", "F")]
        theirs = precision_recall_fscore_support(truth, called, average=average)[:3]
        assert [found[name] for name in names] == pytest.approx(list(theirs))
    micro = precision_recall_fscore_support(truth, called, average="micro")[:3]
    assert list(micro) == pytest.approx([found["accuracy"]] * 3)
    assert found["weightedRecall"] == pytest.approx(found["accuracy"])
    assert found["macroRecall"] == pytest.approx(balanced_accuracy_score(truth, called))


def test_averages_follow_what_is_typed(blank: Page) -> None:
    staged = Staged(blank, "averages")
    assert staged.says.startswith("6 of 10 rows of 3 classes are right: micro F1, the accuracy")
    blank.get_by_role("textbox", name="Truly A, called A").fill("11")
    assert staged.says.startswith("16 of 20 rows")
