"""Everything that follows from one confusion matrix, each number with its interval."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from evalcore.intervals.bootstrap import Percentiles, Plan, basic_interval, draw_counts, percentiles
from evalcore.intervals.closed import Interval, wald_interval, wilson
from evalcore.metrics.catalog import METRICS
from evalcore.metrics.metric import Estimate, IntervalBy, Metric, ratio
from evalcore.metrics.multiclass import AVERAGED, AVERAGES, Average, of_matrix
from evalcore.metrics.rates import SPECIFICITY
from evalcore.options import Options
from evalcore.outcomes import Floats, Number
from evalcore.results import Decisions, Estimates
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix

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
        for value, drawn, failed in zip(
            values, _estimates_drawn(ends, level), ends.failed, strict=True
        )
    ]


def of_draws(
    metric: Metric, value: float, drawn: Number, level: float, method: str = ""
) -> Estimate:
    """Return a value with the interval of (B,) draws; `method` says how these were made."""
    ends = percentiles(np.asarray(drawn)[:, np.newaxis], level)
    (made,) = with_percentiles(metric, np.array([value]), ends, level)
    return replace(made, method=method) if method and made.method is not None else made


def _estimates_drawn(ends: Percentiles, level: float) -> Iterator[Interval]:
    for low, high in zip(ends.low, ends.high, strict=True):
        yield Interval(low, high, "bootstrap-percentile", level, degenerate=bool(low == high))


def _one_sided(value: float, drawn: Interval) -> str:
    return BIASED if value < drawn.low or value > drawn.high else ""


def _failures(failed: int, draws: int) -> str:
    return f"{failed:,} of {draws:,} resamples gave no number" if failed else ""


def _joined(*notes: str) -> str:
    return "; ".join(filter(None, notes))


OF_ONE_CLASS = tuple(m for m in METRICS if m.needs is BinaryCounts)
"""The metrics of one class against the rest."""

OF_ALL_CLASSES = tuple(
    m for m in METRICS if m.needs in (BinaryCounts, ConfusionMatrix) and m.over_classes
)
"""The metrics of K classes as a whole."""

_MOST_DRAWN = 4_000_000
"""At most so many filled cells are drawn, over all draws."""

_MOST_ADDED = 60_000_000
"""At most so many cells, filled or not, are added up, over all draws."""

_FEWEST_RESAMPLES = 100

NOT_DRAWN = "no interval: the matrix of so many classes is not drawn again as a whole"
"""The note beside a number of all classes where only those of each class are resampled."""

_Key = tuple[str, str]
"""What a number is of ("class", "whole" or the name of an average), and its metric."""


def decisions(confusion: ConfusionMatrix, options: Options) -> Decisions:
    """Return every count metric of a confusion matrix.

    Proportions have Wilson's interval; the others one from bootstrap draws of the cells, which
    all metrics share.
    """
    drawn = [_drawn(draws) for draws in _draws(confusion, options)]
    ends = _ends(drawn or [_drawn_apart(confusion, options)], options.level)
    made = _Made(confusion, options.level, ends)
    per_class = made.per_class()
    binary = len(confusion.classes) == 2
    whole = per_class[confusion.classes[1]] if binary else made.whole()
    return Decisions(confusion, whole, per_class, made.averages())


def of_share(confusion: ConfusionMatrix, metric: Metric, level: float) -> Estimate | None:
    """Return a metric of the whole matrix that is a share of rows; None for any other."""
    if len(confusion.classes) == 2:
        counts = None if metric.proportion is None else metric.proportion(confusion.binary())
    elif metric.proportion_over_classes is None:
        counts = None
    else:
        counts = metric.proportion_over_classes(confusion.counts.astype(np.float64))
    return None if counts is None else of_proportions(metric, *counts, level)[0]


def without_intervals(confusion: ConfusionMatrix) -> Estimates:
    """Return the metrics of the whole matrix as plain values; of two classes, the positive one."""
    metrics = OF_ONE_CLASS if len(confusion.classes) == 2 else OF_ALL_CLASSES
    return plain_estimates({m: float(of_matrix(m, confusion)) for m in metrics})


def _draws(confusion: ConfusionMatrix, options: Options) -> Iterator[ConfusionMatrix]:
    """Draw the matrix again; with very many classes fewer times, or not at all."""
    filled = int(np.count_nonzero(confusion.counts))
    most = min(_MOST_DRAWN // max(filled, 1), _MOST_ADDED // max(confusion.counts.size, 1))
    resamples = min(options.resamples, most) if filled else 0
    if resamples < _FEWEST_RESAMPLES:
        return iter(())
    return draw_counts(confusion, np.random.default_rng(options.seed), Plan(resamples))


def _drawn_apart(confusion: ConfusionMatrix, options: Options) -> Mapping[_Key, Floats]:
    """Draw the four counts of each class by themselves: as good for a class, and much less work."""
    rest, size = confusion.one_vs_rest(), len(confusion.classes)
    cells = np.stack([rest.tp, rest.fp, rest.fn, rest.tn], axis=-1)
    rows = round(confusion.total)
    if not rows:
        return {}
    resamples = min(options.resamples, max(_FEWEST_RESAMPLES, _MOST_DRAWN // (16 * size)))
    rng = np.random.default_rng(options.seed)
    drawn = rng.multinomial(rows, cells / confusion.total, size=(resamples, size))
    counts = BinaryCounts(*np.moveaxis(drawn * (confusion.total / rows), -1, 0))
    return {("class", m.key): np.asarray(m(counts)) for m in _bootstrapped(OF_ONE_CLASS)}


def _drawn(draws: ConfusionMatrix) -> Mapping[_Key, Floats]:
    """Return (B, n) values of (B, K, K) draws for all metrics whose interval is made of them."""
    rest = draws.one_vs_rest()
    values = {("class", m.key): m(rest) for m in _bootstrapped(OF_ONE_CLASS)}
    if len(draws.classes) != 2:
        values |= {("whole", m.key): of_matrix(m, draws) for m in _bootstrapped(OF_ALL_CLASSES)}
    for name, average in AVERAGES.items():
        values |= {(name, m.key): average(m, rest).value for m in AVERAGED}
    size = len(draws.counts)
    return {key: np.reshape(value, (size, -1)) for key, value in values.items()}


def _bootstrapped(metrics: Iterable[Metric]) -> Iterator[Metric]:
    return (m for m in metrics if m.interval is IntervalBy.BOOTSTRAP)


def _ends(chunks: list[Mapping[_Key, Floats]], level: float) -> Mapping[_Key, Percentiles]:
    """Return the intervals of all drawn numbers, which are cut in one go."""
    if not any(chunks):
        return {}
    drawn = np.concatenate([np.hstack(list(chunk.values())) for chunk in chunks])
    ends, widths = percentiles(drawn, level), [v.shape[1] for v in chunks[0].values()]
    starts = np.cumsum([0, *widths])
    return {
        key: ends.part(slice(a, b))
        for key, a, b in zip(chunks[0], starts[:-1], starts[1:], strict=True)
    }


@dataclass(frozen=True, eq=False)
class _Made:
    """A matrix with the draws of it, from which every estimate is put together."""

    confusion: ConfusionMatrix
    level: float
    ends: Mapping[_Key, Percentiles]

    def per_class(self) -> Mapping[str, Estimates]:
        counts = self.confusion.one_vs_rest()
        columns = {m.key: self._of_classes(m, counts) for m in OF_ONE_CLASS}
        return MappingProxyType(
            {
                name: MappingProxyType({key: column[place] for key, column in columns.items()})
                for place, name in enumerate(self.confusion.classes)
            }
        )

    def whole(self) -> Estimates:
        return MappingProxyType({m.key: self._of_matrix(m) for m in OF_ALL_CLASSES})

    def averages(self) -> Mapping[str, Estimates]:
        counts = self.confusion.one_vs_rest()
        return MappingProxyType(
            {
                name: MappingProxyType(
                    {m.key: self._average(name, m, average(m, counts)) for m in AVERAGED}
                )
                for name, average in AVERAGES.items()
            }
        )

    def _of_classes(self, metric: Metric, counts: BinaryCounts) -> list[Estimate]:
        if metric.proportion is not None:
            return of_proportions(metric, *metric.proportion(counts), self.level)
        return self._with_draws(metric, np.atleast_1d(metric(counts)), "class")

    def _of_matrix(self, metric: Metric) -> Estimate:
        if (share := of_share(self.confusion, metric, self.level)) is not None:
            return share
        values = np.array([of_matrix(metric, self.confusion)])
        return self._with_draws(metric, values, "whole")[0]

    def _average(self, name: str, metric: Metric, average: Average) -> Estimate:
        if name == "micro" and metric is not SPECIFICITY:
            # Each row has one decision, so that this is the share of rows decided right.
            right, rows = np.trace(self.confusion.counts), self.confusion.total
            return of_proportions(metric, right, rows, self.level)[0]
        left_out = average.used < average.present
        note = f"over {average.used:.0f} of {average.present:.0f} classes" if left_out else ""
        return self._with_draws(metric, np.array([average.value]), name, note=note)[0]

    def _with_draws(
        self, metric: Metric, values: Floats, scope: str, *, note: str = ""
    ) -> list[Estimate]:
        ends = self.ends.get((scope, metric.key))
        if ends is None:
            drawn = scope == "class" or metric.interval is not IntervalBy.BOOTSTRAP
            told = note if drawn or not self.ends else NOT_DRAWN
            return [estimate(metric, value, note=told) for value in values]
        return with_percentiles(metric, values, ends, self.level, note=note)
