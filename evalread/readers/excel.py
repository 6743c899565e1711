"""Excel workbooks: the sheet that holds the table, and its cells as text."""

import io
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, time
from pathlib import PurePosixPath
from typing import IO, Any
from xml.etree.ElementTree import ParseError
from xml.parsers import expat

from evalcore.errors import EvalError, Notice
from evalcore.text import counted, listed
from evalread.columns import refuse_too_many_cells
from evalread.dataset import Choices, Source, Table
from evalread.detection.profile import WORDS, pieces, plain
from evalread.readers.tables import table_from_columns

_UNREADABLE_WORKBOOK = (
    zipfile.BadZipFile, zlib.error, ParseError, expat.ExpatError, KeyError, ValueError, TypeError,
    AttributeError, IndexError, EOFError, OSError, NotImplementedError, RuntimeError,
    AssertionError,
)  # fmt: skip


@dataclass(frozen=True)
class _Sheet:
    name: str
    rows: tuple[tuple[Any, ...], ...]
    first_row: int  # where the rows begin in the sheet, 1 being the first
    first_column: int

    @property
    def likely(self) -> bool:
        """Whether its header speaks of truth or predictions."""
        header = [str(cell) for cell in self.rows[0] if cell is not None]
        words = {piece.lower() for name in header for piece in pieces(name)}
        return any(plain(name) in WORDS.truth for name in header) or bool(words & WORDS.spoken)


def read_excel(data: bytes, source: Source, choices: Choices) -> Table:
    """Read the chosen sheet, or the first whose header speaks of truth or predictions.

    Raises:
        EvalError: "unreadable", "no-such-sheet", "empty", "too-large", or "dates" for labels turned
            to dates.
    """
    sheets = _sheets(data)
    if choices.sheet:
        found = [sheet for sheet in sheets if sheet.name == choices.sheet]
        if not found:
            names = listed([sheet.name for sheet in sheets])
            raise EvalError(
                "no-such-sheet",
                f'There is no sheet "{choices.sheet}" with cells; there are {names}.',
            )
        sheet = found[0]
    else:
        sheet = next((sheet for sheet in sheets if sheet.likely), sheets[0])
    return _sheet_table(sheet, sheets, source)


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

    try:
        _refuse_parts(zipfile.ZipFile(io.BytesIO(data)))
        reader = Reader(io.BytesIO(data), read_only=True, data_only=True)
        reader.read()
        cells = {sheet.title: _sheet_cells(sheet) for sheet in reader.wb.worksheets}
        reader.wb.close()
    except _UNREADABLE_WORKBOOK:
        raise EvalError("unreadable", "The Excel file is damaged. Save it again.") from None
    found = [_trimmed_sheet(name, rows) for name, rows in cells.items() if rows]
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
    parts: list[str] = []
    at: dict[str, bool] = {}
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True

    def begins(tag: str, _: object) -> None:
        at[tag.rpartition(" ")[2]] = True

    def says(text: str) -> None:
        if at.get("t") and not at.get("rPh"):
            parts.append(text)

    def ends(tag: str) -> None:
        name = tag.rpartition(" ")[2]
        at[name] = False
        if name == "si":
            found.append("".join(parts).replace("x005F_", ""))
            parts.clear()

    parser.StartElementHandler, parser.EndElementHandler = begins, ends
    parser.CharacterDataHandler = says
    parser.ParseFile(stream)
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


def _trimmed_sheet(name: str, rows: Sequence[tuple[Any, ...]]) -> _Sheet | None:
    """Cut off blank rows and columns, and titles of one cell above the header."""
    filled = [k for k, row in enumerate(rows) if any(_is_filled(cell) for cell in row)]
    if not filled:
        return None
    first = next((k for k in filled if sum(map(_is_filled, rows[k])) > 1), filled[0])
    body = rows[first : filled[-1] + 1]
    places = [k for row in body for k, cell in enumerate(row) if _is_filled(cell)]
    if not places:
        return None
    low, high = min(places), max(places) + 1
    refuse_too_many_cells(len(body), high - low)
    cut = tuple((*row, *[None] * (high - len(row)))[low:high] for row in body)
    return _Sheet(name, cut, first + 1, low + 1)


def _is_filled(cell: Any) -> bool:
    return cell is not None and str(cell).strip() != ""


def _sheet_table(sheet: _Sheet, sheets: Sequence[_Sheet], source: Source) -> Table:
    header = ["" if cell is None else str(cell) for cell in sheet.rows[0]]
    columns = list(zip(*sheet.rows[1:], strict=True)) or [()] * len(header)
    for place, cells in enumerate(columns):
        _refuse_dates(sheet, place, cells)
    others = [other.name for other in sheets if other is not sheet]
    notices = []
    if others:
        message = f'The sheet "{sheet.name}" was read; there are others: {listed(others, 6)}.'
        notices.append(Notice("sheet", message))
    names = tuple(one.name for one in sheets)
    known = replace(source, format="xlsx", sheet=sheet.name, sheets=names)
    return table_from_columns(header, columns, known, notices)


def _refuse_dates(sheet: _Sheet, place: int, cells: Sequence[Any]) -> None:
    """Refuse a column in which some cells are dates and others are not: labels such as "1-2"."""
    dates = [k for k, cell in enumerate(cells) if isinstance(cell, date | time)]
    if not dates or len(dates) == sum(map(_is_filled, cells)):
        return
    letter = _letters(sheet.first_column + place)
    named = [f"{letter}{sheet.first_row + 1 + k}" for k in dates]
    raise EvalError(
        "dates",
        f'Excel has turned {counted(len(dates), "cell")} of "{sheet.name}" into dates '
        f"({', '.join(named[:8])}{', …' if len(named) > 8 else ''}). Format the column as text and "
        "enter them again.",
        rows=[k + 1 for k in dates],
        column=str(sheet.rows[0][place]),
    )


def _letters(column: int) -> str:
    """Write a column's place as Excel does.

    >>> _letters(1), _letters(28)
    ('A', 'AB')
    """
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
