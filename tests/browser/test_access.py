"""What axe-core finds about contrast, headings, names and roles: nothing, in both modes."""

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page

from evalview.escape import JOINER
from tests.browser.serving import PAGES, PHONE, first_of, served, settle
from tests.evalread.engines.lying import as_database, models

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
    finds_nothing(page)


def finds_nothing(page: Page) -> None:
    settle(page)
    page.wait_for_timeout(500)  # until the sidebar's links are marked
    # Not as a script of the page, which its policy forbids.
    page.evaluate(AXE)
    found = page.evaluate(FOUND)
    assert not found, "\n\n".join("\n".join(one) for one in found)


HOSTILE = ("<script>alert(1)</script>", "**bold** [x](http://e.example) $x^2$ `c` ", "long " * 60)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_axe_finds_nothing_about_sources_of_any_name(
    new_page: Callable[..., Page], tmp_path: Path, mode: str
) -> None:
    table = models(400).rename_columns(["truth", "score_<img src=x>", "score_**b**", "fold"])
    said = []
    for name in HOSTILE:
        address = as_database(table, tmp_path, name).replace(f"={name}", f"={quote(name)}")
        said.append(f"[{json.dumps(name)}]\naddress = {json.dumps(address)}\n")
    (tmp_path / "sources.toml").write_text("\n".join(said), "utf-8")
    settings = {
        "EVALBOARD_SOURCES": str(tmp_path / "sources.toml"),
        "EVALBOARD_CACHE": str(tmp_path),
    }
    with served(**settings) as server:
        page = new_page(viewport=PHONE, color_scheme=mode)
        page.goto(f"{server}/connect")
        finds_nothing(page)
        cards = page.locator("[class*='st-key-source-']").all_inner_texts()
        shown = [card.replace(JOINER, "").partition("\n")[0] for card in cards]
        assert shown[:2] == [HOSTILE[0], HOSTILE[1].strip()]
        page.get_by_role("button", name="Look at a sample").first.click()
        page.get_by_role("button", name="Count all 400 rows").wait_for()
        finds_nothing(page)
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        page.get_by_role("button", name="Count all 400 rows").click()
        page.wait_for_url("**/overview**")
        finds_nothing(page)
        page.goto("about:blank")
