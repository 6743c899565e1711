"""Variances and intervals of areas under ROC curves in closed form.

Source: DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44(3); from sorted placements as in
Sun and Xu (2014), IEEE Signal Processing Letters 21(11). A weight is a number of rows, so that
fractional weights are read as fractions of a row.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from evalcore.intervals.closed import Interval, normal_quantile, t_quantile, wilson
from evalcore.outcomes import Codes, Floats
from evalcore.tables.areas import rise, roc_area
from evalcore.tables.confusion import blocks
from evalcore.tables.scores import ScoreTable, ends_of_runs


def logit_interval(area: float, variance: float, level: float = 0.95) -> Interval:
    """Return an interval symmetric in log odds, for an area strictly between 0 and 1.

    Source: Pepe (2003), The Statistical Evaluation of Medical Tests, 5.2.
    """
    slope = area * (1 - area)
    reach = normal_quantile(level) * np.sqrt(variance) / slope
    odds = np.log(area / (1 - area))
    with np.errstate(over="ignore"):  # an end at 0
        low, high = (1 / (1 + np.exp(-end)) for end in (odds - reach, odds + reach))
    return Interval(low, high, "delong-logit", level)


def hanley_variance(area: float, rows: tuple[float, float]) -> float:
    """Return the variance of an area from the area and the two class sizes alone.

    Source: Hanley and McNeil (1982), Radiology 143(1).
    """
    return _spread(area, rows) / (rows[0] * rows[1])


def _spread(area: float, rows: tuple[float, float]) -> float:
    """Return that variance times both class sizes, which is defined for next to no rows, too."""
    above, below = (1 - area) / (2 - area), area / (1 + area)
    return area * (1 - area) * (1 + (rows[1] - 1) * above + (rows[0] - 1) * below)


def newcombe_interval(
    area: float, rows: tuple[float, float], level: float = 0.95, scale: float = 1.0
) -> Interval:
    """Return the areas whose own variance reaches the observed one, from the two class sizes.

    The variance is that of Hanley and McNeil with balanced classes, times the scale.
    Source: Newcombe (2006), Statistics in Medicine 25(4), method 5.
    """
    if np.isnan(area):
        return Interval(np.nan, np.nan, "newcombe", level)
    reach, half = normal_quantile(level) ** 2 * scale, sum(rows) / 2

    def excess(other: float) -> float:
        return (area - other) ** 2 * rows[0] * rows[1] - reach * _spread(other, (half, half))

    least, most = 1e-15, 1 - 1e-15
    # With less than a row, as small weights leave it, no area is too far off.
    low = _crossing(excess, least, min(area, most)) if area > 0 and excess(least) > 0 else 0.0
    high = _crossing(excess, most, max(area, least)) if area < 1 and excess(most) > 0 else 1.0
    return Interval(low, high, "newcombe", level, degenerate=True)


def _crossing(excess: Callable[[float], float], above: float, below: float) -> float:
    """Return where a function crosses 0, by halving: to import scipy's search takes far longer."""
    while (middle := (above + below) / 2) not in (above, below):
        above, below = (middle, below) if excess(middle) > 0 else (above, middle)
    return middle


_FEW = 20
"""So many rows of the rarer class count as much as the formula that needs none: simulated best."""


def area_interval(table: ScoreTable, level: float = 0.95) -> Interval:
    """Return an interval for `roc_area` that holds with few rows of a class, too.

    Newcombe's, whose variance comes from the area alone, with the variance moved towards DeLong's
    the more rows of the rarer class there are. Where the rows show no variation it is his alone,
    and marked degenerate. NaN where one class has no rows.
    """
    area, variance = roc_area(table), delong_variance(table)
    rows = float(table.positives), float(table.negatives)
    if not variance > 0 or not 0 < area < 1:
        return newcombe_interval(area, rows, level)
    seen = variance * rows[0] * rows[1] / _spread(area, (sum(rows) / 2,) * 2)
    scale = (min(rows) * seen + _FEW) / (min(rows) + _FEW)
    found = newcombe_interval(area, rows, level, scale)
    return Interval(found.low, found.high, "newcombe-delong", level)


@dataclass(frozen=True)
class PairedAreas:
    """Areas of two models on the same rows, with their variances and covariance."""

    first: float
    second: float
    variance_first: float
    variance_second: float
    covariance: float
    rows: tuple[float, float] = (np.nan, np.nan)
    """Negatives and positives, where they are known."""
    groups: int = 0
    """Groups that rows depend on each other in; 0 where all rows are independent."""

    @property
    def difference(self) -> float:
        """Second minus first."""
        return self.second - self.first

    @property
    def variance_of_difference(self) -> float:
        """Variance of the difference, never below 0."""
        return max(self.variance_first + self.variance_second - 2 * self.covariance, 0.0)


def delong_variance(table: ScoreTable) -> float:
    """Return the variance of `roc_area`; NaN with fewer than two rows of either class.

    >>> table = ScoreTable.from_scores(np.array([1, 0, 1, 0]), np.array([0.9, 0.6, 0.5, 0.2]))
    >>> delong_variance(table)
    0.125
    """
    # Shares of negatives above a positive, and of positives below a negative: the pairs lost,
    # whose squares lose fewer digits than those of the pairs won where a ranking is good.
    sums = np.zeros((2, 2))
    for rows in blocks(len(table.tp)):
        positive, negative = rise(table.tp, rows), rise(table.fp, rows)
        above = table.fp[rows] - negative / 2
        below = table.positives - table.tp[rows] + positive / 2
        for of_class, values, count in zip(sums, (above, below), (positive, negative), strict=True):
            counted = values * count
            of_class += counted.sum(), np.einsum("i,i->", counted, values)
    (total, squares), (other_total, other_squares) = sums.tolist()
    return _variance_of_mean(total, squares, table.positives, table.negatives) + _variance_of_mean(
        other_total, other_squares, table.negatives, table.positives
    )


@dataclass(frozen=True, eq=False)
class Areas:
    """Areas of M models on the same rows.

    Attributes:
        values: (M,) areas.
        rows: Negatives and positives, or the sums of their weights.
        placed: For negatives and for positives, each model's share of the other class that a row
            is on the right side of, less its mean.
        times: For negatives and for positives, how often each row counts.
        units: For negatives and for positives, the group of each row; None where rows are
            independent.
    """

    values: tuple[float, ...]
    rows: tuple[float, float]
    placed: tuple[tuple[Floats, ...], tuple[Floats, ...]]
    times: tuple[Floats, Floats]
    units: tuple[Codes, Codes] | None = None
    _variances: dict[int, float] = field(default_factory=dict)

    def pair(self, first: int, second: int) -> PairedAreas:
        """Return two of the models; variances are NaN with fewer than two rows of either class."""
        return PairedAreas(
            first=self.values[first],
            second=self.values[second],
            variance_first=self._variance(first),
            variance_second=self._variance(second),
            covariance=self._covariance(first, second),
            rows=self.rows,
            groups=0 if self.units is None else int(self._there.sum()),
        )

    def _variance(self, model: int) -> float:
        if model not in self._variances:
            self._variances[model] = self._covariance(model, model)
        return self._variances[model]

    def _covariance(self, first: int, second: int) -> float:
        if self.units is not None:
            return _covariance_of_sums(self._by_unit(first), self._by_unit(second))
        classes = zip(self.placed, self.times, strict=True)
        return sum(_covariance_of_means(of[first], of[second], times) for of, times in classes)

    @property
    def independent(self) -> "Areas":
        """The same as if rows of a unit did not depend on each other."""
        return replace(self, units=None, _variances={})

    def _by_unit(self, model: int) -> Floats:
        """Return how far each group moves the area, both classes taken together."""
        assert self.units is not None
        count = len(self._there)
        moved = np.zeros(count)
        for unit, of, times, n in zip(self.units, self.placed, self.times, self.rows, strict=True):
            moved += np.bincount(unit, of[model] * times, count) / (n or np.nan)
        return moved[self._there]

    @cached_property
    def _there(self) -> NDArray[np.bool_]:
        """Whether there are rows of each code of a unit."""
        assert self.units is not None
        return np.bincount(np.concatenate(self.units)) > 0


def delong_areas(
    truth: Codes,
    scores: Sequence[Floats],
    weight: Floats | None = None,
    unit: Codes | None = None,
) -> Areas:
    """Return the areas of several models' (n,) scores of the same rows.

    Where rows of a `unit` depend on each other, variances are those of sums over units.
    Source: Obuchowski (1997), Nonparametric analysis of clustered ROC curve data, Biometrics 53,
    with one factor for few groups in place of one for each class.
    """
    used = slice(None) if weight is None else np.flatnonzero(weight)
    truth, weight = truth[used], None if weight is None else weight[used]
    count = np.ones(len(truth)) if weight is None else weight
    negative, positive = (np.flatnonzero(truth == code) for code in (0, 1))
    times = count[negative], count[positive]

    def placed(score: Floats) -> tuple[float, Floats, Floats]:
        placements = _placements(truth, score[used], weight)
        of = placements[negative], placements[positive]
        means = [_mean(values, each) for values, each in zip(of, times, strict=True)]
        # The mean placement of positives is the area.
        return means[1], of[0] - means[0], of[1] - means[1]

    with ThreadPoolExecutor(2) as pool:
        areas_and_placed = list(pool.map(placed, scores))
    areas, of_negatives, of_positives = zip(*areas_and_placed, strict=True)
    rows = float(times[0].sum()), float(times[1].sum())
    units = None if unit is None else (unit[used][negative], unit[used][positive])
    return Areas(areas, rows, (of_negatives, of_positives), times, units)


def _placements(truth: Codes, score: Floats, count: Floats | None) -> Floats:
    """Return for each of n rows the share of the other class that it is on the right side of."""
    order = np.argsort(-score)
    falling, positive = score[order], truth[order] == 1
    counted = None if count is None else count[order]
    ends = ends_of_runs(falling)
    of_positives = 1 - _share_above(ends, ~positive, counted)
    of_negatives = _share_above(ends, positive, counted)
    if len(ends) < len(score):
        sizes = np.diff(ends, prepend=-1)
        of_positives, of_negatives = np.repeat(of_positives, sizes), np.repeat(of_negatives, sizes)
    placements = np.empty(len(score))
    placements[order] = np.where(positive, of_positives, of_negatives)
    return placements


def _share_above(
    ends: NDArray[np.intp], members: NDArray[np.bool_], count: Floats | None
) -> Floats:
    """Return for each tie group which share of a class lies above it, its own rows one half."""
    running = np.cumsum(members if count is None else members * count)[ends].astype(np.float64)
    above = running.copy()
    above[1:] += running[:-1]
    total = float(running[-1]) if len(running) else 0.0
    return above / (2 * total or np.nan)


def _mean(values: Floats, count: Floats) -> float:
    return float(np.einsum("i,i->", values, count) / (count.sum() or np.nan))


def _covariance_of_means(x: Floats, y: Floats, count: Floats) -> float:
    """Return the covariance of the means of x and y of mean 0, each counted `count` times."""
    n = float(count.sum())
    if n <= 1:
        return np.nan
    return float(np.einsum("i,i->", x * count, y)) / (n - 1) / n


def _covariance_of_sums(x: Floats, y: Floats) -> float:
    """Return the covariance of the sums of x and y over groups that are drawn."""
    groups = len(x)
    return float(x @ y) * groups / (groups - 1) if groups > 1 else np.nan


def _variance_of_mean(total: float, squares: float, n: float, scale: float) -> float:
    """Return the variance of the mean of n values / scale; NaN for fewer than two values."""
    if n <= 1 or not scale:
        return np.nan
    return max(squares - total**2 / n, 0.0) / scale**2 / (n - 1) / n


METHOD = "groups-t"


@dataclass(frozen=True)
class Groups:
    """Groups of rows that depend on each other, which are drawn whole, as those of a patient.

    The standard error of a number is taken over draws of groups, and its interval is symmetric on a
    scale without ends, with Student's quantile for one degree of freedom less than there are
    groups; percentiles of the draws would be too narrow where groups are few. Sources: Field and
    Welsh (2007), Bootstrapping clustered data, JRSS B 69(3); Cameron and Miller (2015), A
    practitioner's guide to cluster-robust inference, Journal of Human Resources 50(2).

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
