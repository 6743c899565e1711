"""What tests of several folders share, and which tests are left out of the fast set.

Tests marked `slow` run only with `SLOW=1` in the environment, where Hypothesis also draws
as many examples as it usually does.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Test processes share the cores; threads that wait for each other would only spin.
os.environ.setdefault("OMP_NUM_THREADS", "1")

SLOW = os.environ.get("SLOW") == "1"
LEFT_OUT = pytest.StashKey[int]()

# A shared machine stalls now and then; how long a draw takes says nothing about the code.
settings.register_profile("all", deadline=None)
# Most mistakes show in the first dozen of examples.
settings.register_profile("fast", settings.get_profile("all"), max_examples=25)
settings.load_profile("all" if SLOW else "fast")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect the tests without looking for memory to free: all of them stay to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out slow tests unless they are wanted."""
    slow = [] if SLOW else [item for item in items if item.get_closest_marker("slow")]
    left_out = set(slow)
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=slow)
    config.stash[LEFT_OUT] = len(slow)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the process that shows the results how many tests this one left out."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left out"] = session.config.stash.get(LEFT_OUT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a worker left out; each leaves out the same."""
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left out", 0)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the size and shape of the code, and how the tests that were left out are run."""
    # Properties reach this place from every worker, which what a test prints does not.
    for report in [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]:
        for line in [text for name, text in report.user_properties if name == "house"]:
            terminalreporter.write_line(line)
    if count := config.stash.get(LEFT_OUT, 0):
        terminalreporter.write_line(f"{count} slow tests were left out; SLOW=1 runs them too.")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium: one for all, since Playwright runs once in a process."""
    # Most runs of a few tests need no browser, and importing Playwright takes a second.
    from playwright.sync_api import sync_playwright

    from dev import find_chromium
    from tests.browser.serving import CHROMIUM_ARGUMENTS

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=find_chromium(), args=list(CHROMIUM_ARGUMENTS)
        )
        yield chromium
        chromium.close()
