"""Links of the syllabus in a real browser: each page has the title that it is known by."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from pages import contents
from tests.browser.serving import settle
from tests.pages.test_teaching import LINKS

FIRST = {link.partition("?")[0]: link for link in reversed(LINKS)}
"""The first link to each page."""


@pytest.mark.slow
def test_a_page_of_the_syllabus_has_its_title(new_page: Callable[..., Page], server: str) -> None:
    page = new_page()
    for name, link in FIRST.items():
        page.goto(f"{server}/{link}")
        settle(page)
        entry = next(entry for entry in contents.CONTENTS if entry.name == name)
        expect(page).to_have_title(f"{contents.called(entry)} · Evalboard")
        expect(page.locator("h1").first).to_be_visible()


@pytest.mark.parametrize(
    ("path", "presses"),
    [
        ("/roc_steps", {1: "step 4 of 8"}),
        ("/splitting", {1: "Group k-fold estimates the share", 2: "Hold-out estimates the share"}),
        ("/distances", {1: "apart by order ∞", 0: "apart by order 1", 3: "rows 6 and 150, diff"}),
    ],
)
def test_what_to_notice_sets_the_boxes_of_a_page(
    path: str, presses: dict[int, str], opened: Callable[[str], Page]
) -> None:
    page = opened(path)
    for at, said in presses.items():
        page.get_by_role("button", name="Try it").nth(at).click()
        expect(page.get_by_text(said).first).to_be_visible()
    expect(page.locator('[data-testid="stAlert"]')).to_have_count(0)


SCREEN: ViewportSize = {"width": 1280, "height": 720}
ON_SCREEN = """(nodes) => nodes.map((node) => {
    const { bottom, right } = node.getBoundingClientRect();
    return bottom <= innerHeight && right <= innerWidth;
})"""


@pytest.mark.parametrize(
    ("path", "seen"),
    [
        ("/splitting", ".lesson .stage, .lesson .told"),
        ("/overfitting", ".lesson .stage, .lesson .told"),
        ("/distances", ".lesson .stage, .lesson .told"),
        ("/lab", ".st-key-choices-scheme, [data-testid='stButton'] button"),
        ("/poll", "[data-testid='stButton'] button, [data-testid='stNumberInput']"),
    ],
)
def test_older_lessons_fit_on_the_screen_of_a_projector(
    path: str, seen: str, new_page: Callable[..., Page], server: str
) -> None:
    page = new_page(viewport=SCREEN)
    page.goto(f"{server}{path}?present=yes")
    settle(page)
    page.locator(seen).first.wait_for()
    found = page.locator(seen).evaluate_all(ON_SCREEN)
    assert found
    assert all(found)
    if path not in ("/lab", "/poll"):
        expect(page.get_by_role("link", name="All lessons")).to_be_in_viewport()


def test_all_rows_of_ten_are_seen_at_once_where_steps_are_presented(
    new_page: Callable[..., Page], server: str
) -> None:
    page = new_page(viewport=SCREEN)
    page.goto(f"{server}/roc_steps?present=yes")
    settle(page)
    rows = page.locator(".instances tbody tr")
    expect(rows).to_have_count(10)
    expect(rows.last).to_be_in_viewport(ratio=0.9)


def test_a_question_that_is_presented_keeps_its_address_and_its_buttons(
    new_page: Callable[..., Page], server: str
) -> None:
    page = new_page(viewport=SCREEN)
    page.goto(f"{server}/poll?about=rare&present=yes")
    settle(page)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_url("**host=**")
    page.locator(".slide-shown").wait_for()
    for shown in (
        page.locator(".st-key-poll-host [data-testid=stCode] code"),
        page.get_by_role("button", name="Show the right answer"),
        page.get_by_role("button", name="Stop taking answers"),
    ):
        expect(shown).to_be_in_viewport(ratio=0.9)
    page.get_by_role("button", name="Show the right answer").click()
    expect(page.locator(".st-key-poll-host").get_by_text("right for about 95%")).to_be_visible()
