"""The terms that a number is put together from, the first few of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

MOST = 6
"""So many terms are shown."""

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
    """Return the first terms of a number, from columns of equal length by their heading.

    >>> parts("step", {"gained": [1, 2], "precision": [1.0, 0.5]}, most=1).title
    'The first of 2 steps'
    """
    lines = list(zip(*(_plain(column) for column in columns.values()), strict=True))
    return Parts(_title(len(lines), noun, most), tuple(columns), tuple(lines[:most]))


def _plain(column: Sequence[Cell]) -> Sequence[Cell]:
    return column.tolist() if isinstance(column, np.ndarray) else column


def _title(count: int, noun: str, most: int) -> str:
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    if count <= most:
        return f"All {count:,} {plural}" if count > 1 else f"The only {noun}"
    return (
        f"The first of {count:,} {plural}"
        if most == 1
        else f"The first {most} of {count:,} {plural}"
    )
