"""Notes beside rows: typed with the keyboard alone, and there again after a reload."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
from playwright.sync_api import Page

from tests.browser.serving import settle

FILE = b"truth,m_score\nno,0.1\nyes,0.05\nno,0.6\nyes,0.9\n"


def exported(page: Page) -> pd.DataFrame:
    """Return the rows as the page hands them out."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Download all 4 rows").click()
    return pd.read_csv(download.value.path(), dtype=str, keep_default_na=False)


def test_a_note_is_typed_in_place_and_survives_a_reload(
    server: str, new_page: Callable[..., Page], tmp_path: Path
) -> None:
    (tmp_path / "f.csv").write_bytes(FILE)
    page = new_page()
    page.goto(server)
    settle(page)
    page.locator('input[type="file"]').set_input_files(tmp_path / "f.csv")
    page.wait_for_url("**/overview?**")
    settle(page)
    page.goto(page.url.replace("/overview", "/rows"))
    settle(page)
    # Beside row 2, which comes first: number, loss, what it is called, truth, score, then the note.
    box = page.locator('[data-testid="stDataFrame"]').bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 20, box["y"] + 50)
    page.locator('[data-testid="glide-cell-0-0"][aria-selected="true"]').wait_for(state="attached")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.locator('[data-testid="glide-cell-5-0"][aria-selected="true"]').wait_for(state="attached")
    page.keyboard.press("Enter")
    page.locator(".gdg-input").fill("=look again")
    page.keyboard.press("Enter")
    page.get_by_text("1 row has a note or a tag.").wait_for()
    page.reload()
    settle(page)
    cells = exported(page)
    assert cells["row"].tolist() == ["2", "3", "1", "4"]
    assert cells["note"].tolist() == ["'=look again", "", "", ""]
