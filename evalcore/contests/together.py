"""Models on the same rows: paired tables, shared resamples, and folds where the rows have them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

import numpy as np

from evalcore.comparison.delong import delong_difference
from evalcore.comparison.evidence import Tables
from evalcore.comparison.from_folds import Shared, shared_folds
from evalcore.comparison.proportions import newcombe_paired
from evalcore.comparison.resamples import DrawnDifferences, LossDifferences
from evalcore.comparison.rows import Hits
from evalcore.comparison.sample_size import SampleSize, from_discordance
from evalcore.comparison.spec import Design, Situation
from evalcore.contests.contenders import Decider, Ranker
from evalcore.contests.evidence import RowEvidence
from evalcore.contests.foldwise import MOST_FOLDS, folds_of, foldwise
from evalcore.errors import Notice
from evalcore.on_demand import OnDemand
from evalcore.resampling.delong import Areas, PairedAreas, delong_areas
from evalcore.resampling.interval import Interval
from evalcore.tables.paired import PairedTable


@dataclass(frozen=True, eq=False)
class Together(RowEvidence):
    """Models on the same rows."""

    @property
    def n(self) -> float:
        """Rows, or the sum of their weights."""
        outcomes = self.contenders[0].outcomes
        return float(outcomes.n if outcomes.weight is None else outcomes.weight.sum())

    @property
    def situation(self) -> Situation:
        """How the rows were collected."""
        folds, models = self._folds, len(self.contenders)
        if folds is None:
            return Situation(Design.PAIRED_ROWS, self.key, models)
        return Situation(Design.FOLDS, self.key, models, folds=folds.folds)

    @cached_property
    def _areas(self) -> Areas:
        rankers = [one for one in self.contenders if isinstance(one, Ranker)]
        outcomes = rankers[0].outcomes
        return delong_areas([one.score for one in rankers], outcomes.truth, outcomes.weight)

    @cached_property
    def _codes(self) -> list[int]:
        """The folds that there are."""
        return folds_of(self.contest)

    @cached_property
    def _folds(self) -> Shared | None:
        """The value of each model on each fold where all have one; None for fewer than two."""
        scores = foldwise(self.contest)
        if scores is None or np.isfinite(scores.score).all(axis=0).sum() < 2:
            return None
        return shared_folds(scores)

    @property
    def overall(self) -> Tables:
        """The tables about all models at once."""
        deciders = [one for one in self.contenders if isinstance(one, Decider)]
        if self.key != "accuracy" or not deciders:
            return MappingProxyType({})
        truth, weight = deciders[0].outcomes.truth, deciders[0].outcomes.weight
        right = np.stack([one.decision == truth for one in deciders], axis=1)
        return MappingProxyType({Hits: Hits(right.astype(np.float64), weight)})

    def pair(self, first: int, second: int) -> Tables:
        """Return the tables about two models."""
        one, other = self.contenders[first], self.contenders[second]
        made: dict[type, Callable[[], Any]] = {}
        if self._folds is not None:
            between = self._folds.between(first, second, self.rope)
            made |= {needed: partial(between.__getitem__, needed) for needed in between}
        if self.key == "accuracy" and isinstance(one, Decider) and isinstance(other, Decider):
            made[PairedTable] = partial(_paired, one, other)
        if self.key == "roc_auc":
            made[PairedAreas] = partial(self._areas.pair, first, second)
        if self.drawable(first, second):
            made[DrawnDifferences] = partial(self.difference, first, second)
        if one.losses is not None and other.losses is not None:
            losses = one.losses, other.losses, one.outcomes.weight
            made[LossDifferences] = partial(LossDifferences.of, *losses)
        return OnDemand(made)

    def gap(self, tables: Tables) -> Interval:
        """Return the interval of the difference that goes with the main test."""
        level = self.options.level
        if PairedTable in tables:
            return newcombe_paired(tables[PairedTable].rightness, level)
        if PairedAreas in tables:
            return delong_difference(tables[PairedAreas], level)
        return self.drawn_interval(tables)

    def size(self, tables: Tables) -> SampleSize | None:
        """Return what it takes to settle it."""
        if PairedTable in tables:
            cells = tables[PairedTable].rightness
            return from_discordance(
                cells.only_first, cells.only_second, cells.n, self.options.level
            )
        return super().size(tables)

    def remarks(self) -> Iterator[Notice]:
        """Return what the reader must know about the rows."""
        folds, name = self._folds, self.contest.metric.name
        if folds is not None:
            yield Notice(
                "rows-and-folds",
                "Tests on rows ask about these predictions; tests on folds ask about the ways of "
                "making models, trained on other rows of the kind.",
            )
        used, given = 0 if folds is None else folds.values.shape[1], len(self._codes)
        if used < given:
            few = f"in {given - used} of {given} folds {name} is undefined"
            said = f"there are {given}" if given > MOST_FOLDS else few
            yield Notice("folds-left-out", f"Tests on folds use {used} folds: {said}.", "warning")


def _paired(one: Decider, other: Decider) -> PairedTable:
    outcomes = one.outcomes
    codes = (outcomes.truth, one.decision, other.decision)
    return PairedTable.from_codes(outcomes.classes, codes, outcomes.weight)
