"""CSV, TSV and other delimited text: every cell is kept as text, exactly as written."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.csv as pa_csv

from evalcore.errors import EvalError, Notice
from evalcore.intake.model import Choices, Source, Table
from evalcore.intake.readers import typed
from evalcore.intake.readers.dialect import SEPARATORS, Dialect, sniff
from evalcore.intake.readers.encoding import to_utf8
from evalcore.intake.readers.naming import unique_names
from evalcore.intake.readers.typed import TEXT
from evalcore.intake.wording import counted

_BLOCK = 1 << 22
_LARGEST_BLOCK = (1 << 31) - 1


@dataclass(frozen=True)
class _BadRow:
    expected: int
    actual: int
    text: str


class _MistypedError(Exception):
    """A cell does not have the type that the sample of its column shows."""


class _RaggedError(Exception):
    """The parser met a row with another number of fields than the header."""

    def __init__(self, row: _BadRow) -> None:
        super().__init__()
        self.row = row


def read_delimited(data: bytes, source: Source, choices: Choices) -> Table:
    """Read delimited text; encoding, separator and number marks are inferred or chosen.

    Raises:
        EvalError: "not-text", "wrong-encoding", "empty", "header-only", "ragged" or "open-quote".
    """
    text, encoding = to_utf8(data, choices.encoding)
    dialect = sniff(text, choices)
    header = dialect.names or tuple(f"column {k + 1}" for k in range(dialect.width))
    names, notices = unique_names(header)
    columns = _columns(text, dialect, names)
    rows = len(columns[0])
    if rows == 0:
        raise header_only(len(names))
    return Table(
        columns=dict(zip(names, columns, strict=True)),
        source=Source(
            name=source.name,
            format={",": "csv", "\t": "tsv"}.get(dialect.separator, "delimited text"),
            digest=source.digest,
            rows=rows,
            encoding=encoding,
            separator=dialect.separator,
            decimal=dialect.decimal,
            thousands=dialect.thousands,
        ),
        notices=(*notices, *_told(dialect, encoding)),
    )


def header_only(columns: int) -> EvalError:
    """Return the error for a table that has a header and nothing below it."""
    return EvalError(
        "header-only", f"The file has a header ({counted(columns, 'column')}) but no data rows."
    )


def _columns(text: bytes, dialect: Dialect, names: tuple[str, ...]) -> list[pa.ChunkedArray]:
    """Parse the cells, each as text or as the sample allows; a bad row is named by its line."""
    if dialect.start >= len(text):
        raise header_only(len(names))
    body = _Body(text, dialect, (TEXT,) * len(names))
    try:
        columns = _typed(body) or body.parsed().columns
    except _RaggedError:
        # Several threads report rows in any order: read again to name the first one.
        try:
            columns = body.parsed(threads=False).columns
        except _RaggedError as refused:
            raise _ragged(text, dialect, refused.row) from None
    _refuse_open_quote(text, columns)
    return columns


def _typed(body: "_Body") -> list[pa.ChunkedArray] | None:
    """Parse large text with the types that a sample shows; None where text must be kept."""
    if len(body.text) - body.dialect.start < typed.LARGE:
        return None
    types = typed.types_of(body.sampled(), body.dialect.decimal)
    try:
        columns: list[pa.ChunkedArray] = replace(body, types=tuple(types)).parsed().columns
    except _MistypedError:
        return None
    doubtful = [str(k) for k, column in enumerate(columns) if typed.doubtful(column)]
    if doubtful:
        again = body.parsed(only=doubtful)
        for name in doubtful:
            columns[int(name)] = again[name]
    return columns


@dataclass(frozen=True)
class _Body:
    """The rows below the header, and the type of each column."""

    text: bytes
    dialect: Dialect
    types: tuple[pa.DataType, ...]

    def sampled(self) -> list[pa.ChunkedArray]:
        """Return cells from the head, the middle and the end, as text; none where rows are bad."""
        found = []
        for piece in typed.pieces(self.text, self.dialect.start):
            try:
                found.append(
                    replace(self, text=piece, dialect=replace(self.dialect, start=0)).parsed()
                )
            except (_RaggedError, EvalError):  # cut inside a quoted cell, perhaps
                continue
        return (
            pa.concat_tables(found).columns
            if found
            else [pa.chunked_array([], TEXT)] * len(self.types)
        )

    def parsed(self, *, threads: bool = True, only: Sequence[str] = ()) -> pa.Table:
        """Return the cells; columns are called by their place, since two headers may be alike."""
        block = _BLOCK
        while True:
            bad: list[_BadRow] = []
            try:
                return self._read(block, threads, bad, only)
            except pa.ArrowInvalid as error:
                if bad:
                    raise _RaggedError(bad[0]) from None
                if "conversion error" in str(error):
                    raise _MistypedError from None
                if "straddl" not in str(error) or block >= min(len(self.text), _LARGEST_BLOCK):
                    raise EvalError("unreadable", "The file cannot be read as a table.") from error
                block = min(block * 16, _LARGEST_BLOCK)

    def _read(self, block: int, threads: bool, bad: list[_BadRow], only: Sequence[str]) -> pa.Table:
        def refuse(row: pa_csv.InvalidRow) -> str:
            bad.append(_BadRow(row.expected_columns, row.actual_columns, row.text))
            return "error"

        start, places = self.dialect.start, [str(k) for k in range(len(self.types))]
        return pa_csv.read_csv(
            pa.BufferReader(pa.py_buffer(self.text).slice(start)),
            read_options=pa_csv.ReadOptions(
                column_names=places, block_size=block, use_threads=threads
            ),
            parse_options=pa_csv.ParseOptions(
                delimiter=self.dialect.separator,
                newlines_in_values=self.text.find(b'"', start) >= 0,
                invalid_row_handler=refuse,
            ),
            convert_options=pa_csv.ConvertOptions(
                column_types=dict(zip(places, self.types, strict=True)),
                include_columns=only or None,
                null_values=[""],
                strings_can_be_null=False,
                decimal_point=self.dialect.decimal,
            ),
        )


def _ragged(text: bytes, dialect: Dialect, row: _BadRow) -> EvalError:
    line = _line_of(text, dialect.start, row.text.encode())
    fields = counted(row.actual, "field")
    if row.text.count('"') % 2 and "\n" in row.text:
        return _open_quote(line)
    message = f"Line {line} has {fields} but the header has {row.expected}."
    if row.actual > row.expected:
        mark = SEPARATORS.get(dialect.separator, f'"{dialect.separator}"')
        message += f" A text value with a {mark} is probably not quoted."
    else:
        message += " The line is perhaps cut off, or the separator is another one."
    return EvalError("ragged", message)


def _line_of(text: bytes, start: int, row: bytes) -> int:
    """Return the line, 1 being the file's first, on which a row of the body begins."""
    whole_row = re.compile(rb"(?<![^\r\n])" + re.escape(row) + rb"(?![^\r\n])")
    found = whole_row.search(text, start)
    at = found.start() if found else start
    return max(text.count(mark, 0, at) for mark in (b"\n", b"\r")) + 1


def _refuse_open_quote(text: bytes, columns: list[pa.ChunkedArray]) -> None:
    """Refuse a quote that is opened and never closed: it swallows every row below it."""
    last = columns[-1]
    if len(last) and b'"' in text and text.count(b'"') % 2:
        cell = last[len(last) - 1].as_py()
        if "\n" in cell or "\r" in cell:
            start = text.rfind(b'"' + cell.encode().split(b"\n")[0])
            raise _open_quote(text.count(b"\n", 0, max(start, 0)) + 1)


def _open_quote(line: int) -> EvalError:
    return EvalError("open-quote", f'Line {line} opens a quote (") that is never closed.')


def _told(dialect: Dialect, encoding: str) -> list[Notice]:
    told = []
    if encoding == "cp1252":
        told.append(Notice("encoding", "The file is not UTF-8; it was read as cp1252 (Windows)."))
    if dialect.names is None:
        told.append(
            Notice("no-header", "The file has no header; its columns are called by their place.")
        )
    if dialect.title_lines:
        lines = counted(dialect.title_lines, "line")
        told.append(Notice("title-lines", f"Left out above the header: {lines}."))
    if dialect.decimal == ",":
        told.append(Notice("decimal-comma", 'Numbers were read with "," as their decimal mark.'))
    return told
