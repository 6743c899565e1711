"""The first cells of a file, as they are written in it."""

import pandas as pd
import streamlit as st

from evalcore.intake.model import Table
from pages.escape import visible

ROWS, COLUMNS = 100, 50
MANY = 8
"""Beyond so many rows the table scrolls; those in sight are whole."""

ROW, BORDERS = 33, 2
"""Pixels of a row of a table, and of its edge."""


def show(table: Table) -> None:
    """Show the first rows as text; nothing in them is interpreted."""
    shown = {name: column.slice(0, ROWS) for name, column in list(table.columns.items())[:COLUMNS]}
    frame = pd.DataFrame(
        {visible(name): map(_text, column.to_pylist()) for name, column in shown.items()}
    )
    frame.index = pd.RangeIndex(1, len(frame) + 1, name="row")
    height = "content" if len(frame) <= MANY else ROW * (MANY + 1) + BORDERS
    st.dataframe(frame, height=height, alt="The first rows of the file")
    if len(table.names) > COLUMNS:
        st.caption(f"The first {COLUMNS} of {len(table.names):,} columns.")


def _text(cell: object) -> str:
    return "" if cell is None else visible(str(cell))
