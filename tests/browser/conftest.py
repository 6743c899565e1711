"""The dashboard in a real Chromium; whatever the browser complains about fails the test."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from dev import find_chromium
from tests.browser.serving import DESKTOP, Complaints, served, settle

# How long something takes on a busy machine says nothing; a wait that is over early costs nothing.
expect.set_options(timeout=60_000)

FAILURES = Path(__file__).parent / "failures"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder, and leave them out where there is no Chromium."""
    ours = [item for item in items if item.path.parent == Path(__file__).parent]
    for item in ours:
        item.add_marker(pytest.mark.browser)
        if find_chromium() is None and not os.environ.get("CI"):
            item.add_marker(pytest.mark.skip(reason="there is no Chromium on this machine"))


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a dashboard that all tests share."""
    with served() as address:
        yield address


@pytest.fixture(scope="session")
def kept(browser: Browser, server: str) -> Iterator[Page]:
    """A page of the dashboard that stays open.

    Pages of its context share its process, in which the scripts are already compiled; to start
    a process and compile them takes longer than most tests.
    """
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{server}/_stcore/health")
    yield page
    context.close()


@pytest.fixture
def new_page(
    browser: Browser, kept: Page, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Page]]:
    """Make pages: `new_page(viewport=PHONE, color_scheme="dark")`; each is checked at the end.

    The second page of a test is another reader's, who shares no storage with the first.
    """
    watched: list[Complaints] = []
    kept.context.clear_cookies()
    kept.evaluate("localStorage.clear()")

    def make(viewport: ViewportSize = DESKTOP, color_scheme: str = "light") -> Page:
        context = browser.new_context() if watched else kept.context
        page = context.new_page()
        page.set_viewport_size(viewport)
        # Else a page on its way draws sixty frames a second, which take a third of all time.
        page.emulate_media(color_scheme=color_scheme, reduced_motion="reduce")
        page.set_default_timeout(60_000)
        watched.append(Complaints(page))
        return page

    yield make
    complaints = [text for one in watched for text in one.all()]
    for at, one in enumerate(watched):
        if complaints or _failed(request.node):
            FAILURES.mkdir(exist_ok=True)
            one.page.screenshot(path=FAILURES / f"{request.node.name}-{at}.png")
        one.page.close()
        if one.page.context is not kept.context:
            one.page.context.close()
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """A page of desktop size in light colours."""
    return new_page()


@pytest.fixture
def opened(page: Page, server: str) -> Callable[[str], Page]:
    """Open an address and wait for it: `opened("/overview?data=sample-breast-cancer")`."""

    def go(path: str) -> Page:
        page.goto(server + path)
        settle(page)
        return page

    return go


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Remember whether the test itself passed, so that its picture is kept if not."""
    report = yield
    if report.when == "call":
        item.stash[OUTCOME] = report.failed
    return report


OUTCOME = pytest.StashKey[bool]()


def _failed(item: pytest.Item) -> bool:
    return item.stash.get(OUTCOME, False)
