"""The bootstrap of a ranking by bins of scores.

Where the table has few distinct scores or few positives the draws are those of the rows exactly.
Otherwise each draw takes the expected value over what happens inside a bin, given how many rows of
each class fall into it (Rao and Blackwell). That leaves out less than the chance in 2,000 draws
adds, and makes the cost independent of the number of rows. A weight is a number of rows; where
weights are fractional, draws hold as many rows as the weights add up to, rounded.

Rows of one class with one score have the same loss: they are a cell, and a resample of the rows is
a multinomial draw of the cells. Many cells are first put together with those of nearly the same
loss, the largest losses least. A mean over more than `NORMAL_ROWS` rows has a normal distribution
to any number of digits that matters. A weight is a number of rows.

Of few rows, those of each class are drawn by their places in the order of the scores. So all models
of a data set, which have as many rows of each class, share their draws, and what is drawn for one
depends on the seed and on its table, not on the other models or on the order of the rows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from evalcore.intervals.closed import LOG, Interval, interval_on_scale, normal_quantile
from evalcore.intervals.resamples import (
    PLAN,
    Bootstrap,
    Plan,
    chunks,
    draw_cells,
    percentile_bootstrap,
    times_drawn,
)
from evalcore.outcomes import Floats
from evalcore.tables.areas import average_precision, few_at_once
from evalcore.tables.confusion import Counts, quotient
from evalcore.tables.scores import ScoreTable, steps

EXACT_CELLS = 1024
"""Up to so many cells, each the rows of a class with one score, are drawn one by one."""

BINS = 256
"""Above, so many bins: a draw then errs by less than 0.03 of the spread of the draws."""


def coarse(rank: Counts) -> NDArray[np.intp]:
    """Choose at most `BINS` places to cut at, the last included, given (m,) rising row counts.

    Half of the parts hold equally many rows, half are equally wide on the scale of log rank.
    """
    part = np.arange(1, BINS // 2 + 1) / (BINS // 2)
    wanted = np.concatenate([part * rank[-1], np.maximum(rank[-1], 1.0) ** part])
    return np.unique(np.minimum(np.searchsorted(rank, wanted), len(rank) - 1))


@dataclass(frozen=True, eq=False)
class RankingBins:
    """Bins of k neighbouring scores, falling; equal scores share a bin.

    Attributes:
        positives: (k,) positives in each bin.
        negatives: (k,) negatives in each bin.
        concordance: (k,) share of the pairs within a bin ranked rightly, ties as one half.
        tied_positives: (k,) for a positive, the share of the bin's positives that have its score.
        tied_negatives: (k,) for a positive, the share of the bin's negatives that have its score.
        simple: (k,) whether nothing of interest happens inside: one score, or no positive.
        last: (k,) row of the table where the bin ends.
    """

    positives: Floats
    negatives: Floats
    concordance: Floats
    tied_positives: Floats
    tied_negatives: Floats
    simple: NDArray[np.bool_]
    last: NDArray[np.intp]

    @classmethod
    def of(cls, table: ScoreTable) -> Self:
        """Cut the table into bins that lose nothing if few are enough, else into at most `BINS`.

        Narrow bins at the first ranks are there for precision, which is settled there.
        """
        positive, _ = table.steps()
        ends = np.arange(len(positive))
        if np.count_nonzero(positive) <= EXACT_CELLS:
            ends = _without_loss(positive)
        if sum(np.count_nonzero(steps(c[ends])) for c in (table.tp, table.fp)) > EXACT_CELLS:
            ends = ends[coarse(table.tp[ends] + table.fp[ends])]
        return cls._between(table, ends)

    @classmethod
    def _between(cls, table: ScoreTable, ends: NDArray[np.intp]) -> Self:
        # In float64, which large weights do not overflow.
        positive, negative = (steps.astype(np.float64) for steps in table.steps())
        starts = np.append(0, ends + 1)[: len(ends)]

        def total(values: Floats) -> Floats:
            sums: Floats = np.add.reduceat(values, starts) if len(starts) else values
            return sums

        positives, negatives = total(positive), total(negative)
        above = table.tp[ends] - positives
        wins = total(negative * (table.tp - positive / 2)) - negatives * above
        return cls(
            positives,
            negatives,
            # Sums of fractional weights are rounded, and no share of pairs exceeds 1.
            np.clip(quotient(wins, positives * negatives, empty=0.0), 0.0, 1.0),
            quotient(total(positive * positive), positives**2, empty=0.0),
            quotient(total(positive * negative), positives * negatives, empty=0.0),
            (ends == starts) | (positives == 0),
            ends,
        )

    @property
    def exact(self) -> bool:
        """Whether resamples of the bins are resamples of the rows, for every ranking metric."""
        return bool(self.simple.all())


def _without_loss(positive: Counts) -> NDArray[np.intp]:
    """Return the rows where a bin must end: runs of scores without a positive are one bin."""
    some = positive > 0
    return np.flatnonzero(some | np.append(some[1:], True)[: len(some)])


MOST_DRAWN = 1 << 22
"""Up to so many rows, over all draws, are drawn by their places: 16 MB are held for the next."""

Counted = NDArray[np.float32]
"""Whole numbers below 2^24, which float32 holds at half the cost."""


@lru_cache(maxsize=1)
def rows_drawn(positives: int, negatives: int, plan: Plan) -> tuple[Counted, Counted]:
    """Draw so many rows with replacement, and count those of each class that are drawn.

    Returns (positives + 1, B) and (negatives + 1, B): how often the first 0, 1, 2, ... rows of the
    class are drawn together. All draws of a place lie side by side, to be taken at one stroke.
    """
    times = times_drawn(positives + negatives, plan.resamples, np.random.default_rng(plan.seed))
    counts = []
    for rows in (times[:, :positives], times[:, positives:]):
        upto = np.zeros((rows.shape[1] + 1, len(rows)), dtype=np.float32)
        np.cumsum(rows.T, axis=0, out=upto[1:])
        upto.flags.writeable = False
        counts.append(upto)
    return counts[0], counts[1]


def _by_place(table: ScoreTable, plan: Plan) -> tuple[Counted, Counted] | None:
    """Return draws of the rows of a table by their places; None where these are too many."""
    whole = table.tp.dtype == np.int64
    if not whole or table.n * plan.resamples > MOST_DRAWN:
        return None
    return rows_drawn(int(table.positives), int(table.negatives), plan)


_EXACT_PRODUCTS = 1 << 24
"""Of fewer pairs of rows float32 holds any number, so that sums of products of counts are exact."""

_DRAWS_AT_ONCE = 128
"""Draws that are made at once: what is made of them stays in the processor's cache."""

_GAUSS = (1 - 1 / np.sqrt(3)) / 2, (1 + 1 / np.sqrt(3)) / 2
"""Where to look inside a bin: the two-point Gauss-Legendre rule on [0, 1]."""


@dataclass(frozen=True, eq=False)
class RankingDraws:
    """Resamples of a score table, as rows of each class in each bin of scores.

    Attributes:
        table: What was drawn from.
        bins: Its bins; where they are exact, the draws are those of the rows, nothing averaged.
        tp: (B, k) positives at or above each bin; float32 where products of two are exact in it.
        fp: (B, k) negatives there.
    """

    table: ScoreTable
    bins: RankingBins
    tp: Counts
    fp: Counts
    level: float

    @cached_property
    def average_precision(self) -> Bootstrap:
        """The average precisions; a draw without positives fails."""
        if self.bins.exact:
            return percentile_bootstrap(np.asarray(average_precision(self.resampled)), self.level)
        nodes = [_Node.at(self.bins, place) for place in _GAUSS]
        means = [_average_precisions(few, nodes) for few in few_at_once(self.resampled)]
        return percentile_bootstrap(np.concatenate(means), self.level)

    @property
    def observed(self) -> ScoreTable:
        """The table at the lowest score of each bin."""
        last = self.bins.last
        return ScoreTable(self.table.threshold[last], self.table.tp[last], self.table.fp[last])

    @cached_property
    def resampled(self) -> ScoreTable:
        """The draws there: running counts of shape (B, k), in which a count may not rise at all."""
        return ScoreTable(self.table.threshold[self.bins.last], self.tp, self.fp)


def draw_ranking(table: ScoreTable, plan: Plan = PLAN) -> RankingDraws:
    """Draw the rows of a score table again."""
    bins = RankingBins.of(table)
    rows = _by_place(table, plan)
    if rows is not None:
        kind: type[np.floating[Any]] = np.float32 if table.n**2 < _EXACT_PRODUCTS else np.float64
        tp, fp = (
            drawn.take(counts[bins.last].astype(np.intp), axis=0).astype(kind, copy=False).T
            for drawn, counts in zip(rows, (table.tp, table.fp), strict=True)
        )
        return RankingDraws(table, bins, tp, fp, plan.level)
    drawn = _cells_drawn(np.concatenate([bins.positives, bins.negatives]), plan)
    tp, fp = (np.cumsum(part, axis=1, out=part) for part in np.split(drawn, 2, axis=1))
    return RankingDraws(table, bins, tp, fp, plan.level)


def _cells_drawn(cells: Floats, plan: Plan) -> Floats:
    """Return (B, c) draws of (c,) cells."""
    runs = chunks(plan.resamples, np.random.default_rng(plan.seed), _DRAWS_AT_ONCE)
    return np.concatenate([draw_cells(cells, *run) for run in runs])


@dataclass(frozen=True, eq=False)
class _Node:
    """Where a positive inside each bin stands at one node of the quadrature.

    With p of the bin's positives and q of its negatives drawn, p * slope + constant positives and
    q * passed negatives of the bin have a score at least as high.
    """

    slope: Floats
    constant: Floats
    passed: Floats

    @classmethod
    def at(cls, bins: RankingBins, place: float) -> "_Node":
        """Place it at this share of the way through the bin's tie groups.

        It stands at the end of a group of 1 + (p - 1) s positives. Negatives are passed along the
        power curve that has the bin's concordance.
        """
        tied = bins.tied_positives
        middle = tied / 2 + place * (1 - tied)
        with np.errstate(divide="ignore"):
            passed = middle ** (bins.concordance / (1 - bins.concordance))
        return cls(
            place + (1 - place) * tied, (1 - place) * (1 - tied), passed + bins.tied_negatives / 2
        )


def _average_precisions(draws: ScoreTable, nodes: list[_Node]) -> Floats:
    """Integrate precision over the positives of each bin; exact where a bin is one score."""
    total, positives, negatives = np.zeros(len(draws.tp)), steps(draws.tp), steps(draws.fp)
    above, below = draws.tp - positives, draws.fp - negatives
    for node in nodes:
        right = above + node.slope * positives + node.constant
        called = right + below + node.passed * negatives
        total += np.einsum("bk,bk->b", positives, quotient(right, called, empty=0.0))
    return quotient(total / len(nodes), positives.sum(axis=1))


NORMAL_ROWS = 100_000
"""Above so many rows nothing is drawn: the mean of so many losses is normal."""

Losses = Callable[[Floats], tuple[Floats, Floats]]
"""Maps (m,) scores to the (m,) losses of a positive row and of a negative row."""


class LossDraws:
    """Resamples of the losses of a score table; losses that group rows alike share their draws."""

    def __init__(self, table: ScoreTable, plan: Plan = PLAN) -> None:
        self.table, self.plan = table, plan
        self._drawn: dict[bytes, Floats] = {}
        self._found: dict[bytes, Interval] = {}

    def interval(self, losses: Losses) -> Interval:
        """Return the interval of a mean loss, between the smallest and the largest loss.

        Method "bootstrap-se", or "normal-mean" where nothing was drawn. NaN without rows,
        and where a loss is infinite. It is the same whichever losses came before.
        """
        cells = _Cells.of(self.table, losses)
        key = cells.loss.tobytes()  # where no probability is clipped, losses are the same
        if key not in self._found:
            self._found[key] = self._interval(cells, losses)
        return self._found[key]

    def _interval(self, cells: "_Cells", losses: Losses) -> Interval:
        level = self.plan.level
        if not len(cells.loss) or not np.isfinite(cells.loss).all():
            return Interval(np.nan, np.nan, "bootstrap-se", level)
        rows = float(cells.rows.sum())
        if rows > NORMAL_ROWS:
            return _normal(cells, level)
        if cells.loss.min() == cells.loss.max() or not rows > 1:
            mean = float(cells.within(np.array(cells.mean)))
            return Interval(mean, mean, "bootstrap-se", level, degenerate=True)
        means = cells.within(self._means(cells, losses))
        found = interval_on_scale(cells.mean, means, LOG, rows, level)
        low, high = cells.within([float(found.low), float(found.high)])
        return Interval(low, high, found.method, level, found.degenerate)

    def _means(self, cells: "_Cells", losses: Losses) -> Floats:
        """Return the (B,) means over the draws."""
        rows = _by_place(self.table, self.plan)
        if rows is None:
            few = cells.grouped()
            drawn = self._draws(few.rows)
            return quotient(np.einsum("bc,c->b", drawn, few.loss), drawn.sum(axis=1))
        # As distances from the mean, of which float32 holds enough digits.
        sides = zip(rows, losses(self.table.threshold), self.table.steps(), strict=True)
        gaps = [
            _summed(drawn, np.repeat(loss - cells.mean, n.astype(np.intp)))
            for drawn, loss, n in sides
        ]
        means: Floats = cells.mean + (gaps[0] + gaps[1]) / float(self.table.n)
        return means

    def _draws(self, rows: Floats) -> Floats:
        """Return (B, c) draws of (c,) rows."""
        key = rows.tobytes()
        if key not in self._drawn:
            self._drawn[key] = _cells_drawn(rows, self.plan)
        return self._drawn[key]


def _summed(drawn: Counted, values: Floats) -> Floats:
    """Return the (B,) sums of (r,) values, each as often as its row is drawn.

    Given running counts, each step from a value to the next counts for all rows before it.
    """
    if not len(values):
        return np.zeros(drawn.shape[1])
    steps = -np.diff(values, append=0.0)
    # Not by BLAS, whose threads cost more than they save here.
    sums = np.einsum("rb,r->b", drawn[1:], steps.astype(np.float32))
    return np.asarray(sums, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class _Cells:
    """(c,) losses and the rows that have them."""

    loss: Floats
    rows: Floats

    @classmethod
    def of(cls, table: ScoreTable, losses: Losses) -> Self:
        loss, rows = np.concatenate(losses(table.threshold)), np.concatenate(table.steps())
        filled = np.flatnonzero(rows)
        return cls(loss[filled], rows[filled].astype(np.float64))

    @property
    def mean(self) -> float:
        return float(np.sum(self.loss * self.rows) / np.sum(self.rows))

    def within(self, means: Floats | list[float]) -> Floats:
        """Keep means between the smallest and the largest loss, which rounding may leave."""
        return np.clip(means, self.loss.min(), self.loss.max())

    def grouped(self) -> "_Cells":
        """Put cells of neighbouring losses together if there are many, at their mean loss."""
        if len(self.loss) <= EXACT_CELLS:
            return self
        order = np.argsort(-self.loss)
        loss, rows = self.loss[order], self.rows[order]
        starts = np.append(0, coarse(np.cumsum(rows)) + 1)[:-1]
        total = np.add.reduceat(rows, starts)
        return _Cells(np.add.reduceat(loss * rows, starts) / total, total)


def _normal(cells: _Cells, level: float) -> Interval:
    n = np.sum(cells.rows)
    variance = np.sum(cells.rows * (cells.loss - cells.mean) ** 2) / (n - 1)
    reach = normal_quantile(level) * np.sqrt(variance / n)
    low, high = cells.within([cells.mean - reach, cells.mean + reach])
    return Interval(low, high, "normal-mean", level, degenerate=bool(reach == 0))
