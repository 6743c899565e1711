"""What a figure gives away: pictures, numbers and code, under the server's own headers."""

import csv
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.serving import first_of

Opened = Callable[[str], Page]
SAMPLE = "data=sample-breast-cancer"
PLACES = {
    "plotly": (f"/overview?{SAMPLE}&curves=true", ".st-key-figure-roc"),
    "explorer": (f"/thresholds?{SAMPLE}", '.figure[data-figure="roc"]'),
}


def saved(page: Page, figure: Locator, kind: str, folder: Path) -> Path:
    """Save a figure and return the file."""
    figure.locator("summary").click()
    with page.expect_download() as download:
        figure.get_by_role("button", name=kind, exact=True).click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


@pytest.mark.parametrize("place", first_of(PLACES))
def test_a_figure_can_be_taken_away_as_picture_numbers_and_code(
    place: str, opened: Opened, tmp_path: Path
) -> None:
    path, selector = PLACES[place]
    page = opened(path)
    figure = page.locator(selector)
    picture = saved(page, figure, "PNG", tmp_path).read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 20_000
    drawing = ElementTree.parse(saved(page, figure, "SVG", tmp_path)).getroot()
    said = " ".join(drawing.itertext())
    assert "AUC 0.954" in said
    assert "random forest" in said
    with saved(page, figure, "Data (CSV)", tmp_path).open(newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    assert len(rows) > 300
    assert {len(row) for row in rows} == {len(head)}
    assert "random forest" in {row[0] for row in rows}
    code = saved(page, figure, "Python", tmp_path).read_text(encoding="utf-8")
    assert "figures.roc(" in code
    compile(code, "figure", "exec")
