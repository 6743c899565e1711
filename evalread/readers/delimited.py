"""CSV, TSV and other delimited text: every cell means what its text means, exactly as written.

What a column means never depends on it: where a later cell does not fit, text is read after all.
"""

import codecs
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from math import isfinite

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
from numpy.typing import NDArray

from evalcore.errors import EvalError, Notice
from evalcore.text import counted
from evalread.columns import MOST_LABELS
from evalread.dataset import Choices, Source, Table
from evalread.readers.dialect import (
    SEPARATORS,
    Dialect,
    Marks,
    line_at,
    refuse_open_quote,
    sniff,
    to_utf8,
    unique_names,
)

TEXT = pa.string()
WORDS = pa.dictionary(pa.int32(), TEXT)

_BLOCK = 1 << 20
"""Bytes that Arrow parses at once, its own default."""

_WIDE = 1000
"""Columns from which a block of so few rows takes longer to set up than to parse."""

_LARGEST_BLOCK = (1 << 31) - 1
"""The largest block that Arrow takes."""


class MistypedError(Exception):
    """A cell does not have the type that was asked for."""


class RaggedError(Exception):
    """The parser met a row with another number of fields than the header."""

    def __init__(self, row: pa_csv.InvalidRow) -> None:
        super().__init__()
        self.expected: int = row.expected_columns
        self.actual: int = row.actual_columns
        self.text: str = row.text


@dataclass(frozen=True)
class Body:
    """Rows below the header: those from byte `start` up to byte `stop`."""

    text: bytes
    start: int
    stop: int
    marks: Marks
    dialect: Dialect

    def columns(
        self, types: Sequence[pa.DataType] = (), *, threads: bool = True
    ) -> list[pa.ChunkedArray]:
        """Parse all cells, as text where no types are given; a blank number is null.

        Raises:
            RaggedError: A row has too many or too few fields; with threads, any such row.
            MistypedError: A cell is not of the type that was asked for.
            EvalError: "unreadable".
        """
        wanted = types or (TEXT,) * self.dialect.width
        kinds = {str(place): kind for place, kind in enumerate(wanted)}
        return list(_Parsing(self, kinds, threads).table().columns)

    def some(self, places: Sequence[int]) -> list[pa.ChunkedArray]:
        """Parse the cells of some columns, as text; see `columns`."""
        return list(_Parsing(self, {str(k): TEXT for k in places}, threads=True).table().columns)


@dataclass(frozen=True)
class _Parsing:
    body: Body
    kinds: dict[str, pa.DataType]
    threads: bool
    bad: list[pa_csv.InvalidRow] = field(default_factory=list)

    def table(self) -> pa.Table:
        """Parse in blocks, which grow where a row is longer than one."""
        block = _BLOCK if self.body.dialect.width < _WIDE else _BLOCK * 16
        while True:
            try:
                return self._read(block)
            except pa.ArrowInvalid as error:
                if self.bad:
                    raise RaggedError(self.bad[0]) from None
                if "conversion error" in str(error):
                    raise MistypedError from None
                if "straddl" not in str(error) or block >= min(len(self.body.text), _LARGEST_BLOCK):
                    raise EvalError(
                        "unreadable",
                        "The file cannot be read as a table. Save it as CSV or Parquet.",
                    ) from error
                block = min(block * 16, _LARGEST_BLOCK)

    def _read(self, block: int) -> pa.Table:
        body, decimal = self.body, self.body.dialect.decimal
        return pa_csv.read_csv(
            pa.BufferReader(pa.py_buffer(body.text).slice(body.start, body.stop - body.start)),
            read_options=pa_csv.ReadOptions(
                # Columns are known by their place: two headers may be alike.
                column_names=[str(place) for place in range(body.dialect.width)],
                block_size=block,
                use_threads=self.threads,
            ),
            parse_options=pa_csv.ParseOptions(
                delimiter=body.dialect.separator,
                newlines_in_values=body.marks.quotes > 0,
                invalid_row_handler=self._refuse,
            ),
            convert_options=pa_csv.ConvertOptions(
                column_types=self.kinds,
                include_columns=list(self.kinds),
                null_values=[""],
                strings_can_be_null=False,
                check_utf8=False,  # the text is UTF-8 by now
                decimal_point="," if decimal == "," else ".",
            ),
            memory_pool=_pool(),
        )

    def _refuse(self, row: pa_csv.InvalidRow) -> str:
        self.bad.append(row)
        return "error"


def _pool() -> pa.MemoryPool:
    """Return where cells go: not to mimalloc, which gives pages back and waits for new ones."""
    jemalloc = "jemalloc" in pa.supported_memory_backends()
    return pa.jemalloc_memory_pool() if jemalloc else pa.default_memory_pool()


PIECE = 1 << 22
"""Bytes of a piece: what is parsed of it fits the processor's cache."""

_WORKERS = 2
"""Threads that parse, while a third puts the pieces together."""

_MOST_IN_BYTE = np.iinfo(np.int8).max
"""Places that fit into one byte."""


def can_be_cut(body: Body) -> bool:
    """Tell whether every line can be read alone.

    A quoted cell may hold a line end, and the parser leaves out a byte order mark at the start of
    what it reads, which is a part of a cell where files were put one after another.
    """
    marked = not body.marks.ascii and body.text.find(codecs.BOM_UTF8, body.start) >= 0
    return not (body.marks.quotes or marked)


def columns_in_pieces(body: Body, types: Sequence[pa.DataType]) -> list[pa.ChunkedArray]:
    """Parse the cells of text that can be cut, as `Body.columns` does.

    Raises:
        RaggedError: A row has too many or too few fields.
        MistypedError: A cell is not of the type that was asked for.
        EvalError: "unreadable".
    """
    wholes = [_whole(kind, body.marks.ends + 1) for kind in types]
    with ThreadPoolExecutor(_WORKERS) as pool:
        parsed = pool.map(lambda piece: piece.columns(types, threads=False), _cut(body))
        for columns in parsed:
            for whole, column in zip(wholes, columns, strict=True):
                for chunk in column.chunks:
                    whole.add(chunk)
    return [whole.column() for whole in wholes]


def _cut(body: Body) -> Iterator[Body]:
    """Cut the rows into pieces that end where a line ends."""
    start = body.start
    while start < body.stop:
        stop = body.text.find(b"\n", min(start + PIECE, body.stop), body.stop) + 1 or body.stop
        yield replace(body, start=start, stop=stop)
        start = stop


class _Texts:
    """Cells as they come."""

    def __init__(self) -> None:
        self.chunks: list[pa.Array] = []

    def add(self, chunk: pa.Array) -> None:
        """Append the cells of a piece."""
        self.chunks.append(chunk)

    def column(self) -> pa.ChunkedArray:
        """Return all cells."""
        return pa.chunked_array(self.chunks, pa.string())


class _Numbers:
    """Numbers in one array; a blank cell is NaN."""

    def __init__(self, most: int) -> None:
        # Room that is never written to takes no memory.
        self.values, self.rows = np.empty(most, np.float64), 0

    def add(self, chunk: pa.Array) -> None:
        """Append the numbers of a piece."""
        end = self.rows + len(chunk)
        self.values[self.rows : end] = chunk.to_numpy(zero_copy_only=False)
        self.rows = end

    def column(self) -> pa.ChunkedArray:
        """Return all numbers."""
        return pa.chunked_array([pa.array(self.values[: self.rows])])


class _Words:
    """A few words by their places in one list, in the order in which they appear."""

    def __init__(self, most: int) -> None:
        self.places: dict[str, int] = {}
        self.codes: NDArray[np.int8 | np.int32] = np.empty(most, np.int8)
        self.rows = 0

    def add(self, chunk: pa.DictionaryArray) -> None:
        """Append the words of a piece."""
        words = chunk.dictionary.to_pylist()
        moves = [self.places.setdefault(word, len(self.places)) for word in words]
        if len(self.places) > _MOST_IN_BYTE and self.codes.dtype == np.int8:
            self.codes = self.codes.astype(np.int32)
        end = self.rows + len(chunk)
        to = np.array(moves, self.codes.dtype)
        np.take(to, chunk.indices.to_numpy(), out=self.codes[self.rows : end], mode="clip")
        self.rows = end

    def column(self) -> pa.ChunkedArray:
        """Return all words."""
        codes = pa.array(self.codes[: self.rows])
        words = pa.array(list(self.places), pa.string())
        return pa.chunked_array([pa.DictionaryArray.from_arrays(codes, words)])


def _whole(kind: pa.DataType, most: int) -> _Texts | _Numbers | _Words:
    """Return what cells of a type are put together in, with room for a number of rows."""
    if pa.types.is_floating(kind):
        return _Numbers(most)
    return _Words(most) if pa.types.is_dictionary(kind) else _Texts()


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


def typed_columns(body: Body) -> list[pa.ChunkedArray] | None:
    """Parse large text with the types that a sample shows; None where it is to be read as text.

    Raises:
        RaggedError: A row has too many or too few fields.
    """
    if body.stop - body.start < LARGE:
        return None
    types = _types(body)
    try:
        columns = columns_in_pieces(body, types) if can_be_cut(body) else body.columns(types)
    except (MistypedError, EvalError):
        return None
    doubtful = [place for place, column in enumerate(columns) if _doubtful(column)]
    if doubtful:
        for place, column in zip(doubtful, body.some(doubtful), strict=True):
            columns[place] = column
    return columns


def _types(body: Body) -> list[pa.DataType]:
    """Return the type as which each column can be read."""
    try:
        found = [piece.columns() for piece in _samples(body)]
    except (RaggedError, EvalError):  # cut inside a quoted cell, perhaps
        found = []
    if not found:
        return [TEXT] * body.dialect.width
    typed = body.dialect.decimal == "."
    return [_type_of(cells, numbers=typed) for cells in zip(*found, strict=True)]


def _samples(body: Body) -> Iterator[Body]:
    """Return whole lines from the head, the middle and the end of the rows."""
    text, start, stop = body.text, body.start, body.stop
    middle = (start + stop) // 2
    for place in (start - 1, middle, max(middle, stop - SAMPLE)):
        first = start if place < start else text.find(b"\n", place, stop) + 1
        last = text.rfind(b"\n", first, min(first + SAMPLE, stop)) + 1
        if start <= first < last:
            yield replace(body, start=first, stop=last)


def _type_of(pieces: Sequence[pa.ChunkedArray], *, numbers: bool) -> pa.DataType:
    cells = pa.chunked_array([chunk for piece in pieces for chunk in piece.chunks], TEXT)
    different = cells.unique()
    if len(different) <= min(FEW, len(cells) // 2):
        return WORDS
    if len(different) <= FEW or not numbers:
        return TEXT
    some = different.slice(0, FEW)
    decimals = _all_match(some, _DECIMAL) and not _all_match(some, _WHOLE)
    return pa.float64() if decimals and _shown_alike(cells.slice(0, SHOWN)) else TEXT


def _all_match(cells: pa.Array, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(cells, pattern)).as_py())


def _shown_alike(cells: pa.ChunkedArray) -> bool:
    """Tell whether numbers are written as they would be shown."""
    return all(str(float(cell)) == cell for cell in cells.to_pylist())


def _doubtful(column: pa.ChunkedArray) -> bool:
    """Tell whether numbers hide how something was written: a blank, "nan", "inf"."""
    if not pa.types.is_floating(column.type):
        return False
    # Where the sum is finite, so is every number; where it overflows, text is read for nothing.
    return column.null_count > 0 or not isfinite(pc.sum(column).as_py() or 0.0)


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
        notices=(*notices, *_notices(dialect, encoding)),
    )


def header_only(columns: int) -> EvalError:
    """Return the error for a table that has a header and nothing below it."""
    return EvalError(
        "header-only",
        f"The file has a header ({counted(columns, 'column')}) but no data rows.",
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
    for before in (b"\n", b"\r"):
        place = text.find(before + row, max(start - 1, 0))
        while place >= 0:
            end = place + 1 + len(row)
            if text[end : end + 1] in (b"", b"\n", b"\r"):
                return line_at(text, place + 1)
            place = text.find(before + row, place + 1)
    return line_at(text, start)


def _notices(dialect: Dialect, encoding: str) -> list[Notice]:
    notices = []
    if encoding == "cp1252":
        notices.append(
            Notice("encoding", "The file is not UTF-8; it was read as cp1252 (Windows).")
        )
    if dialect.names is None:
        notices.append(
            Notice("no-header", "The file has no header; its columns are called by their place.")
        )
    if dialect.title_lines:
        lines = counted(dialect.title_lines, "line")
        notices.append(Notice("title-lines", f"Left out above the header: {lines}."))
    if dialect.decimal == ",":
        notices.append(Notice("decimal-comma", 'Numbers were read with "," as their decimal mark.'))
    return notices
