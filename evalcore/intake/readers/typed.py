"""Large delimited text: which columns can be typed while they are parsed, by a sample of them.

What a column means never depends on it: where a later cell does not fit the type, the column is
read as text after all.
"""

import re
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

LARGE = 1 << 24
"""Bytes from which columns are typed while they are parsed; smaller text is fast enough."""

PIECE = 1 << 18
"""Bytes looked at at the head, in the middle and at the end."""

_FEWEST_CELLS = 100
_WHOLE = r"^-?(0|[1-9]\d{0,17})$"
_DECIMAL = r"^-?(0|[1-9]\d*)(%s\d*)?([eE][+-]?\d+)?$"

TEXT = pa.string()
WORDS = pa.dictionary(pa.int32(), TEXT)


def pieces(text: bytes, start: int) -> list[bytes]:
    """Return whole lines from the head, the middle and the end of the text from `start` on."""
    middle = (start + len(text)) // 2
    found = [text[start : start + PIECE]]
    for place in (middle, max(middle, len(text) - PIECE)):
        line = text.find(b"\n", place) + 1
        if 0 < line < len(text):
            found.append(text[line : line + PIECE])
    # The last line of a piece is cut off, except at the end of the text.
    return [piece[: piece.rfind(b"\n") + 1] for piece in found[:-1]] + found[-1:]


def types_of(columns: Sequence[pa.ChunkedArray], decimal: str) -> list[pa.DataType]:
    """Return the type as which each column of sampled text can be read."""
    return [_type_of(column, decimal) for column in columns]


def _type_of(column: pa.ChunkedArray, decimal: str) -> pa.DataType:
    distinct = column.unique()
    if len(column) < _FEWEST_CELLS:
        return TEXT
    # Numbers that seldom repeat are no labels, so that how they are written carries no meaning.
    if len(distinct) < len(column) // 2:
        return WORDS
    if _all_match(distinct, _WHOLE):
        return pa.int64()
    return pa.float64() if _all_match(distinct, _DECIMAL % re.escape(decimal)) else TEXT


def _all_match(cells: pa.Array, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(cells, pattern)).as_py())


def doubtful(column: pa.ChunkedArray) -> bool:
    """Tell whether typed cells hide how something was written: a blank, "nan", "inf"."""
    if column.type in (TEXT, WORDS):
        return False
    if column.null_count:
        return True
    return pa.types.is_floating(column.type) and not pc.all(pc.is_finite(column)).as_py()
