"""Pages for the explorer's JavaScript; the browser's complaints fail the test."""

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from dev import find_chromium
from evalview.explorer import source

Load = Callable[..., Page]
"""A function that gives a page on which modules are loaded."""

IMPORT = """async (text) => {
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    Object.assign(window, await import(url));
}"""


EMPTY = "<!doctype html><html lang=en><title>Explorer</title><body>"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what needs a browser where there is none."""
    for item in items:
        ours = item.get_closest_marker("browser") and Path(__file__).parent in item.path.parents
        if ours and not os.environ.get("CI"):
            missing = find_chromium() is None
            item.add_marker(pytest.mark.skipif(missing, reason="there is no Chromium here"))


@pytest.fixture
def blank(kept: tuple[Page, list[str]]) -> Iterator[Page]:
    """An empty page, 1200 by 1200, where time passes only when a test says so."""
    page, complaints = kept
    complaints.clear()
    page.set_viewport_size({"width": 1200, "height": 1200})
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    page.mouse.move(0, 0)
    page.goto("about:blank")
    page.set_content(EMPTY)
    yield page
    assert complaints == []


@pytest.fixture(scope="session")
def kept(browser: Browser) -> tuple[Page, list[str]]:
    """A page that one test after the other empties, and its complaints.

    To start the process of a new page takes longer than most of these tests.
    """
    page, complaints = _open(browser)
    page.clock.install(time=0)
    page.clock.pause_at(3_600)
    return page, complaints


@pytest.fixture(scope="session")
def module(browser: Browser) -> Callable[..., Page]:
    """A function that gives a page in which the exports of some of the modules are global.

    These modules keep nothing, so that one page serves all tests.
    """

    @cache
    def load(*names: str) -> Page:
        page, _ = _open(browser)
        for name in names:
            page.evaluate(IMPORT, source.script(name))
        return page

    return load


def _open(browser: Browser) -> tuple[Page, list[str]]:
    """Return an empty page and the list of what its console will complain of."""
    page = browser.new_page(viewport={"width": 1200, "height": 1200})
    page.set_default_timeout(20_000)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.set_content(EMPTY)
    return page, complaints
