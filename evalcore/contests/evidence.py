"""What rows say about models, whether they share the rows or not."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalcore.comparison.evidence import Tables
from evalcore.comparison.resamples import DrawnDifferences
from evalcore.comparison.sample_size import SampleSize, from_error
from evalcore.comparison.spec import BACKWARDS
from evalcore.contests.contenders import Contender, Ranker
from evalcore.contests.contest import Contest
from evalcore.contests.draws import Draws
from evalcore.contests.estimates import estimated
from evalcore.metrics.spec import Estimate
from evalcore.options import Options
from evalcore.resampling.delong import PairedAreas
from evalcore.resampling.interval import Interval

FEWEST = 10
"""With fewer rows, or fewer of either class where scores rank them, nothing is said for sure."""

MOST_DRAWN = 12
"""With more models, tests in closed form are not doubled by resamples."""


@dataclass(frozen=True, eq=False)
class RowEvidence:
    """What both kinds of evidence share; `draws` are made here where none are at hand."""

    contest: Contest
    options: Options
    rope: float
    draws: Draws | None = None

    @property
    def contenders(self) -> tuple[Contender, ...]:
        """The models, in the file's order."""
        return self.contest.contenders

    @property
    def key(self) -> str:
        """Key of the metric."""
        return self.contest.metric.key

    @cached_property
    def _draws(self) -> Draws:
        return self.draws or Draws(self.contest, self.options)

    @cached_property
    def estimates(self) -> Sequence[Estimate]:
        """The value of each model with its interval."""
        return [estimated(self._draws, k, self.options) for k in range(len(self.contenders))]

    def drawable(self, first: int, second: int) -> bool:
        """Whether the difference over resamples is offered.

        Of many models it is not, where there is a test in closed form.
        """
        closed = self.key in ("accuracy", "roc_auc") and len(self.contenders) > MOST_DRAWN
        return not closed and self._draws.drawable(first, second)

    def difference(self, first: int, second: int) -> DrawnDifferences:
        """Return the difference of two models over resamples; only where both are drawable."""
        draws, better = self._draws, self.contest.metric.better
        gap = float(self.contenders[second].value - self.contenders[first].value)
        with np.errstate(invalid="ignore"):  # of two infinite numbers
            values = draws.of(second) - draws.of(first)
        return DrawnDifferences(gap, values, better, draws.method(first))

    def drawn_interval(self, tables: Tables) -> Interval:
        """Return the interval of a difference over resamples; NaN where there are none."""
        level = self.options.level
        if DrawnDifferences not in tables:
            return Interval(np.nan, np.nan, "none", level)
        made: Interval = tables[DrawnDifferences].interval(level)
        return made

    def size(self, tables: Tables) -> SampleSize | None:
        """Return what it takes to settle it, from the standard error of the difference."""
        level = self.options.level
        if PairedAreas in tables:
            areas = tables[PairedAreas]
            error = float(np.sqrt(areas.variance_of_difference))
            return from_error(self.key, areas.difference, error, self.n, level)
        if DrawnDifferences in tables:
            drawn = tables[DrawnDifferences]
            return from_error(self.key, drawn.observed, drawn.error, self.n, level)
        return None

    @property
    def doubt(self) -> str:
        """Why nothing can be concluded; "" if something can."""
        if self.key == "roc_auc" and self._backwards:
            return BACKWARDS
        for one in self.contenders:
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
