"""The rows behind a number: a page of them to read, all of them to download."""

from collections.abc import Sequence

import pandas as pd
import pyarrow as pa
import streamlit as st

from evalcore.intake.model import Dataset, Table
from evalcore.outcomes import Rows
from pages.escape import spreadsheet, visible

ROWS_SHOWN = 1000
"""Rows on one page; more would make the browser slow."""

ROW_NAMES = ("row", "row of the file", "data row", "\N{NUMERO SIGN}")

COLUMNS_SHOWN = 50
"""Columns to read; the download has all of them."""


def rows_table(dataset: Dataset, model: str, rows: Rows, *, key: str, called: str) -> None:
    """Show data rows (1 being the first) as they stand in the file, downloaded as `called`."""
    names = _in_reading_order(dataset, model)
    pages = max(1, -(-len(rows) // ROWS_SHOWN))
    page = st.pagination(pages, key=f"{key}-page") if pages > 1 else 1
    start = (page - 1) * ROWS_SHOWN
    shown = frame(dataset.table, rows[start : start + ROWS_SHOWN], names[:COLUMNS_SHOWN])
    st.dataframe(
        _readable(shown, _scores(dataset)),
        hide_index=True,
        key=f"{key}-rows",
        alt=f"The {len(rows):,} rows of this cell, as they stand in the file",
    )
    st.download_button(
        f"Download all {len(rows):,} rows (CSV)" if len(rows) > 1 else "Download this row (CSV)",
        data=lambda: spreadsheet(frame(dataset.table, rows, names)),
        file_name=called,
        mime="text/csv",
        on_click="ignore",
        key=f"{key}-download",
    )


def frame(table: Table, rows: Rows, names: Sequence[str]) -> pd.DataFrame:
    """Return the cells of these data rows, led by the number of the row."""
    places = pa.array(rows - 1)
    taken = {name: table.columns[name].take(places).to_pandas() for name in names}
    number = next(name for name in ROW_NAMES if name not in table.columns)
    return pd.DataFrame({number: rows, **taken})


def _readable(cells: pd.DataFrame, scores: frozenset[str]) -> pd.DataFrame:
    """Make hidden characters visible, and numbers of scores so that they sort as such."""
    shown = {}
    for name, column in cells.items():
        numbers = pd.to_numeric(column, errors="coerce") if name in scores else column
        text = numbers.isna().any() or name not in scores
        shown[visible(str(name))] = column.map(_visible) if text else numbers
    return pd.DataFrame(shown)


def _visible(cell: object) -> object:
    return visible(cell) if isinstance(cell, str) else cell


def _scores(dataset: Dataset) -> frozenset[str]:
    said = dataset.roles.models.values()
    columns = (name for one in said for name in (one.score, *one.probabilities.values()))
    return frozenset(name for name in columns if name is not None)


def _in_reading_order(dataset: Dataset, model: str) -> list[str]:
    """Return the columns: truth, what this model says, then all others as in the file."""
    roles = dataset.roles
    said = roles.models[model]
    told = filter(None, (roles.truth, said.label, said.score, *said.probabilities.values()))
    known = [name for name in dict.fromkeys(told) if name in dataset.table.columns]
    return [*known, *(name for name in dataset.table.names if name not in known)]
