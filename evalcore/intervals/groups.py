"""Intervals where rows of one group depend on each other: whole groups are what is drawn.

A group is a patient, a user, a shop: rows of one are alike, so that they tell less than as many
rows of others. The standard error of a number is taken over draws of groups, and its interval is
symmetric on a scale without ends, with Student's quantile for one degree of freedom less than
there are groups; percentiles of the draws would be too narrow where groups are few.
Sources: Field and Welsh (2007), Bootstrapping clustered data, JRSS B 69(3); Cameron and Miller
(2015), A practitioner's guide to cluster-robust inference, Journal of Human Resources 50(2).
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from evalcore.intervals.closed import Interval, normal_quantile, t_quantile, wilson
from evalcore.intervals.delong import newcombe_interval
from evalcore.outcomes import Codes, Floats

METHOD = "groups-t"


@dataclass(frozen=True)
class Groups:
    """Groups of rows.

    Attributes:
        count: How many there are.
        per_row: How many independent rows each row stands for where all rows of a group tell the
            same. Source: Kish (1965), Survey Sampling, 8.2.
    """

    count: int
    per_row: float

    @classmethod
    def of(cls, unit: Codes, weight: Floats | None = None) -> Self:
        """Count the groups of (n,) rows, and how unequal their sizes are.

        >>> Groups.of(np.array([0, 0, 1, 1]))
        Groups(count=2, per_row=0.5)
        """
        sizes = np.bincount(unit, weight)
        sizes = sizes[sizes > 0]
        return cls(len(sizes), float(sizes.sum() / (sizes**2).sum()) if len(sizes) else np.nan)

    def reach(self, level: float) -> float:
        """Return the distance in standard errors that a two-sided level reaches."""
        return t_quantile(level, self.count - 1)

    def errors(self, draws: Floats, values: Floats, ends: tuple[float, float]) -> Floats:
        """Return the (K,) standard errors of values, given (B, K) over draws of groups.

        The spread of draws with replacement falls short by the share of one group. That of a ratio
        without upper end is measured in logarithms, which few wild draws do not decide.
        """
        ratio = ends == (0, np.inf)
        draws = np.log(np.where(draws > 0, draws, np.nan)) if ratio else draws
        known = np.isfinite(draws)
        used = known.sum(axis=0)
        mean = np.where(known, draws, 0.0).sum(axis=0) / np.maximum(used, 1)
        squares = np.where(known, (draws - mean) ** 2, 0.0).sum(axis=0)
        variance = np.where(used > 1, squares / np.maximum(used - 1, 1), np.nan)
        errors: Floats = np.sqrt(variance * self.count / max(self.count - 1, 1))
        return errors * values if ratio else errors

    def interval(
        self, value: float, error: float, ends: tuple[float, float], rows: float, level: float
    ) -> Interval:
        """Return the interval of a number between `ends`, which rests on so many rows.

        At an end, or where groups show no variation, each group counts as one row that is wholly
        one thing or the other; the interval is then degenerate.
        """
        low, high = ends
        reach = self.reach(level) * error if np.isfinite(value) else np.nan
        if error > 0 and low < value < high:
            return Interval(*_within(value, reach, low, high), METHOD, level)
        if not (np.isfinite(low) and np.isfinite(high)) or not error >= 0:
            return Interval(value - reach, value + reach, METHOD, level, degenerate=True)
        n = rows * self.per_row * (normal_quantile(level) / self.reach(level)) ** 2
        around = wilson((value - low) / (high - low) * n, n, level)
        first, second = (low + (high - low) * float(end) for end in (around.low, around.high))
        return Interval(first, second, METHOD, level, degenerate=True)

    def area(
        self, area: float, variances: tuple[float, float], rows: tuple[float, float], level: float
    ) -> Interval:
        """Return the interval of an area under a ROC curve, given its variance by groups and rows.

        It is Newcombe's, for as many rows of each class as would vary so if they were independent.
        """
        by_groups, by_rows = variances
        known = by_groups > 0 and by_rows > 0
        share = by_rows / by_groups if known else self.per_row
        share *= (normal_quantile(level) / self.reach(level)) ** 2
        if not share > 0:
            return Interval(np.nan, np.nan, "newcombe-groups", level)
        ends = newcombe_interval(area, (rows[0] * share, rows[1] * share), level)
        return Interval(ends.low, ends.high, "newcombe-groups", level, degenerate=not known)


def _within(value: float, reach: float, low: float, high: float) -> tuple[float, float]:
    """Return both ends of an interval symmetric in log odds, or in logarithms, of the distances."""
    below, above = value - low, high - value
    if np.isinf(below) and np.isinf(above):
        return value - reach, value + reach
    with np.errstate(over="ignore"):  # an end of the range
        if np.isinf(above):
            first, second = (below * np.exp(turn * reach / below) for turn in (-1, 1))
            return float(low + first), float(low + second)
        if np.isinf(below):
            first, second = (above * np.exp(turn * reach / above) for turn in (1, -1))
            return float(high - first), float(high - second)
        width, odds = high - low, np.log(below / above)
        step = reach * width / (below * above)
        first, second = (width / (1 + np.exp(-(odds + turn * step))) for turn in (-1, 1))
        return float(low + first), float(low + second)
