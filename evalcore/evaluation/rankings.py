"""How well the scores of a model rank, each number with its interval."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property, partial
from types import MappingProxyType

import numpy as np

from evalcore.evaluation.estimates import estimate, of_draws, of_proportions
from evalcore.metrics.catalog import of_family
from evalcore.metrics.ranking import AVERAGE_PRECISION, ROC_AUC
from evalcore.metrics.spec import Estimate, Family, IntervalBy, Metric
from evalcore.on_demand import OnDemand
from evalcore.options import Options
from evalcore.resampling.bootstrap import Plan
from evalcore.resampling.delong import delong_interval
from evalcore.resampling.interval import Interval
from evalcore.resampling.ranking_bootstrap import RankingDraws, draw_ranking
from evalcore.results import Estimates, ModelTables
from evalcore.tables.classes import ClassScores
from evalcore.tables.scores import ScoreTable

OF_SCORES = of_family(Family.RANKING, ScoreTable)
"""The metrics of the scores of a yes-or-no model, or of one class against the rest."""

OF_CLASSES = of_family(Family.RANKING, ClassScores)
"""The metrics of the probabilities of K classes."""

OF_ONE_OF_MANY = (ROC_AUC, AVERAGE_PRECISION)
"""The metrics that are given for each of K classes against the rest."""


_MOST_DRAWS, _FEWEST_DRAWS = 20_000, 200
"""So often, over all classes, are the rows of one class drawn again; of each at least so often."""


def rank(tables: ModelTables, options: Options) -> Estimates:
    """Return the ranking metrics of a model; none where it gave labels only."""
    if tables.scores is not None:
        return of_scores(tables.scores, options, OF_SCORES)
    if tables.class_scores is not None:
        scores, level = tables.class_scores, options.level
        return MappingProxyType({m.key: _of_classes(m, scores, level) for m in OF_CLASSES})
    return MappingProxyType({})


def rank_classes(tables: ModelTables, options: Options) -> Mapping[str, Estimates]:
    """Return, by class name, how well each of K classes is ranked before the rest."""
    scores = tables.class_scores
    if scores is None:
        return MappingProxyType({})
    bounded = for_each_of(len(scores.classes), options)
    return MappingProxyType(
        {
            name: _no_column() if table is None else of_scores(table, bounded, OF_ONE_OF_MANY)
            for name, table in zip(scores.classes, scores.one_vs_rest, strict=True)
        }
    )


def for_each_of(classes: int, options: Options) -> Options:
    """Return the settings for each of K classes, whose resamples together stay bounded."""
    most = max(_FEWEST_DRAWS, _MOST_DRAWS // max(classes, 1))
    return replace(options, resamples=min(options.resamples, most))


def of_scores(table: ScoreTable, options: Options, metrics: tuple[Metric, ...]) -> Estimates:
    """Return ranking metrics of one score table, each made when it is first asked for."""
    made = _Made(table, options)
    return OnDemand({m.key: partial(made.of, m) for m in metrics})


def without_intervals(tables: ModelTables) -> Estimates:
    """Return the ranking metrics as plain values."""
    if tables.scores is not None:
        table = tables.scores
        return MappingProxyType({m.key: plain(m, table) for m in OF_SCORES})
    if tables.class_scores is not None:
        scores = tables.class_scores
        return MappingProxyType({m.key: _of_classes(m, scores) for m in OF_CLASSES})
    return MappingProxyType({})


def plain(metric: Metric, table: ScoreTable) -> Estimate:
    """Return a metric of a score table without an interval; undefined for an empty table."""
    if not len(table.threshold):
        return estimate(metric, np.nan)
    if metric.optimum is not None:
        value, threshold = metric.optimum(table)
        return estimate(metric, value, at=threshold)
    return estimate(metric, float(metric(table)))


def _no_column() -> Estimates:
    why = "the model gives this class no probability"
    return MappingProxyType({m.key: Estimate(np.nan, why=why) for m in OF_ONE_OF_MANY})


def _of_classes(metric: Metric, scores: ClassScores, level: float | None = None) -> Estimate:
    """Return an average over classes, with an interval where there is a level."""
    ranked = [t is not None and bool(t.positives and t.negatives) for t in scores.one_vs_rest]
    used, present = sum(ranked), len(ranked)
    note = f"over {used} of {present} classes" if used < present else ""
    ends = metric.ends(scores, level) if metric.ends and level is not None else None
    return estimate(metric, float(metric(scores)), ends, note=note)


class _Made:
    """One score table, with the interval and the draws that its estimates share."""

    def __init__(self, table: ScoreTable, options: Options) -> None:
        self.table, self.options = table, options

    def of(self, metric: Metric) -> Estimate:
        """Return the estimate of a metric, with the interval that its declaration asks for."""
        if not len(self.table.threshold):
            return plain(metric, self.table)
        if metric.proportion is not None:
            return of_proportions(metric, *metric.proportion(self.table), self.options.level)[0]
        if metric.interval is IntervalBy.DELONG:
            return self._of_area(metric)
        if metric is AVERAGE_PRECISION:
            ends = self._draws.average_precision.interval
            return estimate(metric, float(metric(self.table)), ends)
        if metric.interval in (IntervalBy.BOOTSTRAP, IntervalBy.BASIC):
            return self._drawn(metric)
        return plain(metric, self.table)

    @cached_property
    def _area(self) -> Interval:
        return delong_interval(self.table, self.options.level)

    def _of_area(self, metric: Metric) -> Estimate:
        """Return AUC or Gini, whose range of values shows how to stretch the interval of AUC."""
        area, width = self._area, metric.high - metric.low
        low, high = (metric.low + width * end for end in (area.low, area.high))
        ends = Interval(low, high, area.method, area.level, area.degenerate)
        return estimate(metric, float(metric(self.table)), ends)

    def _drawn(self, metric: Metric) -> Estimate:
        """Bootstrap on a coarser table; the draws are then moved by what coarsening changed."""
        value, draws = float(metric(self.table)), self._draws
        drawn = np.asarray(metric(draws.resampled)) + value - float(metric(draws.observed))
        return of_draws(metric, value, drawn, self.options.level)

    @cached_property
    def _draws(self) -> RankingDraws:
        rng = np.random.default_rng(self.options.seed)
        return draw_ranking(self.table, rng, Plan(self.options.resamples, self.options.level))
