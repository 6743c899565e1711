"""Links of the syllabus in a real browser: each page has the title that it is known by."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

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
