"""Evidence from rows, which the models share or each has of its own, and from counts of them.

Of counts, values and intervals of a model come from its own, which are the finest; how two models
vary together comes from the counts of both, whose numbers may be rounded.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.comparison import power, rows
from evalcore.comparison.candidate import Candidate
from evalcore.comparison.candidates import Candidates, choose_candidates, folds_of, scores_by_fold
from evalcore.comparison.from_folds import SharedFolds, shared_folds
from evalcore.comparison.resampled import ResampledValues, estimated
from evalcore.comparison.results import Evidence, Tables
from evalcore.comparison.spec import BACKWARDS, Design, Situation
from evalcore.errors import Notice
from evalcore.evaluation.condense import MOST_FOLDS
from evalcore.evaluation.drawn import groups_of
from evalcore.intervals.delong import Areas, PairedAreas, delong_areas, delong_variance
from evalcore.metrics.metric import Estimate
from evalcore.options import Options
from evalcore.outcomes import CorrectOutcomes, Floats
from evalcore.predictions import Predictions
from evalcore.tables.confusion import PairedTable, blocks
from evalcore.tables.scores import ScoreTable
from evalcore.text import count
from evalcore.work import OnDemand

MOST_RESAMPLED = 12
"""With more models, tests in closed form are not doubled by resamples, which take seconds each."""


def from_rows(
    candidates: Candidates,
    options: Options,
    *,
    rope: float = 0.01,
    resampled: ResampledValues | None = None,
) -> Evidence:
    """Return what rows say about the models; `resampled` are the values at hand, if there are."""
    resampled = resampled or ResampledValues(candidates, options)
    known, metric = Rows(candidates, resampled, rope), candidates.metric
    estimates = [estimated(resampled, k) for k in range(len(candidates.models))]
    own = list(zip(candidates.models, estimates, strict=True))
    gains = {one.name: one.gain(options, e) for one, e in own}
    return Evidence(
        situation=known.situation,
        metric_name=metric.name,
        better=metric.better,
        n=known.n,
        unit="items" if metric.needs is CorrectOutcomes else "rows",
        models=MappingProxyType({one.name: e for one, e in own}),
        gains=MappingProxyType({name: gain for name, gain in gains.items() if gain is not None}),
        pair=known.pair,
        primary=(
            "delong",
            "mcnemar_mid_p",
            "two_proportion_z",
            "diebold_mariano",
            "paired_t_groups",
            "paired_bootstrap",
            "independent_bootstrap",
        ),
        level=options.level,
        rope=rope,
        intervals=INTERVALS,
        sizes=SIZES,
        fewest=known.fewest,
        deviations=known.deviations,
        overall=known.overall,
        doubt=_doubt(candidates, estimates),
        crossed=len(folds_of(candidates)) > 1,
        notices=(*candidates.notices, *known.remarks()),
    )


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of candidates, with the values over resamples."""

    candidates: Candidates
    resampled: ResampledValues
    rope: float

    @property
    def key(self) -> str:
        """Key of the metric."""
        return self.candidates.metric.key

    @property
    def n(self) -> float:
        """Rows, or the sum of their weights; of models on rows of their own, all rows."""
        models = self.candidates.models
        counted = models[:1] if self.candidates.shared else models
        return float(sum(one.outcomes.total for one in counted))

    @property
    def situation(self) -> Situation:
        """How the rows were collected."""
        known: dict[str, Any] = {
            "metric": self.key,
            "models": len(self.candidates.models),
            "tried": self.answers is None,
            "groups": self.groups,
        }
        if not self.candidates.shared:
            return Situation(Design.INDEPENDENT, **known)
        if self.folds is None:
            return Situation(Design.PAIRED_ROWS, **known)
        return Situation(Design.FOLDS, **known, folds=self.folds.folds)

    @cached_property
    def groups(self) -> int:
        """Groups in which rows depend on each other, of the model with the fewest; 0 for none."""
        found = [groups_of(one.outcomes) for one in self.candidates.models]
        return min((of.count for of in found if of), default=0)

    @cached_property
    def answers(self) -> Sequence[NDArray[np.bool_]] | None:
        """Which rows each model has right; empty unless that is compared, None if in part."""
        models = self.candidates.models if self.key == "accuracy" else ()
        found = [one.right for one in models]
        known = [right for right in found if right is not None]
        return known if len(known) == len(found) else None

    @cached_property
    def folds(self) -> SharedFolds | None:
        """The value of each model on each fold where all have one; None for fewer than two."""
        scores = scores_by_fold(self.candidates)
        if scores is None or np.isfinite(scores.score).all(axis=0).sum() < 2:
            return None
        return shared_folds(scores)

    @cached_property
    def areas(self) -> Areas:
        """The areas under the ROC curves of models on the same rows."""
        models = self.candidates.models
        first = models[0].outcomes
        scores = [one.outcomes.score for one in models]
        return delong_areas(first.truth, scores, first.weight, first.unit)

    @property
    def overall(self) -> Tables:
        """The tables about all models at once."""
        if not self.answers or not self.candidates.shared or self.groups:
            return MappingProxyType({})
        correct = np.stack(self.answers, axis=1).astype(np.float64)
        answers = rows.Correctness(correct, self.candidates.models[0].outcomes.weight)
        return MappingProxyType({rows.Correctness: answers})

    def pair(self, first: int, second: int) -> Tables:
        """Return the tables about two models, each made when it is first asked for."""
        models = self.candidates.models[first], self.candidates.models[second]
        shared, tables = self.candidates.shared, dict[type, Callable[[], Any]]()
        if self.folds is not None:
            between = self.folds.between(first, second, self.rope)
            tables |= {needs: partial(between.__getitem__, needs) for needs in between}
        if self.answers and not self.groups:
            needs = PairedTable if shared else rows.TwoProportions
            tables[needs] = partial(_decisions if shared else _right_of_all, *models)
        if self.key == "roc_auc" and (shared or not self.groups):
            own = partial(_independent_areas, *models)
            tables[PairedAreas] = (lambda: self.areas.pair(first, second)) if shared else own
        if not shared and self.resampled.can_resample(first, second):
            tables[power.OwnRows] = partial(self._own_rows, first, second)
        if self._is_resampled(first, second):
            drawn = rows.GroupDifferences if self.groups else rows.ResampledDifferences
            tables[drawn] = partial(self._resampled_differences, first, second)
        told = self.key in MEAN_LOSSES and all(one.losses is not None for one in models)
        if shared and not self.groups and told:
            tables[rows.LossDifferences] = partial(_loss_differences, self.key, *models)
        if shared and not self.groups and self.situation.tried:
            tables[rows.ItemDifferences] = partial(_item_differences, *models)
        return OnDemand(tables)

    def _is_resampled(self, first: int, second: int) -> bool:
        """Whether differences over resamples are made: of many models not beside a closed form."""
        closed = self.key == "roc_auc" or (self.key == "accuracy" and not self.groups)
        many = len(self.candidates.models) > MOST_RESAMPLED
        return not (closed and many) and self.resampled.can_resample(first, second)

    def _resampled_differences(self, first: int, second: int) -> rows.ResampledDifferences:
        models, resampled = self.candidates.models, self.resampled
        with np.errstate(invalid="ignore"):  # of two infinite numbers
            values = resampled.of(second) - resampled.of(first)
        gap = float(models[second].value - models[first].value)
        better = self.candidates.metric.better
        if self.groups:
            return rows.GroupDifferences(gap, values, better, "groups-t", self.groups)
        return rows.ResampledDifferences(gap, values, better, resampled.method(first))

    def _own_rows(self, first: int, second: int) -> power.OwnRows:
        models = self.candidates.models[first], self.candidates.models[second]
        one, other = (float(model.outcomes.total) for model in models)
        gap = float(models[1].value - models[0].value)
        return power.OwnRows(gap, (self._variance(first), self._variance(second)), (one, other))

    def _variance(self, place: int) -> float:
        """Return the variance of the value of a model."""
        model = self.candidates.models[place]
        if self.key == "accuracy" and not self.groups:
            return float(model.value * (1 - model.value) / model.outcomes.total)
        if self.key == "roc_auc" and not self.groups:
            return delong_variance(model.table)
        values = self.resampled.of(place)
        usable = values[np.isfinite(values)]
        return float(usable.var(ddof=1)) if len(usable) > 1 else np.nan

    def deviations(self, places: Sequence[int]) -> Floats | None:
        """Return (B, M) deviations of the values of models: over resamples, or in closed form."""
        tables, seed = self.pair(*places[:2]), self.resampled.options.seed
        if PairedTable in tables:
            return power.normal_deviations(self._covariance_of_shares(places), seed)
        if PairedAreas in tables and self.candidates.shared:
            found = [[self.areas.pair(one, two).covariance for two in places] for one in places]
            return power.normal_deviations(np.array(found), seed)
        if power.OwnRows in tables:
            variances = np.array([self._variance(place) for place in places])
            return power.normal_deviations(np.diag(variances), seed)
        if not self.resampled.can_resample(*places):
            return None
        models = self.candidates.models
        drawn = [self.resampled.of(place) - models[place].value for place in places]
        return np.stack(drawn, axis=1)

    def _covariance_of_shares(self, places: Sequence[int]) -> Floats:
        """Return the (M, M) covariance of the shares of rows that models have right."""
        assert self.answers
        weight, models = self.candidates.models[0].outcomes.weight, self.candidates.models
        products = np.zeros((len(places), len(places)))
        for part in blocks(len(self.answers[0])):
            right = np.stack([self.answers[place][part] for place in places]).astype(np.float64)
            products += (right if weight is None else right * weight[part]) @ right.T
        shares = np.array([models[place].value for place in places])
        covariance: Floats = (products / self.n - np.outer(shares, shares)) / self.n
        return covariance

    @property
    def fewest(self) -> float:
        """Rows without which there is doubt: as many as make few of either class, if it counts."""
        if self.candidates.metric.needs is not ScoreTable:
            return power.FEWEST
        tables = [one.table for one in self.candidates.models]
        rarer = min(min(t.negatives, t.positives) / max(t.n, 1.0) for t in tables)
        return power.FEWEST / (rarer or 1.0)

    def remarks(self) -> Iterator[Notice]:
        """Return what the reader must know about the folds of the rows."""
        used = 0 if self.folds is None else self.folds.values.shape[1]
        given = len(folds_of(self.candidates))
        if used < given:
            name = self.candidates.metric.name
            few = f"in {given - used} of {given} folds {name} is undefined"
            why = f"there are {given}" if given > MOST_FOLDS else few
            yield Notice("folds-left-out", f"Tests on folds use {used} folds: {why}.", "warning")


def _doubt(candidates: Candidates, estimates: Sequence[Estimate]) -> str:
    """Return why nothing can be concluded; "" if something can."""
    metric = candidates.metric
    if metric.key == "roc_auc" and all(e.high is not None and e.high < 0.5 for e in estimates):
        return BACKWARDS
    for one in candidates.models:
        if one.outcomes.total < power.FEWEST:
            return f"{count(one.outcomes.total)} rows are too few"
        if metric.needs is ScoreTable:
            sizes = one.table.negatives, one.table.positives
            for name, size in zip(one.outcomes.classes, sizes, strict=True):
                if 0 < size < power.FEWEST:
                    return f'{count(size)} rows of "{name}" are too few'
    return ""


def _decisions(one: Candidate, other: Candidate) -> PairedTable:
    outcomes = one.outcomes
    if isinstance(outcomes, CorrectOutcomes):
        right = [(each.outcomes.right == 1).astype(np.int8) for each in (one, other)]
        due = np.ones(outcomes.n, np.int8)
        return PairedTable.from_codes(("wrong", "right"), (due, *right), outcomes.weight)
    codes = (outcomes.truth, one.decision, other.decision)
    return PairedTable.from_codes(outcomes.classes, codes, outcomes.weight)


def _right_of_all(*models: Candidate) -> rows.TwoProportions:
    totals = [one.outcomes.total for one in models]
    first, second = ((one.value * n, n) for one, n in zip(models, totals, strict=True))
    return rows.TwoProportions(first, second)


def _independent_areas(one: Candidate, other: Candidate) -> PairedAreas:
    """Return two areas; the classes of the model with fewer pairs of rows stand for both."""
    fewer = min((one.table, other.table), key=lambda table: table.positives * table.negatives)
    return PairedAreas(
        first=one.value,
        second=other.value,
        variance_first=delong_variance(one.table),
        variance_second=delong_variance(other.table),
        covariance=0.0,
        rows=(float(fewer.negatives), float(fewer.positives)),
    )


def _item_differences(one: Candidate, other: Candidate) -> rows.LossDifferences:
    return rows.ItemDifferences.of(one.outcomes.share, other.outcomes.share, one.outcomes.weight)


MEAN_LOSSES = ("rmse", "mse", "mae", "brier", "log_loss")
"""Means of a loss over rows, and the root of one, whose models the same test and interval tell."""


def _loss_differences(key: str, one: Candidate, other: Candidate) -> rows.LossDifferences:
    assert one.losses is not None
    assert other.losses is not None
    made = rows.LossDifferences.of(one.losses, other.losses, one.outcomes.weight)
    return replace(made, scale=float(one.value + other.value)) if key == "rmse" else made


INTERVALS: Mapping[type, Callable[[Any, float], Any]] = MappingProxyType(
    {
        PairedTable: lambda table, level: rows.newcombe_paired(table.rightness, level),
        rows.TwoProportions: lambda two, level: rows.newcombe(two.first, two.second, level),
        PairedAreas: rows.delong_difference,
        rows.GroupDifferences: rows.GroupDifferences.interval,
        rows.LossDifferences: rows.LossDifferences.interval,
        rows.ResampledDifferences: rows.ResampledDifferences.interval,
    }
)
"""The interval that goes with the main test, by the table that this needs."""


def _size_from_draws(
    drawn: rows.ResampledDifferences, metric: str, n: float, level: float
) -> power.SampleSize:
    return power.from_error(metric, drawn.observed, drawn.error, n, level)


SIZES: Mapping[type, Callable[[Any, str, float, float], Any]] = MappingProxyType(
    {
        PairedTable: lambda table, metric, n, level: power.from_discordance(
            table.rightness.only_first, table.rightness.only_second, table.rightness.n, level
        ),
        power.OwnRows: lambda own, metric, n, level: power.from_own_rows(metric, own, level),
        PairedAreas: lambda areas, metric, n, level: power.from_error(
            metric, areas.difference, float(np.sqrt(areas.variance_of_difference)), n, level
        ),
        rows.GroupDifferences: _size_from_draws,
        rows.LossDifferences: lambda losses, metric, n, level: power.from_error(
            metric, losses.mean / (losses.scale or np.nan), losses.error, n, level
        ),
        rows.ResampledDifferences: _size_from_draws,
    }
)
"""How many rows show a difference, by the same table."""


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
        found = choose_candidates(both, self.candidates.asked, self.options)
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
