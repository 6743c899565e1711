"""Values of models and of their differences over resamples of their rows."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, cast

import numpy as np

from evalcore.comparison.candidate import Candidate, ClassRanker, Decider, Predictor, Ranker
from evalcore.comparison.candidates import Candidates
from evalcore.errors import EvalError
from evalcore.evaluation.decisions import decisions, of_share
from evalcore.evaluation.estimates import estimate_values, judge_probabilities, rank
from evalcore.intervals.bootstrap import (
    Bootstrap,
    EndErrors,
    Jackknife,
    basic_interval,
    bca_bootstrap,
    end_errors,
    percentile_bootstrap,
    percentiles,
)
from evalcore.intervals.resamples import Resamples
from evalcore.metrics.metric import Better, Estimate, Family, PercentileBootstrap, estimate
from evalcore.options import Options
from evalcore.outcomes import Codes, Floats, NumericOutcomes
from evalcore.results import Estimates, ModelTables

Sampling = Literal["rows", "classes", "groups"]
"""What is drawn: rows at large, rows within each class of the truth, or whole groups of rows."""


@dataclass(frozen=True, eq=False)
class ResampledValues:
    """The values of the models of a candidates over resamples.

    Models on the same rows share the resamples. Which model is asked for first, and from how many
    threads, makes no difference.
    """

    candidates: Candidates
    options: Options
    sampling: Sampling = "rows"

    def can_resample(self, *places: int) -> bool:
        """Whether models have values over resamples."""
        return all(self.candidates.models[place].can_resample for place in places)

    def method(self, place: int) -> str:
        """How intervals of a model are called."""
        return self._resamples[place].method

    def of(self, place: int) -> Floats:
        """Return (B,) values of a model; only where `can_resample`."""
        if place not in self._made:
            self._made[place] = self.candidates.models[place].draws(self._resamples[place])
        return self._made[place]

    def without_a_group(self, place: int) -> Floats:
        """Return (G,) values of a model on all rows but those of one group each."""
        if place not in self._left_out:
            resamples = self._resamples[place].jackknife()
            self._left_out[place] = self.candidates.models[place].draws(resamples)
        return self._left_out[place]

    def acceleration(self, place: int, less: int | None = None) -> float:
        """Return the skewness that BCa corrects for; of the difference to the model `less`."""
        values = self.without_a_group(place)
        if less is not None:
            values = values - self.without_a_group(less)
        return Jackknife(values, np.ones(len(values))).acceleration

    @cached_property
    def _made(self) -> dict[int, Floats]:
        return {}

    @cached_property
    def _left_out(self) -> dict[int, Floats]:
        return {}

    @cached_property
    def _resamples(self) -> list[Resamples]:
        rng, models = np.random.default_rng(self.options.seed), self.candidates.models
        if self.candidates.shared:
            return [self._drawn(0, rng)] * len(models)
        return [self._drawn(place, child) for place, child in enumerate(rng.spawn(len(models)))]

    def _drawn(self, place: int, rng: np.random.Generator) -> Resamples:
        outcomes, times = self.candidates.models[place].outcomes, self.options.resamples
        if self.sampling == "classes":
            if isinstance(outcomes, NumericOutcomes):
                raise EvalError("no-classes", "Predicted numbers have no classes to draw within.")
            return Resamples.of_strata(outcomes.truth, outcomes.weight, rng, times)
        if self.sampling == "groups":
            return Resamples.of_clusters(self._groups(), outcomes.weight, rng, times)
        return Resamples.of(outcomes.n, outcomes.weight, rng, times)

    def _groups(self) -> Codes:
        if self.candidates.group is None:
            raise EvalError(
                "no-groups",
                "Whole groups can be drawn where a column names the group of each row and all "
                "models share the rows. Choose that column, in the command line by --group.",
            )
        return self.candidates.group


Method = Literal["percentile", "basic", "bca"]


@dataclass(frozen=True)
class Chances:
    """Shares of resamples by what a difference comes to in practice."""

    worse: float
    alike: float
    better: float


@dataclass(frozen=True, eq=False)
class Distribution:
    """Values over resamples.

    Attributes:
        name: The model.
        less: The model that is subtracted; "" where the values are those of one model.
        observed: The value on the rows themselves.
        bootstrap: The draws and their interval.
        errors: How far chance in the draws moves the ends of the interval.
        direction: Which direction is good.
    """

    name: str
    less: str
    observed: float
    bootstrap: Bootstrap
    errors: EndErrors
    direction: Better

    @property
    def usable(self) -> Floats:
        """(b,) the draws that are numbers."""
        values = self.bootstrap.values
        return values[np.isfinite(values)]

    def density(self, low: float, high: float, bins: int = 48) -> Floats:
        """Return (bins,) shares of the draws between two ends, smoothed over three neighbours."""
        counts = np.histogram(self.usable, bins, (low, high))[0].astype(np.float64)
        smooth: Floats = np.convolve(counts, (0.25, 0.5, 0.25), "same") / max(len(self.usable), 1)
        return smooth

    def chances(self, rope: float) -> Chances:
        """Return how often a difference is worse, within `rope`, or better.

        Without a rope, draws without any difference are split between both sides.
        """
        gaps = -self.usable if self.direction is Better.LOWER else self.usable
        if not len(gaps):
            return Chances(np.nan, np.nan, np.nan)
        worse, better = (float(np.mean(side)) for side in (gaps < -rope, gaps > rope))
        alike = 1 - worse - better
        if rope:
            return Chances(worse, alike, better)
        return Chances(worse + alike / 2, 0.0, better + alike / 2)


def distribution(
    draws: ResampledValues, place: int, less: int | None = None, method: Method = "percentile"
) -> Distribution:
    """Return what a model comes to, or its difference to the model `less`; both can_resample."""
    models, metric, level = draws.candidates.models, draws.candidates.metric, draws.options.level
    observed = models[place].value - (0.0 if less is None else models[less].value)
    values = draws.of(place) - (0.0 if less is None else draws.of(less))
    return Distribution(
        name=models[place].name,
        less="" if less is None else models[less].name,
        observed=observed,
        bootstrap=_summed(draws, (place, less), observed, values, method),
        errors=end_errors(values, level),
        direction=metric.better,
    )


def _summed(
    draws: ResampledValues,
    who: tuple[int, int | None],
    observed: float,
    values: Floats,
    method: Method,
) -> Bootstrap:
    level = draws.options.level
    made = percentile_bootstrap(values, level)
    if method == "bca":
        acceleration = draws.acceleration(*who)
        return bca_bootstrap(values, level, observed=observed, acceleration=acceleration)
    if method == "basic" and not np.isnan(observed):
        return replace(made, interval=basic_interval(observed, made.interval))
    return made


def estimated(draws: ResampledValues, place: int, options: Options) -> Estimate:
    """Return the value of a model with its interval.

    Made from the same tables and draws as `evaluate`, so that a number has one interval wherever
    it is shown. A metric with a setting of one's own is not in an evaluation; its interval is that
    of the resamples.
    """
    one = draws.candidates.models[place]
    if np.isnan(one.value):
        return estimate(one.metric, one.value)
    if (
        isinstance(one, Predictor)
        and one.can_resample
        and isinstance(one.metric.interval, PercentileBootstrap)
    ):
        return _of_draws(draws, place, options)
    if isinstance(one, Decider) and (share := of_share(one.matrix, one.metric, options.level)):
        return share
    found = _evaluated(one, options).get(one.metric.key)
    if found is not None or not one.can_resample:
        return found or estimate(one.metric, one.value)
    drawn = percentile_bootstrap(draws.of(place), options.level)
    return estimate(one.metric, one.value, drawn.interval)


def _of_draws(draws: ResampledValues, place: int, options: Options) -> Estimate:
    """Return the estimate of predicted numbers, whose evaluation draws the same rows anew."""
    one = draws.candidates.models[place]
    if not np.isfinite(one.value):
        return estimate(one.metric, one.value)
    ends = percentiles(draws.of(place)[:, np.newaxis], options.level)
    ends = ends._replace(method=draws.method(place))
    return PercentileBootstrap().of_percentiles(one.metric, np.array([one.value]), ends)[0]


def _evaluated(one: Candidate, options: Options) -> Estimates:
    """Return the metrics among which an evaluation has that of the candidates."""
    match one:
        case Decider():
            made = decisions(one.matrix, options)
            whole = len(one.outcomes.classes) == 2 or one.metric.over_classes is not None
            return made.metrics if whole else made.averages["macro"]
        case Ranker():
            tables = ModelTables(
                n=one.table.n,
                classes=one.outcomes.classes,
                scores=one.table,
                probability=one.outcomes.probability,
            )
        case ClassRanker():
            tables = ModelTables(
                n=one.outcomes.n, classes=one.outcomes.classes, class_scores=one.scores
            )
        case _:
            return estimate_values(cast(Predictor, one).outcomes, options, [one.metric])
    probable = one.metric.family is Family.PROBABILITY
    return (judge_probabilities if probable else rank)(tables, options)
