"""CSV, TSV and other delimited text: every cell means what its text means, exactly as written.

What a column means never depends on it: where a later cell does not fit, text is read after all.
"""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from math import isfinite

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from evalcore.errors import EvalError, Notice
from evalread.columns import MOST_LABELS
from evalread.dataset import Choices, Source, Table
from evalread.notices import notice, refusal
from evalread.readers.tables import header_only, refuse_too_many_columns, table_of

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""UTF-32 comes first: its mark begins with that of UTF-16."""

HEAD = 1 << 16
"""Bytes that show whether a file is text."""

_CONTROL = bytes(sorted(set(range(32)) - set(b"\t\n\v\f\r\x1a\x1b")))


def to_utf8(data: bytes, encoding: str | None) -> tuple[bytes, str]:
    """Return a file's text as UTF-8, without a byte order mark, and the encoding it was in.

    Raises:
        EvalError: "not-text" for binary data, "wrong-encoding" where the encoding does not fit.
    """
    used = encoding or _told_by_bytes(data[:HEAD])
    if used is None:
        used = "utf-8" if _is_utf8(data) else "cp1252"
    elif used.startswith("utf-8") and not _is_utf8(data):
        raise refusal("wrong-encoding", encoding=used)
    text = data if used in ("utf-8", "utf-8-sig") else _transcoded(data, used)
    text = text.removeprefix(codecs.BOM_UTF8)
    if b"\0" in text or _is_binary(text[:HEAD]):
        raise refusal("not-text")
    return text, used


def refuse_binary(head: bytes) -> None:
    """Refuse what the first bytes of a file show to be no text, in whatever encoding.

    Raises:
        EvalError: "not-text".
    """
    if _told_by_bytes(head) is None and _is_binary(head):
        raise refusal("not-text")


def _is_binary(head: bytes) -> bool:
    return len(head) - len(head.translate(None, _CONTROL)) > 0.005 * len(head)


def _told_by_bytes(head: bytes) -> str | None:
    """Tell an encoding by its mark, or UTF-16 by where zero bytes stand; None for any other.

    Latin text has one in every other place.
    """
    for mark, name in _BYTE_ORDER_MARKS.items():
        if head.startswith(mark):
            return name
    if b"\0" not in head:
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if min(even, odd) > 0 or max(even, odd) <= 0.2 * len(head):
        raise refusal("not-text")
    return "utf-16-le" if odd else "utf-16-be"


def _is_utf8(data: bytes) -> bool:
    ends = pa.py_buffer(np.array([0, len(data)], np.int64))
    try:
        pa.LargeStringArray.from_buffers(1, ends, pa.py_buffer(data)).validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _transcoded(data: bytes, encoding: str) -> bytes:
    try:
        return data.decode(encoding).encode("utf-8")
    except UnicodeError:
        raise refusal("wrong-encoding", encoding=encoding) from None
    except (LookupError, ValueError):  # not known, or no name at all
        raise refusal("unknown-encoding", encoding=encoding) from None


_SEPARATORS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar", " ": "space"}

_SAMPLE = 1 << 18
"""Bytes that the dialect is inferred from: some thousand lines."""

_SAMPLE_MOST = 1 << 24
"""Bytes of a sample that does not hold 20 lines yet, as in a table of thousands of columns."""

_RECORDS = 200
"""Records that the separator is inferred from."""

_SEP_LINE = re.compile(r"sep=(.)\r?\n?$", re.IGNORECASE)
"""The line by which Excel tells the separator."""

_NUMBER = re.compile(r"[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?\s*%?")

_WRITTEN = re.compile(
    r"""[-+]?(?:
    (?P<spaces>       [1-9]\d{0,2} (?:[ \u00a0\u202f]\d{3})+ (?:[.,]\d+)? )
    | (?P<commas>     [1-9]\d{0,2} (?:,\d{3})+ )
    | (?P<dots>       [1-9]\d{0,2} (?:\.\d{3})+ )
    | (?P<comma_last> \d{1,3} (?:\.\d{3})+ ,\d+ \s*%? )
    | (?P<dot_last>   \d{1,3} (?:,\d{3})+ \.\d+ \s*%? )
    | (?P<comma>      \d* ,\d+ (?:[eE][-+]?\d+)? \s*%? )
    | (?P<dot>        \d* \.\d+ (?:[eE][-+]?\d+)? \s*%? )
    )""",
    re.VERBOSE,
)
"""Numbers by their marks; what may be groups of thousands is no decimal number here."""

_Cells = tuple[str, ...]


@dataclass(frozen=True)
class _Dialect:
    """How the file is written, and where its data rows begin.

    Attributes:
        names: The header cells as written; None for a file without a header.
        width: Number of columns.
        start: Byte where the first data row begins.
        title_lines: Lines above the header that belong to no table.
        quoted: Whether cells may be quoted, and hold ends of lines.
    """

    separator: str
    decimal: str
    thousands: str | None
    names: _Cells | None
    width: int
    start: int
    title_lines: int
    quoted: bool


def _sniffed(text: bytes, choices: Choices) -> _Dialect:
    """Infer separator, header and number marks together, from the first lines of UTF-8 text.

    Raises:
        EvalError: "empty" where there is no line at all, "long-line" where the first has no end,
            "bad-separator" or "bad-mark" for a bad choice.
    """
    lines, whole = _first_lines(text)
    if whole and not any(line.strip() for line in lines):
        raise refusal("empty/blank")
    sep_line = _SEP_LINE.match(lines[0]) if lines else None
    separator = choices.separator or (sep_line[1] if sep_line else _separator(lines, whole))
    _refuse_bad_marks(separator, choices)
    records, ends = _records(lines, separator, whole)
    if not records:
        raise refusal("long-line", most=_SAMPLE_MOST / 1e6)
    top = 1 if sep_line else _titles(records)
    if top >= len(records):
        raise refusal("empty/table")
    first, *rows = records[top:]
    title_lines = ends[top - 1] if top else 0
    header = None if _is_data(first, rows) else _completed(first, rows)
    if header is None:
        rows = [first, *rows]
    decimal, thousands = _number_marks(rows, separator)
    return _Dialect(
        separator=separator,
        decimal=choices.decimal or decimal,
        thousands=choices.thousands or (None if choices.decimal else thousands),
        names=header,
        width=len(rows[0] if header is None else header),
        start=len("".join(lines[: title_lines if header is None else ends[top]]).encode()),
        title_lines=title_lines,
        quoted=b'"' in text,
    )


def _refuse_bad_marks(separator: str, choices: Choices) -> None:
    if len(separator) != 1 or not separator.isascii() or separator in '"\r\n\0':
        raise refusal("bad-separator")
    for mark in filter(None, (choices.decimal, choices.thousands)):
        if len(mark) != 1 or mark.isdigit() or mark in "+-":
            raise refusal("bad-mark", mark=mark)


def _first_lines(text: bytes) -> tuple[list[str], bool]:
    """Return the lines of the sample, and whether they are the whole file."""
    size = _SAMPLE
    while size < _SAMPLE_MOST and size < len(text) and text.count(b"\n", 0, size) < 20:
        size *= 4
    # A character cut in two at the end of the sample is dropped with its unfinished line.
    sample = text[:size].decode("utf-8", errors="ignore")
    return list(io.StringIO(sample, newline="")), size >= len(text)


def _records(lines: Sequence[str], separator: str, whole: bool) -> tuple[list[_Cells], list[int]]:
    """Split lines into records, and tell how many lines are read up to the end of each.

    Blank ones are left out, and one cut off by the sample's end.
    """
    reader = csv.reader(lines, delimiter=separator)
    records: list[_Cells] = []
    ends: list[int] = []
    try:
        for cells in reader:
            if len(records) == _RECORDS or (not whole and reader.line_num >= len(lines)):
                break
            if cells:
                records.append(tuple(cells))
                ends.append(reader.line_num)
    except csv.Error:  # a cell beyond the csv module's limit: this separator is not the one
        pass
    return records, ends


def _separator(lines: Sequence[str], whole: bool) -> str:
    """Choose the separator under which the most records have the same number of fields."""

    def agreement(separator: str) -> tuple[bool, float, bool]:
        first, *others = map(len, _records(lines, separator, whole)[0] or [()])
        width, count = Counter([first, *others]).most_common(1)[0]
        # Spaces stand in text too: they separate only if they do so in every row.
        if separator == " " and (len(set(others)) > 1 or first not in (width, width - 1)):
            return (False, 0.0, False)
        return (width > 1, count / (1 + len(others)), first == width)

    return max(_SEPARATORS, key=agreement)


def _titles(records: Sequence[_Cells]) -> int:
    """Count the records above the header that fill no cell but the first: a title."""
    (width, _), *_ = Counter(map(len, records)).most_common(1)
    return 0 if width == 1 else len([*takewhile(_fills_one, records[:-1])])


def _fills_one(cells: _Cells) -> bool:
    """Tell a title, or a gap below it: spreadsheets fill its row up with blank cells."""
    return len(cells) == 1 or (len(cells) > 2 and not any(cells[1:]))


def _is_data(first: _Cells, rows: Sequence[_Cells]) -> bool:
    """Return whether the first record is data already: what no header would hold."""
    if not all(_NUMBER.fullmatch(cell.strip()) for cell in first):
        return _recurs(first, rows)
    if any(not cell.strip().lstrip("+-").isdigit() for cell in first) or not rows:
        return True
    return all(any(row[k : k + 1] == (cell,) for row in rows) for k, cell in enumerate(first))


def _recurs(first: _Cells, rows: Sequence[_Cells]) -> bool:
    """Return whether words of the first record are common below, beside decimal numbers.

    A header comes again, if at all, as a whole: where files were put one after another.
    """
    often = max(2, len(rows) // 20)
    others = [row for row in rows if len(row) == len(first) and (row != first or len(first) == 1)]
    below = list(zip(*others, strict=True))
    common = [bool(c) and cells.count(c) >= often for c, cells in zip(first, below, strict=False)]
    return any(common) and all(
        known or ("." in cell and all(map(_NUMBER.fullmatch, (cell.strip(), *cells))))
        for known, cell, cells in zip(common, first, below, strict=True)
    )


def _completed(header: _Cells, rows: Sequence[_Cells]) -> _Cells:
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
    named = len(set(names)) == len(names) and not any(map(_NUMBER.fullmatch, names))
    return ("", *header) if numbered or named else header


def _number_marks(rows: Sequence[_Cells], separator: str) -> tuple[str, str | None]:
    """Infer the decimal and the thousands mark from the cells of the sample."""
    cells = {cell.strip() for row in rows for cell in row}
    seen = {match.lastgroup for match in map(_WRITTEN.fullmatch, cells) if match}
    spaces = " " if "spaces" in seen else None
    if "comma_last" in seen:
        return ",", "."
    if "dot_last" in seen:
        return ".", ","
    if "comma" in seen and "dot" not in seen:
        return ",", "." if "dots" in seen else spaces
    if "commas" in seen and "dot" not in seen and separator == ";":
        return ",", spaces
    return ".", "," if "commas" in seen and "comma" not in seen else spaces


def read_delimited(data: bytes, source: Source, choices: Choices) -> Table:
    """Read delimited text; encoding, separator and number marks are inferred or chosen.

    Raises:
        EvalError: "not-text", "wrong-encoding", "empty", "header-only", "ragged" or "open-quote".
    """
    text, encoding = to_utf8(data, choices.encoding)
    dialect = _sniffed(text, choices)
    refuse_too_many_columns(dialect.width)
    _refuse_open_quote(text, dialect.separator)
    if dialect.start >= len(text):
        raise header_only(dialect.width)
    known = replace(
        source,
        format={",": "csv", "\t": "tsv"}.get(dialect.separator, "delimited text"),
        encoding=encoding,
        separator=dialect.separator,
        decimal=dialect.decimal,
        thousands=dialect.thousands,
    )
    header = dialect.names or [f"column {place + 1}" for place in range(dialect.width)]
    return table_of(header, _columns(text, dialect), known, _notices(dialect, encoding))


def _refuse_open_quote(text: bytes, separator: str) -> None:
    """Refuse text in which a quoted cell does not end where a cell may end.

    Only an odd number of quotes makes it look for one: some tools write a quote inside a cell.

    Raises:
        EvalError: "open-quote", naming the line.
    """
    if text.count(b'"') % 2 == 0:
        return
    bound = b"[\r\n" + re.escape(separator.encode()) + b"]"
    cells = re.compile(
        rb"(?:\A|(?<=" + bound + rb'))(?P<quote>")[^"]*+(?:""[^"]*+)*+'
        rb'(?P<end>"(?=' + bound + rb"|\Z))?"
    )
    for cell in cells.finditer(text):
        if cell["end"] is None:
            raise refusal("open-quote", line=_line_at(text, cell.start("quote")))


def _line_at(text: bytes, place: int) -> int:
    """Return the line on which a byte stands, 1 being the first."""
    return max(text.count(mark, 0, place) for mark in (b"\n", b"\r")) + 1


def _notices(dialect: _Dialect, encoding: str) -> list[Notice]:
    told = {
        "encoding": encoding == "cp1252",
        "no-header": dialect.names is None,
        "title-lines": dialect.title_lines > 0,
        "decimal-comma": dialect.decimal == ",",
    }
    return [notice(key, lines=dialect.title_lines) for key, holds in told.items() if holds]


TEXT = pa.string()
WORDS = pa.dictionary(pa.int32(), TEXT)

BLOCK = 1 << 20
"""Bytes that Arrow parses at once, its own default."""

_WIDE = 1000
"""Columns from which a block of so few rows takes longer to set up than to parse."""

_LARGEST_BLOCK = (1 << 31) - 1
"""The largest block that Arrow takes."""


class _RaggedError(Exception):
    """The parser met a row, its argument, with another number of fields than the header."""


def _columns(text: bytes, dialect: _Dialect) -> list[pa.ChunkedArray]:
    """Parse the cells below the header.

    Raises:
        EvalError: "ragged", naming the line, or "unreadable".
    """
    rows = pa.py_buffer(text).slice(dialect.start)
    texts = dict.fromkeys(range(dialect.width), TEXT)
    try:
        with suppress(_RaggedError):
            return _typed_columns(text, dialect) or _parsed(rows, dialect, texts)
        # Several threads report rows in any order: read again to name the first one.
        return _parsed(rows, dialect, texts, threads=False)
    except _RaggedError as error:
        raise _ragged(text, dialect, error.args[0]) from None
    except pa.ArrowInvalid as error:
        raise refusal("unreadable/delimited") from error


def _ragged(text: bytes, dialect: _Dialect, row: pa_csv.InvalidRow) -> EvalError:
    """Return the error for a row of too many or too few fields, which names its line."""
    lines = re.compile(re.escape(row.text.encode()) + rb"(?=[\r\n]|\Z)")
    places = (line.start() for line in lines.finditer(text, dialect.start))
    first = next((at for at in places if text[at - 1 : at] in b"\r\n"), dialect.start)
    return refusal(
        "ragged/long" if row.actual_columns > row.expected_columns else "ragged/short",
        line=_line_at(text, first),
        fields=row.actual_columns,
        wanted=row.expected_columns,
        mark=_SEPARATORS.get(dialect.separator, f'"{dialect.separator}"'),
    )


def _parsed(
    rows: pa.Buffer, dialect: _Dialect, types: Mapping[int, pa.DataType], *, threads: bool = True
) -> list[pa.ChunkedArray]:
    """Parse columns as types, by their places; a blank number is null.

    Raises:
        _RaggedError: A row has too many or too few fields; with threads, any such row.
        pa.ArrowInvalid: A cell is not of its type, or this is no table.
    """
    bad: list[pa_csv.InvalidRow] = []

    def refuse(row: pa_csv.InvalidRow) -> str:
        bad.append(row)
        return "error"

    # Columns are known by their place: two headers may be alike.
    kinds = {str(place): kind for place, kind in types.items()}
    block = BLOCK if dialect.width < _WIDE else BLOCK * 16
    while True:
        try:
            table = pa_csv.read_csv(
                pa.BufferReader(rows),
                read_options=pa_csv.ReadOptions(
                    column_names=[str(place) for place in range(dialect.width)],
                    block_size=block,
                    use_threads=threads,
                ),
                parse_options=pa_csv.ParseOptions(
                    delimiter=dialect.separator,
                    newlines_in_values=dialect.quoted,
                    invalid_row_handler=refuse,
                ),
                convert_options=pa_csv.ConvertOptions(
                    column_types=kinds,
                    include_columns=list(kinds),
                    null_values=[""],
                    strings_can_be_null=False,
                    check_utf8=False,  # the text is UTF-8 by now
                    decimal_point="," if dialect.decimal == "," else ".",
                ),
                memory_pool=_pool(),
            )
            return list(table.columns)
        except pa.ArrowInvalid as error:
            if bad:
                raise _RaggedError(bad[0]) from None
            if "straddl" not in str(error) or block >= min(rows.size, _LARGEST_BLOCK):
                raise
            block = min(block * 16, _LARGEST_BLOCK)  # a row is longer than a block


def _pool() -> pa.MemoryPool:
    """Return where cells go: not to mimalloc, which gives pages back and waits for new ones."""
    jemalloc = "jemalloc" in pa.supported_memory_backends()
    return pa.jemalloc_memory_pool() if jemalloc else pa.default_memory_pool()


LARGE = 1 << 24
"""Bytes from which columns are typed while they are parsed; smaller text is fast enough."""

SAMPLE = 1 << 20
"""Bytes that are looked at at the head, in the middle and at the end."""

FEW = MOST_LABELS
"""Numbers with more distinct values cannot be labels, so that how they are written is no name."""

SHOWN = 100
"""Rows at the head that are shown to the reader as they are written."""

_DECIMAL = r"^-?(0|[1-9]\d*)(\.\d*)?([eE][+-]?\d+)?$"
_WHOLE = r"^-?\d+$"


def _typed_columns(text: bytes, dialect: _Dialect) -> list[pa.ChunkedArray] | None:
    """Parse large text with the types that a sample shows; None where it is to be read as text.

    Raises:
        _RaggedError: A row has too many or too few fields.
    """
    if len(text) - dialect.start < LARGE:
        return None
    rows = pa.py_buffer(text).slice(dialect.start)
    try:
        columns = _parsed(rows, dialect, dict(enumerate(_types(text, dialect))))
    except pa.ArrowInvalid:
        return None
    if doubtful := [place for place, column in enumerate(columns) if _doubtful(column)]:
        again = _parsed(rows, dialect, dict.fromkeys(doubtful, TEXT))
        for place, column in zip(doubtful, again, strict=True):
            columns[place] = column
    return [_in_bytes(column) for column in columns]


def _types(text: bytes, dialect: _Dialect) -> list[pa.DataType]:
    """Return the types that whole lines from the head, the middle and the end show."""
    start, middle = dialect.start, (dialect.start + len(text)) // 2
    later = (text.find(b"\n", at) + 1 for at in (middle, max(middle, len(text) - SAMPLE)))
    lines = (text[at : text.rfind(b"\n", at, at + SAMPLE) + 1] for at in (start, *later))
    texts = dict.fromkeys(range(dialect.width), TEXT)
    try:
        cells = _parsed(pa.py_buffer(b"".join(lines)), dialect, texts)
    except (_RaggedError, pa.ArrowInvalid):  # cut inside a quoted cell, perhaps
        return [*texts.values()]
    return [_type_of(column, dialect.decimal) for column in cells]


def _type_of(cells: pa.ChunkedArray, decimal: str) -> pa.DataType:
    different = cells.unique()
    if len(different) <= min(FEW, len(cells) // 2):
        return WORDS
    some = different.slice(0, FEW)
    numbers = len(different) > FEW and decimal == "." and _all_match(some, _DECIMAL)
    if not numbers or _all_match(some, _WHOLE):
        return TEXT
    shown_alike = all(str(float(cell)) == cell for cell in cells.slice(0, SHOWN).to_pylist())
    return pa.float64() if shown_alike else TEXT


def _all_match(cells: pa.Array, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(cells, pattern)).as_py())


def _doubtful(column: pa.ChunkedArray) -> bool:
    """Return whether numbers hide how something was written: a blank, "nan", "inf"."""
    if not pa.types.is_floating(column.type):
        return False
    # Where the sum is finite, so is every number; where it overflows, text is read for nothing.
    return column.null_count > 0 or not isfinite(pc.sum(column).as_py() or 0.0)


def _in_bytes(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return words by their places in one list, of one byte each where the list is short."""
    if not pa.types.is_dictionary(column.type):
        return column
    whole = column.unify_dictionaries().combine_chunks()
    short = len(whole.dictionary) <= np.iinfo(np.int8).max
    codes = whole.indices.cast(pa.int8()) if short else whole.indices
    return pa.chunked_array([pa.DictionaryArray.from_arrays(codes, whole.dictionary)])
