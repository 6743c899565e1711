"""How delimited text is written: encoding, quotes, separator, header and marks of numbers."""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import EvalError, Notice
from evalcore.text import shorten
from evalread.dataset import Choices

_BLOCK = 1 << 18
"""Bytes that fit the processor's cache."""


@dataclass(frozen=True)
class Marks:
    """What was found in a text, in one pass over its bytes.

    Attributes:
        ascii: Whether every byte is below 128.
        zero: Whether a byte is 0.
        quotes: How many double quotes there are.
        ends: How many bytes end a line: line feeds and carriage returns.
    """

    ascii: bool = True
    zero: bool = False
    quotes: int = 0
    ends: int = 0

    def __add__(self, other: "Marks") -> "Marks":
        return Marks(
            self.ascii and other.ascii,
            self.zero or other.zero,
            self.quotes + other.quotes,
            self.ends + other.ends,
        )


def marks_of(text: bytes) -> Marks:
    """Look at every byte, in blocks that fit the processor's cache."""
    return sum(map(_of, _blocks(text)), Marks())


def _blocks(text: bytes) -> Iterator[NDArray[np.uint8]]:
    cells = np.frombuffer(text, np.uint8)
    return (cells[start : start + _BLOCK] for start in range(0, len(cells), _BLOCK))


def _of(block: NDArray[np.uint8]) -> Marks:
    quotes, feeds, returns = (int(np.count_nonzero(block == ord(mark))) for mark in '"\n\r')
    return Marks(
        ascii=int(block.max()) < 128,
        zero=int(block.min()) == 0,
        quotes=quotes,
        ends=feeds + returns,
    )


_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CHUNK = 1 << 20
"""Bytes that are decoded at once, and let go."""

_HEAD = 1 << 16
"""Bytes that show whether a file is text."""

_CONTROL = bytes(sorted(set(range(32)) - set(b"\t\n\v\f\r\x1a\x1b")))


@dataclass(frozen=True)
class Decoded:
    """A file's text.

    Attributes:
        text: As UTF-8, without a byte order mark.
        encoding: What it was in.
        marks: What stands in it.
    """

    text: bytes
    encoding: str
    marks: Marks


def to_utf8(data: bytes, encoding: str | None) -> Decoded:
    """Return the file's text.

    Raises:
        EvalError: "not-text" for binary data, "wrong-encoding" where the encoding does not fit.
    """
    marks = marks_of(data)
    used = encoding or _detect(data, marks)
    text = data
    if used not in ("utf-8", "utf-8-sig"):
        text = _transcode(data, used)
        marks = marks_of(text)
    if text.startswith(codecs.BOM_UTF8):
        text = text[len(codecs.BOM_UTF8) :]
    found_by_reading = encoding is None and used == "utf-8"
    if used.startswith("utf-8") and not (found_by_reading or _is_utf8(text, marks)):
        raise _wrong_encoding(used)
    _refuse_binary(text, marks)
    return Decoded(text, used, marks)


def _detect(data: bytes, marks: Marks) -> str:
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    head = data[:_HEAD]
    if b"\0" in head:
        return _unmarked_utf16(head)
    return "utf-8" if _is_utf8(data, marks) else "cp1252"


def _unmarked_utf16(head: bytes) -> str:
    """Tell UTF-16 by where its zero bytes stand: Latin text has one in every other place."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > 0.4 * len(head) / 2 and even == 0:
        return "utf-16-le"
    if even > 0.4 * len(head) / 2 and odd == 0:
        return "utf-16-be"
    raise _not_text()


def _is_utf8(data: bytes, marks: Marks) -> bool:
    if marks.ascii:
        return True
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    view = memoryview(data)
    try:
        for start in range(0, len(data), _CHUNK):
            decoder.decode(view[start : start + _CHUNK], final=start + _CHUNK >= len(data))
    except UnicodeDecodeError:
        return False
    return True


def _transcode(data: bytes, encoding: str) -> bytes:
    try:
        return data.decode(encoding).encode("utf-8")
    except UnicodeError:
        raise _wrong_encoding(encoding) from None
    except (LookupError, ValueError):  # not known, or no name at all
        raise EvalError("unknown-encoding", f'There is no encoding "{encoding}".') from None


def _refuse_binary(text: bytes, marks: Marks) -> None:
    head = text[:_HEAD]
    controls = len(head) - len(head.translate(None, _CONTROL))
    if marks.zero or controls > 0.005 * len(head):
        raise _not_text()


def _not_text() -> EvalError:
    return EvalError(
        "not-text",
        "The file is not a table of text: it holds binary data, in no format that is known here. "
        "Save it as CSV or Parquet.",
    )


def _wrong_encoding(encoding: str) -> EvalError:
    return EvalError(
        "wrong-encoding",
        f"The file is not written in {encoding}. Save it as UTF-8, or name its encoding.",
    )


def refuse_open_quote(text: bytes, quotes: int, separator: str) -> None:
    """Refuse text in which a quoted cell does not end where a cell may end.

    Only an odd number of quotes makes it look for one: some tools write a quote inside a cell.

    Raises:
        EvalError: "open-quote", naming the line.
    """
    if quotes % 2 == 0:
        return
    for cell in _quoted_cells(separator.encode()).finditer(text):
        if cell["end"] is None:
            line = line_at(text, cell.start("quote"))
            raise EvalError("open-quote", f'Line {line} opens a quote (") that is never closed.')


def _quoted_cells(separator: bytes) -> re.Pattern[bytes]:
    """Return a pattern of cells that begin with a quote; they have no `end` where it is missing."""
    bound = b"[\r\n" + re.escape(separator) + b"]"
    inside = rb'[^"]*+(?:""[^"]*+)*+'
    return re.compile(
        rb"(?:\A|(?<=" + bound + rb'))(?P<quote>")' + inside + rb'(?P<end>"(?=' + bound + rb"|\Z))?"
    )


def line_at(text: bytes, place: int) -> int:
    """Return the line on which a byte stands, 1 being the first."""
    return max(text.count(mark, 0, place) for mark in (b"\n", b"\r")) + 1


SEPARATORS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar", " ": "space"}
_SAMPLE = 1 << 18
"""Bytes that the dialect is inferred from: some thousand lines."""

_SAMPLE_MOST = 1 << 24
"""Bytes of a sample that does not hold 20 lines yet, as in a table of thousands of columns."""

_RECORDS = 200
"""Records that the separator is inferred from."""

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
    if len(separator) != 1 or not separator.isascii() or separator in '"\r\n\0':
        raise EvalError("bad-separator", "The separator must be one character of ASCII.")
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


MOST_COLUMNS = 20_000
"""Columns that are read; to look at more takes longer than anybody waits."""


_MOST_NAME = 500
"""Letters of a column's name that are kept: a longer header is a text, and names are searched."""

_MOST_PLACES = 20
"""Columns of the same name that a notice lists."""


def unique_names(header: Sequence[str]) -> tuple[tuple[str, ...], tuple[Notice, ...]]:
    """Return trimmed, unique column names, and a notice for each repeated header.

    A repeated header is shown with its place, a blank one is called by it.

    >>> unique_names(["id", "p", "", "p"])[0]
    ('id', 'p (column 2)', 'column 3', 'p (column 4)')

    Raises:
        EvalError: "too-many-columns".
    """
    if len(header) > MOST_COLUMNS:
        raise EvalError(
            "too-many-columns",
            f"The file has {len(header):,} columns; at most {MOST_COLUMNS:,} are read. "
            "Keep those with the truth and the predictions.",
        )
    trimmed = [shorten(cell.strip(), _MOST_NAME) for cell in header]
    places: dict[str, list[int]] = {}
    for place, name in enumerate(trimmed, start=1):
        places.setdefault(name, []).append(place)
    taken = {name for name, found in places.items() if len(found) == 1}
    names = []
    for place, name in enumerate(trimmed, start=1):
        shown = name
        if len(places[name]) > 1 or not name:
            shown = f"{name} (column {place})" if name else f"column {place}"
            while shown in taken:
                shown += "'"
            taken.add(shown)
        names.append(shown)
    repeated = {name: found for name, found in places.items() if len(found) > 1 and name}
    return tuple(names), tuple(_duplicate(name, repeated[name]) for name in sorted(repeated))


def _duplicate(name: str, places: Sequence[int]) -> Notice:
    more = len(places) - _MOST_PLACES
    *first, last = (*places[:_MOST_PLACES], f"{more} more") if more > 1 else places
    listed = f"{', '.join(map(str, first))} and {last}"
    return Notice(
        "duplicate-header",
        f'The header "{name}" is a duplicate: it stands above columns {listed}. '
        "All are kept and shown with their place.",
        severity="warning",
        column=name,
    )
