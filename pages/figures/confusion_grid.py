"""In which order, and how far, a confusion matrix is drawn."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evalcore.tables.confused import by_confusion, most_confused, pooled
from evalcore.tables.confusion import ConfusionMatrix

ORDERED_FROM = 21
"""From this many classes on, each stands beside the one it is most confused with."""

SHOWN_AT_MOST = 100
"""Classes in one picture."""

SHOWN_IF_DENSE = 75
"""Classes in one picture where many cells are filled, to keep its JSON under 64 KB."""

_DENSE = 4000
"""Filled cells from which on fewer classes are shown."""


@dataclass(frozen=True, eq=False)
class Grid:
    """A confusion matrix in the order in which it is drawn.

    Attributes:
        whole: The matrix that is drawn.
        matrix: Classes from top to bottom and from left to right; the last may hold "others".
        place: For each of them its position in the whole matrix; None for the others.
    """

    whole: ConfusionMatrix
    matrix: ConfusionMatrix
    place: tuple[int | None, ...]

    @property
    def size(self) -> int:
        """Number of rows, and of columns."""
        return len(self.place)

    def cell(self, x: float, y: float) -> tuple[int, int] | None:
        """Return truth and decision, as positions in the whole matrix, of the cell at (x, y)."""
        column, row = round(x), round(y)
        if not (0 <= column < self.size and 0 <= row < self.size):
            return None
        truth, decision = self.place[row], self.place[column]
        return None if truth is None or decision is None else (truth, decision)

    def position(self, cell: tuple[int, int]) -> tuple[int, int] | None:
        """Return (x, y) of a cell of the whole matrix; None where it is among the others."""
        truth, decision = cell
        if truth not in self.place or decision not in self.place:
            return None
        return self.place.index(decision), self.place.index(truth)


def arranged(matrix: ConfusionMatrix) -> Grid:
    """Return the matrix as it is drawn.

    Two classes: the positive one first. Up to twenty: the file's order. More: each class beside
    the one it is most confused with; what does not fit, having fewer errors, is pooled.
    """
    size = len(matrix.classes)
    if size == 2:
        return _grid(matrix, np.array([1, 0]))
    if size < ORDERED_FROM:
        return _grid(matrix, np.arange(size))
    dense = np.count_nonzero(matrix.counts) >= _DENSE
    most = SHOWN_IF_DENSE if dense else SHOWN_AT_MOST
    return _grid(matrix, by_confusion(matrix) if size <= most else most_confused(matrix, most - 1))


def _grid(matrix: ConfusionMatrix, keep: NDArray[np.intp]) -> Grid:
    left_out = len(matrix.classes) - len(keep)
    place: list[int | None] = [int(position) for position in keep]
    if left_out:
        place.append(None)
    return Grid(matrix, pooled(matrix, keep, f"{left_out} others"), tuple(place))
