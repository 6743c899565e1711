"""The terms that a number is put together from, the first and last of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

MOST, LAST = 6, 2
"""So many terms are shown, and so many of them from the end."""

Cell = float | str


@dataclass(frozen=True)
class Parts:
    """Terms of a number, as a table.

    Attributes:
        title: Which terms these are, and of how many.
        head: What each column holds.
        rows: The terms; texts among them are names of the file.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def shown(n: int, most: int = MOST) -> list[int]:
    """Return the places of the terms that are shown, of n.

    >>> shown(3), shown(100)
    ([0, 1, 2], [0, 1, 2, 3, 98, 99])
    """
    return list(range(n)) if n <= most else [*range(most - LAST), *range(n - LAST, n)]


def parts(
    noun: str, columns: dict[str, Sequence[Cell]], most: int = MOST, of: int | None = None
) -> Parts:
    """Return the first and last terms of a number, from columns of equal length by their heading.

    `of` is how many terms there are, where the columns hold only those that are `shown`.

    >>> parts("step", {"gained": [1, 2, 3, 4], "precision": [1.0, 0.5, 0.4, 0.2]}, most=3).rows
    ((1, 1.0), ('…', '…'), (3, 0.4), (4, 0.2))
    """
    n = len(next(iter(columns.values()))) if of is None else of
    places = shown(n, most) if of is None else list(range(len(shown(n, most))))
    lines = list(zip(*(_cells(column, places) for column in columns.values()), strict=True))
    if n > most:
        gap = ("…",) * len(columns)
        title = f"The first {most - LAST} and the last {LAST} of {_counted(n, noun)}"
        return Parts(title, tuple(columns), (*lines[:-LAST], gap, *lines[-LAST:]))
    title = f"All {_counted(n, noun)}" if n > 1 else f"The only {noun}"
    return Parts(title, tuple(columns), tuple(lines))


def _cells(column: Sequence[Cell], places: list[int]) -> Sequence[Cell]:
    """Return the cells at some places; as plain numbers, and without a copy of a long column."""
    if isinstance(column, np.ndarray):
        cells: list[Cell] = column[places].tolist()
        return cells
    return [column[place] for place in places]


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'es' if noun.endswith('s') else 's'}"
