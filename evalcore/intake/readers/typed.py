"""Large delimited text: columns that can be typed while they are parsed, by a sample of them.

What a column means never depends on it: where a later cell does not fit, text is read after all.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isfinite

import pyarrow as pa
import pyarrow.compute as pc

from evalcore.errors import EvalError
from evalcore.intake.labels import MOST_LABELS
from evalcore.intake.readers.parsing import TEXT, WORDS, Body, MistypedError, RaggedError
from evalcore.intake.readers.pieces import can_be_cut, columns_in_pieces

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
    distinct = cells.unique()
    if len(distinct) <= min(FEW, len(cells) // 2):
        return WORDS
    if len(distinct) <= FEW or not numbers:
        return TEXT
    some = distinct.slice(0, FEW)
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
