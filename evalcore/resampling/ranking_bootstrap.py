"""The bootstrap of what a ranking is worth: one multinomial draw of bins of scores.

Where the table has few distinct scores or few positives the draws are those of the rows exactly.
Otherwise each draw takes the expected value over what happens inside a bin, given how many rows of
each class fall into it (Rao and Blackwell). That leaves out less than the chance in 2,000 draws
adds, and makes the cost independent of the number of rows. A weight is a number of rows; where
weights are fractional, draws hold as many rows as the weights add up to, rounded.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalcore.outcomes import Floats
from evalcore.resampling.bootstrap import (
    PLAN,
    Bootstrap,
    Plan,
    chunks,
    draw_cells,
    percentile_bootstrap,
)
from evalcore.resampling.ranking_bins import RankingBins
from evalcore.tables.scores import ScoreTable
from evalcore.tables.weights import quotient

_DRAWS = 128
"""Draws that are made at once: what is made of them stays in the processor's cache."""

_GAUSS = (1 - 1 / np.sqrt(3)) / 2, (1 + 1 / np.sqrt(3)) / 2
"""Where to look inside a bin: the two-point Gauss-Legendre rule on [0, 1]."""


@dataclass(frozen=True, eq=False)
class BinDraws:
    """(b, k) rows of each class in each bin, over b draws."""

    positives: Floats
    negatives: Floats

    @cached_property
    def tp(self) -> Floats:
        """Positives in each bin and in those of higher scores."""
        return np.cumsum(self.positives, axis=1)

    @cached_property
    def fp(self) -> Floats:
        """Negatives there."""
        return np.cumsum(self.negatives, axis=1)


@dataclass(frozen=True, eq=False)
class RankingDraws:
    """Resamples of a score table, as rows of each class in each bin of scores.

    Attributes:
        table: What was drawn from.
        bins: Its bins; where they are exact, the draws are those of the rows, nothing averaged.
        runs: (b, k) draws, a few at a time.
        level: Confidence level of the intervals.
    """

    table: ScoreTable
    bins: RankingBins
    runs: tuple[BinDraws, ...]
    level: float

    @cached_property
    def roc_auc(self) -> Bootstrap:
        """The areas under the ROC curve; a draw without one of the classes fails."""
        areas = [_roc_areas(draws, self.bins.concordance) for draws in self.runs]
        return percentile_bootstrap(np.concatenate(areas), self.level)

    @cached_property
    def average_precision(self) -> Bootstrap:
        """The average precisions; a draw without positives fails."""
        places = _GAUSS[:1] if self.bins.exact else _GAUSS
        nodes = [_Node.at(self.bins, place) for place in places]
        means = [_average_precisions(draws, nodes) for draws in self.runs]
        return percentile_bootstrap(np.concatenate(means), self.level)

    @property
    def observed(self) -> ScoreTable:
        """The table at the lowest score of each bin."""
        last = self.bins.last
        return ScoreTable(self.table.threshold[last], self.table.tp[last], self.table.fp[last])

    @cached_property
    def resampled(self) -> ScoreTable:
        """The draws there: running counts of shape (B, k), in which a count may not rise at all."""
        tp = np.concatenate([draws.tp for draws in self.runs])
        fp = np.concatenate([draws.fp for draws in self.runs])
        return ScoreTable(self.table.threshold[self.bins.last], tp, fp)


def draw_ranking(table: ScoreTable, rng: np.random.Generator, plan: Plan = PLAN) -> RankingDraws:
    """Draw the rows of a score table again.

    >>> table = ScoreTable.from_scores(np.arange(100.0), np.arange(100) >= 40)
    >>> drawn = draw_ranking(table, np.random.default_rng(0), Plan(resamples=200))
    >>> drawn.roc_auc.interval.low, drawn.resampled.tp.shape
    (1.0, (200, 61))
    """
    bins = RankingBins.of(table)
    cells = np.concatenate([bins.positives, bins.negatives])
    drawn = (draw_cells(cells, *run) for run in chunks(plan.resamples, rng, _DRAWS))
    runs = tuple(BinDraws(*np.split(rows, 2, axis=1)) for rows in drawn)
    return RankingDraws(table, bins, runs, plan.level)


def _roc_areas(draws: BinDraws, concordance: Floats) -> Floats:
    wins = draws.tp - draws.positives + concordance * draws.positives
    pairs = draws.positives.sum(axis=1) * draws.negatives.sum(axis=1)
    return quotient(np.einsum("bk,bk->b", draws.negatives, wins), pairs)


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


def _average_precisions(draws: BinDraws, nodes: list[_Node]) -> Floats:
    """Integrate precision over the positives of each bin; exact where a bin is one score."""
    total = np.zeros(len(draws.positives))
    above, below = draws.tp - draws.positives, draws.fp - draws.negatives
    for node in nodes:
        right = above + node.slope * draws.positives + node.constant
        called = right + below + node.passed * draws.negatives
        total += np.einsum("bk,bk->b", draws.positives, quotient(right, called, empty=0.0))
    return quotient(total / len(nodes), draws.positives.sum(axis=1))
