"""What slicing gives back: slices against the rest of the rows, ready to show, print and keep.

A slice and the rest have no row in common, so that they are independent samples.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, floor, hypot, isnan, sqrt
from typing import Any

import numpy as np

from evalcore.errors import Notice
from evalcore.intervals.closed import normal_quantile, p_of_t, p_of_z, t_quantile
from evalcore.metrics.metric import Estimate
from evalcore.slices.columns import Rule, text_of
from evalcore.slices.measures import Part
from evalcore.text import Displayed, nothing

Gaps = Mapping[str, Estimate]
"""How far the groups of a column are apart, by the name of the number."""


@dataclass(frozen=True)
class Against(Displayed):
    """One model in a slice, and in the other rows.

    Attributes:
        value: The metric in the slice.
        rest: The metric in all other rows.
        difference: Slice minus rest.
        ratio: Slice over rest.
        p_value: Chance of a difference at least as large if both were alike; NaN without one.
        test: How it was made: "fisher-mid-p", "welch" or "wald"; "" without one.
        error: Standard error of the difference.
    """

    value: Estimate
    rest: Estimate
    difference: Estimate
    ratio: Estimate
    p_value: float
    test: str
    error: float


_NONE = Estimate(np.nan)
NOT_JUDGED = Against(_NONE, _NONE, _NONE, _NONE, np.nan, "", np.nan)
"""In the place of what is not known yet."""


@dataclass(frozen=True)
class Slice(Displayed):
    """Some of the rows, and how the models do there.

    Attributes:
        rule: Which rows they are.
        n: How many, or the sum of their weights, of all rows of the file that are used.
        share: Their share of these rows.
        share_of_errors: Their share of all wrong decisions, or of the absolute errors; NaN
            where there are none.
        models: How each model does in the slice and in the rest.
        model: The one that the slice is judged by.
        p_adjusted: Its p value, adjusted for all slices that were judged; NaN if it was not.
        confirmed: Whether the slice is worse than the rest, with allowance for their number.
        few: Whether it has fewer rows than are judged.
        same: Other rules that hold nearly the same rows.
    """

    rule: Rule
    n: float
    share: float
    share_of_errors: float
    models: Mapping[str, Against]
    model: str
    p_adjusted: float = np.nan
    confirmed: bool = False
    few: bool = False
    same: tuple[Rule, ...] = ()

    @property
    def text(self) -> str:
        """The rule as it is written into an address."""
        return text_of(self.rule)

    @property
    def found(self) -> Against:
        """What is said of the model that the slice is judged by."""
        return self.models[self.model]


@dataclass(frozen=True, kw_only=True)
class Slices(Displayed):
    """Slices of the rows, worst first, those that are not confirmed after those that are.

    As a data frame it has a row for each slice: its rule, n, share, share of the errors, the value
    with its interval, difference and ratio to the rest with theirs, and p values.

    Attributes:
        metric: Key of what is measured.
        model: The model that slices are judged by.
        overall: Its value on all rows.
        columns: The columns that were looked at.
        slices: The slices.
        searched: How many were looked at.
        method: How they were found and judged, in a sentence.
        gaps: How far the groups of each column are apart.
        level: One minus the chance that any slice is confirmed which is no worse.
        seed: By which rows were parted into halves.
        nearest: Where no slice is confirmed, which comes nearest to that, and what it would
            take; "" otherwise.
        notices: What the reader must know, such as which columns were left out.
    """

    metric: str
    model: str
    overall: Estimate
    columns: tuple[str, ...]
    slices: tuple[Slice, ...]
    searched: int
    method: str
    gaps: Mapping[str, Gaps] = field(default_factory=nothing)
    level: float = 0.95
    seed: int = 0
    nearest: str = ""
    notices: tuple[Notice, ...] = ()

    @property
    def confirmed(self) -> tuple[Slice, ...]:
        """The slices that are worse than the rest, with allowance for their number."""
        return tuple(one for one in self.slices if one.confirmed)

    @property
    def takes(self) -> str:
        """What it would take to confirm a slice, where none is; "" otherwise."""
        return f"Nothing is confirmed. {self.nearest}" if self.nearest else ""

    def _caption(self) -> str:
        found = f"{len(self.confirmed)} confirmed of {self.searched:,} slices"
        return f"Slices by {self.metric} of {self.model}: {found}; {self.method}"

    def _columns(self) -> Mapping[str, Sequence[Any]]:
        rows = [_row(one) for one in self.slices]
        names = rows[0] if rows else {"slice": ""}
        return {name: [row[name] for row in rows] for name in names}


def _row(one: Slice) -> dict[str, Any]:
    made = one.found
    return {
        "slice": one.text,
        "n": one.n,
        "share": one.share,
        "share_of_errors": one.share_of_errors,
        "value": made.value.value,
        "low": made.value.low,
        "high": made.value.high,
        "difference": made.difference.value,
        "difference_low": made.difference.low,
        "difference_high": made.difference.high,
        "ratio": made.ratio.value,
        "p_value": made.p_value,
        "p_adjusted": one.p_adjusted,
        "confirmed": one.confirmed,
        "few": one.few,
    }


def against(inside: Part, rest: Part) -> Against:
    """Return the metric in a slice and in the other rows."""
    first, second = inside.estimate, rest.estimate
    error = sqrt(inside.error**2 + rest.error**2)
    p_value, test = _tested(inside, rest, error)
    return Against(
        first, second, difference(first, second), ratio(first, second), p_value, test, error
    )


def difference(first: Estimate, second: Estimate) -> Estimate:
    """Return the first less the second of two independent estimates.

    Each end is as far away as the square root of the two squared distances that lead there; of two
    shares with Wilson's intervals this is Newcombe's. Source: Zou and Donner (2008), Statistics in
    Medicine 27(10).

    >>> one = Estimate(0.8, 0.7, 0.9, "wilson", 0.95)
    >>> difference(one, one)
    Estimate(value=0.000, low=-0.141, high=0.141, method=newcombe, level=0.950)
    """
    if not (first.defined and second.defined):
        return Estimate(np.nan, why=first.why or second.why)
    gap = first.value - second.value
    if first.low is None or first.high is None or second.low is None or second.high is None:
        return Estimate(gap)
    below = np.hypot(first.value - first.low, second.high - second.value)
    above = np.hypot(first.high - first.value, second.value - second.low)
    named = {first.method, second.method} == {"wilson"}
    method = "newcombe" if named else "mover"
    return Estimate(gap, float(gap - below), float(gap + above), method, first.level)


def ratio(first: Estimate, second: Estimate) -> Estimate:
    """Return the first over the second of two independent estimates, both 0 or more.

    Source: Donner and Zou (2012), Closed-form confidence intervals for functions of the normal
    mean and standard deviation, Statistical Methods in Medical Research 21(4), equation 9.
    """
    if not (first.defined and second.defined):
        return Estimate(np.nan, why=first.why or second.why)
    if not second.value > 0 or first.value < 0:
        return Estimate(np.nan, why="a ratio needs numbers above 0")
    made = first.value / second.value
    if first.low is None or first.high is None or second.low is None or second.high is None:
        return Estimate(made)
    product = first.value * second.value
    low = _end(product, first.low * (2 * first.value - first.low), second.value, second.high, -1)
    high = _end(product, first.high * (2 * first.value - first.high), second.value, second.low, 1)
    return Estimate(made, max(low, 0.0), high, "mover", first.level)


def _end(product: float, of_first: float, value: float, end: float, side: int) -> float:
    of_second = end * (2 * value - end)
    if of_second <= 0:
        return np.inf if side > 0 else 0.0
    return (product + side * sqrt(max(product**2 - of_first * of_second, 0.0))) / of_second


def _tested(inside: Part, rest: Part, error: float) -> tuple[float, str]:
    """Return the two-sided p value of a difference, and how it was made."""
    if inside.trials is not None and rest.trials is not None:
        counts = (*inside.trials, *rest.trials)
        if not inside.trials[1] or not rest.trials[1]:
            return np.nan, ""
        if all(float(count).is_integer() for count in counts):
            return fisher_mid_p(*counts), "fisher-mid-p"
    gap = inside.estimate.value - rest.estimate.value
    facing = hypot(_facing(inside, up=gap < 0), _facing(rest, up=gap > 0))
    if not np.isfinite(gap) or not (error > 0 and facing > 0):
        return np.nan, ""
    freedom, error = _freedom(inside, rest), facing
    if np.isinf(freedom):
        return p_of_z(gap / error), "wald"
    return p_of_t(gap / error, freedom), "welch"


def _facing(part: Part, *, up: bool) -> float:
    """Return the standard error by the arm of an interval that faces the other value.

    At the end of its range, as F1 of 0, a value varies to one side alone: a mean of both arms would
    be too short. Of Student's intervals both are equal, on the scale of logarithms at least.
    """
    made = part.estimate
    if made.low is None or made.high is None or made.level is None or made.method in _STUDENTS:
        return part.error
    arm = made.high - made.value if up else made.value - made.low
    known = np.isfinite(part.freedom)
    reach = t_quantile(made.level, part.freedom) if known else normal_quantile(made.level)
    return arm / reach


_STUDENTS = ("t", "t-log")


def _freedom(inside: Part, rest: Part) -> float:
    """Return the degrees of freedom of two variances. Source: Welch (1947), Biometrika 34."""
    parts = [part.error**4 / part.freedom for part in (inside, rest) if part.freedom > 0]
    total = (inside.error**2 + rest.error**2) ** 2
    return total / sum(parts) if sum(parts) > 0 else np.inf


def fisher_mid_p(right: float, rows: float, other_right: float, other_rows: float) -> float:
    """Return the two-sided p value of two shares of whole counts being the same.

    Given both sums, the count of the first is hypergeometric; what was observed counts by half,
    and the smaller side twice. Source: Lancaster (1961), JASA 56, for mid p values.

    >>> round(fisher_mid_p(1, 10, 9, 10), 5)
    0.00055
    """
    from scipy.special import gammaln

    total, hits = rows + other_rows, right + other_right
    mean = rows * hits / max(total, 1.0)
    # Farther from the mean chances are 0 to the last digit: Hoeffding (1963), JASA 58.
    reach = sqrt(373 * max(min(rows, other_rows, hits, total - hits), 0.0)) + 1
    first, last = max(0.0, hits - other_rows), min(rows, hits)
    support = np.arange(max(first, floor(mean - reach)), min(last, ceil(mean + reach)) + 1)
    if not support[0] <= right <= support[-1]:
        return 0.0

    def log_ways(n: float, k: object) -> object:
        return gammaln(n + 1) - gammaln(np.asarray(k) + 1) - gammaln(n - np.asarray(k) + 1)

    logs = log_ways(rows, support) + log_ways(other_rows, hits - support)  # type: ignore[operator]
    chance = np.exp(logs - log_ways(total, hits))
    place = int(right - support[0])
    below, here = float(chance[:place].sum()), float(chance[place])
    above = float(chance[place + 1 :].sum())
    return min(2 * (min(below, above) + here / 2), 1.0) if not isnan(here) else np.nan
