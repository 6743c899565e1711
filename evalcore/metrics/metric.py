"""How a metric is declared: everything the product says about it, in one place."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.intervals.closed import (
    Interval,
    Scale,
    effective_wilson,
    interval_on_scale,
    wald_interval,
    wilson,
)
from evalcore.metrics.vocabulary import NOWHERE, Source, words
from evalcore.outcomes import Floats, Number
from evalcore.tables.scores import ScoreTable
from evalcore.text import Displayed, nothing

if TYPE_CHECKING:
    from evalcore.intervals.delong import Groups
    from evalcore.intervals.ranking import Losses
    from evalcore.intervals.resamples import Percentiles


class Better(Enum):
    """Which direction is good."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"


class Family(Enum):
    """What a metric is computed from, in the words of the JSON."""

    COUNTS = "counts"
    RANKING = "ranking"
    PROBABILITY = "probability"
    VALUES = "values"
    POINTS = "points"
    AGREEMENT = "agreement"


@dataclass(frozen=True)
class Estimate(Displayed):
    """A number with its interval, or the reason why there is none.

    Attributes:
        value: The number; NaN where it is undefined, +-inf where it is infinite.
        low, high, level: Ends of the interval and its confidence level; None without one.
        method: How the interval was made, such as "wilson"; None without one.
        why: The reason for an undefined or infinite value; "" otherwise.
        note: A caveat to show beside the interval, such as "degenerate"; "" otherwise.
        at: For an optimum, the threshold where it is reached; None otherwise.
    """

    value: float
    low: float | None = None
    high: float | None = None
    method: str | None = None
    level: float | None = None
    why: str = ""
    note: str = ""
    at: float | None = None

    @classmethod
    def of(cls, value: float, ends: Interval) -> Estimate:
        """Return a number with an interval as it is; without one where its ends are NaN."""
        if math.isnan(ends.low):
            return cls(value)
        return cls(value, float(ends.low), float(ends.high), ends.method, ends.level)

    @property
    def defined(self) -> bool:
        """Whether there is a finite number to show."""
        return bool(np.isfinite(self.value))


class Draws(NamedTuple):
    """(B,) values over resamples, and how intervals of them are called."""

    values: Floats
    method: str = "bootstrap-percentile"


class Sample:
    """What intervals of one model rest on, each None where the model does not have it.

    `note` says why there are no resamples, where the reader must know.
    """

    groups: Groups | None = None
    """The groups that are drawn whole; None where each row is drawn by itself."""

    def __init__(self, level: float, note: str = "") -> None:
        self.level, self.note = level, note

    def errors(self, metric: Metric, values: Floats) -> Floats:
        """Return the (K,) standard errors of a metric's values over draws of the groups."""
        return np.full(len(values), np.nan)

    def as_independent(self, table: Any) -> Any:
        """Return bins of as many independent rows as tell as much; None for any other table."""
        return None

    def percentiles(self, metric: Metric) -> Percentiles | None:
        """Return the percentile intervals of a metric's values over resamples of the rows."""
        from evalcore.intervals.resamples import percentiles

        if (drawn := self.draws(metric)) is None:
            return None
        ends = percentiles(drawn.values[:, np.newaxis], self.level)
        return ends._replace(method=drawn.method)

    def draws(self, metric: Metric) -> Draws | None:
        """Return a metric's values over resamples of the rows."""
        return None

    def roc_area(self) -> Interval | None:
        """Return the interval of the area under the ROC curve."""
        return None

    def mean_loss(self, losses: Losses) -> Interval | None:
        """Return the interval of the mean of a loss over resamples of the rows."""
        return None


Ends = Iterable[Interval | None]
"""The interval of each of some values; None where there is none."""


class IntervalMethod:
    """How the interval of a metric is made; `says` is a sentence about it, for people.

    `takes_draws` tells that the metric maps a table of draws to the values of all of them.
    """

    says: str
    takes_draws: bool = False
    by_groups = True
    """Whether draws of groups alone give the interval where rows of a group are dependent."""

    def estimates(self, metric: Metric, table: Any, sample: Sample | None) -> list[Estimate]:
        """Return a metric of a table, of (K,) counts K of them; without a sample no interval."""
        values, note = np.atleast_1d(metric(table)), self._note(table)
        if self.says == TEST.says and sample is not None and sample.groups is not None:
            note = ALONE
        none: Ends = [None] * len(values)
        ends = none if sample is None else self.intervals(metric, values, table, sample)
        return [
            estimate(metric, value, interval, note=note)
            for value, interval in zip(values, ends, strict=True)
        ]

    def intervals(self, metric: Metric, values: Floats, table: Any, sample: Sample) -> Ends:
        """Return the interval of each of the values of a table."""
        groups = sample.groups
        if groups is None or not self.by_groups:
            return self._intervals(metric, values, table, sample)
        if not np.isfinite(values).any():
            return [None] * len(values)
        if (fewer := sample.as_independent(table)) is not None:
            return self._intervals(metric, values, fewer, sample)
        errors, rows = sample.errors(metric, values), self._rows(table)
        return [
            groups.interval(value, error, (metric.low, metric.high), n, sample.level)
            for value, error, n in zip(
                values, errors, np.broadcast_to(rows, len(values)), strict=True
            )
        ]

    def _intervals(self, metric: Metric, values: Floats, table: Any, sample: Sample) -> Ends:
        return [None] * len(values)

    def _rows(self, table: Any) -> Any:
        """Return the rows that values rest on: of two classes, those of the rarer one."""
        if hasattr(table, "positives"):
            return np.minimum(table.positives, table.negatives)
        return getattr(table, "n", np.sum(table) if isinstance(table, np.ndarray) else np.nan)

    def _note(self, table: Any) -> str:
        return ""


@dataclass(frozen=True)
class NoInterval(IntervalMethod):
    """No interval, for a reason."""

    says: str
    by_groups = False


DESCRIPTION = NoInterval("None: it describes these rows, as they are.")
TEST = NoInterval("None: a test already takes chance into account.")
ALONE = "not reliable: it assumes independent rows, which these are not"
"""The note beside a test of one model where rows are drawn in groups, or by weight."""

OF_GROUPS = NoInterval("None: resampling would put copies of a row into one cluster and one class.")


@dataclass(frozen=True)
class Closed(IntervalMethod):
    """An interval in closed form; `ends` gives it for a table and a level, of (K,) counts K."""

    ends: Callable[[Any, float], Interval]
    says: str = "A formula for this number alone, without resampling."
    takes_draws: bool = False

    def _intervals(self, metric: Metric, values: Floats, table: Any, sample: Sample) -> Ends:
        if not np.isfinite(values).any():
            return [None] * len(values)
        return one_by_one(self.ends(table, sample.level))


@dataclass(frozen=True)
class Wilson(IntervalMethod):
    """Wilson's interval of k of n rows; `proportion` gives (k, n)."""

    proportion: Callable[[Any], tuple[Number, Number]]
    says = "Wilson’s method for a share of rows."

    def _rows(self, table: Any) -> Any:
        return self.proportion(table)[1]

    def _intervals(self, metric: Metric, values: Floats, table: Any, sample: Sample) -> Ends:
        return one_by_one(wilson(*self.proportion(table), sample.level))


def one_by_one(ends: Interval) -> list[Interval]:
    """Return the intervals of (K,) ends, or of the two ends of one."""
    pairs = zip(*(np.atleast_1d(end).tolist() for end in (ends.low, ends.high)), strict=True)
    how = ends.method, ends.level, ends.degenerate
    return [Interval(low, high, *how) for low, high in pairs]


@dataclass(frozen=True)
class StandardError(IntervalMethod):
    """The normal interval of a standard error; `of` gives (value, standard error)."""

    of: Callable[[Any], tuple[float, float]]
    says = "The value plus and minus z standard errors; z is 1.96 at 95%."

    def _intervals(self, metric: Metric, values: Floats, table: Any, sample: Sample) -> Ends:
        return [wald_interval(*self.of(table), sample.level)]


@dataclass(frozen=True)
class OfArea(IntervalMethod):
    """The interval of the area under the ROC curve, stretched to the range of the metric."""

    says = (
        "Newcombe’s method (variance from the area and the class sizes), blended with DeLong’s "
        "(from the rank of each row): the more rows the rarer class has, the more DeLong’s counts."
    )
    by_groups = False

    def _intervals(self, metric: Metric, values: Floats, table: Any, sample: Sample) -> Ends:
        area, width = sample.roc_area(), metric.high - metric.low
        if area is None:
            return [None]
        low, high = (metric.low + width * end for end in (area.low, area.high))
        return [replace(area, low=low, high=high)]


@dataclass(frozen=True)
class MeanLoss(IntervalMethod):
    """A bootstrap of a mean loss, or the normal interval of the mean where there are many rows.

    `losses` gives for (m,) probabilities the (m,) losses of a positive row and of a negative.
    """

    losses: Losses
    says = (
        "A bootstrap of the losses of the rows, on the log scale; with very many rows, the "
        "mean plus and minus z standard errors."
    )

    def _intervals(self, metric: Metric, values: Floats, table: Any, sample: Sample) -> Ends:
        drawn = sample.mean_loss(self.losses)
        return [drawn or wald_interval(*self.mean_and_error(table), sample.level)]

    def mean_and_error(self, table: ScoreTable) -> tuple[float, float]:
        """Return the mean loss of the rows, and its standard error."""
        from evalcore.tables.classes import loss_moments

        return loss_moments(table, self.losses).mean_and_error


_RESAMPLED = (
    "rows are resampled with replacement many times, and the number is recomputed each time"
)


@dataclass(frozen=True)
class PercentileBootstrap(IntervalMethod):
    """Percentiles of the metric over resamples of the rows."""

    says = f"The bootstrap: {_RESAMPLED}."
    takes_draws = True

    def estimates(self, metric: Metric, table: Any, sample: Sample | None) -> list[Estimate]:
        """Return the values with the percentiles of their resamples."""
        if sample is not None and sample.groups is not None and self.by_groups:
            return super().estimates(metric, table, sample)
        values = np.atleast_1d(metric(table))
        drawn = sample.percentiles(metric) if sample and np.isfinite(values).any() else None
        if drawn is None:
            note = "" if sample is None else sample.note
            return [estimate(metric, value, note=note) for value in values]
        return self.of_percentiles(metric, values, drawn)

    def of_percentiles(
        self, metric: Metric, values: Floats, drawn: Percentiles, note: str = ""
    ) -> list[Estimate]:
        """Return (K,) values with the intervals of their resamples."""
        rows = zip(values, drawn.intervals(), drawn.failed.tolist(), strict=True)
        return [
            estimate(
                metric,
                value,
                interval,
                note=_joined(
                    note,
                    f"{failed:,} of {drawn.draws:,} resamples gave no number" if failed else "",
                    BIASED if metric.beside(value, interval) else "",
                ),
            )
            for value, interval, failed in rows
        ]


class FromDraws(PercentileBootstrap):
    """An interval made of the draws as a whole, rather than of their percentiles."""

    @np.errstate(over="ignore", invalid="ignore")  # squares of numbers beyond 1e154
    def estimates(self, metric: Metric, table: Any, sample: Sample | None) -> list[Estimate]:
        """Return the value with the interval that its draws give."""
        if sample is not None and sample.groups is not None:
            return super().estimates(metric, table, sample)
        value = float(metric(table))
        drawn = sample.draws(metric) if sample is not None and np.isfinite(value) else None
        if sample is None or drawn is None:
            return [estimate(metric, value, note="" if sample is None else sample.note)]
        usable = drawn.values[np.isfinite(drawn.values)]
        failed = len(drawn.values) - len(usable)
        note = f"{failed:,} of {len(drawn.values):,} resamples gave no number" if failed else ""
        ends = self._of_draws(metric, table, value, usable, sample.level)
        # Resamples move a number as files move it: by half its spread, the interval lies askew.
        moved = len(usable) > 1 and bool(abs(usable.mean() - value) > usable.std() / 2)
        note = _joined(note, BIASED if moved else "", self._caveat(table, sample))
        if drawn.method not in ("bootstrap-percentile", "bootstrap-grouped"):
            ends = replace(ends, method=drawn.method)
        return [estimate(metric, value, ends, note=note)]

    def _of_draws(
        self, metric: Metric, table: Any, value: float, draws: Floats, level: float
    ) -> Interval:
        raise NotImplementedError

    def _caveat(self, table: Any, sample: Sample) -> str:
        return ""


@dataclass(frozen=True)
class OnScale(FromDraws):
    """Student's interval on a scale without ends; the table has `n` rows."""

    scale: Scale
    says = (
        f"The bootstrap: {_RESAMPLED}; Student’s t with the standard error of those values, on "
        "an unbounded scale."
    )

    def _of_draws(
        self, metric: Metric, table: Any, value: float, draws: Floats, level: float
    ) -> Interval:
        return interval_on_scale(value, draws, self.scale, float(table.n), level)


@dataclass(frozen=True)
class OfPositives(FromDraws):
    """Wilson's interval with as many trials as the draws of a score table vary like.

    For a share of the positives, `proportion` gives its two counts, (k, n).
    """

    proportion: Callable[[Any], tuple[Number, Number]] | None = None
    says = (
        f"The bootstrap: {_RESAMPLED}; Wilson’s interval of a share with the same variance, "
        "and with few positives as a share of them."
    )

    def _of_draws(
        self, metric: Metric, table: Any, value: float, draws: Floats, level: float
    ) -> Interval:
        width = metric.high - metric.low
        share, spread = (value - metric.low) / width, draws.std() / width if len(draws) else 0.0
        ends = effective_wilson(share, float(spread) ** 2, float(table.positives), level)
        low, high = (metric.low + width * float(end) for end in (ends.low, ends.high))
        return replace(ends, low=low, high=high)


@dataclass(frozen=True)
class AtOptimum(IntervalMethod):
    """No interval, but the threshold of an optimum; `of` gives (value, threshold)."""

    of: Callable[[Any], tuple[float, float]]
    by_groups = False
    says = (
        "None: the threshold was chosen for the best value on these rows, so the value is "
        "optimistic."
    )

    def estimates(self, metric: Metric, table: Any, sample: Sample | None) -> list[Estimate]:
        """Return the optimum and the threshold where it is reached."""
        value, threshold = self.of(table)
        return [estimate(metric, value, at=threshold)]


@dataclass(frozen=True)
class OverClasses:
    """The same quantity for K classes, from (..., K, K) arrays of counts unless it says so."""

    compute: Callable[[Any], Number]
    interval: IntervalMethod = field(default_factory=PercentileBootstrap)
    needs: type = np.ndarray

    def __call__(self, table: Any) -> Number:
        """Return the quantity of a table of the type that it needs."""
        return self.compute(table)


@dataclass(frozen=True, kw_only=True)
class Described:
    """What there is to say about a metric.

    Attributes:
        key: Public name, stable; see `docs/metrics.md`.
        name: The field's words, as shown to people; by default those of the key.
        family: What it is computed from.
        summary: What it means, one sentence, plain words.
        formula: LaTeX. Counts are written TP, FP, FN, TN, so that live counts can be filled in.
        low, high: Smallest and largest possible value, which may be infinite.
        undefined_when: Completes "undefined: ...", such as "no row is predicted positive".
        synonyms: Other names people search for.
        misleads: When the number fools people, one sentence.
        unit: "share" (0 to 1), "unit" (of the target), "nats", "count", "p" (a p value) or "" (a
            bare number).
    """

    key: str
    name: str = ""
    family: Family
    summary: str = ""
    formula: str = ""
    low: float = 0
    high: float = 1
    better: Better = Better.HIGHER
    source: Source = NOWHERE
    undefined_when: str = "there are no rows"
    synonyms: tuple[str, ...] = ()
    misleads: str = ""
    unit: str = ""


@dataclass(frozen=True, kw_only=True)
class Metric(Described):
    """A metric: its function and what there is to say about it.

    Calling it computes it: `RECALL(counts)`. Without a summary, what is said to people is what
    `metrics.txt` says of its family and key.

    Attributes:
        needs: The type of the table that `compute` takes, such as `BinaryCounts`.
        compute: The function. It returns NaN where the metric is undefined, and maps arrays of
            counts to arrays of values, so that one function serves classes and bootstrap draws.
        infinite_when: Completes "infinite: ..."; "" for a metric that is never infinite.
        over_classes: The same quantity for K classes, for a metric that has one.
        parameters: The settings of a metric that has some, by name.
        fewest: With fewer rows of the rarer class simulation shows its interval to be too narrow.
    """

    needs: type
    compute: Callable[[Any], Number]
    infinite_when: str = ""
    interval: IntervalMethod = field(default_factory=PercentileBootstrap)
    over_classes: OverClasses | None = None
    parameters: Mapping[str, float] = field(default_factory=nothing)
    fewest: int = 0

    def __post_init__(self) -> None:
        if not self.summary:
            for field_name, said in words(self.family.value, self.key, self.parameters).items():
                object.__setattr__(self, field_name, said)
        if not self.name:
            object.__setattr__(self, "name", self.key.replace("_", " ").capitalize())

    def __call__(self, table: Any) -> Number:
        """Return the metric of a table of the type that it needs."""
        return self.compute(table)

    def __hash__(self) -> int:
        return hash((self.key, self.needs))

    def estimate(self, table: Any, sample: Sample | None = None) -> Estimate:
        """Return the metric of one table with its interval; without a sample the value alone."""
        made = self.interval.estimates(self, table, sample)[0]
        if made.low is None or not self.fewest or not hasattr(table, "positives"):
            return made
        positives = np.sum(table.positives)  # of one table, or of each of its bins
        few = min(positives, np.sum(table.n) - positives) < self.fewest
        return replace(made, note=_joined(made.note, TOO_FEW.format(self.fewest) if few else ""))

    def beside(self, value: float, interval: Interval) -> bool:
        """Whether a value that its range does not bound lies outside an interval."""
        return bool(self.low < value < interval.low or interval.high < value < self.high)

    def of_classes(self) -> Metric:
        """Return the metric of K classes that `over_classes` declares."""
        many = self.over_classes
        assert many is not None
        return replace(self, needs=many.needs, compute=many.compute, interval=many.interval)


TOO_FEW = "fewer than {:,} rows of one class: the interval is likely too narrow"
"""The note beside an interval of fewer rows than `fewest`."""

DEGENERATE = "degenerate: these rows show no variation"
"""How the note beside an interval begins that no error of these rows widens."""

_FLAT = f"{DEGENERATE}, so the true uncertainty is larger"
_AT_THE_END = f"{DEGENERATE}, so the interval depends on their number alone"

TOO_LARGE = "no interval: the numbers are too large to square"
"""The note beside a number whose interval has no ends."""

BIASED = "biased: resampling shifts this number to one side, as with few rows per class or bin"
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
    if not math.isfinite(value):
        why = metric.undefined_when if math.isnan(value) else metric.infinite_when
        return Estimate(value, why=why)
    if interval is None or math.isnan(interval.low) or math.isnan(interval.high):
        return Estimate(value, note=note, at=at)
    if math.isinf(interval.low) and math.isinf(interval.high):
        return Estimate(value, note=_joined(note, TOO_LARGE), at=at)
    low, high = max(float(interval.low), metric.low), min(float(interval.high), metric.high)
    # No draw reaches an end of the range that the rows themselves reach.
    low = value if value == metric.low else low
    high = value if value == metric.high else high
    flat = interval.degenerate or low == high or value in (metric.low, metric.high)
    note = _joined(note, (_FLAT if low == high else _AT_THE_END) if flat else "")
    return Estimate(value, low, high, interval.method, interval.level, note=note, at=at)


def _joined(*notes: str) -> str:
    return "; ".join(filter(None, notes))


def share_of(of: Callable[[Any], tuple[Number, Number]], **declaration: Any) -> Metric:
    """Declare a share by the function that gives its two counts, (k, n), for a table."""
    return Metric(
        compute=lambda table: ratio(*of(table)), interval=Wilson(of), unit="share", **declaration
    )


def ratio(numerator: float | NDArray[Any], denominator: float | NDArray[Any]) -> Number:
    """Return numerator / denominator without a warning: 0/0 is NaN, 1/0 is infinite."""
    if type(numerator) is float and type(denominator) is float and denominator:
        return numerator / denominator  # which should not wait for numpy
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        quotient = np.divide(numerator, denominator, dtype=np.float64)
    return scalar(quotient)


def scalar(values: NDArray[np.float64] | np.float64) -> Number:
    """Return a float for an array without dimensions, and any other array as it is."""
    return values if isinstance(values, np.ndarray) and values.ndim else float(values)
