"""How delimited text is written: separator, header, decimal and thousands marks."""

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from evalcore.dataset import Choices
from evalcore.errors import EvalError

SEPARATORS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar", " ": "space"}
_SAMPLE = 1 << 18
_SAMPLE_MOST = 1 << 24
_RECORDS = 200

_SEP_LINE = re.compile(r"sep=(.)\r?\n?$", re.IGNORECASE)
"""The line by which Excel tells the separator."""

_NUMBER = re.compile(r"[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?\s*%?")
_COMMA = re.compile(r"[-+]?\d*,\d+([eE][-+]?\d+)?\s*%?")
_DOT = re.compile(r"[-+]?\d*\.\d+([eE][-+]?\d+)?\s*%?")
_COMMA_GROUPS = re.compile(r"[-+]?[1-9]\d{0,2}(,\d{3})+")
_DOT_GROUPS = re.compile(r"[-+]?[1-9]\d{0,2}(\.\d{3})+")
_COMMA_LAST = re.compile(r"[-+]?\d{1,3}(\.\d{3})+,\d+\s*%?")
_DOT_LAST = re.compile(r"[-+]?\d{1,3}(,\d{3})+\.\d+\s*%?")
_SPACE_GROUPS = re.compile(r"[-+]?[1-9]\d{0,2}([ \u00a0\u202f]\d{3})+([.,]\d+)?")


@dataclass(frozen=True)
class Dialect:
    """How the file is written, and where its data rows begin.

    Attributes:
        names: The header cells as written; None for a file without a header.
        width: Number of columns.
        start: Byte where the first data row begins.
        title_lines: Lines above the header that belong to no table.
    """

    separator: str
    decimal: str
    thousands: str | None
    names: tuple[str, ...] | None
    width: int
    start: int
    title_lines: int = 0


@dataclass(frozen=True)
class _Record:
    cells: tuple[str, ...]
    line: int  # lines of the file read up to the end of this record


def sniff(text: bytes, choices: Choices) -> Dialect:
    """Infer separator, header and number marks together, from the first lines of UTF-8 text.

    Raises:
        EvalError: "empty" where there is no line at all, "long-line" where the first has no end,
            "bad-separator" or "bad-mark" for a bad choice.
    """
    lines, whole = _first_lines(text)
    if whole and not any(line.strip() for line in lines):
        raise EvalError("empty", "The file is empty: it holds only blank lines.")
    sep_line = _SEP_LINE.match(lines[0]) if lines else None
    separator = choices.separator or (sep_line[1] if sep_line else _separator(lines, whole))
    _check_marks(separator, choices)
    records = _records(lines, separator, whole)
    if not records:
        raise EvalError(
            "long-line",
            f"The first line does not end within {_SAMPLE_MOST / 1e6:,.0f} MB. Put each row on a "
            "line of its own.",
        )
    top = _title_records(records) if not sep_line else 1
    if top >= len(records):
        raise EvalError("empty", "The file holds no table.")
    rows = [record.cells for record in records[top + 1 :]]
    header: tuple[str, ...] | None = records[top].cells
    if _is_data(records[top].cells, rows):
        rows.insert(0, records[top].cells)
        header, first = None, records[top - 1].line if top else 0
    else:
        header, first = _completed(records[top].cells, rows), records[top].line
    decimal, thousands = _marks(rows, separator)
    return Dialect(
        separator=separator,
        decimal=choices.decimal or decimal,
        thousands=choices.thousands or (None if choices.decimal else thousands),
        names=header,
        width=len(header if header is not None else rows[0]),
        start=sum(len(line.encode()) for line in lines[:first]),
        title_lines=records[top - 1].line if top else 0,
    )


def _check_marks(separator: str, choices: Choices) -> None:
    if len(separator) != 1 or separator in '"\r\n':
        raise EvalError("bad-separator", "The separator must be one character.")
    for mark in filter(None, (choices.decimal, choices.thousands)):
        if len(mark) != 1 or mark.isdigit() or mark in "+-":
            raise EvalError("bad-mark", f'"{mark}" cannot be the mark of decimals or thousands.')


def _first_lines(text: bytes) -> tuple[list[str], bool]:
    """Return the lines of the sample, and whether they are the whole file."""
    size = _SAMPLE
    while size < _SAMPLE_MOST and size < len(text) and text.count(b"\n", 0, size) < 20:
        size *= 4
    whole = size >= len(text)
    # A character cut in two at the end of the sample is dropped with its unfinished line.
    sample = text[:size].decode("utf-8", errors="ignore")
    return list(io.StringIO(sample, newline="")), whole


def _records(lines: Sequence[str], separator: str, whole: bool) -> list[_Record]:
    """Split lines into records, leaving out blank ones and one cut off by the sample's end."""
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=False)
    records: list[_Record] = []
    try:
        for cells in reader:
            if not whole and reader.line_num >= len(lines):
                break
            if cells:
                records.append(_Record(tuple(cells), reader.line_num))
            if len(records) == _RECORDS:
                break
    except csv.Error:  # a cell beyond the csv module's limit: this separator is not the one
        return records
    return records


def _separator(lines: Sequence[str], whole: bool) -> str:
    """Choose the separator under which the most records have the same number of fields."""

    def agreement(separator: str) -> tuple[bool, float, bool]:
        widths = [len(record.cells) for record in _records(lines, separator, whole)]
        if not widths:
            return (False, 0.0, False)
        width, count = Counter(widths).most_common(1)[0]
        # Spaces stand in text too: they separate only if they do so in every row.
        if separator == " " and (len(set(widths[1:])) > 1 or widths[0] not in (width, width - 1)):
            return (False, 0.0, False)
        return (width > 1, count / len(widths), widths[0] == width)

    return max(SEPARATORS, key=agreement)


def _title_records(records: Sequence[_Record]) -> int:
    """Count the records above the header that fill no cell but the first: a title."""
    width = Counter(len(record.cells) for record in records).most_common(1)[0][0]
    if width == 1:
        return 0
    top = 0
    while top < len(records) - 1 and _fills_one(records[top].cells):
        top += 1
    return top


def _fills_one(cells: tuple[str, ...]) -> bool:
    """Tell a title, or a gap below it: spreadsheets fill its row up with blank cells."""
    return len(cells) == 1 or (len(cells) > 2 and not any(cells[1:]))


def _is_data(first: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> bool:
    """Tell whether the first record is data already: what no header would hold."""
    if not all(_NUMBER.fullmatch(cell.strip()) for cell in first):
        return _recurs(first, rows)
    if any(not cell.strip().lstrip("+-").isdigit() for cell in first) or not rows:
        return True
    return all(any(len(row) > k and row[k] == cell for row in rows) for k, cell in enumerate(first))


def _recurs(first: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> bool:
    """Tell whether words of the first record are common below, beside decimal numbers.

    A header comes again, if at all, as a whole: where files were put one after another.
    """
    often = max(2, len(rows) // 20)
    others = [row for row in rows if len(row) == len(first) and (row != first or len(first) == 1)]
    below = [[row[place] for row in others] for place in range(len(first))]
    common = [
        bool(cell) and cells.count(cell) >= often for cell, cells in zip(first, below, strict=True)
    ]
    return any(common) and all(
        known or (_DOT.fullmatch(cell.strip()) and all(map(_NUMBER.fullmatch, cells)))
        for known, cell, cells in zip(common, first, below, strict=True)
    )


def _completed(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Add header cells that tools leave out.

    R has none above row names, Weka one for a whole distribution, and a separator at the end of
    each row needs one more.
    """
    missing = {len(row) - len(header) for row in rows}
    if len(missing) != 1 or (extra := missing.pop()) < 1:
        return header
    if header[-1] == "distribution":
        return (*header, *[""] * extra)
    if extra > 1:
        return header
    if all(row[-1] == "" for row in rows):
        return (*header, "")
    names = [row[0] for row in rows]
    numbered = names == [str(k + 1) for k in range(len(names))]
    named = len(set(names)) == len(names) and not any(_NUMBER.fullmatch(name) for name in names)
    return ("", *header) if numbered or named else header


def _marks(rows: Sequence[tuple[str, ...]], separator: str) -> tuple[str, str | None]:
    """Infer the decimal and the thousands mark from the cells of the sample."""
    cells = {cell.strip() for row in rows for cell in row}

    def some(*patterns: re.Pattern[str]) -> bool:
        return any(pattern.fullmatch(cell) for pattern in patterns for cell in cells)

    spaces = " " if some(_SPACE_GROUPS) else None
    if some(_COMMA_LAST):
        return ",", "."
    if some(_DOT_LAST):
        return ".", ","
    commas = any(_COMMA.fullmatch(c) and not _COMMA_GROUPS.fullmatch(c) for c in cells)
    dots = any(_DOT.fullmatch(c) and not _DOT_GROUPS.fullmatch(c) for c in cells)
    grouped_commas = some(_COMMA_GROUPS)
    if commas and not dots:
        return ",", "." if some(_DOT_GROUPS) else spaces
    if grouped_commas and not dots and separator == ";":
        return ",", spaces
    return ".", "," if grouped_commas and not commas else spaces
