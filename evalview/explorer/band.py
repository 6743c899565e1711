"""What a ROC curve leaves open: the band around it, and the boxes of its ties."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Self

import numpy as np

from evalcore.intervals.resamples import PLAN, Plan, chunks, draw_cells
from evalcore.outcomes import Floats, ReadOnly
from evalcore.tables.areas import rates, roc_area
from evalcore.tables.scores import ScoreTable

_GRID = 201
"""Rates at which the band is given, and places along the curve at which it is measured."""

_SEGMENTS = 250
"""Thresholds that are kept; the cost does not depend on how many rows lie between them."""

_FEW = 5
"""With fewer rows of a class there is no band."""

_DRAWS_AT_ONCE = 128
"""Draws that are made at once: what is made of them stays in the processor's cache."""

_WORKERS = 2


@dataclass(frozen=True, eq=False)
class RocBand(ReadOnly):
    """The band around a ROC curve.

    Attributes:
        fpr: (g,) false positive rates, rising from 0 to 1.
        tpr: (g,) true positive rate of the curve; NaN where one class has no rows.
        low: (g,) lower edge, at least 0; NaN with too few rows of a class for a band.
        high: (g,) upper edge, at most 1.
        level: Confidence that the whole true curve lies between the edges.
    """

    fpr: Floats
    tpr: Floats
    low: Floats
    high: Floats
    method: str
    level: float
    resamples: int


@dataclass(frozen=True)
class _Tilted:
    """The plane of the curve, turned so that both classes err across it and neither along it.

    A rate of n rows is off by about 1 / sqrt(n), so each axis is measured in that unit. Along the
    curve both rates rise; across it one rises and the other falls. So upright and level pieces of
    the curve are treated alike.
    """

    right: float
    up: float

    def along_and_across(self, fpr: Floats, tpr: Floats) -> tuple[Floats, Floats]:
        """Return how far along the curve points lie, and how far to its upper left."""
        x, y = self.right * fpr, self.up * tpr
        return x + y, y - x

    def rates(self, along: Floats, across: Floats) -> tuple[Floats, Floats]:
        """Return the rates of points, within the unit square."""
        fpr, tpr = (along - across) / (2 * self.right), (along + across) / (2 * self.up)
        return np.clip(fpr, 0.0, 1.0), np.clip(tpr, 0.0, 1.0)


def roc_band(
    table: ScoreTable, rng: np.random.Generator, plan: Plan = PLAN, share: float = 1.0
) -> RocBand:
    """Return a band as wide, across the curve, as resampled curves stray from it at their worst.

    `share` is how many independent rows each row tells as much as.

    Source: Campbell (1994), Advances in statistical methodology for the evaluation of diagnostic
    and laboratory tests, Statistics in Medicine 13; its width comes from a bootstrap here.
    """
    fpr = np.linspace(0, 1, _GRID)
    coarse = table.thinned(_SEGMENTS)
    x, y = rates(coarse.fp), rates(coarse.tp)
    tpr = np.interp(fpr, x, y)
    low = high = np.full(_GRID, np.nan)
    if min(table.positives, table.negatives) >= _FEW:
        plane = _Tilted(float(np.sqrt(table.negatives)), float(np.sqrt(table.positives)))
        along = np.linspace(0, plane.right + plane.up, _GRID)
        across = np.interp(along, *plane.along_and_across(x, y))
        strayed = np.abs(_curves(coarse, plane, along, rng, plan, share) - across).max(axis=1)
        reach = np.quantile(strayed, plan.level)
        low = np.minimum(_edge(fpr, *plane.rates(along, across - reach), top=False), tpr)
        high = np.maximum(_edge(fpr, *plane.rates(along, across + reach), top=True), tpr)
    return RocBand(fpr, tpr, low, high, "fixed-width", plan.level, plan.resamples)


def _edge(at: Floats, fpr: Floats, tpr: Floats, *, top: bool) -> Floats:
    """Return the height of a rising edge; where it is upright its top, or else its bottom."""
    if top:
        return np.interp(at, fpr, tpr)
    return 1 - np.interp(1 - at, 1 - fpr[::-1], 1 - tpr[::-1], left=0.0, right=1.0)


def _curves(
    table: ScoreTable,
    plane: _Tilted,
    along: Floats,
    rng: np.random.Generator,
    plan: Plan,
    share: float,
) -> Floats:
    """Return (b, g) how far across resamples lie that hold both classes."""
    cells = np.concatenate(table.steps()).astype(np.float64) * share
    # Drawing lets other threads run, and each run has a generator of its own.
    with ThreadPoolExecutor(max_workers=_WORKERS) as pool:
        runs = chunks(plan.resamples, rng, _DRAWS_AT_ONCE)
        drawn = pool.map(lambda run: _drawn(cells, plane, along, *run), runs)
        return np.concatenate(list(drawn))


def _drawn(
    cells: Floats, plane: _Tilted, along: Floats, draws: int, rng: np.random.Generator
) -> Floats:
    counts = draw_cells(cells, draws, rng).reshape(draws, 2, -1)
    running = np.cumsum(np.insert(counts, 0, 0.0, axis=2), axis=2)
    running = running[(running[:, :, -1] > 0).all(axis=1)]
    running /= running[:, :, -1:]
    places = zip(*plane.along_and_across(running[:, 1], running[:, 0]), strict=True)
    curves: Floats = np.array([np.interp(along, x, y) for x, y in places])
    return curves.reshape(-1, len(along))


@dataclass(frozen=True, eq=False)
class Ties(ReadOnly):
    """What the scores leave open.

    Where rows of both classes share a score, the ROC curve crosses a box in a straight line. Its
    best order runs along the top left of the box, its worst along the bottom right.

    Attributes:
        share: Share of the rows that score the same as a row of the other class.
        low: AUC with the negatives first inside every tie; NaN with one class.
        high: AUC with the positives first.
        boxes: (k, 4) their fpr and tpr at the lower left, fpr and tpr at the upper right; the
            largest area first.
    """

    share: float
    low: float
    high: float
    boxes: Floats

    @classmethod
    def of(cls, table: ScoreTable) -> Self:
        """Return the ties of a score table."""
        positives, negatives = table.steps()
        mixed = np.flatnonzero((positives > 0) & (negatives > 0))
        boxes = np.column_stack(
            [
                (table.fp[mixed] - negatives[mixed]) / (table.negatives or 1),
                (table.tp[mixed] - positives[mixed]) / (table.positives or 1),
                table.fp[mixed] / (table.negatives or 1),
                table.tp[mixed] / (table.positives or 1),
            ]
        )
        area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
        tied = (positives[mixed] + negatives[mixed]).sum()
        middle, half = roc_area(table), float(area.sum()) / 2
        largest_first = np.argsort(-area, kind="stable")
        share = float(tied / table.n) if table.n else np.nan
        return cls(share, float(middle - half), float(middle + half), boxes[largest_first])
