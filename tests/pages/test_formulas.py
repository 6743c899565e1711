"""No table starts a formula in the spreadsheet into which a reader saves or copies it."""

import re
from pathlib import Path

import pytest

from tests.pages.conftest import Opened

HEAD = "=truth,=HYPERLINK(1)_label,@sum_label,＝A1_score"
ROWS = ["=1+1,=1+1,+x,0.9", "+x,+x,+x,0.2", "=1+1,+x,=1+1,0.4", "+x,=1+1,+x,0.6"]
FILE = "\n".join((HEAD, *ROWS * 5)).encode()
FORMULA = re.compile(r"\s*[=+\-@＝＋－＠](?![\d.])")
PAGES = ["data", "overview", "confusion", "leaderboard", "comparison", "stated"]


@pytest.mark.parametrize("page", PAGES)
def test_no_cell_and_no_heading_of_a_table_starts_a_formula(page: str, uploaded: Opened) -> None:
    at = uploaded(page, "=f.csv", FILE, truth="=truth")
    assert not at.exception
    for table in at.dataframe:
        texts = [*table.value.columns, *table.value.select_dtypes(exclude="number").to_numpy().flat]
        assert [text for text in texts if FORMULA.match(str(text))] == []


def test_the_first_rows_are_there_to_be_tried(uploaded: Opened) -> None:
    shown = uploaded("data", "=f.csv", FILE, truth="=truth").dataframe[0].value
    assert "\N{WORD JOINER}=1+1" in shown.to_numpy().flat


def test_every_table_is_shown_in_this_way() -> None:
    pages = Path(__file__).parents[2] / "pages"
    direct = [
        path.name for path in pages.rglob("*.py") if "st.dataframe(" in path.read_text("utf-8")
    ]
    assert direct == ["tables.py"]
