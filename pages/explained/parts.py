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


def parts(noun: str, columns: dict[str, Sequence[Cell]], most: int = MOST) -> Parts:
    """Return the first and last terms of a number, from columns of equal length by their heading.

    >>> parts("step", {"gained": [1, 2, 3, 4], "precision": [1.0, 0.5, 0.4, 0.2]}, most=3).rows
    ((1, 1.0), ('…', '…'), (3, 0.4), (4, 0.2))
    """
    lines = list(zip(*(_plain(column) for column in columns.values()), strict=True))
    if len(lines) > most:
        gap = ("…",) * len(columns)
        shown = (*lines[: most - LAST], gap, *lines[-LAST:])
        title = f"The first {most - LAST} and the last {LAST} of {_counted(len(lines), noun)}"
        return Parts(title, tuple(columns), shown)
    title = f"All {_counted(len(lines), noun)}" if len(lines) > 1 else f"The only {noun}"
    return Parts(title, tuple(columns), tuple(lines))


def _plain(column: Sequence[Cell]) -> Sequence[Cell]:
    return column.tolist() if isinstance(column, np.ndarray) else column


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'es' if noun.endswith('s') else 's'}"
