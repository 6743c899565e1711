"""How far one row moves an average over classes, from which its standard error follows.

The areas of K classes come from the same rows and so vary together. A row's influence on each adds
up to its influence on their average, and the variance of the average is the sum of the squares.
Source: Jaeckel (1972), The infinitesimal jackknife, Bell Laboratories; for the area under the ROC
curve it is that of DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44(3).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from evalcore.outcomes import Codes, Floats, Places
from evalcore.tables.areas import average_precision, roc_area
from evalcore.tables.scores import ScoreTable
from evalcore.tables.weights import quotient


class _Slopes(NamedTuple):
    """Derivatives of an area by the weight of a row of each distinct score, by its class."""

    of_positive: Floats
    of_negative: Floats

    def at(self, place: Places, positive: Codes) -> Floats:
        """Return those of (n,) rows."""
        return np.where(positive == 1, self.of_positive[place], self.of_negative[place])


class _Area(NamedTuple):
    """An area under a curve, and its derivatives."""

    key: str
    value: Callable[[ScoreTable], float]
    slopes: Callable[[ScoreTable], _Slopes]


def average_errors(
    tables: Sequence[ScoreTable | None],
    micro: ScoreTable,
    columns: Floats,
    truth: Codes,
    weight: Floats | None,
) -> Mapping[str, float]:
    """Return the standard errors of averages over classes, by their keys in the catalogue.

    `columns` are the (K, n) probabilities that `tables` and `micro` were made from.
    """
    if not len(micro.threshold):
        return MappingProxyType({})
    count = np.ones(len(truth)) if weight is None else weight
    averages = [_Average(tables, micro, area, truth, count) for area in _AREAS]
    pairs = _Pairs(tables, truth, count)
    for code, table in enumerate(tables):
        if table is not None:
            # In the order of the scores, look-ups walk through the tables.
            order = np.argsort(columns[code])
            positive = np.equal(truth[order], code).astype(np.int8)
            here, there = (_place(t, columns[code][order]) for t in (table, micro))
            for average in averages:
                average.add_class(code, table, here, order, positive)
                average.micro[order] += average.of_pairs.at(there, positive)
            pairs.add_class(code, here, order)
    errors = [pair for average in averages for pair in average.errors(count)]
    return MappingProxyType({**dict(errors), "roc_auc_hand_till": pairs.error})


class _Average:
    """How far each row moves the averages of one area, class by class."""

    def __init__(
        self,
        tables: Sequence[ScoreTable | None],
        micro: ScoreTable,
        area: _Area,
        truth: Codes,
        count: Floats,
    ) -> None:
        values = {k: area.value(table) for k, table in enumerate(tables) if table is not None}
        self.area, self.truth, self.of_pairs = area, truth, area.slopes(micro)
        self.values = {k: value for k, value in values.items() if not np.isnan(value)}
        self.support = {k: float(count[truth == k].sum()) for k in self.values}
        self.total = sum(self.support.values()) or 1.0
        self.mean = sum(self.support[k] * value for k, value in self.values.items()) / self.total
        self.macro, self.weighted, self.micro = np.zeros((3, len(truth)))

    def add_class(
        self, code: int, table: ScoreTable, place: Places, order: Places, positive: Codes
    ) -> None:
        """Add what rows do to the area of a class, and to its part in the weighted mean."""
        if code not in self.values:
            return
        moved = self.area.slopes(table).at(place, positive)
        self.macro[order] += moved / len(self.values)
        self.weighted[order] += self.support[code] / self.total * moved
        self.weighted += (self.truth == code) * (self.values[code] - self.mean) / self.total

    def errors(self, count: Floats) -> Iterator[tuple[str, float]]:
        """Return the standard error of each average, by its key."""
        for kind in ("macro", "weighted", "micro"):
            moved = getattr(self, kind)
            square = np.einsum("i,i,i->", count, moved, moved)
            yield f"{self.area.key}_ovr_{kind}", float(np.sqrt(square))


class _Pairs:
    """How far each row moves the mean area over pairs of classes, of Hand and Till (2001).

    For a class, all others are looked at in one go: a row of each weighs one over its class.
    """

    def __init__(self, tables: Sequence[ScoreTable | None], truth: Codes, count: Floats) -> None:
        support = np.bincount(truth, count, len(tables)).astype(np.float64)
        support[[code for code, table in enumerate(tables) if table is None]] = 0.0
        self.truth, self.count, self.support = truth, count, support
        self.moved = np.zeros(len(truth))

    def add_class(self, code: int, place: Places, order: Places) -> None:
        """Add what rows do to the areas in which the probability of a class ranks it before one."""
        if not self.support[code]:
            return
        truth = self.truth[order]
        size = self.support[truth]
        part = quotient(self.count[order], size, empty=0.0)
        own = truth == code
        of_own, of_others = (np.bincount(place, part * rows) for rows in (own, ~own))
        above = np.cumsum(of_own) - of_own / 2
        below = of_others.sum() - np.cumsum(of_others) + of_others / 2
        areas = np.bincount(truth, part * above[place], len(self.support))
        areas[code] = 0.0
        gap = np.where(own, below[place] - areas.sum(), above[place] - areas[truth])
        self.moved[order] += quotient(gap, size, empty=0.0)

    @property
    def error(self) -> float:
        """The standard error of the mean over all pairs; 0 where there is none."""
        classes = int((self.support > 0).sum())
        square = np.einsum("i,i,i->", self.count, self.moved, self.moved)
        return float(np.sqrt(square) / max(classes * (classes - 1), 1))


def _place(table: ScoreTable, score: Floats) -> Places:
    """Return the row of the table that holds each score."""
    place = len(table.threshold) - 1 - np.searchsorted(table.threshold[::-1], score)
    return np.clip(place, 0, None)


def _roc_slopes(table: ScoreTable) -> _Slopes:
    """Return how far the placement of a row lies from the area, by the size of its class."""
    step_up, step_right = table.steps()
    if not table.positives or not table.negatives:
        return _Slopes(*np.zeros((2, len(step_up))))
    area = roc_area(table)
    below = 1 - (table.fp - step_right / 2) / table.negatives
    above = (table.tp - step_up / 2) / table.positives
    return _Slopes((below - area) / table.positives, (above - area) / table.negatives)


def _precision_slopes(table: ScoreTable) -> _Slopes:
    """Return what a row does to average precision.

    It changes the precision of every positive at or below it, and a positive adds its own.
    """
    step_up, _ = table.steps()
    if not table.positives:
        return _Slopes(*np.zeros((2, len(step_up))))
    called = (table.tp + table.fp).astype(np.float64)
    own = table.tp / called - average_precision(table)
    gained = _from_here_down(step_up * table.fp / called**2)
    lost = _from_here_down(step_up * table.tp / called**2)
    return _Slopes((own + gained) / table.positives, -lost / table.positives)


def _from_here_down(values: Floats) -> Floats:
    return np.cumsum(values[::-1])[::-1]


_AREAS = (
    _Area("roc_auc", roc_area, _roc_slopes),
    _Area("average_precision", average_precision, _precision_slopes),
)
