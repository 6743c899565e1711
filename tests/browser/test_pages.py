"""Pages with several figures in a real browser: every figure on a phone, choices kept."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.serving import PAGES, PHONE, first_of, sees_every_figure, settle

Opening = Callable[[str], Page]
DATA = "data=sample-breast-cancer"
PICTURES = {
    "costs": ("expected-cost", "cost-curve", "optimum", "decision", "predictive-values"),
    "leaderboard": ("pairwise", "slopes-metric"),
}
MORE_PICTURES = {
    "calibration": ("reliability", "recalibration", "calibration"),
    "bootstrap": ("models", "differences", "resampled", "resampled-differences"),
    "cross_validation": ("folds", "differences"),
    "planning": ("planned",),
}


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        *PICTURES.items(),
        *(pytest.param(*item, marks=pytest.mark.slow) for item in MORE_PICTURES.items()),
    ],
)
def test_a_phone_shows_every_picture_without_sideways_scrolling(
    new_page: Callable[..., Page], server: str, name: str, keys: tuple[str, ...]
) -> None:
    page = new_page(viewport=PHONE, color_scheme="dark")
    more = {"costs": "&costs=0,1,10,0", "calibration": "&curves=true"}.get(name, "")
    page.goto(f"{server}/{name}?{DATA}{more}")
    settle(page)
    sees_every_figure(page, keys)


def test_the_cheapest_threshold_leads_the_other_pages(opened: Opening) -> None:
    page = opened(f"/costs?{DATA}&costs=0,1,10,0")
    use = page.get_by_role("button", name="as the threshold")
    cheapest = use.inner_text().split()[1]
    use.click()
    page.wait_for_url("**threshold=**")
    page.get_by_role("link", name="Errors").click()
    settle(page)
    said = f"when the score is at least {cheapest}"
    expect(page.locator(".eb-lead").first).to_contain_text(said)


def test_a_cost_that_is_typed_into_the_table_is_kept_and_led_on_with(opened: Opening) -> None:
    page = opened(f"/costs?{DATA}")
    table = page.locator('.st-key-costs-typed [data-testid="stDataFrame"]')
    for number in ("2", "3"):  # the row of malignant comes first, and what a miss costs last
        box = table.bounding_box()
        assert box is not None
        table.click(position={"x": 0.9 * box["width"], "y": 52})
        page.keyboard.press(number)
        expect(page.locator("#portal input")).to_be_focused()
        page.keyboard.press("Enter")
        page.wait_for_url(f"**costs=0%2C1%2C{number}%2C0**")
        settle(page)
        link = page.get_by_test_id("stSidebar").get_by_role("link", name="Summary")
        expect(link).to_have_attribute("href", re.compile(f"costs=0%2C1%2C{number}%2C0"))
    link.click()
    page.wait_for_url("**/overview?**costs=0%2C1%2C3%2C0**")
    page.reload()
    page.wait_for_url("**/overview?**costs=0%2C1%2C3%2C0**")


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


@pytest.mark.slow
def test_what_makes_no_difference_is_kept_in_the_address(opened: Opening) -> None:
    page = opened(f"/bootstrap?{DATA}")
    slider = page.locator('.st-key-rope_roc_auc [role="slider"], .st-key-rope_roc_auc input').first
    slider.focus()
    slider.press("ArrowRight")
    settle(page)
    page.wait_for_url("**rope_roc_auc=0.02**")
    said = page.locator(".st-key-figure-resampled-differences .eb-figure-subtitle")
    expect(said).to_contain_text("up to 0.02 apart")
    page.reload()
    expect(said).to_contain_text("up to 0.02 apart")


@pytest.mark.parametrize("name", first_of(PAGES))
def test_a_wide_screen_is_used_and_lines_stay_short(
    new_page: Callable[..., Page], server: str, name: str
) -> None:
    page = new_page(viewport={"width": 2560, "height": 1440})
    page.goto(server + PAGES[name])
    settle(page)
    block = page.locator('[data-testid="stMainBlockContainer"]').bounding_box()
    assert block
    assert 1700 < block["width"] < 2000
    # Of the width of the letter M: about 125 of usual letters.
    long = page.locator('[data-testid="stMain"] :is(p, li):visible').evaluate_all(
        """parts => parts.filter(part => {
            const range = document.createRange();
            range.selectNodeContents(part);
            const letters = parseFloat(getComputedStyle(part).fontSize);
            return range.getBoundingClientRect().width > 62 * letters;
        }).map(part => part.innerText)"""
    )
    assert not long
