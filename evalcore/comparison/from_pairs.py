"""Evidence from counts of each model by itself, and of each pair of models on the same rows.

Values and intervals of a model come from its own counts, which are the finest. How two models vary
together comes from the counts of both, whose numbers may be rounded.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from evalcore.comparison import power, rows
from evalcore.comparison.candidates import Candidates, choose_candidates
from evalcore.comparison.from_rows import Rows, from_rows
from evalcore.comparison.resampled import ResampledValues
from evalcore.comparison.results import Evidence, Tables
from evalcore.errors import Notice
from evalcore.intervals.delong import PairedAreas
from evalcore.options import Options
from evalcore.outcomes import Floats, Predictions
from evalcore.tables.confusion import PairedTable
from evalcore.work import OnDemand

NO_OVERALL = "It needs all models side by side; these counts hold two at a time."
"""Why there is no test of all models at once."""

_SAID = Notice(
    "counts-of-pairs",
    "Each model's value comes from the counts of that model; tests between two come from the "
    "counts of both, with rounded numbers.",
)


def from_pairs(
    candidates: Candidates,
    pairs: Mapping[tuple[str, str], Predictions],
    options: Options,
    *,
    rope: float,
    resampled: ResampledValues | None = None,
) -> Evidence:
    """Return what counts of pairs say about models, each of which is on cells of its own."""
    alone = from_rows(candidates, options, rope=rope, resampled=resampled)
    known = _Pairs(candidates, pairs, options, rope)
    first = known.rows(0, 1)
    told = [one for one in alone.notices if one.code != "independent-rows"]
    return replace(
        alone,
        situation=replace(first.situation, models=len(candidates.models)),
        n=first.n,
        pair=known.pair,
        overall={},
        no_overall=NO_OVERALL,
        deviations=known.deviations,
        crossed=first.folds is not None,
        notices=(*told, *first.remarks(), _SAID),
    )


@dataclass(frozen=True, eq=False)
class _Pairs:
    """The pairs of candidates, each on rows that both have."""

    candidates: Candidates
    pairs: Mapping[tuple[str, str], Predictions]
    options: Options
    rope: float

    @cached_property
    def _made(self) -> Mapping[tuple[int, int], Rows]:
        places = range(len(self.candidates.models))
        every = [(i, j) for i in places for j in places if i < j]
        return OnDemand({pair: partial(self._read, *pair) for pair in every})

    def rows(self, first: int, second: int) -> Rows:
        """Return what the rows of two models say."""
        return self._made[first, second]

    def _read(self, first: int, second: int) -> Rows:
        one, other = (self.candidates.models[place] for place in (first, second))
        both = self.pairs[one.name, other.name]
        found = choose_candidates(both, self.candidates.metric.key, self.options)
        # What a model decides by is the same beside any other.
        models = tuple(
            replace(own, rule=of.rule) for own, of in zip(found.models, (one, other), strict=True)
        )
        found = replace(found, models=models)
        return Rows(found, ResampledValues(found, self.options), self.rope)

    def pair(self, first: int, second: int) -> Tables:
        """Return the tables about two models, about their values as each has it by itself."""
        tables = self.rows(first, second).pair(0, 1)
        return OnDemand({of: partial(self._table, tables, of, first, second) for of in tables})

    def _table(self, tables: Tables, of: type, first: int, second: int) -> Any:
        made = tables[of]
        one, other = (self.candidates.models[place] for place in (first, second))
        gap = float(other.value - one.value)
        if isinstance(made, PairedAreas):
            # Variances and their covariance have to be of the same scores.
            return replace(made, first=one.value, second=other.value)
        if isinstance(made, rows.ResampledDifferences):
            return replace(made, observed=gap, values=made.values + (gap - made.observed))
        if isinstance(made, rows.LossDifferences):
            root = self.candidates.metric.key == "rmse"
            scale = float(one.value + other.value) if root else made.scale
            return replace(made, mean=gap * scale, scale=scale)
        return made

    def deviations(self, places: Sequence[int]) -> Floats | None:
        """Return (B, M) normal deviations of the values; None where no closed form tells them."""
        covariance = np.full((len(places), len(places)), np.nan)
        for i, one in enumerate(places):
            for j, other in enumerate(places):
                if i < j:
                    tables = self.pair(min(one, other), max(one, other))
                    of = next((of for of in _COVARIANCES if of in tables), None)
                    if of is None:
                        return None
                    both = _COVARIANCES[of](tables[of])
                    turned = both if one < other else both[::-1, ::-1]
                    covariance[np.ix_([i, j], [i, j])] = turned
        return power.normal_deviations(covariance, self.options.seed)


def _of_shares(table: PairedTable) -> Floats:
    """Return the (2, 2) covariance of the shares that two models have right."""
    cells = table.rightness
    first, second = (
        (cells.both + cells.only_first) / cells.n,
        (cells.both + cells.only_second) / cells.n,
    )
    both = cells.both / cells.n - first * second
    values = [[first * (1 - first), both], [both, second * (1 - second)]]
    return np.array(values) / cells.n


def _of_areas(areas: PairedAreas) -> Floats:
    """Return the (2, 2) covariance of two areas."""
    values = [[areas.variance_first, areas.covariance], [areas.covariance, areas.variance_second]]
    return np.array(values)


_COVARIANCES: Mapping[type, Callable[[Any], Floats]] = {
    PairedTable: _of_shares,
    PairedAreas: _of_areas,
}
