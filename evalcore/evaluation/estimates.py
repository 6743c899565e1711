"""From values and bootstrap draws to estimates, which say why where there is no number."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.metrics.spec import Estimate, Metric, Number, ratio
from evalcore.outcomes import Floats
from evalcore.resampling.interval import Interval, normal_quantile
from evalcore.resampling.proportions import wilson

DEGENERATE = "degenerate: these rows show no variation, so the true uncertainty is larger"
"""The note beside an interval that understates what is not known."""

BIASED = "biased: the interval leaves out the value itself, as with few rows per class"
"""The note beside a bootstrap interval whose draws lie to one side of the value."""


def estimate(
    metric: Metric,
    value: float,
    interval: Interval | None = None,
    *,
    note: str = "",
    at: float | None = None,
) -> Estimate:
    """Return a value with its interval; an undefined or infinite one has its reason instead."""
    value = float(value)
    if not np.isfinite(value):
        why = metric.undefined_when if np.isnan(value) else metric.infinite_when
        return Estimate(value, why=why)
    if interval is None or np.isnan(interval.low) or np.isnan(interval.high):
        return Estimate(value, note=note, at=at)
    return Estimate(
        value,
        float(interval.low),
        float(interval.high),
        interval.method,
        interval.level,
        note=_joined(note, DEGENERATE if interval.degenerate else ""),
        at=at,
    )


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
    """Return a value with the normal interval of its standard error, kept within the range."""
    reach = normal_quantile(level) * error
    low, high = np.clip([value - reach, value + reach], metric.low, metric.high)
    return estimate(metric, value, Interval(low, high, "wald", level, degenerate=error == 0))


class Percentiles(NamedTuple):
    """The (K,) ends of percentile intervals, and how many of `draws` had no finite value."""

    low: Floats
    high: Floats
    failed: NDArray[np.int64]
    draws: int

    def part(self, places: slice) -> "Percentiles":
        """Return some of the K."""
        return Percentiles(self.low[places], self.high[places], self.failed[places], self.draws)


def percentiles(draws: Floats, level: float) -> Percentiles:
    """Cut (B, K) draws at both ends; those that are not finite are counted and left out."""
    finite = np.isfinite(draws)
    ordered = np.sort(np.where(finite, draws, np.nan).T, axis=1)
    used = finite.sum(axis=0)
    low, high = (_cut(ordered, used, share) for share in ((1 - level) / 2, (1 + level) / 2))
    return Percentiles(low, high, len(draws) - used, len(draws))


def _cut(ordered: Floats, used: NDArray[np.int64], share: float) -> Floats:
    """Return the quantile of type 7 of the first `used` of each of (K, B) rising values."""
    last, row = np.maximum(used - 1, 0), np.arange(len(ordered))
    place = last * share
    below = place.astype(np.intp)
    above = np.minimum(below + 1, last)
    weight = place - below
    cut: Floats = (1 - weight) * ordered[row, below] + weight * ordered[row, above]
    return cut


def with_percentiles(
    metric: Metric, values: Floats, ends: Percentiles, level: float, *, note: str = ""
) -> list[Estimate]:
    """Return (K,) values with the percentile intervals of their bootstrap draws."""
    return [
        estimate(
            metric,
            value,
            Interval(low, high, "bootstrap-percentile", level, degenerate=bool(low == high)),
            note=_joined(
                note,
                _failures(int(failed), ends.draws),
                BIASED if value < low or value > high else "",
            ),
        )
        for value, low, high, failed in zip(values, *ends[:3], strict=True)
    ]


def _failures(failed: int, draws: int) -> str:
    return f"{failed:,} of {draws:,} resamples gave no number" if failed else ""


def _joined(*notes: str) -> str:
    return "; ".join(filter(None, notes))
