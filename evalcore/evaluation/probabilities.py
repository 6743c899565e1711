"""How true the probabilities of a model are, each number with its interval."""

from collections.abc import Mapping
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

import numpy as np

from evalcore.evaluation.estimates import (
    estimate,
    of_draws,
    of_proportions,
    plain_estimates,
    with_error,
)
from evalcore.metrics.calibration_tests import HosmerLemeshow, Spiegelhalter
from evalcore.metrics.catalog import of_family
from evalcore.metrics.logistic import CalibrationLine
from evalcore.metrics.spec import Estimate, Family, IntervalBy, Metric
from evalcore.on_demand import OnDemand
from evalcore.options import Options
from evalcore.resampling.bootstrap import Plan, draw_cells
from evalcore.resampling.interval import Interval
from evalcore.resampling.losses_bootstrap import NORMAL_ROWS, mean_loss_intervals
from evalcore.results import Estimates, ModelTables
from evalcore.tables.classes import ClassReliability, ClassScores
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.scores import ScoreTable

NOT_PROBABILITIES = "the scores are not probabilities: some lie outside [0, 1]"

OF_TWO = tuple(
    m for m in of_family(Family.PROBABILITY) if m.needs not in (ClassScores, ClassReliability)
)
"""The metrics of the probability of a positive class."""

OF_MANY = tuple(m for m in of_family(Family.PROBABILITY) if m.over_classes)
"""The metrics of the probabilities of K classes."""


def judge_probabilities(tables: ModelTables, options: Options) -> Estimates:
    """Return the probability metrics of a model; none where it gave labels only.

    Scores that are not probabilities have them undefined, with that as the reason.
    """
    if tables.scores is not None:
        return of_probabilities(tables.scores, options) if tables.probability else _refused()
    if tables.class_scores is not None:
        return _of_many(tables.class_scores, options)
    return MappingProxyType({})


def without_intervals(tables: ModelTables, options: Options) -> Estimates:
    """Return the probability metrics as plain values."""
    values: dict[Metric, float] = {}
    if tables.scores is not None and tables.probability:
        made = _Made(tables.scores, options)
        values = {m: made.value(m) for m in OF_TWO}
    elif tables.class_scores is not None:
        reliability = tables.class_scores.reliability(options.bins, options.binning)
        values = {m: _over_classes(m, tables.class_scores, reliability) for m in OF_MANY}
    return plain_estimates(values)


def _refused() -> Estimates:
    return MappingProxyType({m.key: Estimate(np.nan, why=NOT_PROBABILITIES) for m in OF_TWO})


def of_probabilities(table: ScoreTable, options: Options) -> Estimates:
    """Return the metrics of probabilities of one class, each made when it is first asked for."""
    if not len(table.threshold):
        return MappingProxyType({m.key: estimate(m, np.nan) for m in OF_TWO})
    made = _Made(table, options)
    return OnDemand({m.key: partial(made.of, m) for m in OF_TWO})


class _Made:
    """The probabilities of a positive class, with what several of their metrics are made of."""

    def __init__(self, scores: ScoreTable, options: Options) -> None:
        self.scores, self.options = scores, options

    def value(self, metric: Metric) -> float:
        """Return the plain value of a metric; undefined where there are no rows."""
        return float(metric(self._table(metric))) if len(self.scores.threshold) else np.nan

    def of(self, metric: Metric) -> Estimate:
        """Return the estimate of a metric, with the interval that its declaration asks for."""
        if metric.losses is not None and self.scores.n <= NORMAL_ROWS:
            return estimate(metric, self.value(metric), self._of_losses[metric.key])
        if metric.with_error is not None:
            return with_error(metric, *metric.with_error(self._table(metric)), self.options.level)
        if metric.needs is ReliabilityTable:
            drawn = metric(self._drawn_bins)
            return of_draws(metric, self.value(metric), drawn, self.options.level)
        return estimate(metric, self.value(metric))

    @cached_property
    def _of_losses(self) -> Mapping[str, Interval]:
        """Return the intervals of all mean losses, which share their draws."""
        losses = {m.key: m.losses for m in OF_TWO if m.losses is not None}
        rng = np.random.default_rng(self.options.seed)
        plan = Plan(self.options.resamples, self.options.level)
        ends = mean_loss_intervals(self.scores, list(losses.values()), rng, plan)
        return MappingProxyType(dict(zip(losses, ends, strict=True)))

    def _table(self, metric: Metric) -> Any:
        """Return the table that the metric needs."""
        if metric.needs is ReliabilityTable:
            return self._bins
        if metric.needs is CalibrationLine:
            return self._line
        if metric.needs is HosmerLemeshow:
            return self._groups
        return self._spiegelhalter if metric.needs is Spiegelhalter else self.scores

    @cached_property
    def _bins(self) -> ReliabilityTable:
        return ReliabilityTable.from_scores(self.scores, self.options.bins, self.options.binning)

    @cached_property
    def _drawn_bins(self) -> ReliabilityTable:
        return _drawn_bins(self._bins, self.options)

    @cached_property
    def _line(self) -> CalibrationLine:
        return CalibrationLine.from_scores(self.scores)

    @cached_property
    def _groups(self) -> HosmerLemeshow:
        return HosmerLemeshow.from_scores(self.scores)

    @cached_property
    def _spiegelhalter(self) -> Spiegelhalter:
        return Spiegelhalter.from_scores(self.scores)


def _drawn_bins(bins: ReliabilityTable, options: Options) -> ReliabilityTable:
    """Draw the rows of each bin and class again; a bin keeps its mean probability."""
    cells = np.concatenate([bins.positives, bins.n - bins.positives]).astype(np.float64)
    drawn = draw_cells(cells, options.resamples, np.random.default_rng(options.seed))
    drawn *= cells.sum() / max(round(cells.sum()), 1)
    positives, negatives = np.split(drawn, 2, axis=1)
    mean = np.nan_to_num(bins.mean_probability)
    n = positives + negatives
    return ReliabilityTable(bins.edges, n, n * mean, positives)


def _of_many(scores: ClassScores, options: Options) -> Estimates:
    reliability = scores.reliability(options.bins, options.binning)
    return MappingProxyType(
        {m.key: _estimate_of_many(m, scores, reliability, options) for m in OF_MANY}
    )


def _estimate_of_many(
    metric: Metric, scores: ClassScores, reliability: ClassReliability, options: Options
) -> Estimate:
    level = options.level
    if metric.proportion_over_classes is not None:
        return of_proportions(metric, *metric.proportion_over_classes(scores), level)[0]
    value = _over_classes(metric, scores, reliability)
    if metric.with_error_over_classes is not None:
        return with_error(metric, *metric.with_error_over_classes(scores), level)
    if metric.interval is IntervalBy.BASIC and reliability.top_label.n.sum():
        drawn = ClassReliability(_drawn_bins(reliability.top_label, options), ())
        return of_draws(metric, value, metric(drawn), level)
    return estimate(metric, value)


def _over_classes(metric: Metric, scores: ClassScores, reliability: ClassReliability) -> float:
    assert metric.over_classes is not None
    return float(metric.over_classes(reliability if metric.needs is ClassReliability else scores))
