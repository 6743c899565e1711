"""What tests of several folders share."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser


# A shared machine stalls now and then; how long a draw takes says nothing about the code.
settings.register_profile("evalboard", deadline=None)
settings.load_profile("evalboard")


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """A Chromium: one for all, since Playwright runs once in a process."""
    # Tests of evalcore run where there is no Playwright.
    from playwright.sync_api import sync_playwright

    from dev import find_chromium
    from tests.browser.serving import CHROMIUM_ARGUMENTS

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=find_chromium(), args=list(CHROMIUM_ARGUMENTS)
        )
        yield chromium
        chromium.close()
