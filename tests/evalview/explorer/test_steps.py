"""The lesson "ROC step by step": what is said of each move, and what the browser draws of it."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from evalcore.metrics.metric import Estimate
from evalcore.outcomes import BinaryOutcomes
from evalview.explorer import source
from evalview.lab.steps import START, Instances, RocSteps, sentences, steps_payload
from tests.evalview.explorer.conftest import IMPORT

CLASSES = ("honest", "fraud")


def listed(truth: list[int], score: list[float]) -> Instances:
    told = BinaryOutcomes(
        classes=CLASSES, truth=np.array(truth, np.int8), score=np.array(score, np.float64)
    )
    return Instances.drawn(told, 200, np.random.default_rng(0))


SIX = listed([1, 0, 1, 0, 1, 0], [0.9, 0.8, 0.6, 0.6, 0.4, 0.2])


def payload(rows: Instances, **more: Any) -> dict[str, Any]:
    return {**steps_payload("six", rows, CLASSES, Estimate(0.611), "#2F6DB5"), "at": 0, **more}


def test_each_move_is_told_in_a_sentence() -> None:
    assert sentences(SIX, RocSteps.from_table(SIX.table), CLASSES) == [
        START,
        "Row 1, score 0.9, fraud: up by 1/3.",
        "Row 2, score 0.8, honest: right by 1/3. That adds a column of 1, one for each fraud row "
        "that scores higher.",
        "Rows 3 and 4, score 0.6, 1 fraud and 1 honest: up by 1/3 and right by 1/3 at once, so "
        "along the diagonal. That adds 1.5 rectangles: 1 × 1 whole ones, and half of the 1 × 1 "
        "that tie.",
        "Row 5, score 0.4, fraud: up by 1/3.",
        "Row 6, score 0.2, honest: right by 1/3. That adds a column of 3, one for each fraud row "
        "that scores higher.",
    ]


def test_many_rows_of_one_score_and_odd_names_fit_in_a_sentence() -> None:
    rows = listed([0] * 6 + [1] * 2, [0.5] * 6 + [0.1] * 2)
    said = sentences(rows, RocSteps.from_table(rows.table), ("0", "**1**"))
    assert said[1].startswith(
        "Rows 1, 2, 3 and 3 more, score 0.5, all “0”: right by 6/6. That adds"
    )
    assert said[2] == "Rows 7 and 8, score 0.1, all “**1**”: up by 2/2."


@pytest.fixture
def show(blank: Page) -> Callable[..., None]:
    """Show the lesson on an empty page: `show(payload)`."""
    blank.evaluate(IMPORT, source.script("lesson"))
    blank.add_style_tag(content=source.style("menu", "explorer", "lesson"))

    def feed(data: dict[str, Any]) -> None:
        blank.evaluate(
            """(data) => {
                window.rested ??= [];
                window.lesson ??= mount(document.body, (step) => window.rested.push(step));
                window.lesson.update(data);
            }""",
            data,
        )

    return feed


def title(page: Page) -> str:
    return page.locator(".figure h2").inner_text()


@pytest.mark.browser
def test_the_curve_grows_by_buttons_and_by_keys(blank: Page, show: Callable[..., None]) -> None:
    show(payload(SIX))
    assert title(blank) == "0 of 9 rectangles lie below"
    for _ in range(3):
        blank.get_by_role("button", name="Next").click()
    assert title(blank) == "2.5 of 9 rectangles lie below"
    assert blank.locator(".says").inner_text() == payload(SIX)["says"][3]
    assert blank.locator("tr[aria-current=step]").count() == 2
    blank.keyboard.press("ArrowRight")
    blank.keyboard.press("End")
    assert title(blank) == "5.5 of 9 rectangles lie below"
    assert blank.locator(".says").inner_text().endswith("whole curve: ROC AUC 0.611.")
    blank.keyboard.press("ArrowLeft")
    blank.get_by_role("slider", name="Step").press("ArrowLeft")
    assert title(blank) == "2.5 of 9 rectangles lie below"
    assert blank.evaluate("window.rested") == []
    blank.clock.run_for(500)
    assert blank.evaluate("window.rested") == [3]
    expect(blank.locator(".dividers")).to_have_attribute("d", lines(2, 2))


def lines(*ends: int) -> Any:
    """A pattern: so many upright and level lines part the area below the curve."""
    return re.compile(rf"^(M[\d.,]+L[\d.,]+){{{sum(ends)}}}$")


@pytest.mark.browser
def test_it_plays_to_the_end_and_a_row_that_is_clicked_is_gone_to(
    blank: Page, show: Callable[..., None]
) -> None:
    blank.emulate_media(reduced_motion="reduce")
    many = listed([1, 0] * 60, np.linspace(1, 0, 120).tolist())
    show(payload(many, at=112))
    blank.get_by_role("button", name="Play").click()
    blank.clock.run_for(8000)
    expect(blank.get_by_role("button", name="Play again")).to_be_visible()
    assert title(blank) == "1,830 of 3,600 rectangles lie below"
    blank.locator(".instances tbody tr").nth(1).click()
    assert title(blank) == "1 of 3,600 rectangles lie below"
