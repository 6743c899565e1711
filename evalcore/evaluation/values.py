"""Every number that says how good predicted numbers are, with its interval."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from evalcore.errors import ROWS_LISTED, Notice
from evalcore.evaluation.estimates import estimate, of_draws
from evalcore.metrics.regression import VALUES
from evalcore.metrics.spec import Estimate, IntervalBy, Metric
from evalcore.options import Options
from evalcore.outcomes import NumericOutcomes, data_rows
from evalcore.resampling.drawn import drawn_moments
from evalcore.resampling.grouped import Resamples
from evalcore.tables.ranks import Ranks
from evalcore.tables.residuals import ResidualMoments


def estimate_values(
    outcomes: NumericOutcomes, options: Options, metrics: Sequence[Metric] = VALUES
) -> Mapping[str, Estimate]:
    """Return each metric with its interval, by key, in the order of `metrics`.

    Bootstrap intervals of all metrics come from the same draws of the rows.

    >>> outcomes = NumericOutcomes(truth=np.arange(9.0), prediction=np.arange(9.0) + 1)
    >>> estimate_values(outcomes, Options())["bias"].value
    1.0
    """
    tables = value_tables(outcomes, metrics)
    values = [(metric, float(metric(tables[metric.needs]))) for metric in metrics]
    drawn = any(_by_draws(metric) and np.isfinite(value) for metric, value in values)
    draws = _Draws.of(outcomes, options) if drawn else None
    return MappingProxyType(
        {
            metric.key: _estimate(metric, value, tables[metric.needs], draws, options.level)
            for metric, value in values
        }
    )


def value_tables(outcomes: NumericOutcomes, metrics: Sequence[Metric]) -> Mapping[type, Any]:
    """Return the tables that the metrics need, by their type; ranks only where one needs them."""
    truth, prediction, weight = outcomes.truth, outcomes.prediction, outcomes.weight
    makers: Mapping[type, Callable[[], Any]] = {
        NumericOutcomes: lambda: outcomes,
        ResidualMoments: lambda: ResidualMoments.of(outcomes),
        Ranks: lambda: Ranks.from_values(truth, prediction, weight),
    }
    return {needs: makers[needs]() for needs in {metric.needs for metric in metrics}}


def value_remarks(name: str, outcomes: NumericOutcomes) -> Iterator[Notice]:
    """Return what the reader must know about the values of a model, with the rows concerned."""
    truth, prediction = outcomes.truth, outcomes.prediction
    if outcomes.n > 1 and truth.min() == truth.max():
        yield Notice(
            "constant-truth",
            f"The truth is constant ({truth[0]:g} in every row): what compares errors with its "
            "variation, such as R squared, is undefined.",
            "warning",
        )
    zero = np.flatnonzero(truth == 0)
    if len(zero):
        yield Notice(
            "zero-truth",
            f"The truth is zero in {len(zero):,} of {outcomes.n:,} rows: the mean absolute "
            "percentage error is undefined; that of the other rows has its own name.",
            "warning",
            rows=tuple(data_rows(outcomes, zero[:ROWS_LISTED]).tolist()),
        )
    low = np.flatnonzero(np.minimum(truth, prediction) <= -1)
    if len(low):
        yield Notice(
            "no-logarithm",
            f'In {len(low):,} of {outcomes.n:,} rows the truth or the prediction of "{name}" is '
            "-1 or less: logarithmic errors are undefined.",
            rows=tuple(data_rows(outcomes, low[:ROWS_LISTED]).tolist()),
        )


def _by_draws(metric: Metric) -> bool:
    return metric.interval is IntervalBy.BOOTSTRAP


@dataclass(frozen=True, eq=False)
class _Draws:
    moments: ResidualMoments
    method: str

    @classmethod
    def of(cls, outcomes: NumericOutcomes, options: Options) -> Self:
        rng = np.random.default_rng(options.seed)
        drawn = Resamples.of(outcomes.n, outcomes.weight, rng, options.resamples)
        truth, prediction, weight = outcomes.truth, outcomes.prediction, outcomes.weight
        return cls(drawn_moments(truth, prediction, weight, drawn), drawn.method)


def _estimate(
    metric: Metric, value: float, table: Any, draws: _Draws | None, level: float
) -> Estimate:
    if metric.ends is not None and np.isfinite(value):
        return estimate(metric, value, metric.ends(table, level))
    if not _by_draws(metric) or draws is None or not np.isfinite(value):
        return estimate(metric, value)
    return of_draws(metric, value, metric(draws.moments), level, draws.method)
