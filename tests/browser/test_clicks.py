"""How many clicks lead from an upload to what people come for.

The threshold for given costs takes two: `test_thresholds.py`.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dev import ROOT
from tests.browser.serving import settle

SAMPLE = ROOT / "assets" / "samples" / "breast_cancer.csv"


@pytest.fixture
def dropped(page: Page, server: str) -> Page:
    """The dashboard once a file of predictions was dropped on it."""
    page.goto(server)
    settle(page)
    page.locator('input[type="file"]').set_input_files(SAMPLE)
    page.wait_for_url("**/overview?**")
    settle(page)
    return page


def test_no_click_leads_to_the_verdict_and_one_to_the_failing_rows(dropped: Page) -> None:
    expect(dropped.locator("h1")).to_contain_text("too close to call")
    dropped.get_by_role("link", name="See the misses").click()
    dropped.wait_for_url("**/rows?**")
    expect(dropped.get_by_role("link", name="47 malignant rows called benign")).to_be_visible()
    expect(dropped.get_by_text("47 rows: the largest log loss first.")).to_be_visible()
    expect(dropped.locator('[data-testid="stDataFrame"]').last).to_be_visible()


def test_two_clicks_lead_to_a_picture_for_a_report(dropped: Page, tmp_path: Path) -> None:
    dropped.get_by_role("link", name="Choose a threshold").click()
    figure = dropped.locator('.figure[data-figure="roc"]')
    figure.locator("summary").hover()
    with dropped.expect_download() as download:
        figure.get_by_role("button", name="PNG for print").click()
    picture = tmp_path / download.value.suggested_filename
    download.value.save_as(picture)
    assert picture.read_bytes().startswith(b"\x89PNG")
    dropped.mouse.move(0, 0)
    expect(figure.get_by_role("button", name="PNG for print")).to_be_hidden()
