"""Share, beside the name of the data: the address is copied, or the report downloaded."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.serving import CANCER, settle
from tests.browser.test_access import AXE, FOUND


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_view_is_copied_with_all_that_is_chosen_or_its_report_taken(
    new_page: Callable[..., Page], server: str, mode: str
) -> None:
    page = new_page(color_scheme=mode)
    page.goto(f"{server}/thresholds{CANCER}&threshold=0.3")
    settle(page)
    page.get_by_role("button", name="Share").click()
    dialog = page.get_by_role("dialog", name="Share this view")
    address = dialog.get_by_label("Address of this view")
    expect(address).to_have_value(
        re.compile(r"/thresholds\?data=sample-breast-cancer&threshold=0.3")
    )
    dialog.get_by_role("button", name="Copy").press("Enter")
    expect(dialog.get_by_text("Copied.")).to_be_visible()
    settle(page)
    page.evaluate(AXE)
    assert page.evaluate(FOUND) == []
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="Download the report instead").click()
    report = Path(saved.value.path()).read_text("utf-8")
    assert '<span data-key="/models/logistic regression/threshold">0.3</span>' in report
