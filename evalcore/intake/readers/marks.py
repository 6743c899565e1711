"""Which bytes stand in a text: what its encoding, its quotes and its lines are told by."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_BLOCK = 1 << 18


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
