"""How many clicks lead from an upload to what people come for.

The threshold for given costs takes two: `test_thresholds.py`.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dev import ROOT
from tests.browser.serving import settle

SAMPLES = ROOT / "assets" / "samples"


@pytest.fixture
def dropped(page: Page, server: str) -> Page:
    """The dashboard once a file of predictions was dropped on it."""
    return drop(page, server, "breast_cancer")


def drop(page: Page, server: str, sample: str) -> Page:
    """Open the dashboard and drop a sample on it, as a reader's own file."""
    page.goto(server)
    settle(page)
    page.locator('input[type="file"]').set_input_files(SAMPLES / f"{sample}.csv")
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


def test_one_click_leads_to_the_failing_groups(page: Page, server: str) -> None:
    drop(page, server, "subscribers").get_by_role("link", name="Look for weak groups").click()
    page.wait_for_url("**/slices?**")
    settle(page)
    expect(page.locator("h1")).to_contain_text("is weakest where age_band = 18-29")
    expect(page.get_by_text("1 weak spot confirmed of 119 slices searched")).to_be_visible()
    found = page.locator(".st-key-figure-weak-spots .js-plotly-plot")
    expect(found.get_by_text("region = north; age_band = 18-29")).to_be_visible()


def test_one_click_takes_a_report_to_hand_on(dropped: Page) -> None:
    with dropped.expect_download() as saved:
        dropped.get_by_role("button", name="Download the report").click()
    report = Path(saved.value.path()).read_text("utf-8")
    assert saved.value.suggested_filename.endswith(".html")
    assert "too close to call" in report
