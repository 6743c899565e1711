"""Two numbers per row, condensed to what a picture can show: points, or counts in cells."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from evalcore.outcomes import Floats, ReadOnly, Rows
from evalcore.tables.blocks import blocks
from evalcore.tables.contingency import Whole
from evalcore.tables.groups import by_code, equal_groups

POINTS_AT_MOST = 1500
"""More rows than this are counted in cells; as points they would hide each other."""

_PERCENTILES = (0.1, 0.5, 0.9)
_CELLS = 48
_BLOCK = 1 << 20


@dataclass(frozen=True)
class Axis:
    """Equal cells between the ends of a number; a constant lies in the first of them."""

    low: float
    high: float
    cells: int

    @classmethod
    def of(cls, values: Floats, cells: int) -> Self:
        """Return the cells of (n,) values."""
        low, high = values.min(initial=np.inf), values.max(initial=-np.inf)
        return cls(float(low), float(high), cells)

    def place(self, values: Floats) -> Whole:
        """Return the cell of each value."""
        # Halves, since a difference of large numbers may overflow.
        width = self.high / 2 - self.low / 2
        share = (values / 2 - self.low / 2) / width if width > 0 else np.zeros(len(values))
        return np.minimum((share * self.cells).astype(np.int64), self.cells - 1)

    @property
    def middles(self) -> Floats:
        """(cells,) middles of the cells, from lowest to highest."""
        along = (np.arange(self.cells) + 0.5) / self.cells
        if not self.high > self.low:
            return np.full(self.cells, self.low)
        return self.low * (1 - along) + self.high * along


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
        across, upwards = Axis.of(x, cells), Axis.of(y, cells)
        for rows in blocks(len(x), _BLOCK):
            place = upwards.place(y[rows]) * cells + across.place(x[rows])
            counts += np.bincount(place, minlength=cells * cells)
        return cls(across.middles, upwards.middles, counts.reshape(cells, cells))


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
        parts = [places for _, places in by_code(group)]
        spread = [np.quantile(y[part], _PERCENTILES) for part in parts]
        low, median, high = np.array(spread).T if spread else np.empty((3, 0))
        overall = np.quantile(y, _PERCENTILES) if len(y) else np.full(3, np.nan)
        return cls(np.array([np.median(x[part]) for part in parts]), low, median, high, overall)
