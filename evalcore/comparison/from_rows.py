"""Evidence from rows, shared by the models or each model's own."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

import numpy as np

from evalcore.comparison.candidate import Candidate, Decider, Ranker
from evalcore.comparison.candidates import MOST_FOLDS, Candidates, folds_of, scores_by_fold
from evalcore.comparison.distributions import ResampledValues, estimated
from evalcore.comparison.evidence import Tables
from evalcore.comparison.from_folds import SharedFolds, shared_folds
from evalcore.comparison.resamples import LossDifferences, ResampledDifferences, delong_difference
from evalcore.comparison.rows import (
    Correctness,
    SampleSize,
    TwoProportions,
    from_discordance,
    from_error,
    newcombe_independent,
    newcombe_paired,
)
from evalcore.comparison.spec import BACKWARDS, Design, Situation
from evalcore.errors import Notice
from evalcore.intervals.closed import Interval
from evalcore.intervals.delong import Areas, PairedAreas, delong_areas, delong_variance
from evalcore.metrics.metric import Estimate
from evalcore.options import Options
from evalcore.tables.paired import PairedTable
from evalcore.work import OnDemand

FEWEST = 10
"""With fewer rows, or fewer of either class where scores rank them, nothing is said for sure."""

MOST_DRAWN = 12
"""With more models, tests in closed form are not doubled by resamples."""


@dataclass(frozen=True, eq=False)
class RowEvidence:
    """What both kinds of evidence share; `draws` are made here where none are at hand."""

    candidates: Candidates
    options: Options
    rope: float
    draws: ResampledValues | None = None

    @property
    def models(self) -> tuple[Candidate, ...]:
        """The models, in the file's order."""
        return self.candidates.models

    @property
    def key(self) -> str:
        """Key of the metric."""
        return self.candidates.metric.key

    @cached_property
    def _draws(self) -> ResampledValues:
        return self.draws or ResampledValues(self.candidates, self.options)

    @cached_property
    def estimates(self) -> Sequence[Estimate]:
        """The value of each model with its interval."""
        return [estimated(self._draws, k, self.options) for k in range(len(self.models))]

    def can_resample(self, first: int, second: int) -> bool:
        """Whether the difference over resamples is offered.

        Of many models it is not, where there is a test in closed form.
        """
        closed = self.key in ("accuracy", "roc_auc") and len(self.models) > MOST_DRAWN
        return not closed and self._draws.can_resample(first, second)

    def difference(self, first: int, second: int) -> ResampledDifferences:
        """Return the difference of two models over resamples; only where both have these."""
        draws, better = self._draws, self.candidates.metric.better
        gap = float(self.models[second].value - self.models[first].value)
        with np.errstate(invalid="ignore"):  # of two infinite numbers
            values = draws.of(second) - draws.of(first)
        return ResampledDifferences(gap, values, better, draws.method(first))

    def drawn_interval(self, tables: Tables) -> Interval:
        """Return the interval of a difference over resamples; NaN where there are none."""
        level = self.options.level
        if ResampledDifferences not in tables:
            return Interval(np.nan, np.nan, "none", level)
        made: Interval = tables[ResampledDifferences].interval(level)
        return made

    def size(self, tables: Tables) -> SampleSize | None:
        """Return what it takes to settle it, from the standard error of the difference."""
        level = self.options.level
        if PairedAreas in tables:
            areas = tables[PairedAreas]
            error = float(np.sqrt(areas.variance_of_difference))
            return from_error(self.key, areas.difference, error, self.n, level)
        if ResampledDifferences in tables:
            drawn = tables[ResampledDifferences]
            return from_error(self.key, drawn.observed, drawn.error, self.n, level)
        return None

    @property
    def doubt(self) -> str:
        """Why nothing can be concluded; "" if something can."""
        if self.key == "roc_auc" and self._backwards:
            return BACKWARDS
        for one in self.models:
            if one.outcomes.n < FEWEST:
                return f"{one.outcomes.n} rows are too few"
            if isinstance(one, Ranker):
                classes = one.outcomes.classes
                rows = one.table.negatives, one.table.positives
                for name, count in zip(classes, rows, strict=True):
                    if 0 < count < FEWEST:
                        return f'{count:g} rows of "{name}" are too few'
        return ""

    @property
    def _backwards(self) -> bool:
        """Whether every model ranks positives behind negatives, for sure."""
        return all(one.high is not None and one.high < 0.5 for one in self.estimates)

    @property
    def n(self) -> float:
        """Rows, or the sum of their weights."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class IndependentRows(RowEvidence):
    """Models that were each scored on rows of their own."""

    @property
    def n(self) -> float:
        """Rows, or the sum of their weights."""
        return float(sum(one.outcomes.n for one in self.models))

    @property
    def situation(self) -> Situation:
        """How the rows were collected."""
        return Situation(Design.INDEPENDENT, self.key, len(self.models))

    @property
    def overall(self) -> Tables:
        """The tables about all models at once."""
        return MappingProxyType({})

    def pair(self, first: int, second: int) -> Tables:
        """Return the tables about two models."""
        one, other = self.models[first], self.models[second]
        made: dict[type, Callable[[], Any]] = {}
        if self.key == "accuracy" and isinstance(one, Decider) and isinstance(other, Decider):
            made[TwoProportions] = partial(TwoProportions, one.right_of_all, other.right_of_all)
        if self.key == "roc_auc" and isinstance(one, Ranker) and isinstance(other, Ranker):
            made[PairedAreas] = partial(_areas, one, other)
        if self.can_resample(first, second):
            made[ResampledDifferences] = partial(self.difference, first, second)
        return OnDemand(made)

    def gap(self, tables: Tables) -> Interval:
        """Return the interval of the difference that goes with the main test."""
        level = self.options.level
        if TwoProportions in tables:
            shares = tables[TwoProportions]
            return newcombe_independent(shares.first, shares.second, level)
        if PairedAreas in tables:
            return delong_difference(tables[PairedAreas], level)
        return self.drawn_interval(tables)

    def remarks(self) -> Iterator[Notice]:
        """Return what the reader must know about the rows."""
        return iter(())


def _areas(one: Ranker, other: Ranker) -> PairedAreas:
    """Return two areas; the classes of the model with fewer pairs of rows stand for both."""
    tables = one.table, other.table
    fewer = min(tables, key=lambda table: table.positives * table.negatives)
    return PairedAreas(
        first=one.value,
        second=other.value,
        variance_first=delong_variance(one.table),
        variance_second=delong_variance(other.table),
        covariance=0.0,
        rows=(float(fewer.negatives), float(fewer.positives)),
    )


@dataclass(frozen=True, eq=False)
class PairedRows(RowEvidence):
    """Models on the same rows."""

    @property
    def n(self) -> float:
        """Rows, or the sum of their weights."""
        outcomes = self.models[0].outcomes
        return float(outcomes.n if outcomes.weight is None else outcomes.weight.sum())

    @property
    def situation(self) -> Situation:
        """How the rows were collected."""
        folds, models = self._folds, len(self.models)
        if folds is None:
            return Situation(Design.PAIRED_ROWS, self.key, models)
        return Situation(Design.FOLDS, self.key, models, folds=folds.folds)

    @cached_property
    def _areas(self) -> Areas:
        rankers = [one for one in self.models if isinstance(one, Ranker)]
        outcomes = rankers[0].outcomes
        return delong_areas(outcomes.truth, [one.score for one in rankers], outcomes.weight)

    @cached_property
    def _codes(self) -> list[int]:
        """The folds that there are."""
        return folds_of(self.candidates)

    @cached_property
    def _folds(self) -> SharedFolds | None:
        """The value of each model on each fold where all have one; None for fewer than two."""
        scores = scores_by_fold(self.candidates)
        if scores is None or np.isfinite(scores.score).all(axis=0).sum() < 2:
            return None
        return shared_folds(scores)

    @property
    def overall(self) -> Tables:
        """The tables about all models at once."""
        deciders = [one for one in self.models if isinstance(one, Decider)]
        if self.key != "accuracy" or not deciders:
            return MappingProxyType({})
        truth, weight = deciders[0].outcomes.truth, deciders[0].outcomes.weight
        right = np.stack([one.decision == truth for one in deciders], axis=1)
        return MappingProxyType({Correctness: Correctness(right.astype(np.float64), weight)})

    def pair(self, first: int, second: int) -> Tables:
        """Return the tables about two models."""
        one, other = self.models[first], self.models[second]
        made: dict[type, Callable[[], Any]] = {}
        if self._folds is not None:
            between = self._folds.between(first, second, self.rope)
            made |= {needed: partial(between.__getitem__, needed) for needed in between}
        if self.key == "accuracy" and isinstance(one, Decider) and isinstance(other, Decider):
            made[PairedTable] = partial(_paired, one, other)
        if self.key == "roc_auc":
            made[PairedAreas] = partial(self._areas.pair, first, second)
        if self.can_resample(first, second):
            made[ResampledDifferences] = partial(self.difference, first, second)
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
        folds, name = self._folds, self.candidates.metric.name
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
