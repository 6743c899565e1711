"""What a figure gives away: pictures, numbers and code, under the server's own headers."""

import csv
import struct
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
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


SVG = "{http://www.w3.org/2000/svg}"


def size_of(picture: Path) -> tuple[int, int]:
    """Return width and height as the head of a PNG says them."""
    head = picture.read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    return struct.unpack(">II", head[16:])


def margins(picture: Path) -> tuple[int, int]:
    """Return the columns left and right of what is drawn between the title and the caption."""
    shades = np.asarray(Image.open(picture).convert("L"), float)[260:960]
    drawn = np.flatnonzero(np.abs(shades - shades[0, 0]).max(axis=0) > 20)
    return int(drawn[0]), shades.shape[1] - 1 - int(drawn[-1])


@pytest.mark.parametrize("place", PLACES)
def test_a_figure_stands_in_the_middle_of_its_slide(
    place: str, opened: Opened, tmp_path: Path
) -> None:
    path, selector = PLACES[place]
    page = opened(path)
    left, right = margins(saved(page, page.locator(selector), "PNG for slides", tmp_path))
    assert abs(left - right) < 150


@pytest.mark.parametrize("place", first_of(PLACES))
def test_a_figure_can_be_taken_away_as_picture_numbers_and_code(
    place: str, opened: Opened, tmp_path: Path
) -> None:
    path, selector = PLACES[place]
    page = opened(path)
    figure = page.locator(selector)
    picture = saved(page, figure, "PNG", tmp_path)
    assert picture.stat().st_size > 20_000
    width, _ = size_of(picture)
    assert width > 700
    assert size_of(saved(page, figure, "PNG for slides", tmp_path)) == (1920, 1080)
    assert size_of(saved(page, figure, "PNG for print", tmp_path))[0] == 1600
    drawing = ElementTree.parse(saved(page, figure, "SVG", tmp_path)).getroot()
    fonts, said = next(drawing.iter(f"{SVG}style")).text, " ".join(drawing.itertext())
    assert fonts.count("@font-face") == fonts.count('url("data:font/woff2;base64,d09GM') >= 2
    assert 'font-family: "Inter"' in fonts
    assert 'font-family: "Source Serif 4"' in fonts
    today = datetime.now().astimezone().date()
    assert f"breast_cancer.csv · 569 rows · threshold 0.5 · {today}" in said
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
