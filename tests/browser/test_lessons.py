"""The lessons that train models, and that on distances, in a real browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.serving import PHONE, first_of, settle

PICTURES = {
    "splitting": ("roles", "shares", "schemes"),
    "overfitting": ("learning-curve", "validation-curve", "rare"),
    "distances": ("unit-circle",),
}


@pytest.mark.parametrize("name", first_of(PICTURES))
def test_a_phone_shows_every_picture_without_sideways_scrolling(
    new_page: Callable[..., Page], server: str, name: str
) -> None:
    page = new_page(viewport=PHONE, color_scheme="dark")
    page.goto(f"{server}/{name}")
    settle(page)
    for key in PICTURES[name]:
        page.locator(f".st-key-figure-{key} .js-plotly-plot .main-svg").first.wait_for()
        assert page.locator(f".st-key-figure-{key} .eb-figure-title").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


@pytest.mark.slow
def test_a_scheme_is_a_link(new_page: Callable[..., Page], server: str) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{server}/splitting?scheme=group+k-fold&folds=5")
    settle(page)
    expect(page.locator(".eb-headline")).to_contain_text("Group k-fold puts the error at")
    expect(page.locator(".st-key-figure-roles .eb-figure-title")).to_contain_text("once in 5 round")
