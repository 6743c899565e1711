"""CSV, TSV and other delimited text: every cell means what its text means, exactly as written."""

import re

import pyarrow as pa

from evalcore.errors import EvalError, Notice
from evalcore.intake.model import Choices, Source, Table
from evalcore.intake.readers.dialect import SEPARATORS, Dialect, sniff
from evalcore.intake.readers.encoding import to_utf8
from evalcore.intake.readers.naming import unique_names
from evalcore.intake.readers.parsing import Body, RaggedError
from evalcore.intake.readers.quotes import line_at, refuse_open_quote
from evalcore.intake.readers.typed import typed_columns
from evalcore.intake.wording import counted


def read_delimited(data: bytes, source: Source, choices: Choices) -> Table:
    """Read delimited text; encoding, separator and number marks are inferred or chosen.

    Raises:
        EvalError: "not-text", "wrong-encoding", "empty", "header-only", "ragged" or "open-quote".
    """
    decoded = to_utf8(data, choices.encoding)
    text, encoding, marks = decoded.text, decoded.encoding, decoded.marks
    dialect = sniff(text, choices)
    header = dialect.names or tuple(f"column {k + 1}" for k in range(dialect.width))
    names, notices = unique_names(header)
    refuse_open_quote(text, marks.quotes, dialect.separator)
    columns = _columns(Body(text, dialect.start, len(text), marks, dialect))
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


def _columns(body: Body) -> list[pa.ChunkedArray]:
    """Parse the cells; a bad row is an error that names its line."""
    if body.start >= body.stop:
        raise header_only(body.dialect.width)
    try:
        return typed_columns(body) or body.columns()
    except RaggedError:
        pass
    try:
        # Several threads report rows in any order: read again to name the first one.
        return body.columns(threads=False)
    except RaggedError as row:
        raise _ragged(body, row) from None


def _ragged(body: Body, row: RaggedError) -> EvalError:
    line = _line_of(body.text, body.start, row.text.encode())
    fields = counted(row.actual, "field")
    message = f"Line {line} has {fields} but the header has {row.expected}."
    if row.actual > row.expected:
        separator = body.dialect.separator
        mark = SEPARATORS.get(separator, f'"{separator}"')
        message += f" A text value with a {mark} is probably not quoted."
    else:
        message += " The line is perhaps cut off, or the separator is another one."
    return EvalError("ragged", message)


def _line_of(text: bytes, start: int, row: bytes) -> int:
    """Return the line, 1 being the file's first, on which a row of the body begins."""
    whole_row = re.compile(rb"(?<![^\r\n])" + re.escape(row) + rb"(?![^\r\n])")
    found = whole_row.search(text, start)
    return line_at(text, found.start() if found else start)


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
