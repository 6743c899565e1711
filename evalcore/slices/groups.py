"""The groups of a column side by side: rates of each, how far they are apart, and even thresholds.

Differences and ratios are those of fairlearn's MetricFrame between groups: largest less smallest,
and smallest over largest. A group in which a rate is undefined takes no part in it. Source: Hardt,
Price and Srebro (2016), Equality of opportunity in supervised learning.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from types import MappingProxyType
from typing import Any

import numpy as np

from evalcore.comparison.candidate import candidate
from evalcore.errors import EvalError
from evalcore.evaluation.condense import some_rows
from evalcore.evaluation.drawn import groups_drawn
from evalcore.intervals.closed import mean_interval
from evalcore.metrics.decisions import ACCURACY, DETECTION_PREVALENCE, FPR, PRECISION, RECALL
from evalcore.metrics.metric import Estimate, Metric, Sample
from evalcore.metrics.ranking import ROC_AUC
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, Floats
from evalcore.slices.columns import Column, Condition, Mask
from evalcore.slices.measures import Cells, Losses, Measure, measure
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.scores import ScoreTable
from evalcore.text import Displayed

RATES: Mapping[str, Metric] = MappingProxyType(
    {
        "selection_rate": DETECTION_PREVALENCE,
        "recall": RECALL,
        "fpr": FPR,
        "precision": PRECISION,
    }
)
"""What is set side by side; the first three can be made even by thresholds."""

_GAPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "demographic_parity": ("selection_rate",),
        "equal_opportunity": ("recall",),
        "equalized_odds": ("recall", "fpr"),
        "predictive_parity": ("precision",),
    }
)
"""The rates that are to be alike; of several the one that is furthest apart counts."""

FEW_GROUPS = "fewer than two groups have a value"


@dataclass(frozen=True)
class Group(Displayed):
    """One group: which rows, how many, and its rates.

    `rates` has those of `RATES`, and for probabilities "calibration": the mean probability less
    the share of positives, which is 0 where probabilities are right on average.
    """

    condition: Condition
    n: float
    rates: Mapping[str, Estimate]


@dataclass(frozen=True)
class Groups(Displayed):
    """The groups of a column, and how far they are apart.

    `gaps` has a difference and a ratio of each of demographic parity, equal opportunity, equalised
    odds and predictive parity, with intervals from draws of each group's rows.
    """

    column: str
    groups: tuple[Group, ...]
    gaps: Mapping[str, Estimate]

    def _columns(self) -> Mapping[str, Any]:
        names = {name: [one.rates[name].value for one in self.groups] for name in RATES}
        return {"group": [one.condition.text for one in self.groups], **names}


def side_by_side(
    outcomes: BinaryOutcomes, decided: Any, column: Column, options: Options
) -> Groups:
    """Return the groups of a column side by side.

    Args:
        outcomes: A model's answers to a yes-or-no question.
        decided: (n,) 1 where the decision is positive.
        column: The column on the rows of the model.
        options: Level, resamples and seed.
    """
    cell = (2 * outcomes.truth + decided).astype(np.int16)
    size, cells = len(column.parts), Cells(cell, 4, outcomes.weight)
    sums = cells.sums(column.codes, size)
    count = size - bool(column.others)
    sample = Sample(options.level)
    by_rate = {
        name: metric.interval.estimates(metric, _counts(sums), sample)
        for name, metric in RATES.items()
    }
    calibration = _calibration(outcomes, column, options.level)
    groups = []
    for part in range(count):
        rates = {name: found[part] for name, found in by_rate.items()}
        if calibration is not None:
            rates["calibration"] = calibration[part]
        n = float(sums[part].sum())
        groups.append(Group(Condition(column.name, column.parts[part]), n, rates))
    drawn = _drawn(outcomes, cells, column, options)[:, :count]
    values = {name: np.asarray(one(_counts(sums[:count]))) for name, one in RATES.items()}
    draws = {name: np.asarray(one(_counts(drawn))) for name, one in RATES.items()}
    gaps = {}
    for name, needed in _GAPS.items():
        pairs = [(values[one], draws[one]) for one in needed]
        gaps[f"{name}_difference"] = largest_difference(pairs, options.level)
        gaps[f"{name}_ratio"] = smallest_ratio(pairs, options.level)
    return Groups(column.name, tuple(groups), MappingProxyType(gaps))


def _counts(sums: Floats) -> BinaryCounts:
    return BinaryCounts(sums[..., 3], sums[..., 1], sums[..., 2], sums[..., 0])


Drawn = tuple[Floats, Floats]
"""The (G,) values of groups, and (B, G) draws of what they may be."""


def largest_difference(some: Sequence[Drawn], level: float, most: float = 1.0) -> Estimate:
    """Return how far groups are apart by what is furthest apart, from 0 to `most`.

    The largest value less the smallest moves by no more than the errors of the values are apart,
    so that the interval reaches as far as these do at the level, whatever the values are.
    Source: Scheffe (1959), The Analysis of Variance, 3.6, for the range of errors.

    >>> drawn = np.array([[0.1, 0.6], [0.3, 0.4]])
    >>> largest_difference([(np.array([0.2, 0.5]), drawn)], 0.95).value
    0.3
    """
    known = _with_two(some)
    if not known:
        return Estimate(np.nan, why=FEW_GROUPS)
    value = max(float(np.ptp(values)) for values, _ in known)
    reach = _reach([draws - np.median(draws, axis=0) for _, draws in known], level)
    return Estimate(value, max(value - reach, 0.0), min(value + reach, most), "range-draws", level)


def smallest_ratio(some: Sequence[Drawn], level: float) -> Estimate:
    """Return the smallest over the largest value of 0 or more, by what is furthest apart.

    Its interval is made on the scale of logarithms, as that of a difference.

    >>> drawn = np.array([[0.1, 0.6], [0.3, 0.4]])
    >>> smallest_ratio([(np.array([0.2, 0.5]), drawn)], 0.95).value
    0.4
    """
    known = [one for one in _with_two(some) if one[0].max() > 0 and one[0].min() >= 0]
    if not known:
        return Estimate(np.nan, why=FEW_GROUPS)
    logs = [np.log(np.maximum(draws, 1e-12)) for _, draws in known]
    reach = _reach([log - np.median(log, axis=0) for log in logs], level)
    value = min(float(values.min() / values.max()) for values, _ in known)
    # Where no row of a group counts, its ratio is not known to be 0.
    middle = min(float(np.exp(-np.ptp(np.median(log, axis=0)))) for log in logs)
    high = min(max(value, middle if value == 0 else 0.0) * np.exp(reach), 1.0)
    return Estimate(value, value * float(np.exp(-reach)), float(high), "range-draws", level)


def _with_two(some: Sequence[Drawn]) -> list[Drawn]:
    """Return values and draws of the groups that have any, where these are two or more."""
    known = [
        (values[there], draws[:, there])
        for values, draws in some
        for there in [np.isfinite(values)]
    ]
    return [one for one in known if len(one[0]) > 1]


def _reach(errors: Sequence[Floats], level: float) -> float:
    """Return how far apart errors of groups are, at the level, by what is furthest apart."""
    spread = np.max([np.ptp(one, axis=1) for one in errors], axis=0)
    return float(np.quantile(spread, level))


def gaps_of(measure: Measure, column: Column, options: Options) -> Mapping[str, Estimate]:
    """Return the largest difference and the smallest ratio of a metric between the groups."""
    count = len(column.parts) - bool(column.others)
    parts = [inside for inside, _ in measure.each(column.codes, len(column.parts))][:count]
    values = np.array([part.estimate.value for part in parts])
    cells, metric = measure.terms, measure.one.metric
    if measure.of_cells and isinstance(cells, Cells) and cells.width <= _MOST_CELLS:
        draws = measure.values(_drawn(measure.one.outcomes, cells, column, options)[:, :count])
    else:
        errors = np.array([part.error for part in parts])
        values = np.where(np.isfinite(errors), values, np.nan)
        rng = np.random.default_rng(options.seed)
        # On the scale of logarithms, so that no draw of a loss is below 0.
        with np.errstate(divide="ignore", invalid="ignore"):
            moved = errors / values * rng.standard_normal((options.resamples, count))
        draws = values * np.exp(moved)
    found = [(values, draws)]
    return MappingProxyType(
        {
            "largest_difference": largest_difference(
                found, options.level, metric.high - metric.low
            ),
            "smallest_ratio": smallest_ratio(found, options.level),
        }
    )


_MOST_CELLS = 100
"""Cells of a matrix that are drawn again for each group."""


def _drawn(rows: Any, cells: Cells, column: Column, options: Options) -> Floats:
    """Return (B, K, width) counts over draws of the rows of each group, or of whole units."""
    size, width = len(column.parts), cells.width
    if rows.unit is not None:
        both = column.codes.astype(np.intp) * width + cells.cell
        found = groups_drawn(rows, options).counts(both, size * width)
        return np.asarray(found, np.float64).reshape(-1, size, width)
    sums = cells.sums(column.codes, size)
    rng = np.random.default_rng(options.seed)
    # Half a row in each cell: where all rows are alike, those to come need not be (Jeffreys).
    drawn = rng.standard_gamma(sums + 0.5, (options.resamples, size, width))
    return np.asarray(drawn * (sums.sum(axis=-1) / drawn.sum(axis=-1))[..., None])


def _calibration(rows: BinaryOutcomes, column: Column, level: float) -> Sequence[Estimate] | None:
    """Return the mean probability less the share of positives in each part of a column."""
    if not rows.probability or rows.score is None:
        return None
    sums = Losses(rows.score - rows.truth, 0.0, rows.weight).sums(column.codes, len(column.parts))
    found = []
    for n, total, squares in sums.tolist():
        mean = total / n if n else np.nan
        spread = sqrt(max(squares - n * mean**2, 0.0) / (n - 1)) if n > 1 else np.nan
        made = Estimate.of(mean, mean_interval(mean, spread, n, level))
        found.append(made if n else Estimate(np.nan, why="there are no rows"))
    return found


@dataclass(frozen=True)
class Evened(Displayed):
    """Thresholds, one for each group, that make a rate the same, and what that costs.

    Attributes:
        rate: Which rate: "selection_rate", "recall" or "fpr".
        target: What it is made in each group: its value over all rows at the one threshold.
        thresholds: The threshold of each group, by its condition; without a rate its own.
        before, after: The rate of each group.
        accuracy_before, accuracy_after: Share of all rows decided right.
        changed: Rows that are decided otherwise.
        note: That thresholds were chosen on the rows that they are shown on.
    """

    rate: str
    target: float
    thresholds: Mapping[str, float]
    before: Mapping[str, Estimate]
    after: Mapping[str, Estimate]
    accuracy_before: Estimate
    accuracy_after: Estimate
    changed: float
    note: str = "chosen on these rows: on new ones the groups will be further apart"


def evened(rows: BinaryOutcomes, column: Column, rate: str, options: Options) -> Evened:
    """Return a threshold for each group that brings a rate nearest to that of all rows.

    Raises:
        EvalError: "no-score": there are no scores. "no-rate": the rate cannot be made even so.
    """
    if rows.score is None:
        raise EvalError("no-score", "Thresholds need scores, and this model gives labels only.")
    if rate not in ("selection_rate", "recall", "fpr"):
        raise EvalError(
            "no-rate", f'Thresholds make "selection_rate", "recall" or "fpr" even, not "{rate}".'
        )
    metric, at = RATES[rate], options.threshold
    whole = ScoreTable.from_scores(rows.truth, rows.score, rows.weight).at(at)
    target, sample = float(metric(whole)), Sample(options.level)
    tables = {}
    for part in range(len(column.parts)):
        own = np.flatnonzero(column.codes == part)
        if len(own):
            name = Condition(column.name, column.parts[part]).text
            weight = None if rows.weight is None else rows.weight[own]
            tables[name] = ScoreTable.from_scores(rows.truth[own], rows.score[own], weight)
    chosen = {name: _nearest(table, metric, target, at) for name, table in tables.items()}
    moved = {name: table.at(chosen[name]) for name, table in tables.items()}
    after = [BinaryCounts(*(sum(getattr(m, c) for m in moved.values()) for c in _COUNTS))]
    changed = sum(
        abs(float(table.at(at).predicted_positive) - float(moved[name].predicted_positive))
        for name, table in tables.items()
    )
    return Evened(
        rate,
        target,
        MappingProxyType(chosen),
        MappingProxyType({n: metric.estimate(t.at(at), sample) for n, t in tables.items()}),
        MappingProxyType({n: metric.estimate(counts, sample) for n, counts in moved.items()}),
        ACCURACY.estimate(whole, sample),
        ACCURACY.estimate(after[0], sample),
        changed,
    )


_COUNTS = ("tp", "fp", "fn", "tn")


def _nearest(table: ScoreTable, metric: Metric, target: float, at: float) -> float:
    """Return the score at which a rate comes nearest to a target; `at` where there is no rate."""
    thresholds = np.append(np.inf, table.threshold)
    rates = np.asarray(metric(table.at(thresholds)))
    if not np.isfinite(rates).any() or not np.isfinite(target):
        return at
    off = np.abs(rates - target)
    best = np.flatnonzero(off == np.nanmin(off))
    # Of equally good ones that which is nearest to the threshold of all.
    return float(thresholds[best[np.argmin(np.abs(thresholds[best] - at))]])


IN, REST = "in the slice", "the rest"


@dataclass(frozen=True)
class Parted(Displayed):
    """A slice and the rest of the rows, by name.

    Attributes:
        tables: Their scores.
        areas: Their areas under the ROC curve.
        evened: A threshold for each that finds as large a share of the positives as one for both.
    """

    tables: Mapping[str, ScoreTable]
    areas: Mapping[str, Estimate]
    evened: Evened


def part(rows: BinaryOutcomes, inside: Mask, options: Options) -> Parted:
    """Return a model in a slice, whose rows are (n,) `inside`, and in the rest.

    Raises:
        EvalError: "no-score": there are no scores.
    """
    column = Column("rows", np.where(inside, 0, 1).astype(np.int16), (IN, REST))
    found = evened(rows, column, "recall", options)
    some = {IN: some_rows(rows, np.flatnonzero(inside))}
    some[REST] = some_rows(rows, np.flatnonzero(~inside))
    judged = {name: candidate(name, own, ROC_AUC) for name, own in some.items()}
    areas = {name: measure(one, options).whole().estimate for name, one in judged.items() if one}
    return Parted({name: one.table for name, one in judged.items() if one}, areas, found)
