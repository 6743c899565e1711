"""What each column looks like, on a sample of rows from the head, the middle and the end."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from evalcore.errors import EvalError
from evalcore.intake.labels import Labels, as_labels, same_by_value
from evalcore.intake.model import Source, Table
from evalcore.intake.numbers import Numbers, as_numbers, holds_lists

_CELLS = 2_000_000
_MOST_ROWS = 30_000
_FEWEST_ROWS = 60


@dataclass(frozen=True)
class Profile:
    """What a column looks like on the sampled rows.

    Attributes:
        name: The column.
        labels: The distinct values as labels, numbers in plain form; empty if there are too many.
        distinct: How many distinct values there are, blank cells left out.
        present: How many sampled cells are not missing.
        numeric: Whether all present cells are numbers (percentages included).
        mostly_numeric: Whether at least half of them are.
        whole: Whether all numbers are whole.
        low: The smallest number; NaN where there is none.
        high: The largest number; NaN where there is none.
        counting: Whether the values are whole numbers that rise by one from row to row.
        lists: Whether the cells are lists.
        moment: Whether the column holds dates or times.
    """

    name: str
    labels: frozenset[str]
    distinct: int
    present: int
    numeric: bool = False
    mostly_numeric: bool = False
    whole: bool = False
    low: float = np.nan
    high: float = np.nan
    counting: bool = False
    lists: bool = False
    moment: bool = False

    @property
    def constant(self) -> bool:
        """Whether there is at most one distinct value."""
        return self.distinct <= 1

    @property
    def unique(self) -> bool:
        """Whether no value repeats, over enough rows to tell."""
        return self.distinct == self.present and self.present > 5

    @property
    def continuous(self) -> bool:
        """Whether the values are numbers as scores are, and labels seldom."""
        return self.numeric and (not self.whole or self.distinct > 20)

    @property
    def unit(self) -> bool:
        """Whether all values are numbers in [0, 1]."""
        return self.numeric and self.low >= 0 and self.high <= 1


def profiles(table: Table) -> Mapping[str, Profile]:
    """Look at every column of a table."""
    return {name: profile(table, name) for name in table.columns}


def profile(table: Table, name: str) -> Profile:
    """Look at one column of a table."""
    return _profile(name, sample(table, name), table.source)


def sample(table: Table, name: str) -> pa.ChunkedArray:
    """Return a column's cells at the sampled rows, which are the same for every column."""
    column = table.columns[name]
    parts = _sampled_rows(table.n, len(table.columns))
    slices = [chunk for start, length in parts for chunk in column.slice(start, length).chunks]
    return pa.chunked_array(slices, column.type)


def _sampled_rows(rows: int, columns: int) -> list[tuple[int, int]]:
    """Return (start, length) of the parts to look at."""
    wanted = max(_FEWEST_ROWS, min(_MOST_ROWS, _CELLS // columns))
    if rows <= wanted:
        return [(0, rows)]
    part = wanted // 3
    return [(0, part), (rows // 2, part), (rows - part, part)]


def _profile(name: str, column: pa.ChunkedArray, source: Source) -> Profile:
    kind = column.type
    if holds_lists(column):
        return Profile(name, frozenset(), 0, len(column) - column.null_count, lists=True)
    if pa.types.is_temporal(kind):
        return Profile(name, frozenset(), len(column.unique()), len(column), moment=True)
    labels, distinct = _labels(column, name)
    numbers, share = _numbers(column, name, source)
    if numbers is None:
        return Profile(
            name, labels, distinct, _present(column, labels), mostly_numeric=share >= 0.5
        )
    values = numbers.values[~np.isnan(numbers.values)]
    if not len(values):
        return Profile(name, frozenset(), 0, 0)
    if numbers.percent:
        values = values / 100
    return Profile(
        name,
        labels,
        len(np.unique(values)),
        len(values),
        numeric=True,
        mostly_numeric=True,
        whole=bool((values == np.floor(values)).all()),
        low=float(values.min()),
        high=float(values.max()),
        counting=len(values) > 2 and _counts_up(values, len(column)),
    )


def _counts_up(values: np.ndarray[tuple[int], np.dtype[np.float64]], rows: int) -> bool:
    if len(values) != rows or not np.isfinite(values).all():
        return False
    steps = np.diff(values)
    # Between the sampled parts of a long column the count goes on with a leap.
    return int((steps != 1).sum()) <= (2 if rows > 100 else 0) and bool((steps > 0).all())


def _labels(column: pa.ChunkedArray, name: str) -> tuple[frozenset[str], int]:
    try:
        labels: Labels = same_by_value([as_labels(column, name)])[0]
    except EvalError:
        return frozenset(), len(column.unique())
    return frozenset(labels.names), len(labels.names)


def _present(column: pa.ChunkedArray, labels: frozenset[str]) -> int:
    return len(column) - column.null_count if labels else len(column)


def _numbers(column: pa.ChunkedArray, name: str, source: Source) -> tuple[Numbers | None, float]:
    """Return the column as numbers, or None and the share of cells that are numbers."""
    try:
        return as_numbers(column, name, source), 1.0
    except EvalError as error:
        return None, 1 - len(error.rows) / max(1, min(len(column), 1000))
