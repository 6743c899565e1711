"""A score table cut into few bins, with what a resample needs to know of the inside of each."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Floats
from evalcore.tables.scores import ScoreTable
from evalcore.tables.weights import Counts, quotient

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
        if _filled(table.tp[ends]) + _filled(table.fp[ends]) > EXACT_CELLS:
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


def _filled(cumulative: Counts) -> int:
    return int(np.count_nonzero(np.diff(cumulative, prepend=0)))
