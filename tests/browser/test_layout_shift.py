"""How far a page moves while it fills in, as browsers measure it: below 0.1 is good."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.browser.serving import CANCER, DESKTOP, PAGES, PHONE, first_of, settle

WATCH = """
window.shifted = [];
new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
        const moved = entry.sources.map(({ node, previousRect: from, currentRect: to }) =>
            `${node?.className}: ${from.x},${from.y} to ${to.x},${to.y}`);
        if (!entry.hadRecentInput) window.shifted.push([entry.value, ...moved]);
    }
}).observe({ type: "layout-shift", buffered: true });
"""
GOOD = 0.1
LATE = 1500
"""Milliseconds after which a part of the code that was asked for comes."""


def stays(page: Page) -> None:
    """Hold that a page that was opened with `WATCH` has not moved."""
    settle(page)
    page.wait_for_timeout(500)
    shifted = page.evaluate("window.shifted.splice(0)")
    assert sum(value for value, *_ in shifted) < GOOD, shifted


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("name", first_of(PAGES))
def test_a_page_that_is_opened_by_its_link_stays_in_its_place(
    new_page: Callable[..., Page], server: str, name: str, viewport: ViewportSize
) -> None:
    page = new_page(viewport=viewport)
    page.add_init_script(WATCH)
    page.goto(server + PAGES[name])
    stays(page)


@pytest.mark.parametrize("name", first_of(["summary", "thresholds", "comparison", "interval"]))
def test_a_page_that_is_opened_to_present_stays_in_its_place(
    new_page: Callable[..., Page], server: str, name: str
) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    page.add_init_script(WATCH)
    page.goto(f"{server}{PAGES[name]}{'&' if '?' in PAGES[name] else '?'}present=yes")
    stays(page)
    expect(page.locator(".eb-headline, h1").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize(
    ("kind", "name"),
    first_of([("Html", "costs"), ("Html", "summary"), ("PageLink", "summary"), ("Html", "data")]),
)
def test_a_page_stays_in_its_place_however_late_the_code_of_its_elements_comes(
    new_page: Callable[..., Page], server: str, kind: str, name: str, viewport: ViewportSize
) -> None:
    page = new_page(viewport=viewport)
    delayed: list[str] = []

    def delay(route: Route) -> None:
        delayed.append(route.request.url)
        page.wait_for_timeout(LATE)
        route.continue_()

    page.route(re.compile(rf"/{kind}\.[\w-]+\.js"), delay)
    page.add_init_script(WATCH)
    page.goto(server + PAGES[name])
    stays(page)
    assert delayed, "Streamlit loads this kind of element in another way now."


@pytest.mark.slow
def test_pages_stay_in_their_place_when_one_goes_from_one_to_the_next(
    page: Page, server: str
) -> None:
    page.add_init_script(WATCH)
    page.goto(server + PAGES["summary"])
    stays(page)
    for name in ("Threshold", "Costs", "Errors", "Probabilities", "Compare", "By folds", "Summary"):
        page.get_by_role("link", name=name, exact=True).first.click()
        stays(page)


def test_nothing_moves_while_the_slider_is_dragged(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{server}/thresholds{CANCER}")
    settle(page)
    slider = page.locator('.st-key-threshold_explorer input[type="range"]').first
    expect(slider).to_be_visible()
    box = slider.bounding_box()
    assert box
    page.mouse.move(box["x"] + 5, box["y"] + box["height"] / 2)
    page.mouse.down()
    places = set()
    for step in range(21):
        page.mouse.move(box["x"] + box["width"] * step / 20, box["y"] + box["height"] / 2)
        places.add(slider.evaluate(PLACES))
    page.mouse.up()
    assert len(places) == 1


def test_a_figure_stays_in_its_place_when_the_numbers_beside_it_are_opened(
    page: Page, server: str
) -> None:
    page.goto(server + PAGES["calibration"])
    settle(page)
    drawn = page.locator(".st-key-figure-reliability .main-svg").first
    before = drawn.bounding_box()
    page.get_by_text("All numbers", exact=True).click()
    note = page.locator(".eb-metric-list > .eb-note").last
    expect(note).to_be_visible()
    expect(note).to_have_css("padding-left", "13.5px")
    settle(page)
    assert drawn.bounding_box() == before


def test_figures_side_by_side_are_equally_high(page: Page, server: str) -> None:
    page.goto(server + PAGES["costs"])
    settle(page)
    cards = page.locator('[data-testid="stColumn"] > div > div > [class*="st-key-figure-"]')
    first, second = (cards.nth(place).bounding_box() for place in range(2))
    assert first is not None
    assert second is not None
    assert (first["y"], first["height"]) == (second["y"], second["height"])


PLACES = """slider => {
    const shown = [...slider.getRootNode().querySelectorAll("input, svg, table, h1, h2, h3")];
    return shown.map(one => Math.round(one.getBoundingClientRect().y)).join(" ");
}"""
