"""The confusion matrix in a real browser: a click on a cell shows its rows, and is kept."""

import csv
import io
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.serving import PHONE, settle

Opening = Callable[[str], Page]
BINARY = "/confusion?data=sample-breast-cancer"
CLASSES = "/confusion?data=sample-digits"


def click_cell(page: Page, row: int, column: int, classes: int) -> None:
    """Click the middle of a cell, as seen on the screen."""
    plot = page.locator(".st-key-figure-matrix .nsewdrag")
    box = plot.bounding_box()
    middle = {
        "x": box["width"] * (column + 0.5) / classes,
        "y": box["height"] * (row + 0.5) / classes,
    }
    # Plotly tells the cell that it last saw the mouse in, which its label shows.
    label = page.locator(".st-key-figure-matrix .hoverlayer .hovertext")
    page.mouse.move(0, 0)
    expect(label).to_have_count(0)
    plot.hover(position=middle)
    label.wait_for()
    plot.click(position=middle)


def cell(page: Page):
    return page.locator(".eb-section").first


@pytest.mark.slow
def test_a_click_on_a_cell_shows_its_rows_time_after_time(opened: Opening) -> None:
    page = opened(BINARY)
    for row, column, says in (
        (0, 0, "165 malignant rows called malignant"),
        (1, 0, "22 benign rows called malignant"),
        (1, 1, "335 benign rows called benign"),
        (0, 1, "47 malignant rows called benign"),
    ):
        click_cell(page, row, column, 2)
        expect(cell(page)).to_have_text(says)
        settle(page)
        rows = says.split()[0]
        button = page.locator('[data-testid="stDownloadButton"]')
        expect(button).to_contain_text(f"Download all {rows} rows")


def test_a_click_finds_its_cell_among_ten_classes(opened: Opening) -> None:
    page = opened(CLASSES)
    click_cell(page, 3, 8, 10)
    expect(cell(page)).to_have_text("7 rows of class “3” called “8”")


def test_a_clicked_cell_is_in_the_address_and_kept_over_a_refresh(opened: Opening) -> None:
    page = opened(BINARY)
    steps = page.evaluate("history.length")
    click_cell(page, 1, 0, 2)
    page.wait_for_url("**truth%3Dbenign**called%3Dmalignant**")
    assert page.evaluate("history.length") == steps + 1
    page.reload()
    settle(page)
    expect(cell(page)).to_have_text("22 benign rows called malignant")


@pytest.mark.slow
def test_a_cell_can_be_named_by_keyboard(opened: Opening) -> None:
    page = opened(BINARY)
    box = page.locator(".st-key-actual input")
    box.focus()
    page.keyboard.type("benign")
    page.keyboard.press("Enter")
    expect(cell(page)).to_have_text("335 benign rows called benign")


@pytest.mark.slow
def test_switches_are_in_the_address(opened: Opening) -> None:
    page = opened(BINARY)
    page.get_by_text("share of truth", exact=True).click()
    page.wait_for_url("**cells=truth**")
    shares = page.locator(".st-key-figure-matrix .heatmaplayer", has_text="77.8%")
    shares.first.wait_for()


def test_the_download_holds_all_rows_of_the_cell(opened: Opening) -> None:
    page = opened(BINARY)
    with page.expect_download() as download:
        page.locator('[data-testid="stDownloadButton"] button').click()
    text = download.value.path().read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 47
    assert {row["truth"] for row in rows} == {"malignant"}
    assert {row["logistic_regression_label"] for row in rows} == {"benign"}


@pytest.mark.slow
def test_hovering_a_cell_says_what_it_holds(opened: Opening) -> None:
    page = opened(CLASSES)
    plot = page.locator(".st-key-figure-matrix .nsewdrag")
    box = plot.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.15, box["y"] + box["height"] * 0.15)
    label = page.locator(".st-key-figure-matrix .hoverlayer .hovertext")
    label.wait_for()
    assert label.text_content() == "1, called 1174 rows"


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "address"), [("dark", BINARY), ("light", CLASSES)])
def test_a_phone_shows_the_page_without_sideways_scrolling(
    new_page: Callable[..., Page], server: str, mode: str, address: str
) -> None:
    page = new_page(viewport=PHONE, color_scheme=mode)
    page.goto(server + address)
    settle(page)
    page.locator(".st-key-figure-matrix .heatmaplayer").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_selected_rows_are_named_above_other_pages_marked_there_and_cleared(
    opened: Opening,
) -> None:
    page = opened(BINARY)
    click_cell(page, 0, 1, 2)
    chip = page.locator(".st-key-selected")
    expect(chip).to_contain_text("47 malignant rows called benign by logistic regression")
    page.locator(".st-key-sections").get_by_text("Threshold", exact=True).click()
    page.wait_for_url("**/thresholds?**")
    settle(page)
    marks = page.locator(".explorer line.picked")
    expect(marks).not_to_have_count(0)
    page.reload()
    settle(page)
    expect(chip).to_contain_text("47 malignant rows")
    expect(marks).not_to_have_count(0)
    chip.locator("button").first.click()
    expect(chip).to_have_count(0)
    expect(marks).to_have_count(0)
    assert "selected" not in page.url
