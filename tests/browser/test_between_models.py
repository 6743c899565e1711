"""Bootstrap, cross-validation and leaderboard in a real browser: every width, choices kept."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.serving import PHONE, first_of, sees_every_figure, settle

Opening = Callable[[str], Page]
DATA = "data=sample-breast-cancer"
PICTURES = {
    "bootstrap": ("resampled", "resampled-differences"),
    "cross_validation": ("folds", "differences", "roc-folds", "fold-areas"),
    "leaderboard": ("pairwise", "slopes-metric", "ranks", "slopes-fold"),
}


@pytest.mark.parametrize("name", first_of(reversed(PICTURES)))
def test_a_phone_shows_every_picture_without_sideways_scrolling(
    new_page: Callable[..., Page], server: str, name: str
) -> None:
    page = new_page(viewport=PHONE, color_scheme="dark")
    page.goto(f"{server}/{name}?{DATA}")
    settle(page)
    sees_every_figure(page, PICTURES[name])


@pytest.mark.slow
def test_what_makes_no_difference_is_kept_in_the_address(opened: Opening) -> None:
    page = opened(f"/bootstrap?{DATA}")
    slider = page.locator('.st-key-rope_roc_auc [role="slider"], .st-key-rope_roc_auc input').first
    slider.focus()
    slider.press("ArrowRight")
    settle(page)
    page.wait_for_url("**rope_roc_auc=0.02**")
    said = page.locator(".st-key-figure-resampled-differences .eb-figure-subtitle")
    assert "up to 0.02 apart" in said.inner_text()
    page.reload()
    settle(page)
    assert "up to 0.02 apart" in said.inner_text()
