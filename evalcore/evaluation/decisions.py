"""Everything that follows from one confusion matrix, each number with its interval."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from evalcore.evaluation.condense import decide
from evalcore.evaluation.drawn import groups_drawn, groups_of
from evalcore.intervals.closed import wilson
from evalcore.intervals.delong import Groups
from evalcore.intervals.resamples import Percentiles, Plan, Resamples, draw_shares, percentiles
from evalcore.metrics.catalog import METRICS
from evalcore.metrics.decisions import DIAGNOSTIC_ODDS_RATIO, LR_MINUS, LR_PLUS, SPECIFICITY
from evalcore.metrics.metric import (
    Closed,
    Estimate,
    Metric,
    PercentileBootstrap,
    Sample,
    Wilson,
    estimate,
)
from evalcore.metrics.multiclass import AVERAGED, AVERAGES, Average
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, Codes, Floats, Outcomes
from evalcore.results import DecisionRule, Decisions, Estimates
from evalcore.tables.confusion import NO_PREDICTION, BinaryCounts, ConfusionMatrix
from evalcore.work import OnDemand

OF_ONE_CLASS = tuple(m for m in METRICS if m.needs is BinaryCounts)
"""The metrics of one class against the rest."""

OF_ALL_CLASSES = tuple(
    m.of_classes() for m in METRICS if m.needs in (BinaryCounts, ConfusionMatrix) and m.over_classes
)
"""The metrics of K classes as a whole, from (K, K) counts."""

_MOST_DRAWN = 4_000_000
"""At most so many filled cells are drawn, over all draws, which takes about half a second."""

_MOST_ADDED = 60_000_000
"""At most so many cells, filled or not, are added up, over all draws, which takes as long."""

_FEWEST_RESAMPLES = 100
"""With fewer draws the ends of a 95% interval would be the outermost two or three."""

NOT_DRAWN = "no interval: with so many classes the matrix is not resampled"
"""The note beside a number of all classes where only those of each class are resampled."""

_Key = tuple[str, str]
"""What a number is of ("class", "whole" or the name of an average), and its metric."""


class _MatrixSample(Sample):
    """The resamples of a matrix, as far as they are of one scope."""

    def __init__(self, level: float, ends: Mapping[_Key, Percentiles], scope: str) -> None:
        super().__init__(level, NOT_DRAWN if ends and scope != "class" else "")
        self.scope, self.ends_of = scope, ends

    def percentiles(self, metric: Metric) -> Percentiles | None:
        return self.ends_of.get((self.scope, metric.key))


class _GroupSample(_MatrixSample):
    """The same over draws of groups of rows."""

    def __init__(
        self, level: float, values: Mapping[_Key, Floats], scope: str, groups: Groups
    ) -> None:
        super().__init__(level, {}, scope)
        self.groups, self.values = groups, values

    def errors(self, metric: Metric, values: Floats) -> Floats:
        draws = self.values.get((self.scope, metric.key))
        if draws is None or self.groups is None:
            return np.full(len(values), np.nan)
        found = self.groups.errors(draws, values, (metric.low, metric.high))
        if (to_first_order := self.values.get((_TO_FIRST_ORDER, metric.key))) is None:
            return found
        least = self.groups.errors(to_first_order, values, (metric.low, metric.high))
        return np.fmax(found, least)


@dataclass(frozen=True, eq=False)
class CellsOfRows:
    """The cell of the matrix that each of n rows is in, and how groups of rows are drawn."""

    cell: Codes
    groups: Groups
    resamples: Resamples

    def values(self, classes: tuple[str, ...]) -> Mapping[_Key, Floats]:
        """Return (B, n) values of all metrics over the draws; of many classes those of each."""
        size = len(classes)
        if size**2 * len(self.resamples.times) > _MOST_ADDED:
            return self._apart(size)
        counts = self.resamples.counts(self.cell, size**2).reshape(-1, size, size)
        averaged = [(name, m) for name in AVERAGES for m in AVERAGED]
        drawn, weight = ConfusionMatrix(classes, counts), self.resamples.weight
        rows = ConfusionMatrix.from_codes(*np.divmod(self.cell, size), classes, weight)
        at, rest = rows.one_vs_rest(), drawn.one_vs_rest()
        least = {(_TO_FIRST_ORDER, m.key): _to_first_order(m, at, rest) for m in _RATIOS}
        return {**_drawn(drawn, averaged, _with_interval), **least}

    def _apart(self, size: int) -> Mapping[_Key, Floats]:
        truth, decided = np.divmod(self.cell, size)
        ofs = [
            self.resamples.counts(2 * (truth == code) + (decided == code), 4)
            for code in range(size)
        ]
        tn, fp, fn, tp = np.moveaxis(np.stack(ofs, axis=1), -1, 0)
        counts = BinaryCounts(tp, fp, fn, tn)
        return {("class", m.key): np.asarray(m(counts)) for m in _with_interval(OF_ONE_CLASS)}


_RATIOS = (LR_PLUS, LR_MINUS, DIAGNOSTIC_ODDS_RATIO)
_TO_FIRST_ORDER = "class, to first order"
_STEP = 1e-4
"""Relative step by which a cell is moved to see how a ratio follows."""


def _to_first_order(ratio: Metric, at: BinaryCounts, draws: BinaryCounts) -> Floats:
    """Return (B, K) values of a ratio over draws, to first order in the counts and its logarithm.

    In a draw without the only group in a cell it has no logarithm; that of such draws is how far
    it varies. Source: Simel, Samsa and Matchar (1991), Journal of Clinical Epidemiology 44(8).
    """
    value, moved = np.asarray(ratio(at)), 0.0
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # of cells without rows
        for name in ("tp", "fp", "fn", "tn"):
            cell = np.asarray(getattr(at, name))
            up = np.asarray(ratio(replace(at, **{name: cell * (1 + _STEP)})))
            moved = moved + (up / value - 1) / _STEP * (getattr(draws, name) / cell - 1)
        return np.asarray(value * np.exp(moved))


def cells_of(rows: Outcomes | None, rule: DecisionRule, options: Options) -> CellsOfRows | None:
    """Return how each row is decided, where rows depend on each other; None where they do not."""
    if not isinstance(rows, BinaryOutcomes | ClassOutcomes) or (groups := groups_of(rows)) is None:
        return None
    decided = decide(rows, rule, options.threshold)
    cell = rows.truth.astype(np.intp) * len(rows.classes) + decided
    return CellsOfRows(cell, groups, groups_drawn(rows, options))


def decisions(
    confusion: ConfusionMatrix, options: Options, rows: CellsOfRows | None = None
) -> Decisions:
    """Return every count metric of a confusion matrix.

    Proportions, F1, balanced accuracy and Youden's J have one in closed form; the others one from
    draws of what the cells may be, which all metrics share. Where rows depend on each other, all
    rest on draws of their groups.
    """
    samples = (
        _samples(confusion, options) if rows is None else _group_samples(rows, confusion, options)
    )
    per_class = _per_class(confusion, samples["class"])
    whole = (
        per_class[confusion.classes[1]]
        if len(confusion.classes) == 2
        else MappingProxyType(
            {m.key: _of_all(confusion, m, samples["whole"]) for m in OF_ALL_CLASSES}
        )
    )
    counts = confusion.one_vs_rest()
    averages = {
        name: MappingProxyType(
            {m.key: _average(confusion, samples[name], m, average(m, counts)) for m in AVERAGED}
        )
        for name, average in AVERAGES.items()
    }
    return Decisions(confusion, whole, per_class, MappingProxyType(averages))


def _samples(confusion: ConfusionMatrix, options: Options) -> Mapping[str, _MatrixSample]:
    averaged = [
        (name, m) for name in AVERAGES for m in AVERAGED if not _share_right(name, m, confusion)
    ]
    drawn = [_drawn(draws, averaged) for draws in _draws(confusion, options)]
    ends = _ends(drawn or [_drawn_apart(confusion, options)], options.level)
    return {name: _MatrixSample(options.level, ends, name) for name in _SCOPES}


def _group_samples(
    rows: CellsOfRows, confusion: ConfusionMatrix, options: Options
) -> Mapping[str, _MatrixSample]:
    values = rows.values(confusion.classes)
    return {name: _GroupSample(options.level, values, name, rows.groups) for name in _SCOPES}


def _of_all(confusion: ConfusionMatrix, metric: Metric, sample: Sample | None = None) -> Estimate:
    if NO_PREDICTION in confusion.classes and metric.key.startswith("weighted_kappa"):
        return Estimate(np.nan, why="a row without a prediction has no place in an order")
    found = metric.estimate(confusion.counts, sample)
    if not metric.key.startswith("weighted_kappa") or not found.defined:
        return found
    by_alphabet = [*confusion.classes] == sorted(confusion.classes, key=str.casefold)
    if not by_alphabet or all(name.lstrip("-").isdigit() for name in confusion.classes):
        return found
    return replace(found, note="; ".join(filter(None, (found.note, BY_ALPHABET))))


def of_whole(
    metric: Metric, confusion: ConfusionMatrix, options: Options, rows: CellsOfRows | None = None
) -> Estimate:
    """Return any count metric of a whole matrix with its interval, such as one with a setting."""
    whole, table = _whole(metric, confusion)

    def values(draws: ConfusionMatrix) -> Floats:
        return np.reshape(whole(_whole(metric, draws)[1]), (-1, 1))

    key, sample = ("whole", whole.key), _MatrixSample(options.level, {}, "whole")
    if rows is not None:
        size = len(confusion.classes)
        drawn = rows.resamples.counts(rows.cell, size**2).reshape(-1, size, size)
        own = {key: values(ConfusionMatrix(confusion.classes, drawn))}
        sample = _GroupSample(options.level, own, "whole", rows.groups)
    elif chunks := [values(draws) for draws in _draws(confusion, options)]:
        ends = percentiles(np.concatenate(chunks), options.level)
        ends = ends._replace(method="jeffreys-draws")
        sample = _MatrixSample(options.level, {key: ends}, "whole")
    return whole.estimate(table, sample)


BY_ALPHABET = "classes in alphabetical order; --order, or an ordered Categorical, sets another"
"""The note beside a number that counts by the order of classes, where nothing tells that order."""

_SCOPES = ("class", "whole", *AVERAGES)


def _per_class(confusion: ConfusionMatrix, sample: Sample) -> Mapping[str, Estimates]:
    counts = confusion.one_vs_rest()
    columns = {m.key: m.interval.estimates(m, counts, sample) for m in OF_ONE_CLASS}
    return MappingProxyType(
        {
            name: MappingProxyType({key: column[place] for key, column in columns.items()})
            for place, name in enumerate(confusion.classes)
        }
    )


def _average(
    confusion: ConfusionMatrix, sample: _MatrixSample, metric: Metric, average: Average
) -> Estimate:
    left_out = average.used < average.present
    note = f"over {average.used:.0f} of {average.present:.0f} classes" if left_out else ""
    if sample.groups is not None:
        values = np.array([average.value], dtype=np.float64)
        [interval] = PercentileBootstrap().intervals(metric, values, confusion.counts, sample)
        return estimate(metric, float(average.value), interval, note=note)
    if _share_right(sample.scope, metric, confusion):
        right, rows = float(np.trace(confusion.counts)), confusion.total
        return estimate(metric, right / (rows or np.nan), wilson(right, rows, sample.level))
    if (drawn := sample.percentiles(metric)) is None:
        return estimate(metric, float(average.value), note=sample.note or note)
    return PercentileBootstrap().of_percentiles(metric, np.array([average.value]), drawn, note)[0]


def _share_right(average: str, metric: Metric, confusion: ConfusionMatrix) -> bool:
    """Whether an average is the share of rows decided right, since each has one decision."""
    answered = NO_PREDICTION not in confusion.classes
    return average == "micro" and metric is not SPECIFICITY and answered


def in_closed_form(confusion: ConfusionMatrix, metric: Metric, level: float) -> Estimate | None:
    """Return a metric of the whole matrix whose interval has a closed form; None for any other."""
    if len(confusion.classes) > 2 and metric.over_classes is None:
        return None
    whole, table = _whole(metric, confusion)
    closed = isinstance(whole.interval, Wilson | Closed)
    return whole.estimate(table, Sample(level)) if closed else None


def _whole(metric: Metric, confusion: ConfusionMatrix) -> tuple[Metric, Any]:
    """Return a metric as it is of a whole matrix, or of many, and the table that it then takes."""
    if metric.needs is BinaryCounts and len(confusion.classes) == 2:
        return metric, confusion.binary()
    return metric.of_classes(), confusion.counts


def without_intervals(confusion: ConfusionMatrix) -> Estimates:
    """Return the metrics of the whole matrix as plain values; of two classes, the positive one."""
    two = len(confusion.classes) == 2
    if not two:
        return OnDemand({m.key: partial(_of_all, confusion, m) for m in OF_ALL_CLASSES})
    return OnDemand({m.key: partial(m.estimate, confusion.binary()) for m in OF_ONE_CLASS})


def _draws(confusion: ConfusionMatrix, options: Options) -> Iterator[ConfusionMatrix]:
    """Draw the matrix again; with very many classes fewer times, or not at all."""
    filled = int(np.count_nonzero(confusion.counts))
    most = min(_MOST_DRAWN // max(filled, 1), _MOST_ADDED // max(confusion.counts.size, 1))
    resamples = min(options.resamples, most) if filled else 0
    if resamples < _FEWEST_RESAMPLES:
        return iter(())
    return draw_shares(confusion, np.random.default_rng(options.seed), Plan(resamples))


def _drawn_apart(confusion: ConfusionMatrix, options: Options) -> Mapping[_Key, Floats]:
    """Draw the four counts of each class by themselves: as good for a class, and much less work."""
    rest, size = confusion.one_vs_rest(), len(confusion.classes)
    cells = np.stack([rest.tp, rest.fp, rest.fn, rest.tn], axis=-1)
    if not confusion.total:
        return {}
    resamples = min(options.resamples, max(_FEWEST_RESAMPLES, _MOST_DRAWN // (16 * size)))
    rng = np.random.default_rng(options.seed)
    drawn = rng.standard_gamma(cells + 0.5, size=(resamples, size, 4))
    drawn *= confusion.total / drawn.sum(axis=-1, keepdims=True)
    counts = BinaryCounts(*np.moveaxis(drawn, -1, 0))
    return {("class", m.key): np.asarray(m(counts)) for m in _bootstrapped(OF_ONE_CLASS)}


def _bootstrapped(metrics: Iterable[Metric]) -> Iterator[Metric]:
    return (m for m in metrics if isinstance(m.interval, PercentileBootstrap))


def _with_interval(metrics: Iterable[Metric]) -> Iterator[Metric]:
    return (m for m in metrics if m.interval.by_groups)


def _drawn(
    draws: ConfusionMatrix,
    averaged: Iterable[tuple[str, Metric]],
    some: Callable[[Iterable[Metric]], Iterator[Metric]] = _bootstrapped,
) -> Mapping[_Key, Floats]:
    """Return (B, n) values of (B, K, K) draws for all metrics whose interval is made of them."""
    rest = draws.one_vs_rest()
    values = {("class", m.key): m(rest) for m in some(OF_ONE_CLASS)}
    if len(draws.classes) != 2:
        values |= {("whole", m.key): m(draws.counts) for m in some(OF_ALL_CLASSES)}
    known = {m: np.asarray(m(rest)) for m in AVERAGED}
    for name, m in averaged:
        values[name, m.key] = AVERAGES[name](m, rest, known[m]).value
    size = len(draws.counts)
    return {key: np.reshape(value, (size, -1)) for key, value in values.items()}


def _ends(chunks: list[Mapping[_Key, Floats]], level: float) -> Mapping[_Key, Percentiles]:
    """Return the intervals of all drawn numbers, which are cut in one go."""
    if not any(chunks):
        return {}
    # Draws side by side, as they are made and then sorted.
    drawn = np.hstack([np.vstack([value.T for value in chunk.values()]) for chunk in chunks])
    ends = percentiles(drawn.T, level)._replace(method="jeffreys-draws")
    widths = [v.shape[1] for v in chunks[0].values()]
    starts = np.cumsum([0, *widths])
    return {
        key: ends.part(slice(a, b))
        for key, a, b in zip(chunks[0], starts[:-1], starts[1:], strict=True)
    }
