"""Areas under the ROC and precision-recall curves, from whole counts, and the curves' corners.

The areas of K classes come from the same rows and so vary together. A row's influence on each adds
up to its influence on their average, and the variance of the average is the sum of the squares.
Source: Jaeckel (1972), The infinitesimal jackknife, Bell Laboratories; for the area under the ROC
curve it is that of DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44(3).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Codes, Floats, Number, Places
from evalcore.tables.confusion import Counts, blocks, quotient
from evalcore.tables.scores import ScoreTable, steps, stretches, with_origin


def hull_corners(table: ScoreTable) -> NDArray[np.intp]:
    """Return which points of the ROC curve, counted from 0 at the origin, are corners of its hull.

    (h,) places. Exact for whole counts: a point on the line between two others is no corner.
    Source: Fawcett and Niculescu-Mizil (2007), PAV and the ROC convex hull, Machine Learning 68.
    """
    x, y = with_origin(table.fp), with_origin(table.tp)
    place = np.arange(len(x))
    return _corners(place, x, y, (place == 0) | (place == len(x) - 1))[0]


class Edges(NamedTuple):
    """The edges of the hulls of B ROC curves, one after the other.

    Attributes:
        curve: (e,) which of the B curves an edge belongs to.
        tp: (e,) positives by which the curve rises along the edge.
        fp: (e,) negatives by which it moves to the right.
    """

    curve: Places
    tp: Floats
    fp: Floats


def hull_edges(table: ScoreTable) -> Edges:
    """Return the edges of the hulls of running counts of shape (B, m)."""
    tp, fp = (counts.sum(axis=0).astype(np.float64) for counts in (table.tp, table.fp))
    total = ScoreTable(table.threshold, tp, fp)
    # Corners can only be where a rise ends and a run begins.
    up, right = (steps(counts) > 0 for counts in (total.tp, total.fp))
    some = np.flatnonzero(np.append(up[:-1] & right[1:], True)[: len(up)])
    x, y = (with_origin(counts.T.take(some, axis=0).T).T for counts in (table.fp, table.tp))
    most = ScoreTable(table.threshold[some], total.tp[some], total.fp[some])
    curve, place = np.divmod(np.flatnonzero(_above_chords(x, y, hull_corners(most)).T), len(x))
    flat, end = place * len(table.tp) + curve, (place == 0) | (place == len(some))
    kept, x, y = _corners(np.arange(len(flat), dtype=np.int32), x.take(flat), y.take(flat), end)
    within = np.diff(curve[kept]) == 0
    run, rise = (np.diff(counts)[within].astype(np.float64) for counts in (x, y))
    return Edges(curve[kept[1:][within]], rise, run)


def _above_chords(x: Counts, y: Counts, ends: Places) -> NDArray[np.bool_]:
    """Return which of (m, B) points lie above the chord between two of some places around them."""
    above = np.zeros(x.shape, dtype=np.bool_)
    above[ends] = True
    for first, last in pairwise(ends):
        run, rise = x[last] - x[first], y[last] - y[first]
        inner = slice(first + 1, last)
        np.greater((y[inner] - y[first]) * run, (x[inner] - x[first]) * rise, out=above[inner])
    return above


def _corners(
    place: Places, x: Counts, y: Counts, end: NDArray[np.bool_]
) -> tuple[Places, Counts, Counts]:
    """Return the corners of each hull, of the points of curves that lie one after the other.

    `end` tells where a curve begins or ends.
    """
    corner = end.copy()
    # Corners are where a run begins, but for the end of another; some points lie on the last one.
    corner[1:-1] |= (x[1:-1] < x[2:]) & ((y[:-2] < y[1:-1]) | (x[:-2] == x[1:-1]))
    while True:  # by places, which is several times as fast as by a mask
        kept = np.flatnonzero(corner)
        place, x, y, end = place.take(kept), x.take(kept), y.take(kept), end.take(kept)
        corner = end.copy()
        run, rise = np.diff(x), np.diff(y)
        corner[1:-1] |= rise[:-1] * run[1:] > rise[1:] * run[:-1]  # the way turns right
        if corner.all():
            return place, x, y


_LARGEST = 2**62
"""Sums of products of counts below it stay exact in int64."""


def roc_area(table: ScoreTable) -> float:
    """Return the share of positive-negative pairs ranked rightly, ties as one half.

    NaN where one class has no rows. Source: Hanley and McNeil (1982), Radiology 143(1).

    >>> roc_area(ScoreTable.from_scores(np.array([1, 1, 0]), np.array([0.9, 0.4, 0.4])))
    0.75
    """
    pairs = 2 * table.positives * table.negatives
    if not pairs:
        return np.nan
    tp, fp = table.tp, table.fp
    if pairs >= _LARGEST:
        tp, fp = tp.astype(np.float64), fp.astype(np.float64)
    twice = sum(
        np.einsum("i,i->", rise(fp, rows), tp[rows] + _before(tp, rows)).item()
        for rows in blocks(len(tp))
    )
    return float(twice / pairs)


def average_precision(table: ScoreTable) -> Number:
    """Return the mean precision over the positives, each at its own score.

    One step per distinct score, no interpolation; NaN where there are no positives. Running counts
    of shape (..., m) have (...) means.
    Source: Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, 8.4.

    >>> average_precision(ScoreTable.from_scores(np.array([1, 0, 1]), np.array([0.9, 0.5, 0.4])))
    0.8333333333333333
    """
    return _share(table.precision_sums[0], table.tp[..., -1:].sum(axis=-1))


def precision_recall_area(table: ScoreTable) -> Number:
    """Return the area under straight lines between the points, from (0, first precision).

    Too kind to a model, since precision does not move along straight lines; NaN where there are
    no positives. Running counts of shape (..., m) have (...) areas.
    Source: Davis and Goadrich (2006), ICML, on what is wrong with it.
    """
    return _share(sum(table.precision_sums) / 2, table.tp[..., -1:].sum(axis=-1))


def _share(part: Number, whole: Number) -> Number:
    """Return part / whole, NaN where there is none: a float, or the (...) of draws."""
    shares = quotient(np.asarray(part), np.asarray(whole))
    return shares if shares.ndim else float(shares)


_DRAWS = 512
"""Draws that are worked on at once: many enough for numpy, few enough for the processor's cache."""


def few_at_once(draws: ScoreTable) -> Iterator[ScoreTable]:
    """Yield running counts of shape (B, m) in parts."""
    for some in blocks(len(draws.tp), _DRAWS):
        yield ScoreTable(draws.threshold, draws.tp[some], draws.fp[some])


def _before(cumulative: Counts, rows: slice) -> Counts:
    """Return the running counts one row earlier, 0 before the first."""
    if rows.start:
        return cumulative[rows.start - 1 : rows.stop - 1]
    return np.concatenate([np.zeros(1, cumulative.dtype), cumulative[: rows.stop - 1]])


def rise(cumulative: Counts, rows: slice) -> Counts:
    """Return what running counts rise by at each of some rows."""
    return cumulative[rows] - _before(cumulative, rows)


Along = Literal["fpr", "tpr"]


def first_place(reached: Callable[[Places], Any], shape: tuple[int, ...]) -> Places:
    """Return (...) the first of m places at which each draw has `reached` something, m for none.

    The shape is that of running counts, (..., m). What is reached at a place stays so in all that
    follow, so that few places are looked at.
    """
    last, place = shape[-1] - 1, np.full(shape[:-1], -1)
    for bit in reversed(range((last + 1).bit_length())):
        further = np.minimum(place + (1 << bit), last)
        place = np.where(reached(further), place, further)
    return place + 1


def rates(cumulative: Counts) -> Floats:
    """Return (m + 1,) shares of running counts in their last, after a first 0; NaN of none."""
    shares = np.full(len(cumulative) + 1, np.nan)
    if len(cumulative) and cumulative[-1] > 0:
        shares[0], shares[1:] = 0.0, cumulative / cumulative[-1]
    return shares


def partial_roc_area(
    table: ScoreTable, low: float, high: float, *, along: Along = "fpr", standardised: bool = True
) -> Number:
    """Return the area under the ROC curve where `along` lies in [low, high], within [0, 1].

    Along "tpr" it is the area between the curve and fpr = 1. Standardised, a perfect curve has 1
    and the diagonal 0.5 over any range. NaN where one class has no rows. Running counts of shape
    (..., m) have (...) areas. Source: McClish (1989), Medical Decision Making 9(3).
    """
    if not table.tp.shape[-1] or (standardised and low >= high):
        return np.nan
    x, y = (table.fp, table.tp) if along == "fpr" else (table.tp, table.fp)
    share = _share_upto(x, y, high) - (_share_upto(x, y, low) if low else 0.0)
    area: Number = share if along == "fpr" else high - low - share
    if not standardised:
        return area
    width, mean = high - low, (low + high) / 2
    least = width * (mean if along == "fpr" else 1 - mean)
    return (1 + (area - least) / (width - least)) / 2


def _share_upto(x: Counts, y: Counts, high: float) -> Number:
    """Return the area under lines through running counts, from 0 up to a share of all of x."""
    all_x, all_y = (np.asarray(counts[..., -1], dtype=np.float64) for counts in (x, y))
    most, twice = high * all_x, np.zeros(all_x.shape)
    place = first_place(lambda place: at(x, place) >= most, x.shape)
    x_before, y_before = (value_at(counts, place - 1) for counts in (x, y))
    # What lies beyond, in every draw, adds nothing.
    upto = int(place.max(initial=0)) + 1
    for run_to, height in stretches(x[..., :upto], y[..., :upto]):
        run = np.diff(np.minimum(run_to, x_before), axis=0)
        twice += np.einsum("k...,k...->...", run, height[1:] + height[:-1])
    # Of the step that passes the end only a part counts.
    part = most - x_before
    share = quotient(part, value_at(x, place) - x_before, empty=0.0)
    twice += part * (2 * y_before + share * (value_at(y, place) - y_before))
    return _share(twice / 2, all_x * all_y)


def value_at(cumulative: NDArray[Any], position: Places) -> Floats:
    """Return running counts of shape (..., m) at (...) positions, 0 before the first."""
    return np.where(position < 0, 0.0, at(cumulative, np.maximum(position, 0)))


def at(cumulative: NDArray[Any], place: Places) -> Any:
    """Return running counts of shape (m,) or (B, m) at a place of each of them."""
    draws = () if cumulative.ndim == 1 else (np.arange(len(cumulative)),)
    return cumulative[(*draws, place)]


def average_errors(
    tables: Sequence[ScoreTable | None],
    micro: ScoreTable,
    truth: Codes,
    columns: Floats,
    weight: Floats | None,
) -> Mapping[str, float]:
    """Return the standard errors of averages over classes, by their keys in the catalogue.

    `columns` are the (K, n) probabilities that `tables` and `micro` were made from.
    """
    if not len(micro.threshold):
        return MappingProxyType({})
    count = np.ones(len(truth)) if weight is None else weight
    averages = [_Average(tables, micro, key, truth, count) for key in _AREAS]
    pairs = _Pairs(tables, truth, count)
    for code, table in enumerate(tables):
        if table is not None:
            # In the order of the scores, look-ups walk through the tables.
            order = np.argsort(columns[code])
            positive = np.equal(truth[order], code).astype(np.int8)
            here, there = (_place(t, columns[code][order]) for t in (table, micro))
            for average in averages:
                average.add_class(code, table, here, order, positive)
                average.micro[order] += average.of_pairs[positive, there]
            pairs.add_class(code, here, order)
    errors = [pair for average in averages for pair in average.errors(count)]
    return MappingProxyType({**dict(errors), "roc_auc_hand_till": pairs.error})


class _Average:
    """How far each row moves the averages of one area, class by class."""

    def __init__(
        self,
        tables: Sequence[ScoreTable | None],
        micro: ScoreTable,
        key: str,
        truth: Codes,
        count: Floats,
    ) -> None:
        area, self.slopes = _AREAS[key]
        values = {k: float(area(table)) for k, table in enumerate(tables) if table is not None}
        self.key, self.truth, self.of_pairs = key, truth, self.slopes(micro)
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
        moved = self.slopes(table)[positive, place]
        self.macro[order] += moved / len(self.values)
        self.weighted[order] += self.support[code] / self.total * moved
        self.weighted += (self.truth == code) * (self.values[code] - self.mean) / self.total

    def errors(self, count: Floats) -> Iterator[tuple[str, float]]:
        """Return the standard error of each average, by its key."""
        for kind in ("macro", "weighted", "micro"):
            moved = getattr(self, kind)
            square = np.einsum("i,i,i->", count, moved, moved)
            yield f"{self.key}_ovr_{kind}", float(np.sqrt(square))


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


def _roc_slopes(table: ScoreTable) -> Floats:
    """Return (2, m) derivatives of the area by the weight of a negative and a positive row.

    It is how far the placement of a row lies from the area, by the size of its class.
    """
    step_up, step_right = table.steps()
    if not table.positives or not table.negatives:
        return np.zeros((2, len(step_up)))
    area = roc_area(table)
    below = 1 - (table.fp - step_right / 2) / table.negatives
    above = (table.tp - step_up / 2) / table.positives
    return np.stack([(above - area) / table.negatives, (below - area) / table.positives])


def _precision_slopes(table: ScoreTable) -> Floats:
    """Return (2, m) derivatives of average precision by the weight of a negative and a positive.

    It changes the precision of every positive at or below it, and a positive adds its own.
    """
    step_up, _ = table.steps()
    if not table.positives:
        return np.zeros((2, len(step_up)))
    called = (table.tp + table.fp).astype(np.float64)
    own = table.tp / called - average_precision(table)
    gained = _from_here_down(step_up * table.fp / called**2)
    lost = _from_here_down(step_up * table.tp / called**2)
    return np.stack([-lost / table.positives, (own + gained) / table.positives])


def _from_here_down(values: Floats) -> Floats:
    return np.cumsum(values[::-1])[::-1]


_AREAS: Mapping[str, tuple[Callable[[ScoreTable], Number], Callable[[ScoreTable], Floats]]] = {
    "roc_auc": (roc_area, _roc_slopes),
    "average_precision": (average_precision, _precision_slopes),
}
"""Areas under a curve and their derivatives, by the keys of the catalogue."""
