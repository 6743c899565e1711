"""The typed matrix: what is read of a cell and of a table, and every rate that follows."""

from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from sklearn.metrics import fbeta_score, precision_recall_fscore_support

from evalcore.metrics.decisions import ACCURACY, F1, PRECISION, RECALL, SPECIFICITY
from evalcore.tables.confusion import BinaryCounts
from evalread.loading import load
from evalview.course.lessons import is_state, lessons
from evalview.course.typed import file, names
from tests.evalview.explorer.lessons.staging import Load, Staged, numbers

pytestmark = pytest.mark.browser

WORKED = {
    # TP, FN, FP, TN: accuracy, recall, specificity, precision
    (90, 210, 140, 9560): (0.965, 0.300, 0.9856, 0.3913),
    (6954, 46, 412, 2588): (0.9542, 0.9934, 0.8627, 0.9441),
    (150, 40, 60, 250): (0.80, 0.7895, 0.8065, 0.7143),
    (250, 45, 5, 200): (0.90, 0.8475, 0.9756, 0.9804),
    (47, 31, 327, 2950): (0.8933, 0.6026, 0.9002, 0.1257),
    (0, 260, 0, 10923): (0.97675, 0.0, 1.0, None),
}


@pytest.mark.parametrize("cells", WORKED)
def test_worked_examples_have_their_values(cells: tuple[int, ...], module: Load) -> None:
    found = numbers(module("matrix"), "matrix", cells=list(cells))
    told = [found[name] for name in ("accuracy", "recall", "specificity", "precision")]
    for value, expected in zip(told, WORKED[cells], strict=True):
        assert value == ("NaN" if expected is None else pytest.approx(expected, abs=5e-5))


def test_rates_are_those_of_evalcore(module: Load) -> None:
    rng = np.random.default_rng(3)
    for cells in [*rng.integers(0, 50, (20, 4)).tolist(), [0, 0, 3, 4], [0, 0, 0, 9], [5, 0, 0, 0]]:
        tp, fn, fp, tn = cells
        counts = BinaryCounts(tp=tp, fp=fp, fn=fn, tn=tn)
        found = numbers(module("matrix"), "matrix", cells=cells)
        metrics = {"accuracy": ACCURACY, "precision": PRECISION, "recall": RECALL}
        for name, metric in (metrics | {"specificity": SPECIFICITY, "f": F1}).items():
            value = float(metric.compute(counts))
            expected = "NaN" if np.isnan(value) else pytest.approx(value, rel=1e-12)
            assert found[name] == expected, (name, cells)


@pytest.mark.parametrize("beta", [0.25, 0.5, 1, 2, 4])
def test_both_forms_of_f_beta_are_scikit_learns(beta: float, module: Load) -> None:
    tp, fn, fp, tn = 90, 210, 140, 9560
    found = numbers(module("matrix"), "matrix", beta=beta)
    truth = np.repeat([1, 1, 0, 0], [tp, fn, fp, tn])
    called = np.repeat([1, 0, 1, 0], [tp, fn, fp, tn])
    assert found["f"] == pytest.approx(fbeta_score(truth, called, beta=beta), rel=1e-12)
    p, r, squared = found["precision"], found["recall"], found["squared"]
    assert (1 + squared) * p * r / (squared * p + r) == pytest.approx(found["f"], rel=1e-12)


def test_several_classes_are_scikit_learns(module: Load) -> None:
    cells = np.array([[5, 1, 0], [2, 7, 1], [0, 1, 9]])
    found = numbers(module("matrix"), "matrix", cells=cells.ravel().tolist())
    truth = np.repeat([0, 0, 0, 1, 1, 1, 2, 2, 2], cells.ravel())
    called = np.repeat([0, 1, 2] * 3, cells.ravel())
    precision, recall, f1, _ = precision_recall_fscore_support(truth, called)
    assert [one["precision"] for one in found["classes"]] == pytest.approx(precision.tolist())
    assert [one["recall"] for one in found["classes"]] == pytest.approx(recall.tolist())
    assert found["macroF"] == pytest.approx(f1.mean())
    assert found["weightedF"] == pytest.approx(np.average(f1, weights=cells.sum(axis=1)))
    assert found["accuracy"] == pytest.approx(21 / 26)


@pytest.mark.parametrize(
    ("text", "count"),
    [("7", 7), (" 9,560 ", 9560), ("9 560", 9560), ("1e12", 1e12), ("0", 0), ("1’000", 1000)],
)
def test_a_count_is_read_as_people_write_it(text: str, count: float, module: Load) -> None:
    assert module("counts").evaluate("(text) => readCount(text)", text) == {"count": count}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "A cell is empty. Type 0 where there are no rows."),
        ("abc", "“abc” is not a number. Type a whole number of rows, 0 or more."),
        ("<b>", "“<b>” is not a number. Type a whole number of rows, 0 or more."),
        ("-3", "“-3” is below 0. Counts of rows are 0 or more."),
        ("−3", "“-3” is below 0. Counts of rows are 0 or more."),
        ("2.5", "“2.5” is not whole. Count whole rows."),
        ("30%", "“30%” is a share. Type how many rows."),
        ("1e13", "“1e13” is too large. A cell has at most 1,000,000,000,000 rows here."),
        ("1e999", "“1e999” is not whole. Count whole rows."),
    ],
)
def test_what_is_no_count_is_said_plainly(text: str, said: str, module: Load) -> None:
    assert module("counts").evaluate("(text) => readCount(text)", text) == {"problem": said}


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("90\t210\n140\t9,560\n", [90, 210, 140, 9560]),
        ("90, 210\n140, 9560", [90, 210, 140, 9560]),
        ("90 210\r\n140 9560", [90, 210, 140, 9560]),
        (",ill,well\nill,90,210\nwell,140,9560", [90, 210, 140, 9560]),
        ("a;b;c\n1;2;3\n4;5;6\n7;8;9", [1, 2, 3, 4, 5, 6, 7, 8, 9]),
    ],
)
def test_a_table_is_read_with_or_without_names(text: str, cells: list[int], module: Load) -> None:
    assert module("counts").evaluate("(text) => readTable(text)", text) == {"cells": cells}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "shape 0 × 0"),
        ("1,2,3\n4,5,6", "shape 2 × 3"),
        ("1,2\n3", "rows of different lengths"),
        ("1,x\n3,4", "“x” is not a number"),
        ("1,-2\n3,4", "below 0"),
    ],
)
def test_a_table_that_is_no_matrix_is_refused(text: str, said: str, module: Load) -> None:
    assert said in module("counts").evaluate("(text) => readTable(text)", text)["problem"]


def test_icons_are_shared_out_without_losing_one(module: Load) -> None:
    page = module("icons")
    assert page.evaluate("apportioned([90, 210, 140, 9560])") == [2, 4, 3, 191]
    assert page.evaluate("apportioned([3, 0, 1, 2])") == [3, 0, 1, 2]
    rng = np.random.default_rng(0)
    for parts in rng.integers(0, 10**6, (30, 4)).tolist():
        icons = page.evaluate("(parts) => apportioned(parts)", parts)
        assert sum(icons) == 200
        assert all(abs(i - 200 * p / sum(parts)) < 1 for i, p in zip(icons, parts, strict=True))


def test_what_is_typed_is_followed_and_what_is_no_count_changes_nothing(blank: Page) -> None:
    staged = Staged(blank, "matrix")
    box = blank.get_by_role("textbox", name="Truly positive, called positive")
    box.fill("190")
    assert "Of 400 positives 190 are found (recall 47.5%)" in staged.says
    box.fill("19x")
    assert blank.get_by_role("alert").inner_text().startswith("“19x” is not a number.")
    assert "190 are found" in staged.says
    box.fill("0")
    assert blank.get_by_role("alert").inner_text() == ""
    box.blur()
    expect(box).to_have_value("0")
    link = blank.get_by_role("link", name="Open as data")
    expect(link).to_have_attribute("href", "overview?data=counts-0_210_140_9560")
    assert staged.told[-1] == "cells~0_210_140_9560"


def test_a_table_that_is_pasted_into_a_cell_fills_the_matrix(blank: Page) -> None:
    staged = Staged(blank, "matrix")
    blank.locator(".typed td input").first.evaluate(
        """(box) => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text", "1\\t2\\t3\\n4\\t5\\t6\\n7\\t8\\t9");
            box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
        }"""
    )
    assert "15 of 45 rows are right" in staged.says
    assert blank.locator(".typed td input").count() == 9
    blank.get_by_role("button", name="− class").click()
    assert blank.locator(".typed td input").count() == 4
    assert "Of 3 positives 1 are found" in staged.says


def test_no_rows_at_all_are_said_and_make_no_data(blank: Page) -> None:
    staged = Staged(blank, "matrix")
    staged.show("cells~0_0_0_0")
    assert staged.says == "There are no rows: type a count."
    expect(blank.get_by_role("link", name="Open as data")).to_be_hidden()


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ("0_0_0_5", "No row is truly positive, so recall is undefined there."),
        ("0_5_0_0", "No row is called positive, so precision is undefined there."),
        ("1_0_0_0_0_0_0_0_5", "No row is truly B, so recall is undefined there."),
    ],
)
def test_a_rate_that_is_undefined_has_its_reason(cells: str, said: str, blank: Page) -> None:
    staged = Staged(blank, "matrix")
    staged.show(f"cells~{cells}")
    assert said in staged.says
    two_forms = staged.formulas()[-2:]
    if cells == "0_5_0_0":
        assert two_forms[0].endswith("0.0000")
        assert two_forms[1].endswith("undefined"), "precision is none, so nothing follows from it"
    staged = Staged(blank, "averages")
    staged.show(f"cells~{cells}")
    assert "A mean with an undefined part is undefined." in staged.says


@pytest.mark.parametrize("cells", [*WORKED, (1, 2, 3, 4, 5, 6, 7, 8, 9), (10**12, 0, 0, 1)])
def test_typed_counts_are_data_with_the_same_numbers(cells: tuple[int, ...], module: Load) -> None:
    token = module("counts").evaluate("(cells) => tokenOf(cells)", list(cells))
    told = file(token)
    assert told is not None
    data = load([told])
    size = round(len(cells) ** 0.5)
    assert module("counts").evaluate("(size) => namesOf(size)", size) == names(size)
    [model] = data.models.values()
    truth, called = (np.array(getattr(model, name)) for name in ("truth", "label"))
    weight = np.ones(model.n) if model.weight is None else model.weight
    right: Any = float(weight[truth == called].sum() / weight.sum())
    found = numbers(module("matrix"), "matrix", cells=list(cells))
    assert right == pytest.approx(found["accuracy"], rel=1e-12)


def test_classes_are_named_in_the_sentence_and_in_the_data(blank: Page) -> None:
    staged = Staged(blank, "matrix")
    for at, name in enumerate(("ill", "quite_well ~"), 1):
        blank.get_by_role("textbox", name=f"Name of class {at}").fill(name)
    assert "Of 300 rows that are ill 90 are found" in staged.says
    assert blank.get_by_role("textbox", name="Truly ill, called quite well").count() == 1
    link = blank.get_by_role("link", name="Open as data").get_attribute("href") or ""
    told = file(unquote(link.partition("data=")[2]))
    assert told is not None
    assert told[1].startswith(b"actual\\predicted,ill,quite well\nill,90,210\n")
    assert staged.told[-1] == "names~ill_quite well"
    assert is_state(lessons()["matrix"], staged.told[-1])
    blank.get_by_role("textbox", name="Name of class 1").fill("quite well")
    assert "Two classes are named" in blank.get_by_role("alert").inner_text()
    blank.get_by_role("textbox", name="Name of class 1").fill(" ")
    assert blank.get_by_role("alert").inner_text() == "Each class has a name."
    assert "rows that are ill" in staged.says
    blank.get_by_role("button", name="+ class").click()
    assert "class A against all others" in staged.says
    blank.get_by_role("textbox", name="Name of class 1").fill("<b>x</b>")
    assert "class <b>x</b> against" in staged.says
