"""Every lesson in the browser: it opens, follows what is moved, and fits."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, expect

from evalview.course import rows
from evalview.course.lessons import lessons
from tests.evalview.explorer.lessons.staging import NUMBERS, Load, Staged, start

pytestmark = pytest.mark.browser

DRAWN = [one.key for one in lessons().values() if one.stage]

NAMES = r"\{([^}:%,]*)"
WIDE = "document.documentElement.scrollWidth"
LOWEST = """() => Math.max(...[...document.querySelectorAll(".beside > *, .told > *")]
    .map((one) => one.getBoundingClientRect().bottom))"""
"""How far down the picture, the sentence, the controls and what stands below them reach."""

CUT = """() => [...document.querySelectorAll(".stage svg text, .formula")].filter((one) => {
    const [part, whole] = [one, one.closest("svg") ?? one].map((x) => x.getBoundingClientRect());
    return part.right > whole.right + 1 || part.left < whole.left - 1
        || one.scrollWidth > one.clientWidth + 1;
}).map(({ textContent }) => textContent)"""
"""What of a picture's words and of the formulas has no room."""

ENCLOSED = """(lines) => lines.flatMap((line) => formula(line).nodes).flatMap((math) =>
    [...math.querySelectorAll("mrow")].map((row) =>
        [...row.children].filter(({ tagName }) => tagName === "mo")
            .map(({ textContent }) => textContent).join("")))"""
"""The signs of each row of each formula: a bracket or bar stands in one row with its other."""

SCREEN = 468
"""Pixels of a screen of 720 below the headline, before all is magnified."""

PRESENTED = """:root { --eb-lesson-height: 434px; --eb-tick: 13.5px; --eb-formula: 20px; }
    body { margin: 0; }"""

MOVED = """() => {
    let moves = 0;
    for (const input of document.querySelectorAll("input[type=range]")) {
        for (const at of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
            input.value = Math.round(at * input.max);
            input.dispatchEvent(new Event("input", { bubbles: true }));
            document.body.getBoundingClientRect();
            moves += 1;
        }
    }
    return moves;
}"""


YARDSTICK = """() => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    for (let i = 0; i < 2000; i += 1) {
        const circle = document.createElementNS(svg.namespaceURI, "circle");
        for (const [name, value] of Object.entries({ cx: i % 50, cy: i / 50, r: 1 })) {
            circle.setAttribute(name, value);
        }
        svg.append(circle);
    }
    document.body.append(svg);
    for (let i = 0; i < 5; i += 1) {
        svg.setAttribute("width", 400 + i);
        document.body.getBoundingClientRect();
    }
    svg.remove();
    document.body.getBoundingClientRect();
}"""
"""Two thousand circles drawn: how fast this processor is."""

_MOST_CIRCLES = 1.4
"""A move may take so many times as long; the dearest lesson takes about as long as the circles."""


@pytest.mark.parametrize("key", DRAWN)
def test_formulas_name_numbers_of_the_stage(key: str, module: Load) -> None:
    one = lessons()[key]
    [found] = module(one.stage).evaluate(NUMBERS, [[start(one)], one.show, rows.data(one)])
    asked = {name for line in one.formula for name in re.findall(NAMES, line)}
    assert asked <= found.keys()
    assert asked


def test_brackets_and_bars_of_a_formula_close_in_the_part_that_they_open(module: Load) -> None:
    lines = [line for one in lessons().values() for line in one.formula]
    parts = module("formula").evaluate(ENCLOSED, lines)
    assert any("|" in part for part in parts)
    assert [part for part in parts if part.count("(") != part.count(")")] == []
    assert [part for part in parts if part.count("|") % 2] == []


@pytest.mark.parametrize("key", DRAWN)
def test_a_lesson_says_something_wherever_its_sliders_stand(key: str, blank: Page) -> None:
    staged = Staged(blank, key)
    first = staged.says
    assert first.endswith((".", "?"))
    assert not any("undefined" in line or "NaN" in line for line in staged.formulas())
    for one in blank.locator("input[type=range]").all():
        for end in ("Home", "End"):
            one.press(end)
            assert "NaN" not in blank.locator(".lesson").inner_text()
            assert staged.says[-1] in ".?"
    blank.get_by_role("button", name="Start again").click()
    assert staged.says == first


@pytest.mark.parametrize("key", DRAWN)
def test_what_to_notice_can_be_tried_and_is_told_once_the_reader_rests(
    key: str, blank: Page
) -> None:
    staged = Staged(blank, key)
    tried = [way.target for way in lessons()[key].notice if way.target]
    begun = {
        one.key: "_".join(str(value).removesuffix(".0") for value in one.start)
        for one in lessons()[key].settings
    }
    for button, target in zip(blank.get_by_role("button", name="Try it").all(), tried, strict=True):
        button.click()
        changed = {name: text for name, text in _pairs(target) if text != begun[name]}
        assert dict(_pairs((staged.told or [""])[-1])) == changed


def test_what_is_tried_is_seen_though_its_button_stands_below(blank: Page) -> None:
    Staged(blank, "overfitting")
    blank.set_viewport_size({"width": 880, "height": 600})
    blank.get_by_role("button", name="Try it").last.click()
    expect(blank.locator(".stage")).to_be_in_viewport(ratio=0.99)
    expect(blank.locator(".says")).to_be_in_viewport(ratio=0.99)


def _pairs(text: str) -> list[tuple[str, str]]:
    parts = text.split("~") if text else []
    return list(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("key", DRAWN)
def test_the_answer_is_hidden_until_it_is_asked_for(key: str, blank: Page) -> None:
    Staged(blank, key)
    expect(blank.locator(".answer")).to_be_hidden()
    blank.get_by_role("button", name="Show the answer").click()
    expect(blank.locator(".answer")).to_be_visible()


@pytest.mark.parametrize("key", DRAWN)
def test_picture_controls_and_sentence_fit_on_the_screen_and_on_a_phone(
    key: str, blank: Page
) -> None:
    # To present at 1280 by 720, what is drawn here is magnified by 1.4, below a headline.
    blank.set_viewport_size({"width": 880, "height": 720})
    staged = Staged(blank, key)
    blank.add_style_tag(content=PRESENTED)
    assert blank.evaluate(LOWEST) <= SCREEN
    assert blank.evaluate(CUT) == []
    for one in blank.locator("input[type=range]").all():
        for end in ("Home", "End"):
            one.press(end)
            assert blank.evaluate(LOWEST) <= SCREEN
    for one in blank.locator(".picked-one button").all():
        one.click()
        assert blank.evaluate(LOWEST) <= SCREEN
    blank.get_by_role("button", name="Start again").click()
    blank.set_viewport_size({"width": 358, "height": 844})
    assert blank.evaluate(WIDE) <= 358
    assert staged.says


@pytest.mark.parametrize("key", DRAWN)
def test_a_slider_asks_for_little_work(key: str, blank: Page) -> None:
    Staged(blank, key)
    # The clock of the page stands still; these are seconds of a processor, of whatever speed.
    browser = blank.context.new_cdp_session(blank)
    browser.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        told = browser.send("Performance.getMetrics")["metrics"]
        return next(one["value"] for one in told if one["name"] == "TaskDuration")

    marks = [spent()]
    for _ in range(3):
        blank.evaluate(YARDSTICK)
        marks.append(spent())
    circles = min(after - before for before, after in pairwise(marks))
    begun = spent()
    if moves := blank.evaluate(MOVED):
        assert 0 < (spent() - begun) / moves < _MOST_CIRCLES * circles
    browser.detach()


@pytest.mark.parametrize("key", DRAWN)
def test_what_is_dragged_is_moved_by_the_keyboard_too(key: str, blank: Page) -> None:
    staged = Staged(blank, key)
    for handle in blank.locator(".handle").all():
        assert handle.get_attribute("aria-label")
        before = handle.get_attribute("aria-valuetext")
        handle.press("ArrowUp")
        assert handle.get_attribute("aria-valuetext") != before
    assert staged.says
    pictures = blank.locator("svg.plane").all()
    assert all(one.get_attribute("aria-label") for one in pictures)


def test_an_older_state_that_comes_back_does_not_undo_what_was_moved_since(blank: Page) -> None:
    staged = Staged(blank, "densities")
    staged.slider("Distance").press("End")
    assert staged.told == ["distance~4"]
    staged.slider("Distance").press("Home")
    staged.show("distance~4")
    assert "distance" not in staged.says
    expect(staged.slider("Distance")).to_have_attribute("aria-valuetext", "0")
    assert staged.told[-1] == "distance~0"
    staged.show("distance~0")
    staged.show("distance~2")
    expect(staged.slider("Distance")).to_have_attribute("aria-valuetext", "2")


@pytest.mark.parametrize("key", ["densities", "matrix", "paired"])
def test_the_picture_of_a_lesson_is_saved_with_its_sentence_and_its_numbers(
    key: str, blank: Page
) -> None:
    staged = Staged(blank, key)
    saved = {}
    for label in ("SVG", "Data (CSV)"):
        blank.locator(".stage .menu summary").evaluate("(one) => one.click()")
        with blank.expect_download() as download:
            blank.get_by_role("button", name=label, exact=True).click()
        saved[label] = download.value.path().read_text("utf-8")
    told = ElementTree.fromstring(saved["SVG"])
    words = [node.text or "" for node in told.iter("{http://www.w3.org/2000/svg}text")]
    assert staged.lesson.title in words
    assert staged.says[:30] in " ".join(words)
    drawn = [node for node in told.iter("{http://www.w3.org/2000/svg}svg") if node is not told]
    assert len(drawn) == blank.locator(".stage svg").count()
    assert all(float(node.get("width", "0")) > 100 for node in drawn)
    assert saved["Data (CSV)"].startswith("number,value")
    assert len(saved["Data (CSV)"].splitlines()) > 5
