"""How a file was read, and boxes to read it otherwise."""

from collections.abc import Iterator
from dataclasses import dataclass

import streamlit as st

from evalcore.intake.choices import Choices
from evalcore.intake.model import Source, Table
from pages.escape import shorten, visible
from pages.session import current
from pages.session.rereading import reread
from pages.widgets.source_line import SEPARATORS

LONGEST = 40
ENCODINGS = ("utf-8", "utf-16", "cp1252", "cp1250", "cp1251", "shift_jis", "gb18030", "mac_roman")
DECIMALS = {".": "points (0.5)", ",": "commas (0,5)"}
THOUSANDS = {",": "commas (1,000)", ".": "points (1.000)", " ": "spaces (1 000)", "'": "1'000"}


@dataclass(frozen=True)
class _Box:
    """A box for one part of how the file is read.

    Attributes:
        field: The choice it settles.
        found: What was used, in the words of a choice; None for none.
        options: Value -> how it is shown.
    """

    field: str
    label: str
    found: str | None
    options: dict[str, str]


def show(table: Table) -> None:
    """Show a box for each part that applies to this format; a change reads the file anew."""
    boxes = list(_boxes(table.source))
    if not boxes:
        return
    with st.grid(len(boxes), min_column_width=230, key="reading"):
        for box in boxes:
            _show(box, current.view().choices, table.source.digest[:12])


def _boxes(source: Source) -> Iterator[_Box]:
    if len(source.sheets) > 1:
        yield _Box("sheet", "Sheet", source.sheet, {name: name for name in source.sheets})
    if source.encoding is not None:
        names = {name: name.upper() for name in ENCODINGS}
        yield _Box("encoding", "Encoding", source.encoding, names)
    if source.separator is not None:
        yield _Box("separator", "Cells divided by", source.separator, SEPARATORS)
        yield _Box("decimal", "Decimals", source.decimal or ".", DECIMALS)
        yield _Box("thousands", "Thousands", source.thousands, THOUSANDS)


def _show(box: _Box, choices: Choices, stamp: str) -> None:
    chosen: str | None = getattr(choices, box.field)
    options = ["", *box.options]
    if chosen and chosen not in options:
        options.append(chosen)
    key = f"reading-{box.field}-{stamp}"
    st.selectbox(
        box.label,
        options,
        index=options.index(chosen or ""),
        format_func=lambda value: _told(box, value, detected=not chosen),
        key=key,
        on_change=reread,
        args=(box.field, key),
    )


def _told(box: _Box, value: str, *, detected: bool) -> str:
    """Say what a choice means; the first one is what was detected."""
    if value:
        return shorten(visible(box.options.get(value, value)), LONGEST)
    if not detected:
        return "as detected"
    found = "none" if box.found is None else box.options.get(box.found, box.found)
    return f"as detected: {shorten(visible(found), LONGEST)}"
