"""What each column looks like, on a sample of rows from the head, the middle and the end."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from evalcore.errors import EvalError
from evalcore.intake.labels import MOST_LABELS, as_labels, same_by_value
from evalcore.intake.model import Source, Table
from evalcore.intake.numbers import Numbers, as_numbers, holds_lists
from evalcore.outcomes import Floats

_CELLS = 2_000_000
_MOST_ROWS = 30_000
_FEWEST_ROWS = 60
_FEW = 50

_DAY = r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}"
_DATE = re.compile(rf"({_DAY})([T ]\d{{1,2}}:\d{{2}}.*)?|\d{{1,2}}:\d{{2}}(:\d{{2}}.*)?")
"""A date, a time, or both, as spreadsheets and ISO 8601 write them."""


@dataclass(frozen=True)
class Profile:
    """What a column looks like on the sampled rows.

    Attributes:
        name: The column.
        labels: The distinct values as labels, numbers in plain form; empty if there are too many,
            or numbers that are not whole.
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

    def holds_only(self, labels: Collection[str]) -> bool:
        """Tell whether the values are labels, and all among these."""
        return bool(self.labels) and self.labels <= set(labels)

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


def sample(table: Table, name: str, most: int = _MOST_ROWS) -> pa.ChunkedArray:
    """Return a column's cells at the sampled rows, which are the same for every column."""
    column = table.columns[name]
    parts = _sampled_rows(table.n, len(table.columns), most)
    slices = [chunk for start, length in parts for chunk in column.slice(start, length).chunks]
    return pa.chunked_array(slices, column.type)


def _sampled_rows(rows: int, columns: int, most: int) -> list[tuple[int, int]]:
    """Return (start, length) of the parts to look at."""
    wanted = max(_FEWEST_ROWS, min(most, _CELLS // columns))
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
    numbers, share = _numbers(column, name, source)
    if numbers is None:
        return replace(_of_text(column, name), mostly_numeric=share >= 0.5)
    values = numbers.values[~np.isnan(numbers.values)]
    return _of_numbers(values / 100 if numbers.percent else values, column, name)


def _of_text(column: pa.ChunkedArray, name: str) -> Profile:
    try:
        labels = as_labels(column, name)
    except EvalError:  # too many to be labels
        return Profile(name, frozenset(), len(column.unique()), len(column))
    present = int((labels.codes >= 0).sum())
    moment = bool(labels.names) and all(map(_DATE.fullmatch, labels.names))
    return Profile(name, frozenset(labels.names), len(labels.names), present, moment=moment)


def _of_numbers(values: Floats, column: pa.ChunkedArray, name: str) -> Profile:
    if not len(values):
        return Profile(name, frozenset(), 0, 0)
    distinct = len(np.unique(values))
    whole = bool((values == np.floor(values)).all())
    labels: frozenset[str] = frozenset()
    if distinct <= MOST_LABELS and (whole or distinct <= _FEW):
        labels = frozenset(same_by_value([as_labels(column, name)])[0].names)
    return Profile(
        name,
        labels,
        distinct,
        len(values),
        numeric=True,
        mostly_numeric=True,
        whole=whole,
        low=float(values.min()),
        high=float(values.max()),
        counting=len(values) > 2 and _counts_up(values, len(column)),
    )


def _counts_up(values: Floats, rows: int) -> bool:
    if len(values) != rows or not np.isfinite(values).all():
        return False
    steps = np.diff(values)
    # Between the sampled parts of a long column the count goes on with a leap.
    return int((steps != 1).sum()) <= (2 if rows > 100 else 0) and bool((steps > 0).all())


def _numbers(column: pa.ChunkedArray, name: str, source: Source) -> tuple[Numbers | None, float]:
    """Return the column as numbers, or None and the share of cells that are numbers."""
    try:
        return as_numbers(column, name, source), 1.0
    except EvalError as error:
        return None, 1 - len(error.rows) / max(1, min(len(column), 1000))
