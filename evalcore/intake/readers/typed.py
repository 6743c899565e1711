"""Large delimited text: columns that can be typed while they are parsed, by a sample of them.

What a column means never depends on it: where a later cell does not fit, text is read after all.
"""

from collections.abc import Sequence
from math import isfinite

import pyarrow as pa
import pyarrow.compute as pc

from evalcore.errors import EvalError
from evalcore.intake.labels import MOST_LABELS
from evalcore.intake.readers.parsing import TEXT, WORDS, Body, MistypedError, RaggedError

LARGE = 1 << 24
"""Bytes from which columns are typed while they are parsed; smaller text is fast enough."""

PIECE = 1 << 20
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
    if len(body.text) - body.start < LARGE:
        return None
    types = _types(body)
    try:
        columns = body.columns(types)
    except MistypedError:
        return None
    doubtful = [place for place, column in enumerate(columns) if _doubtful(column)]
    if doubtful:
        for place, column in zip(doubtful, body.some(doubtful), strict=True):
            columns[place] = column
    return columns


def _types(body: Body) -> list[pa.DataType]:
    """Return the type as which each column can be read."""
    try:
        found = [
            Body(piece, 0, body.dialect, body.width).columns()
            for piece in _pieces(body.text, body.start)
        ]
    except (RaggedError, EvalError):  # cut inside a quoted cell, perhaps
        found = []
    if not found:
        return [TEXT] * body.width
    typed = body.dialect.decimal == "."
    return [_type_of(cells, numbers=typed) for cells in zip(*found, strict=True)]


def _pieces(text: bytes, start: int) -> list[bytes]:
    """Return whole lines from the head, the middle and the end of the text from `start` on."""
    middle = (start + len(text)) // 2
    found = []
    for place in (start - 1, middle, max(middle, len(text) - PIECE)):
        first = start if place < start else text.find(b"\n", place) + 1
        last = text.rfind(b"\n", first, first + PIECE) + 1
        if start <= first < last:
            found.append(text[first:last])
    return found


def _type_of(pieces: Sequence[pa.ChunkedArray], *, numbers: bool) -> pa.DataType:
    cells = pa.chunked_array([chunk for piece in pieces for chunk in piece.chunks], TEXT)
    distinct = cells.unique()
    if len(distinct) <= min(FEW, len(cells) // 2):
        return WORDS
    decimals = _all_match(distinct, _DECIMAL) and not _all_match(distinct, _WHOLE)
    several = len(distinct) > FEW and numbers and decimals
    return pa.float64() if several and _shown_alike(cells.slice(0, SHOWN)) else TEXT


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
