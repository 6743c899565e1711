"""The sidebar: it says which page is shown, and gives way on a phone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.serving import PHONE, settle

UNFOLD = '[data-testid="stExpandSidebarButton"]'


def test_the_link_of_the_page_shown_is_marked(opened: Callable[[str], Page]) -> None:
    page = opened("/data?data=sample-breast-cancer")
    here = page.locator('[data-testid="stSidebar"] [aria-current="page"]')
    expect(here).to_have_text("Data")
    page.get_by_role("link", name="Open a file").click()
    expect(here).to_have_text("Open a file")


@pytest.mark.slow
def test_the_link_above_the_headline_takes_clicks_over_its_whole_height(
    opened: Callable[[str], Page],
) -> None:
    page = opened("/overview?data=sample-breast-cancer")
    link = page.get_by_role("link", name="Change")
    covered = link.evaluate(
        """link => [0.2, 0.5, 0.8].filter(share => {
            const box = link.getBoundingClientRect();
            const at = [box.x + box.width / 2, box.y + share * box.height];
            return !link.contains(document.elementFromPoint(...at));
        })"""
    )
    assert not covered


def test_on_a_phone_the_sidebar_folds_once_a_page_is_chosen(
    new_page: Callable[..., Page], server: str
) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{server}/?data=sample-breast-cancer")
    settle(page)
    page.locator(UNFOLD).click()
    expect(page.locator(UNFOLD)).to_have_count(0)
    page.get_by_role("link", name="Data", exact=True).click()
    expect(page.locator(UNFOLD)).to_be_visible()
    assert "/data?" in page.url


@pytest.mark.slow
def test_a_link_opened_in_another_tab_shows_the_same_data(
    opened: Callable[[str], Page], new_page: Callable[..., Page]
) -> None:
    page = opened("/data?data=sample-breast-cancer&positive=benign")
    other = new_page()
    other.goto(page.get_by_role("link", name="Summary").evaluate("link => link.href"))
    settle(other)
    chips = page.locator(".eb-bar .eb-chip").all_inner_texts()
    assert other.locator(".eb-bar .eb-chip").all_inner_texts() == chips
    assert "benign" in chips


def test_the_words_above_the_headline_stand_on_one_line(opened: Callable[[str], Page]) -> None:
    page = opened("/overview?data=sample-breast-cancer")
    expect(page.get_by_role("link", name="Change")).to_be_visible()
    places = page.locator(".st-key-bar").evaluate(
        """bar => [...bar.querySelectorAll(".eb-bar > *, p:not(.eb-bar)")].map(one => {
            const words = document.createRange();
            words.selectNodeContents(one);
            return words.getBoundingClientRect().bottom;
        }).filter(bottom => bottom)"""
    )
    assert len(places) >= 6
    assert max(places) - min(places) < 0.1


def test_the_way_back_from_rows_leads_to_the_page_as_it_was(
    opened: Callable[[str], Page],
) -> None:
    page = opened("/overview?data=sample-breast-cancer")
    before = page.locator(".eb-headline").first.inner_text()
    page.get_by_role("link", name="See the misses").first.click()
    page.wait_for_url("**/rows?**")
    settle(page)
    page.go_back()
    expect(page.locator(".eb-headline").first).to_have_text(before)
    expect(page.locator(".st-key-selected")).to_have_count(0)
    assert "selected" not in page.url


def test_a_large_screen_is_used(new_page: Callable[..., Page], server: str) -> None:
    page = new_page(viewport={"width": 1920, "height": 1080})
    page.goto(f"{server}/overview?data=sample-breast-cancer")
    settle(page)
    table, note = (page.locator(f".eb-{one}").bounding_box() for one in ("summary", "tied"))
    assert table is not None
    assert note is not None
    assert table["width"] > 1500
    dots = page.locator(".eb-misses figure").last.bounding_box()
    assert dots is not None
    for one in (note, dots):
        assert one["x"] + one["width"] == pytest.approx(table["x"] + table["width"], abs=1)


def test_a_phone_shows_the_whole_tab_of_the_page(
    new_page: Callable[..., Page], server: str
) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{server}/over_time?data=sample-messages")
    tab = page.locator(".st-key-tab-here")
    expect(tab.locator("[aria-current]")).to_have_text("Over time")
    expect(tab).to_be_in_viewport(ratio=0.99)


def test_the_tab_is_marked_however_late_it_is_drawn(
    new_page: Callable[..., Page], server: str
) -> None:
    page, held = new_page(viewport=PHONE), list[Route]()
    page.route("**/PageLink.*.js", lambda route: held.append(route))
    page.goto(f"{server}/over_time?data=sample-messages")
    expect(page.locator(".eb-headline").first).to_be_attached()
    page.wait_for_timeout(1_000)  # Long after all scripts of the page have run.
    assert page.locator(".st-key-tab-here a").count() == 0
    for route in held:
        route.continue_()
    expect(page.locator(".st-key-tab-here [aria-current]")).to_have_text("Over time")
    expect(page.locator(".st-key-tab-here")).to_be_in_viewport(ratio=0.99)
