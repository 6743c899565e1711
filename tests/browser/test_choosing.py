"""Costs, calibration and the ROC curve step by step in a real browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.serving import PHONE, first_of, sees_every_figure, settle

Opening = Callable[[str], Page]
DATA = "data=sample-breast-cancer"
PICTURES = {
    "costs": ("expected-cost", "cost-curve", "optimum", "decision", "predictive-values"),
    "calibration": ("reliability", "recalibration", "calibration"),
}


@pytest.mark.parametrize("name", first_of(PICTURES))
def test_a_phone_shows_every_picture_without_sideways_scrolling(
    new_page: Callable[..., Page], server: str, name: str
) -> None:
    page = new_page(viewport=PHONE, color_scheme="dark")
    page.goto(f"{server}/{name}?{DATA}")
    settle(page)
    sees_every_figure(page, PICTURES[name])


def test_the_cheapest_threshold_leads_the_other_pages(opened: Opening) -> None:
    page = opened(f"/costs?{DATA}&costs=0,1,10,0")
    use = page.get_by_role("button", name="as the threshold")
    cheapest = use.inner_text().split()[1]
    use.click()
    page.wait_for_url("**threshold=**")
    page.get_by_role("link", name="Confusion matrix").click()
    settle(page)
    said = f"when the score is at least {cheapest}"
    expect(page.locator(".eb-lead").first).to_contain_text(said)


def test_the_lesson_goes_on_by_keys_and_the_step_is_in_the_address(
    new_page: Callable[..., Page], server: str
) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{server}/roc_steps?{DATA}&most=20&step=6")
    settle(page)
    says = page.locator(".lesson .says")
    expect(says).to_contain_text("malignant: up by 1/7")
    page.get_by_role("button", name="Next").click()
    page.keyboard.press("ArrowRight")
    expect(says).to_contain_text("benign: right by 1/13")
    page.wait_for_url("**step=8**")
    page.reload()
    settle(page)
    expect(says).to_contain_text("benign: right by 1/13")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
