"""From values and bootstrap draws to estimates, which say why where there is no number."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from evalcore.metrics.spec import Estimate, IntervalBy, Metric, Number, ratio
from evalcore.outcomes import Floats
from evalcore.resampling.bootstrap import Percentiles, basic_interval, percentiles
from evalcore.resampling.interval import Interval, wald_interval
from evalcore.resampling.proportions import wilson
from evalcore.results import Estimates

DEGENERATE = "degenerate: these rows show no variation, so the true uncertainty is larger"
"""The note beside an interval that understates what is not known."""

TOO_LARGE = "no interval: numbers so large that their squares cannot be added up"
"""The note beside a number whose interval has no ends."""

BIASED = "biased: resampling moves this number to one side, as with few rows per class or bin"
"""The note beside a bootstrap interval whose draws lie to one side of the value."""


def estimate(
    metric: Metric,
    value: float,
    interval: Interval | None = None,
    *,
    note: str = "",
    at: float | None = None,
) -> Estimate:
    """Return a value with its interval, kept within the range of the metric.

    An undefined or infinite value has its reason instead.
    """
    value = float(value)
    if not np.isfinite(value):
        why = metric.undefined_when if np.isnan(value) else metric.infinite_when
        return Estimate(value, why=why)
    if interval is None or np.isnan(interval.low) or np.isnan(interval.high):
        return Estimate(value, note=note, at=at)
    if np.isinf(interval.low) and np.isinf(interval.high):
        return Estimate(value, note=_joined(note, TOO_LARGE), at=at)
    return Estimate(
        value,
        max(float(interval.low), metric.low),
        min(float(interval.high), metric.high),
        interval.method,
        interval.level,
        note=_joined(note, DEGENERATE if interval.degenerate else ""),
        at=at,
    )


def plain_estimates(values: Mapping[Metric, float]) -> Estimates:
    """Return values without intervals, by the keys of their metrics."""
    return MappingProxyType({m.key: estimate(m, value) for m, value in values.items()})


def of_proportions(metric: Metric, k: Number, n: Number, level: float) -> list[Estimate]:
    """Return k of n, each (K,) numbers or one, with Wilson's interval."""
    k, n = np.atleast_1d(k), np.atleast_1d(n)
    ends = wilson(k, n, level)
    lows, highs = np.atleast_1d(ends.low), np.atleast_1d(ends.high)
    return [
        estimate(metric, value, Interval(low, high, ends.method, level))
        for value, low, high in zip(np.atleast_1d(ratio(k, n)), lows, highs, strict=True)
    ]


def with_error(metric: Metric, value: float, error: float, level: float) -> Estimate:
    """Return a value with the normal interval of its standard error."""
    return estimate(metric, value, wald_interval(value, error, level))


def with_percentiles(
    metric: Metric, values: Floats, ends: Percentiles, level: float, *, note: str = ""
) -> list[Estimate]:
    """Return (K,) values with the bootstrap intervals of their draws.

    The percentile interval, or the basic one where the metric is declared so.
    """
    return [
        estimate(
            metric,
            value,
            basic_interval(value, drawn) if metric.interval is IntervalBy.BASIC else drawn,
            note=_joined(note, _failures(int(failed), ends.draws), _one_sided(value, drawn)),
        )
        for value, drawn, failed in zip(values, _drawn(ends, level), ends.failed, strict=True)
    ]


def of_draws(
    metric: Metric, value: float, drawn: Number, level: float, method: str = ""
) -> Estimate:
    """Return a value with the interval of (B,) draws; `method` says how these were made."""
    ends = percentiles(np.asarray(drawn)[:, np.newaxis], level)
    (made,) = with_percentiles(metric, np.array([value]), ends, level)
    return replace(made, method=method) if method and made.method is not None else made


def _drawn(ends: Percentiles, level: float) -> Iterator[Interval]:
    for low, high in zip(ends.low, ends.high, strict=True):
        yield Interval(low, high, "bootstrap-percentile", level, degenerate=bool(low == high))


def _one_sided(value: float, drawn: Interval) -> str:
    return BIASED if value < drawn.low or value > drawn.high else ""


def _failures(failed: int, draws: int) -> str:
    return f"{failed:,} of {draws:,} resamples gave no number" if failed else ""


def _joined(*notes: str) -> str:
    return "; ".join(filter(None, notes))
