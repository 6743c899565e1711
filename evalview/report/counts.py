"""Counts that tell of no few rows: neighbours are merged until each cell is empty or large enough.

All that a report says along a score follows from one partition of the scores, so that no two parts
of it, held against each other, tell more than either. The counts at the thresholds that are in use
stay exact whatever they are, since the numbers that are shown first rest on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from evalcore.curves.roc import CalibrationCurve
from evalcore.evaluation.drawn import share_that_tells
from evalcore.options import Options
from evalcore.outcomes import Floats, NumericOutcomes, Places, Rows
from evalcore.results import ModelTables
from evalcore.tables.confusion import Counts
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.scores import ScoreTable
from evalread.dataset import Dataset
from evalview import text

if TYPE_CHECKING:
    from evalcore.slices.columns import Column, Condition, Mask, Rule
    from evalcore.slices.results import Slices

MOST_ROWS = 1200
"""Rows of a merged table at most: 20 KB a model."""


@dataclass(frozen=True, eq=False)
class Merged:
    """The scores of a model in cells that are empty or hold enough rows of each class.

    Attributes:
        table: The counts at or above each threshold that is left; thresholds are the shortest
            numbers that flag the same rows, so that none is the score of a row to the last digit.
        kept: Which of the thresholds that were asked for have exact counts here.
        small: The smallest cell that is not empty.
    """

    table: ScoreTable
    kept: frozenset[float]
    small: float


def merged(
    table: ScoreTable, fewest: float, in_use: Iterable[float], wished: Iterable[float]
) -> Merged:
    """Merge the scores of a model until each cell is empty or holds at least `fewest` rows.

    Cells are those between two neighbouring thresholds, of one class. The counts at thresholds
    `in_use` stay exact at any price, those at `wished` where no cell becomes too small by it; the
    earlier ones come first.
    """
    if not len(table.threshold):
        return Merged(table, frozenset(), 0.0)
    cuts = _Cuts(table, fewest)
    kept = [*in_use]
    for at in kept:
        cuts.force(at)
    kept += [at for at in wished if cuts.take(at)]
    cuts.fill()
    rows = cuts.rows
    short = [text.shortest_threshold(table, at) for at in table.threshold[rows].tolist()]
    for at in kept:
        # A threshold that was asked for may be higher than the shortest that flags the same rows.
        if (row := cuts.row(at)) >= 0:
            place = rows.index(row)
            short[place] = max(short[place], at)
    made = ScoreTable(np.array(short), table.tp[rows], table.fp[rows])
    cells = np.concatenate(made.steps()).astype(np.float64)
    return Merged(made, frozenset(kept), float(cells[cells > 0].min(initial=np.inf)))


class _Cuts:
    """The rows of a score table after which it is cut; `-1` stands before the first."""

    def __init__(self, table: ScoreTable, fewest: float) -> None:
        self.table, self.fewest = table, fewest
        self.at = [-1, len(table.threshold) - 1]

    @property
    def rows(self) -> list[int]:
        return [row for row in self.at if row >= 0]

    def force(self, threshold: float) -> None:
        """Cut where a threshold does."""
        row = self.row(threshold)
        if row not in self.at:
            self.at = sorted([*self.at, row])

    def take(self, threshold: float) -> bool:
        """Cut where a threshold does, unless a cell becomes too small; tell whether it is cut."""
        row = self.row(threshold)
        if row in self.at:
            return True
        place = int(np.searchsorted(self.at, row))
        before, after = self.at[place - 1], self.at[place]
        if not (self._fits(before, row) and self._fits(row, after)):
            return False
        self.at.insert(place, row)
        return True

    def fill(self) -> None:
        """Cut wherever else it is possible, at rows from which curves can be drawn."""
        thinned = self.table.thinned(MOST_ROWS)
        drawn = (
            len(self.table.threshold)
            - 1
            - self.table.threshold[::-1].searchsorted(thinned.threshold)
        )
        found = [self.at[0]]
        for before, after in pairwise(self.at):
            last = before
            for row in drawn[(drawn > before) & (drawn < after)].tolist():
                if self._fits(last, row) and self._fits(row, after):
                    found.append(row)
                    last = row
            found.append(after)
        self.at = found

    def row(self, threshold: float) -> int:
        """Return the last row that a threshold flags; -1 for none."""
        table = self.table
        return len(table.threshold) - int(table.threshold[::-1].searchsorted(threshold)) - 1

    def _fits(self, before: int, after: int) -> bool:
        """Return whether the cells between two cuts are empty or hold enough rows."""
        cells = [self._upto(kind, after) - self._upto(kind, before) for kind in ("tp", "fp")]
        return sum(cells) > 0 and all(rows == 0 or rows >= self.fewest for rows in cells)

    def _upto(self, kind: str, row: int) -> float:
        return float(getattr(self.table, kind)[row]) if row >= 0 else 0.0


def reliability(table: ScoreTable, edges: Sequence[float]) -> ReliabilityTable:
    """Return the bins of a whole score table between rising edges, of which each was kept."""
    low = table.threshold[::-1]
    bounds = [*(int(low.searchsorted(edge)) for edge in edges[:-1]), len(low)]
    positives, negatives = (steps[::-1] for steps in table.steps())
    both = positives + negatives
    pairs = list(pairwise(bounds))

    def sums(values: Counts | Floats) -> Floats:
        return np.array([values[start:stop].sum() for start, stop in pairs])

    return ReliabilityTable(np.array(edges), sums(both), sums(low * both), sums(positives))


def calibration(tables: ModelTables, made: Merged, bins: int, level: float) -> CalibrationCurve:
    """Return the calibration of a model in bins whose edges are among those that were kept."""
    assert tables.scores is not None
    inner = [edge for edge in edges_of(bins)[1:-1] if edge in made.kept]
    found = reliability(tables.scores, [0.0, *inner, 1.0])
    return CalibrationCurve.from_table(found, level, share_that_tells(tables.rows))


def edges_of(bins: int) -> list[float]:
    """Return the edges of bins of equal width."""
    return [at / bins for at in range(bins + 1)]


def histogram(table: ScoreTable, low: float, high: float, most: int = 60) -> list[dict[str, float]]:
    """Return bars along the slider, each of one cell or more of a merged table.

    `low` and `high` are the ends of the slider.
    """
    scores, (positives, negatives) = table.threshold[::-1], (s[::-1] for s in table.steps())
    width = high - low
    if not width > 0 or not len(scores):
        return []
    edges = np.append(np.clip(scores, low, high), high)
    edges[0] = low
    starts = _starts((edges[:-1] - low) / width, most)
    left = (edges[starts] - low) / width
    right = np.append(left[1:], 1.0)
    bars = zip(
        edges[starts].tolist(),
        np.append(edges[starts][1:], high).tolist(),
        left.tolist(),
        right.tolist(),
        np.add.reduceat(positives, starts).tolist(),
        np.add.reduceat(negatives, starts).tolist(),
        strict=True,
    )
    names = ("from", "to", "left", "right", "positives", "negatives")
    return [dict(zip(names, bar, strict=True)) for bar in bars if bar[3] > bar[2]]


def _starts(places: Floats, most: int) -> Places:
    """Return the first cell of each bar, of at most so many bars, none of them too thin to see."""
    step = np.floor(places * most)
    return np.flatnonzero(np.diff(step, prepend=-1) > 0)


OTHERS = "all cells marked ·"


def why_hidden(fewest: int, what: str) -> str:
    """Return what is said below a table with hidden cells."""
    return (
        f" A · hides a number below {fewest} {what}, or a larger one from which that could be "
        "worked out; the last column has their sum."
    )


def hidden_cells(counts: Counts | Floats, fewest: float, *, diagonal: bool) -> Mask:
    """Return which cells of a table are left out: small ones, and others that would tell of them.

    The sums of rows and columns are known: no line has one hidden cell alone, nor fewer than
    `fewest` rows in its hidden cells together, as long as others can join them. With `diagonal`
    cells there are shown whatever they hold: right decisions.

    >>> hidden_cells(np.array([[50, 1, 7], [2, 60, 9], [8, 9, 70]]), 5, diagonal=True).astype(int)
    array([[0, 1, 1],
           [1, 0, 1],
           [1, 1, 0]])
    """
    counts = np.asarray(counts)
    free = ~np.eye(*counts.shape, dtype=np.bool_) if diagonal else np.ones(counts.shape, bool)
    hidden = free & (counts > 0) & (counts < fewest)
    while True:
        before = int(hidden.sum())
        for table in ((counts, free, hidden), (counts.T, free.T, hidden.T)):
            for cells, own, out in zip(*table, strict=True):
                _join(cells, own, out, fewest)
        if hidden.sum() == before:
            return hidden


def _join(cells: Counts | Floats, free: Mask, hidden: Mask, fewest: float) -> None:
    """Hide more cells of a line, in place, where those that are hidden would tell of few rows."""
    while (out := int(hidden.sum())) and (out < 2 or cells[hidden].sum() < fewest):
        left = free & ~hidden
        # An empty cell adds no rows, but it is not known that it is the empty one.
        if cells[hidden].sum() < fewest and (left & (cells > 0)).any():
            left &= cells > 0
        elif out > 1 or not left.any():
            return
        hidden[np.where(left, cells, np.inf).argmin()] = True


def known_by_sums(hidden: Mask, costs: Floats, *, by_rows_alone: bool) -> bool:
    """Whether what cells cost in all follows from the cells that are shown and the sums of lines.

    So it does where all hidden cells of a row cost the same, or, unless rows count by other shares,
    all of a column; any other sum of costs would tell how many rows are in hidden cells.

    >>> hidden, costs = np.array([[0, 1, 1], [0, 0, 0]]), np.array([[0, 1, 1], [7, 8, 9]])
    >>> known_by_sums(hidden.astype(bool), costs, by_rows_alone=True)
    True
    >>> known_by_sums(hidden.astype(bool), costs * [1, 2, 3], by_rows_alone=True)
    False
    """
    ways = [(costs, hidden)] if by_rows_alone else [(costs, hidden), (costs.T, hidden.T)]
    return any(
        all(len(np.unique(line[out])) < 2 for line, out in zip(*way, strict=True)) for way in ways
    )


def merged_bars(
    counts: Sequence[int], edges: Sequence[float], fewest: float
) -> list[tuple[float, float, int]]:
    """Return bars (from, to, rows) of neighbouring bins that hold enough rows together.

    >>> merged_bars([5, 1, 1, 9], [0, 1, 2, 3, 4], 5)
    [(0, 1, 5), (1, 4, 11)]
    """
    bars: list[tuple[float, float, int]] = []
    start, rows = 0, 0
    for at, held in enumerate(counts):
        rows += held
        if rows >= fewest or not rows:
            bars.append((edges[start], edges[at + 1], rows))
            start, rows = at + 1, 0
    if rows:
        low = edges[start]
        while bars and rows < fewest:
            low, _, held = bars.pop()
            rows += held
        bars.append((low, edges[len(counts)], rows))
    return bars


# Slices


def slices(
    dataset: Dataset, by: Sequence[str], model: str, options: Options, fewest: int
) -> Slices:
    """Return the slices of columns, or the confirmed weak ones of all, that tell of no few rows.

    A slice is left out where fewer than `fewest` of its rows are right, or wrong; so are others of
    its column until that holds of all together that are left out, which the sum of all rows tells.

    Raises:
        EvalError: A column makes no slices, or the models give nothing to slice by.
    """
    from evalcore.slices.search import halves
    from evalcore.slices.slicing import Asked, Sliced

    asked = Asked(
        by=tuple(by) or None,
        model=model,
        max_columns=1 if by else 2,
        min_rows=max(Asked.min_rows, fewest),
    )
    table = Sliced.of(dataset, asked, options)
    made = table.listed() if by else table.searched()
    counted = not isinstance(dataset.models[model], NumericOutcomes)
    wrong = table.errors > 0 if counted else np.ones(len(table.errors), bool)
    if by:
        told = {one for column in table.on[model] for one in _told(column, wrong, fewest)}
        kept = [one for one in made.slices if one.rule[0] in told]
    else:
        rows = dataset.models[model].rows
        parts = halves(dataset.models[model], options.seed)
        kept = [
            one
            for one in made.confirmed
            if _tells_of_enough(_inside(dataset, one.rule, rows), wrong, parts, fewest)
        ]
    # What others do there, or how far groups are apart, would tell of those that are left out.
    alone = [replace(one, models={model: one.found}, same=()) for one in kept]
    return replace(made, slices=tuple(alone), gaps=MappingProxyType({}), nearest="")


def _told(column: Column, wrong: Mask, fewest: int) -> Iterator[Condition]:
    """Yield the slices of a column that hold enough rows, and leave enough to the others."""
    size = len(column.parts)
    rows = np.bincount(column.codes, minlength=size)
    cells = np.stack([np.bincount(column.codes[wrong], minlength=size), rows])
    cells[1] -= cells[0]
    hidden = np.asarray(((cells > 0) & (cells < fewest)).any(axis=0))
    hidden[size - bool(column.others) :] = True
    while not _enough(cells[:, hidden].sum(axis=1), fewest) and not hidden.all():
        hidden[np.where(hidden, np.inf, rows).argmin()] = True
    yield from (column.condition(int(part)) for part in np.flatnonzero(~hidden & (rows > 0)))


def _enough(cells: Counts | Floats, fewest: int) -> bool:
    return bool(np.all((cells == 0) | (cells >= fewest)))


def _inside(dataset: Dataset, rule: Rule, rows: Rows | None) -> Mask:
    """Return which rows of a model are in a slice."""
    from evalcore.slices.columns import chosen

    mask = chosen(rule, dataset.columns)
    return mask if rows is None else mask[rows - 1]


def _tells_of_enough(inside: Mask, wrong: Mask, parts: Sequence[Places], fewest: int) -> bool:
    """Whether a slice and the rest hold enough rows in each half, either of which judged it."""
    sides = (
        side[part] & own[part]
        for part in parts
        for side in (inside, ~inside)
        for own in (wrong, ~wrong)
    )
    return _enough(np.array([one.sum() for one in sides]), fewest)
