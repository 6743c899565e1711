"""What axe-core finds about contrast, headings, names and roles: nothing, in both modes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.serving import PAGES, first_of, settle

AXE = (Path(__file__).with_name("axe") / "axe.min.js").read_text("utf-8")
FOUND = """async () => (await axe.run()).violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html, failureSummary }) => [id, String(target), html, failureSummary]))"""


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("name", first_of(PAGES))
def test_axe_finds_nothing(
    new_page: Callable[..., Page], server: str, name: str, mode: str
) -> None:
    page = new_page(color_scheme=mode)
    page.goto(server + PAGES[name])
    settle(page)
    page.wait_for_timeout(500)  # until the sidebar's links are marked
    # Not as a script of the page, which its policy forbids.
    page.evaluate(AXE)
    found = page.evaluate(FOUND)
    assert not found, "\n\n".join("\n".join(one) for one in found)
