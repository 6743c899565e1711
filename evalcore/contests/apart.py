"""Models that were each scored on rows of their own."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from evalcore.comparison.delong import delong_difference
from evalcore.comparison.evidence import Tables
from evalcore.comparison.proportions import TwoProportions, newcombe_independent
from evalcore.comparison.resamples import DrawnDifferences
from evalcore.comparison.spec import Design, Situation
from evalcore.contests.contenders import Decider, Ranker
from evalcore.contests.evidence import RowEvidence
from evalcore.errors import Notice
from evalcore.on_demand import OnDemand
from evalcore.resampling.delong import PairedAreas, delong_variance
from evalcore.resampling.interval import Interval


@dataclass(frozen=True, eq=False)
class Apart(RowEvidence):
    """Models that were each scored on rows of their own."""

    @property
    def n(self) -> float:
        """Rows, or the sum of their weights."""
        return float(sum(one.outcomes.n for one in self.contenders))

    @property
    def situation(self) -> Situation:
        """How the rows were collected."""
        return Situation(Design.INDEPENDENT, self.key, len(self.contenders))

    @property
    def overall(self) -> Tables:
        """The tables about all models at once."""
        return MappingProxyType({})

    def pair(self, first: int, second: int) -> Tables:
        """Return the tables about two models."""
        one, other = self.contenders[first], self.contenders[second]
        made: dict[type, Callable[[], Any]] = {}
        if self.key == "accuracy" and isinstance(one, Decider) and isinstance(other, Decider):
            made[TwoProportions] = partial(TwoProportions, one.right_of_all, other.right_of_all)
        if self.key == "roc_auc" and isinstance(one, Ranker) and isinstance(other, Ranker):
            made[PairedAreas] = partial(_areas, one, other)
        if self.drawable(first, second):
            made[DrawnDifferences] = partial(self.difference, first, second)
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
