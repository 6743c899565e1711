"""Values of models and of their differences over resamples of their rows."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from evalcore.comparison.candidates import Candidates
from evalcore.errors import EvalError
from evalcore.evaluation.drawn import groups_of, over_numbers
from evalcore.intervals import resamples as bootstrap
from evalcore.intervals.resamples import Bootstrap, Resamples, percentile_bootstrap
from evalcore.metrics.metric import Better, Draws, Estimate, Metric, Sample, estimate
from evalcore.options import Options
from evalcore.outcomes import Codes, Floats, NumericOutcomes
from evalcore.tables.residuals import ResidualMoments

Sampling = Literal["rows", "classes", "groups"]
"""What is drawn: rows at large, rows within each class of the truth, or whole groups of rows."""


_MODELS, _ROWS = 16, 1 << 16
"""So many models are drawn at once, of so many rows in all, which bounds the memory."""


@dataclass(frozen=True, eq=False)
class ResampledValues:
    """The values of candidates over resamples of their rows, each made when first asked for.

    Models on the same rows share the resamples. Which model is asked for first, and from how many
    threads, makes no difference.
    """

    candidates: Candidates
    options: Options
    sampling: Sampling = "rows"
    _values: dict[int, Floats] = field(default_factory=dict, init=False, repr=False)
    _left_out: dict[int, Floats] = field(default_factory=dict, init=False, repr=False)

    def can_resample(self, *indices: int) -> bool:
        """Whether models have values over resamples."""
        return all(self.candidates.models[index].can_resample for index in indices)

    def method(self, index: int) -> str:
        """Return the name of the intervals of a model."""
        return self._resamples[index].method

    def of(self, index: int) -> Floats:
        """Return (B,) values of a model; only where `can_resample`."""
        if index not in self._values:
            some, drawn = self._with(index), self._resamples[index]
            models = [self.candidates.models[k] for k in some]
            rows, metric = [one.outcomes for one in models], models[0].metric
            made = over_numbers(metric, rows, drawn) if rows[1:] else [models[0].over(drawn)]
            self._values.update(zip(some, made, strict=True))
        return self._values[index]

    def _with(self, index: int) -> Sequence[int]:
        """Return models that are drawn with one, which takes hardly longer: by sums of rows."""
        models, metric = self.candidates.models, self.candidates.metric
        if not self.candidates.shared or metric.needs is not ResidualMoments:
            return [index]
        many = max(1, min(_MODELS, _ROWS // max(models[index].outcomes.n, 1)))
        return range(index - index % many, min(index - index % many + many, len(models)))

    def without_a_group(self, index: int) -> Floats:
        """Return (G,) values of a model on all rows but those of one group each."""
        if index not in self._left_out:
            resamples = self._resamples[index].jackknife()
            self._left_out[index] = self.candidates.models[index].over(resamples)
        return self._left_out[index]

    def acceleration(self, index: int, less: int | None = None) -> float:
        """Return the skewness that BCa corrects for; of the difference to the model `less`."""
        values = self.without_a_group(index)
        if less is not None:
            values = values - self.without_a_group(less)
        return bootstrap.acceleration(values)

    @cached_property
    def _resamples(self) -> list[Resamples]:
        rng, models = np.random.default_rng(self.options.seed), self.candidates.models
        if self.candidates.shared:
            return [self._drawn(0, rng)] * len(models)
        return [self._drawn(index, child) for index, child in enumerate(rng.spawn(len(models)))]

    def _drawn(self, index: int, rng: np.random.Generator) -> Resamples:
        outcomes, times = self.candidates.models[index].outcomes, self.options.resamples
        if outcomes.unit is not None:
            return Resamples.of_clusters(outcomes.unit, outcomes.weight, rng, times)
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
                "models share the rows. Choose that column (--group COL).",
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
        less: The model that is subtracted; "" where the values are those of one model.
        observed: The value on the rows themselves.
    """

    name: str
    less: str
    observed: float
    bootstrap: Bootstrap
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
    resampled: ResampledValues, index: int, less: int | None = None, method: Method = "percentile"
) -> Distribution:
    """Return the values of a model over resamples, or its difference to the model `less`."""
    models, level = resampled.candidates.models, resampled.options.level
    observed, values = models[index].value, resampled.of(index)
    if less is not None:
        observed, values = observed - models[less].value, values - resampled.of(less)
    drawn = percentile_bootstrap(values, level)
    if method == "bca":
        skewness = resampled.acceleration(index, less)
        drawn = bootstrap.bca_bootstrap(values, level, observed=observed, acceleration=skewness)
    elif method == "basic" and not np.isnan(observed):
        drawn = replace(drawn, interval=bootstrap.basic_interval(observed, drawn.interval))
    return Distribution(
        name=models[index].name,
        less="" if less is None else models[less].name,
        observed=observed,
        bootstrap=drawn,
        direction=resampled.candidates.metric.better,
    )


class _Drawn(Sample):
    """A sample that holds the draws of one metric."""

    def __init__(self, level: float, metric: Metric, drawn: Draws) -> None:
        super().__init__(level)
        self.metric, self.drawn = metric, drawn

    def draws(self, metric: Metric) -> Draws | None:
        return self.drawn if metric is self.metric else None


def estimated(resampled: ResampledValues, index: int) -> Estimate:
    """Return the value of a model with its interval.

    Made from the same tables and draws as `evaluate`, so that a number has one interval wherever
    it is shown. A metric with a setting of one's own is not in an evaluation; its interval is that
    of the resamples.
    """
    one, options = resampled.candidates.models[index], resampled.options
    shared = one.shares_resamples
    if np.isnan(one.value) or (shared and np.isinf(one.value)):
        return estimate(one.metric, one.value)
    if shared:
        drawn = Draws(resampled.of(index), resampled.method(index))
        return one.metric.estimate(one.table, _Drawn(options.level, one.metric, drawn))
    evaluated = one.evaluated(options)
    if evaluated is not None or not one.can_resample:
        return evaluated or estimate(one.metric, one.value)
    groups, draws = groups_of(one.outcomes), resampled.of(index)
    if groups is None:
        return estimate(one.metric, one.value, percentile_bootstrap(draws, options.level).interval)
    within, values = (one.metric.low, one.metric.high), np.array([one.value])
    [error] = groups.errors(draws[:, np.newaxis], values, within)
    interval = groups.interval(one.value, error, within, one.outcomes.total, options.level)
    return estimate(one.metric, one.value, interval)
