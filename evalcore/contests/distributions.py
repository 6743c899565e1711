"""What a model, or the difference of two, comes to over resamples: values, interval, chances."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from evalcore.contests.draws import Draws
from evalcore.metrics.spec import Better
from evalcore.outcomes import Floats
from evalcore.resampling.bootstrap import (
    Bootstrap,
    EndErrors,
    basic_interval,
    bca_bootstrap,
    end_errors,
    percentile_bootstrap,
)

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
    draws: Draws, place: int, less: int | None = None, method: Method = "percentile"
) -> Distribution:
    """Return what a model comes to, or its difference to the model `less`; both drawable."""
    models, metric, level = draws.contest.contenders, draws.contest.metric, draws.options.level
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
    draws: Draws, who: tuple[int, int | None], observed: float, values: Floats, method: Method
) -> Bootstrap:
    level = draws.options.level
    made = percentile_bootstrap(values, level)
    if method == "bca":
        acceleration = draws.acceleration(*who)
        return bca_bootstrap(values, level, observed=observed, acceleration=acceleration)
    if method == "basic" and not np.isnan(observed):
        return replace(made, interval=basic_interval(observed, made.interval))
    return made
