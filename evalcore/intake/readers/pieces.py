"""Large text parsed in pieces, two at a time; numbers and words are each put together once."""

import codecs
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.intake.readers.parsing import Body

PIECE = 1 << 22
"""Bytes of a piece: what is parsed of it fits the processor's cache."""

_WORKERS = 2
_FEW = 127
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
        if len(self.places) > _FEW and self.codes.dtype == np.int8:
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
