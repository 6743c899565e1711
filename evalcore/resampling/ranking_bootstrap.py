"""The bootstrap of what a ranking is worth: one multinomial draw of bins of scores.

Where the table has few distinct scores or few positives the draws are those of the rows exactly.
Otherwise each draw takes the expected value over what happens inside a bin, given how many rows of
each class fall into it (Rao and Blackwell). That leaves out less than the chance in 2,000 draws
adds, and makes the cost independent of the number of rows. A weight is a number of rows; where
weights are fractional, draws hold as many rows as the weights add up to, rounded.
"""

from collections.abc import Iterator
from dataclasses import dataclass

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

_DRAWS = 128
"""Draws that are made at once: what is made of them stays in the processor's cache."""

_GAUSS = (1 - 1 / np.sqrt(3)) / 2, (1 + 1 / np.sqrt(3)) / 2
"""Where to look inside a bin: the two-point Gauss-Legendre rule on [0, 1]."""


@dataclass(frozen=True, eq=False)
class RankingBootstrap:
    """Areas under both curves over the same draws.

    Attributes:
        exact: Whether the draws are those of the rows, nothing averaged.
    """

    roc_auc: Bootstrap
    average_precision: Bootstrap
    exact: bool


@dataclass(frozen=True, eq=False)
class ScoreDraws:
    """A score table and resamples of it, on at most a few hundred thresholds.

    Attributes:
        observed: The table itself on these thresholds.
        draws: (B, m) running counts of the draws, in which a count may not rise at all.
        exact: Whether the draws are those of the rows, nothing averaged.
    """

    observed: ScoreTable
    draws: ScoreTable
    exact: bool


def bootstrap_ranking(
    table: ScoreTable, rng: np.random.Generator, plan: Plan = PLAN
) -> RankingBootstrap:
    """Return percentile intervals for `areas.roc_area` and `areas.average_precision`.

    A draw without one of the classes fails, for average precision one without positives.

    >>> table = ScoreTable.from_scores(np.arange(100.0), np.arange(100) >= 40)
    >>> bootstrap_ranking(table, np.random.default_rng(0)).roc_auc.interval.low
    1.0
    """
    bins = RankingBins.of(table)
    nodes = [_Node.at(bins, place) for place in (_GAUSS[:1] if bins.exact else _GAUSS)]
    areas = [
        (_roc_areas(draws, bins.concordance), _average_precisions(draws, nodes))
        for draws in _drawn(bins, rng, plan)
    ]
    roc, precision = (np.concatenate(parts) for parts in zip(*areas, strict=True))
    return RankingBootstrap(
        percentile_bootstrap(roc, plan.level),
        percentile_bootstrap(precision, plan.level),
        bins.exact,
    )


def draw_scores(table: ScoreTable, rng: np.random.Generator, plan: Plan = PLAN) -> ScoreDraws:
    """Draw the rows of a score table again, each bin of them keeping its lowest score.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.4, 0.4]), np.array([1, 0, 1]))
    >>> drawn = draw_scores(table, np.random.default_rng(0), Plan(resamples=200))
    >>> drawn.draws.tp.shape, drawn.exact
    ((200, 2), True)
    """
    bins = RankingBins.of(table)
    drawn = list(_drawn(bins, rng, plan))
    tp = np.cumsum(np.concatenate([draws.positives for draws in drawn]), axis=1)
    fp = np.cumsum(np.concatenate([draws.negatives for draws in drawn]), axis=1)
    threshold = table.threshold[bins.last]
    return ScoreDraws(
        ScoreTable(threshold, table.tp[bins.last], table.fp[bins.last]),
        ScoreTable(threshold, tp, fp),
        bins.exact,
    )


@dataclass(frozen=True, eq=False)
class _Draws:
    """(b, k) rows of each class in each bin, over b draws."""

    positives: Floats
    negatives: Floats

    @property
    def positives_above(self) -> Floats:
        return np.cumsum(self.positives, axis=1) - self.positives

    @property
    def negatives_above(self) -> Floats:
        return np.cumsum(self.negatives, axis=1) - self.negatives


def _drawn(bins: RankingBins, rng: np.random.Generator, plan: Plan) -> Iterator[_Draws]:
    """Draw the cells, all together or each class by itself."""
    cells = np.stack([bins.positives, bins.negatives])
    strata = cells if plan.stratified else cells.reshape(1, -1)
    for draws, child in chunks(plan.resamples, rng, _DRAWS):
        drawn = np.concatenate([draw_cells(counts, draws, child) for counts in strata], axis=1)
        yield _Draws(*np.split(drawn, 2, axis=1))


def _roc_areas(draws: _Draws, concordance: Floats) -> Floats:
    wins = draws.positives_above + concordance * draws.positives
    pairs = draws.positives.sum(axis=1) * draws.negatives.sum(axis=1)
    return _quotient(np.einsum("bk,bk->b", draws.negatives, wins), pairs)


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


def _average_precisions(draws: _Draws, nodes: list[_Node]) -> Floats:
    """Integrate precision over the positives of each bin; exact where a bin is one score."""
    total = np.zeros(len(draws.positives))
    above, below = draws.positives_above, draws.negatives_above
    for node in nodes:
        right = above + node.slope * draws.positives + node.constant
        called = right + below + node.passed * draws.negatives
        precision = np.divide(right, called, out=np.zeros_like(right), where=called > 0)
        total += np.einsum("bk,bk->b", draws.positives, precision)
    return _quotient(total / len(nodes), draws.positives.sum(axis=1))


def _quotient(part: Floats, whole: Floats) -> Floats:
    quotient = np.full(len(part), np.nan)
    np.divide(part, whole, out=quotient, where=whole > 0)
    return quotient
