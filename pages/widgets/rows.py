"""Rows as in the file, with a note and a tag that readers type beside each."""

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any
from zlib import crc32

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st
from pandas.api.types import is_numeric_dtype

from evalcore.outcomes import Floats, Rows
from evalcore.text import have, shorten
from evalread.attributes import in_reading_order, numbers_said, read_first
from evalread.dataset import Dataset, Table
from evalview import text
from evalview.escape import JOINER, cell, spreadsheet, visible
from pages.session import current, store
from pages.session.store import LONGEST_NOTE, LONGEST_TAG, MOST_NOTED, Note
from pages.widgets import tables

WHOLE = "all-rows"
"""Under this name the address says that all rows and columns are shown."""

FIRST_SHOWN = 5
"""Rows that are shown first: as many as are read."""

IN_SIGHT = 7
"""After so many columns notes still need no scrolling."""

ROWS_SHOWN = 500
"""Rows on one page; more would make the browser slow."""

COLUMNS_SHOWN = 50
"""Columns to read; the download has all of them."""

LONGEST_CELL = 1000
"""Characters of a cell to read; the download has it whole."""

ROW_NAMES = ("row", "row of the file", "data row", "\N{NUMERO SIGN}")
NOTE_NAMES = ("note", "your note", "note typed here")
TAG_NAMES = ("tag", "your tag", "tag typed here")

CALLED = "called"
"""Under this heading `rows_table` is told what a model calls each row."""

Values = Mapping[str, Sequence[Any] | Floats]
"""Heading -> what is known of each row beside its cells."""

Names = Sequence[str]

NOTHING: Values = MappingProxyType({})

ABOUT = "Links and paths of pictures are shown as text: nothing is loaded."
KEPT = (
    f"Notes and tags that you type are kept with the data, for everyone who has its link. {ABOUT}"
)
KEPT_OF_SAMPLE = f"Notes and tags on a sample are kept for you only, until you reload. {ABOUT}"


NO_ROWS = "This file holds counts: the rows behind them are not in it."


def rows_table(
    dataset: Dataset, models: Names, rows: Rows, *, key: str, called: str, values: Values = NOTHING
) -> None:
    """Show data rows (1 being the first) as in the file, downloaded as `called`.

    First a few, with what `models` say of them; all of them and all their cells on demand.
    `values` are known of each of the (m,) rows, beside their cells.
    """
    if dataset.table.counted is not None:
        st.caption(NO_ROWS)
        return
    if not len(rows):
        st.caption("There are no such rows.")
        return
    names = in_reading_order(dataset, models)
    first = read_first(dataset, models, rows[:FIRST_SHOWN] - 1, labels=CALLED not in values)
    part, shown = slice(FIRST_SHOWN), first
    more = len(rows) > FIRST_SHOWN or len(first) < len(names)
    if more and st.toggle("All rows and columns", key=WHOLE, bind="query-params"):
        pages = -(-len(rows) // ROWS_SHOWN)
        page = st.pagination(pages, key=f"{key}-page") if pages > 1 else 1
        part, shown = slice((page - 1) * ROWS_SHOWN, page * ROWS_SHOWN), names
    _editor(dataset, rows[part], shown, {name: v[part] for name, v in values.items()}, key)
    own = _notes()  # now: whoever makes the download later knows of no session
    sampled = (current.view().data or "").startswith(store.SAMPLE_PREFIX)
    some = len(noted(dataset))
    told = f"{text.counted(some, 'row')} {have(some)} a note or a tag. " if some else ""
    st.caption(told + (KEPT_OF_SAMPLE if sampled else KEPT))
    st.download_button(
        f"Download all {len(rows):,} rows (CSV)" if len(rows) > 1 else "Download this row (CSV)",
        data=lambda: spreadsheet(_exported(dataset, rows, names, values, own)),
        file_name=called,
        mime="text/csv",
        on_click="ignore",
        key=f"{key}-download",
    )


def _editor(dataset: Dataset, rows: Rows, names: Sequence[str], values: Values, key: str) -> None:
    """Show rows with what is known of them, and let notes and tags be typed."""
    cells = frame(dataset.table, rows, names[:COLUMNS_SHOWN])
    shown, formats = _readable(cells, numbers_said(dataset)), {}
    for place, (name, column) in enumerate(values.items()):
        heading = _free(name, shown)
        shown.insert(1 + place, heading, list(column))
        if is_numeric_dtype(shown[heading]):
            largest = float(shown[heading].abs().replace(np.inf, np.nan).max())
            formats[heading] = st.column_config.NumberColumn(format=text.four_digits(largest))
    own = _notes()
    typed = [own.get((_reading(dataset), row), Note()) for row in rows.tolist()]
    note, tag = _headings(shown)
    place = min(len(shown.columns), IN_SIGHT)
    shown.insert(place, note, [cell(one.note) for one in typed])
    shown.insert(place + 1, tag, [cell(one.tag) for one in typed])
    # What was typed belongs to places in the table: other rows are another table.
    editor = f"{key}-rows-{crc32(rows.tobytes()):08x}"
    tables.edit(
        shown,
        disabled=[str(name) for name in shown if name not in (note, tag)],
        hide_index=True,
        column_config={
            **formats,
            note: st.column_config.TextColumn(
                width="medium", max_chars=LONGEST_NOTE, help="Your own text; kept with the data"
            ),
            tag: st.column_config.TextColumn(
                width="small",
                max_chars=LONGEST_TAG,
                help="A word to group rows by; kept with the data",
            ),
        },
        key=editor,
        on_change=partial(_take, note=note, tag=tag),
        args=(editor, _reading(dataset), tuple(rows.tolist())),
        alt=f"{text.counted(len(rows), 'row')} as in the file",
    )


def _take(editor: str, of: str, rows: Sequence[int], *, note: str, tag: str) -> None:
    """Keep what was typed since the last time; other readers may have typed in other rows."""
    edited: Mapping[int, Mapping[str, str | None]] = st.session_state[editor]["edited_rows"]
    known = st.session_state.setdefault(f"{editor}-taken", {})
    token = current.view().data or ""
    for place, said in edited.items():
        if known.get(place) == said:
            continue
        known[place], row = dict(said), rows[int(place)]
        before = store.notes(token).get((of, row), Note())
        typed = [
            _typed(said.get(name, old)) for name, old in ((note, before.note), (tag, before.tag))
        ]
        if not store.note(token, of, row, Note(*typed)):
            st.toast(f"This note was not saved: {MOST_NOTED:,} rows have one already.")


def _typed(said: str | None) -> str:
    return (said or "").replace(JOINER, "").strip()


def _reading(dataset: Dataset) -> str:
    """Return what tells readings of the same files apart whose rows are others."""
    return f"{dataset.table.source.sheet or ''}|{dataset.table.n}"


def _notes() -> store.Noted:
    return store.notes(current.view().data or "")


def _exported(
    dataset: Dataset, rows: Rows, names: Sequence[str], values: Values, own: store.Noted
) -> pd.DataFrame:
    """Return rows whole, with the notes on them where any row of the data has one."""
    cells = frame(dataset.table, rows, names)
    for place, (name, column) in enumerate(values.items()):
        cells.insert(1 + place, _free(name, cells), list(column))
    of = _reading(dataset)
    if own:
        typed = [own.get((of, row), Note()) for row in rows.tolist()]
        for name, said in zip(_headings(cells), zip(*typed, strict=True), strict=True):
            cells[name] = list(said)
    return cells


def noted(dataset: Dataset) -> Rows:
    """Return the numbers of the rows that have a note or a tag, rising."""
    of = _reading(dataset)
    return np.array(sorted(row for (where, row) in list(_notes()) if where == of), np.int64)


def frame(table: Table, rows: Rows, names: Sequence[str]) -> pd.DataFrame:
    """Return the cells of these data rows, led by the number of the row."""
    places = pa.array(rows - 1)
    taken = {name: table.columns[name].take(places).to_pandas() for name in names}
    number = next(name for name in ROW_NAMES if name not in table.columns)
    return pd.DataFrame({number: rows, **taken})


def _headings(cells: pd.DataFrame) -> tuple[str, str]:
    note, tag = (
        next(name for name in some if name not in cells.columns) for some in (NOTE_NAMES, TAG_NAMES)
    )
    return note, tag


def _free(name: str, cells: pd.DataFrame) -> str:
    """Return a heading that no column of the file has."""
    while name in cells.columns:
        name += " (found)"
    return name


def _readable(cells: pd.DataFrame, numbers: frozenset[str]) -> pd.DataFrame:
    """Make hidden characters visible, and scores and predictions numbers, which sort as such."""
    shown: dict[str, Any] = {}
    for name, column in cells.items():
        made = pd.to_numeric(column, errors="coerce") if name in numbers else column
        known = is_numeric_dtype(made) and not made.isna().any()
        heading = visible(shorten(str(name), LONGEST_CELL))
        while heading in shown:  # two names that differ in what cannot be seen
            heading += " (2)"
        shown[heading] = made if known else [_readable_cell(one) for one in column]
    return pd.DataFrame(shown)


def _readable_cell(held: Any) -> str:
    nothing = held is None or (isinstance(held, float) and np.isnan(held)) or held is pd.NaT
    return "" if nothing else visible(shorten(str(held), LONGEST_CELL))
