"""Two numbers per row, condensed to what a picture can show: points, or counts in cells."""

from dataclasses import dataclass

import numpy as np

from evalcore.outcomes import Floats, ReadOnly, Rows
from evalcore.tables.contingency import Whole
from evalcore.tables.groups import equal_groups

POINTS_AT_MOST = 1500
"""More rows than this are counted in cells; as points they would hide each other."""

_PERCENTILES = (0.1, 0.5, 0.9)
_CELLS = 48
_BLOCK = 1 << 20


@dataclass(frozen=True, eq=False)
class Density(ReadOnly):
    """Rows counted in a grid of equal cells.

    Attributes:
        x: (c,) middles of the columns.
        y: (r,) middles of the lines.
        counts: (r, c) rows in each cell.
    """

    x: Floats
    y: Floats
    counts: Whole

    @classmethod
    def from_values(cls, x: Floats, y: Floats, cells: int = _CELLS) -> "Density":
        """Count (n,) finite pairs, n > 0, in cells by cells; constant values make one cell wide.

        >>> Density.from_values(np.array([0.0, 1.0]), np.array([0.0, 4.0]), cells=2).counts
        array([[1, 0],
               [0, 1]])
        """
        counts = np.zeros(cells * cells, dtype=np.int64)
        for start in range(0, len(x), _BLOCK):
            rows = slice(start, start + _BLOCK)
            column, line = _place(x, x[rows], cells), _place(y, y[rows], cells)
            counts += np.bincount(line * cells + column, minlength=cells * cells)
        return cls(_middles(x, cells), _middles(y, cells), counts.reshape(cells, cells))


@dataclass(frozen=True, eq=False)
class Cloud(ReadOnly):
    """Two numbers of each row.

    Attributes:
        n: Rows in all.
        x: (m,) first numbers of the rows that are kept one by one.
        y: (m,) second numbers of these rows.
        row: (m,) their data row numbers, 1 being the first.
        density: All rows, counted in cells, where they are too many for points; then m = 0.
    """

    n: int
    x: Floats
    y: Floats
    row: Rows
    density: Density | None = None

    @classmethod
    def from_values(
        cls, x: Floats, y: Floats, row: Rows | None, most: int = POINTS_AT_MOST
    ) -> "Cloud":
        """Keep (n,) pairs as points, or count them where there are more than `most`.

        `row` are the row numbers; None where they run from 1 to n.
        """
        n = len(x)
        if n > most:
            none = np.empty(0)
            return cls(n, none, none, none.astype(np.int64), Density.from_values(x, y))
        return cls(n, x, y, np.arange(1, n + 1) if row is None else row)


@dataclass(frozen=True, eq=False)
class Trend(ReadOnly):
    """How the second of two numbers is spread, from small to large values of the first.

    Attributes:
        x: (b,) medians of the first number in groups of like size.
        low: (b,) 10th percentiles of the second number in these groups.
        median: (b,) its medians.
        high: (b,) its 90th percentiles.
        overall: (3,) the same percentiles of all rows; NaN without rows.
    """

    x: Floats
    low: Floats
    median: Floats
    high: Floats
    overall: Floats

    @classmethod
    def from_values(cls, x: Floats, y: Floats, groups: int = 10, least: int = 10) -> "Trend":
        """Group (n,) pairs by x; with fewer than `least` rows to a group there are fewer groups."""
        groups = min(groups, len(x) // least)
        group = equal_groups(x, groups) if groups else np.empty(0, dtype=np.intp)
        parts = [np.flatnonzero(group == code) for code in range(int(group.max(initial=-1)) + 1)]
        spread = [np.quantile(y[part], _PERCENTILES) for part in parts]
        low, median, high = np.array(spread).T if spread else np.empty((3, 0))
        overall = np.quantile(y, _PERCENTILES) if len(y) else np.full(3, np.nan)
        return cls(np.array([np.median(x[part]) for part in parts]), low, median, high, overall)


def _place(every: Floats, values: Floats, cells: int) -> Whole:
    low, high = float(every.min()), float(every.max())
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        share = (values - low) / (high - low)
    # A constant has no width, and values of 1e308 no finite one: all go to the first cell.
    share = np.where(np.isfinite(share), share, 0.0)
    place: Whole = np.minimum((share * cells).astype(np.int64), cells - 1)
    return place


def _middles(values: Floats, cells: int) -> Floats:
    low, high = float(values.min()), float(values.max())
    middles: Floats = low + (high - low) * (np.arange(cells) + 0.5) / cells
    return middles
