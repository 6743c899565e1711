"""Rows as counts in cells or bins: what a picture of very many rows needs."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from evalcore.outcomes import Floats, ReadOnly, Rows
from evalcore.tables.confusion import blocks
from evalcore.tables.contingency import Whole
from evalcore.tables.groups import by_code, equal_groups
from evalcore.tables.scores import ScoreTable

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
class Scatter(ReadOnly):
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
    ) -> "Scatter":
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


@dataclass(frozen=True, eq=False)
class ScoreHistogram(ReadOnly):
    """Positives and negatives in each of K bins [a, b) of equal width, the last one closed.

    Attributes:
        edges: (K + 1,) rising; from 0 to 1 where every score lies there.
        positives: (K,) positive rows, or the sum of their weights.
        negatives: (K,) negative rows, or the sum of their weights.
    """

    edges: Floats
    positives: Floats
    negatives: Floats

    @classmethod
    def from_table(cls, table: ScoreTable, bins: int = 40) -> Self:
        """Count the rows of a score table in `bins` bins.

        >>> table = ScoreTable.from_scores(np.array([0, 1, 1]), np.array([0.1, 0.5, 1.0]))
        >>> histogram = ScoreHistogram.from_table(table, 2)
        >>> histogram.positives.tolist(), histogram.negatives.tolist()
        ([0.0, 2.0], [1.0, 0.0])
        """
        edges = _edges(table, bins)
        above = table.at(edges[:-1])
        return cls(edges, _between(np.asarray(above.tp)), _between(np.asarray(above.fp)))


def _between(at_or_above: Floats) -> Floats:
    between: Floats = at_or_above - np.append(at_or_above[1:], 0.0)
    return between


def _edges(table: ScoreTable, bins: int) -> Floats:
    low, high = _range(table)
    share = np.arange(bins + 1) / bins
    # Not low + share * (high - low): the difference of two huge scores may overflow.
    edges = low * (1 - share) + high * share
    edges[0], edges[-1] = low, high
    return edges


def _range(table: ScoreTable) -> tuple[float, float]:
    if not len(table.threshold):
        return 0.0, 1.0
    low, high = float(table.threshold[-1]), float(table.threshold[0])
    if low >= 0 and high <= 1:
        return 0.0, 1.0
    if low == high:
        room = max(0.5, abs(low) / 1000)
        return low - room, high + room
    return low, high
