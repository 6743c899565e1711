"""Excel workbooks: the sheet that holds the table, and its cells as text."""

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, time
from pathlib import PurePosixPath
from typing import IO, Any
from xml.etree.ElementTree import iterparse

from evalcore.errors import EvalError, Notice
from evalcore.text import counted, listed
from evalread.columns import refuse_too_many_cells
from evalread.dataset import Choices, Source, Table
from evalread.detection.profile import WORDS, pieces, plain
from evalread.readers.tables import table_from_columns, unreadable


@dataclass(frozen=True)
class _Sheet:
    name: str
    rows: tuple[tuple[Any, ...], ...]
    first_row: int  # where the rows begin in the sheet, 1 being the first
    first_column: int


def read_excel(data: bytes, source: Source, choices: Choices) -> Table:
    """Read the chosen sheet, or the first whose header speaks of truth or predictions.

    Raises:
        EvalError: "unreadable", "no-such-sheet", "empty", "too-large", or "dates" for labels turned
            to dates.
    """
    sheets = _sheets(data)
    likely = next((sheet for sheet in sheets if _is_likely(sheet.rows[0])), sheets[0])
    named = {sheet.name: sheet for sheet in sheets}
    sheet = named.get(choices.sheet) if choices.sheet else likely
    if sheet is None:
        raise EvalError(
            "no-such-sheet",
            f'There is no sheet "{choices.sheet}" with cells; there are {listed(list(named))}.',
        )
    header = ["" if cell is None else str(cell) for cell in sheet.rows[0]]
    columns = list(zip(*sheet.rows[1:], strict=True)) or [()] * len(header)
    for place, cells in enumerate(columns):
        _refuse_dates(sheet, place, cells)
    notices = []
    if others := [name for name in named if name != sheet.name]:
        message = f'The sheet "{sheet.name}" was read; there are others: {listed(others, 6)}.'
        notices.append(Notice("sheet", message))
    known = replace(source, format="xlsx", sheet=sheet.name, sheets=tuple(named))
    return table_from_columns(header, columns, known, notices)


def _is_likely(header: Sequence[Any]) -> bool:
    """Tell whether a header speaks of truth or predictions."""
    names = [str(cell) for cell in header if cell is not None]
    words = {piece.lower() for name in names for piece in pieces(name)}
    return any(plain(name) in WORDS.truth for name in names) or bool(words & WORDS.spoken)


def _sheets(data: bytes) -> list[_Sheet]:
    from openpyxl.reader.excel import ExcelReader
    from openpyxl.xml.constants import SHARED_STRINGS

    class Reader(ExcelReader):  # type: ignore[misc]
        """Openpyxl's, but for texts that cells share: it takes ten times as long for them."""

        def read_strings(self) -> None:
            part = self.package.find(SHARED_STRINGS)
            if part is not None:
                with self.archive.open(part.PartName[1:]) as stream:
                    self.shared_strings = _shared_texts(stream)

    with unreadable("The Excel file is damaged. Save it again."):
        _refuse_parts(zipfile.ZipFile(io.BytesIO(data)))
        reader = Reader(io.BytesIO(data), read_only=True, data_only=True)
        reader.read()
        cells = {sheet.title: _sheet_cells(sheet) for sheet in reader.wb.worksheets}
        reader.wb.close()
    found = [_trimmed(name, rows) for name, rows in cells.items()]
    sheets = [sheet for sheet in found if sheet is not None]
    if not sheets:
        raise EvalError("empty", "The Excel file holds no cells.")
    return sheets


_MOST_PART = 10_000_000
"""Bytes of a part that holds neither cells nor texts: 65,490 formats, Excel's most, take less."""

_MOST_ROWS = 1 << 20
"""Rows of a sheet: Excel has no more."""


def _refuse_parts(book: zipfile.ZipFile) -> None:
    """Refuse a workbook that says that it becomes too large."""
    for part in book.infolist():
        cells = part.filename.startswith(("xl/worksheets/", "xl/sharedStrings"))
        if part.file_size > _MOST_PART and not cells and part.filename.endswith((".xml", ".rels")):
            raise EvalError(
                "too-large",
                f"The workbook's formats or names ({PurePosixPath(part.filename).name}) take "
                f"{part.file_size / 1e6:,.0f} MB; at most {_MOST_PART / 1e6:,.0f} MB are read. "
                "Save the sheet as CSV.",
            )


def _shared_texts(stream: IO[bytes]) -> list[str]:
    """Return the texts of cells, without how they are pronounced."""
    found: list[str] = []
    for _, element in iterparse(stream):
        name = element.tag.rpartition("}")[2]
        if name == "si":
            parts = (one.text or "" for one in element.iter() if one.tag.rpartition("}")[2] == "t")
            found.append("".join(parts).replace("x005F_", ""))
        if name in ("si", "rPh"):
            element.clear()
    return found


def _sheet_cells(sheet: Any) -> list[tuple[Any, ...]]:
    sheet.reset_dimensions()
    rows: list[tuple[Any, ...]] = []
    widest = 0
    for row in sheet.iter_rows(values_only=True):
        widest = max(widest, len(row))
        refuse_too_many_cells(len(rows) + 1, widest)
        rows.append(row)
        if len(rows) > _MOST_ROWS:
            raise EvalError(
                "too-large",
                f'The sheet "{sheet.title}" has more than {_MOST_ROWS:,} rows, the most that '
                "Excel has. Save it as CSV.",
            )
    return rows


def _trimmed(name: str, rows: Sequence[tuple[Any, ...]]) -> _Sheet | None:
    """Cut off blank rows and columns, and titles of one cell above the header."""
    filled = [[k for k, cell in enumerate(row) if _is_filled(cell)] for row in rows]
    used = [k for k, places in enumerate(filled) if places]
    if not used:
        return None
    first, last = next((k for k in used if len(filled[k]) > 1), used[0]), used[-1] + 1
    low = min(places[0] for places in filled[first:last] if places)
    high = max(places[-1] for places in filled[first:last] if places) + 1
    refuse_too_many_cells(last - first, high - low)
    cut = tuple((*row, *[None] * (high - len(row)))[low:high] for row in rows[first:last])
    return _Sheet(name, cut, first + 1, low + 1)


def _is_filled(cell: Any) -> bool:
    return cell is not None and str(cell).strip() != ""


def _refuse_dates(sheet: _Sheet, place: int, cells: Sequence[Any]) -> None:
    """Refuse a column in which some cells are dates and others are not: labels such as "1-2"."""
    dates = [k for k, cell in enumerate(cells) if isinstance(cell, date | time)]
    if not dates or len(dates) == sum(map(_is_filled, cells)):
        return
    from openpyxl.utils import get_column_letter

    letter = get_column_letter(sheet.first_column + place)
    named = [f"{letter}{sheet.first_row + 1 + k}" for k in dates]
    raise EvalError(
        "dates",
        f'Excel has turned {counted(len(dates), "cell")} of "{sheet.name}" into dates '
        f"({', '.join(named[:8])}{', …' if len(named) > 8 else ''}). Format the column as text and "
        "enter them again.",
        rows=[k + 1 for k in dates],
        column=str(sheet.rows[0][place]),
    )
