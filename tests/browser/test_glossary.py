"""The glossary in a real browser: search while typing, links, keyboard, every width."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from evalview.explained.lookup import search
from tests.browser.serving import DESKTOP, PHONE, settle

Opening = Callable[[str], Page]
PAGE = "/glossary?data=sample-breast-cancer"
LIST = ".st-key-glossary-list"
TERM = ".st-key-glossary-detail .eb-term"


def test_typing_narrows_the_list_without_the_enter_key(opened: Opening) -> None:
    page = opened(PAGE)
    page.get_by_placeholder("Name or synonym").press_sequentially("sensitivity")
    expect(page.locator(TERM)).to_have_text("Recall")
    expect(page.locator(LIST).get_by_role("radio")).to_have_count(len(search("sensitivity")))


@pytest.mark.slow
def test_a_number_is_picked_by_keyboard_and_kept_over_a_refresh(opened: Opening) -> None:
    page = opened(PAGE)
    page.locator(LIST).get_by_role("radio").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(TERM)).to_have_text("Balanced accuracy")
    page.wait_for_url("**metric=balanced_accuracy**")
    page.reload()
    settle(page)
    expect(page.locator(TERM)).to_have_text("Balanced accuracy")


@pytest.mark.slow
def test_an_explanation_leads_to_the_entry_with_the_same_data(opened: Opening) -> None:
    page = opened("/overview?data=sample-breast-cancer&threshold=0.3&numbers=true")
    page.locator(".st-key-card-threshold-recall").get_by_text("Explain").click()
    page.get_by_role("link", name="Look it up in the glossary").click()
    page.wait_for_url("**/glossary?**metric=recall**")
    settle(page)
    expect(page.locator(TERM)).to_have_text("Recall")
    assert "threshold=0.3" in page.url


@pytest.mark.slow
def test_formulas_are_set_and_few_at_a_time(opened: Opening) -> None:
    page = opened(f"{PAGE}&metric=mcc")
    page.locator(".katex").first.wait_for()
    assert page.locator(".katex-error").count() == 0
    assert page.locator(".katex-display").count() == 2


@pytest.mark.slow
def test_a_source_is_a_link_that_opens_elsewhere(opened: Opening) -> None:
    page = opened(f"{PAGE}&metric=brier")
    link = page.locator(".eb-terms a")
    assert link.get_attribute("target") == "_blank"
    assert link.evaluate("link => link.hostname") == "doi.org"


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_page(
    new_page: Callable[..., Page], server: str, size: dict[str, int], scheme: str
) -> None:
    page = new_page(viewport=size, color_scheme=scheme)
    page.goto(f"{server}{PAGE}&metric=mcc")
    settle(page)
    page.locator(".katex").first.wait_for()
    for place in ("html", '[data-testid="stMain"]'):
        assert page.locator(place).evaluate("e => e.scrollWidth <= e.clientWidth")
