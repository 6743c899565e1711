"""Metrics of a model with their intervals: each from the table that it needs and its resamples."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from evalcore.intervals.bootstrap import Percentiles, Plan, percentiles
from evalcore.intervals.closed import Interval
from evalcore.intervals.delong import area_interval
from evalcore.intervals.ranking import NORMAL_ROWS, LossDraws, Losses, RankingDraws, draw_ranking
from evalcore.intervals.resamples import Resamples
from evalcore.metrics.calibration import HosmerLemeshow, Spiegelhalter
from evalcore.metrics.catalog import VALUES, of_family
from evalcore.metrics.metric import Draws, Estimate, Family, Metric, Sample, estimate
from evalcore.metrics.ranking import AVERAGE_PRECISION, ROC_AUC
from evalcore.metrics.recalibration import CalibrationLine
from evalcore.options import Options
from evalcore.outcomes import NumericOutcomes
from evalcore.results import Estimates, ModelTables
from evalcore.tables.classes import ClassReliability, ClassScores
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.residuals import Ranks, ResidualMoments
from evalcore.tables.scores import ScoreTable
from evalcore.work import OnDemand

NOT_PROBABILITIES = "the scores are not probabilities: some lie outside [0, 1]"

OF_SCORES = of_family(Family.RANKING, ScoreTable)
"""The ranking metrics of a yes-or-no model, or of one class against the rest."""

OF_PROBABILITIES = tuple(
    m for m in of_family(Family.PROBABILITY) if m.needs not in (ClassScores, ClassReliability)
)
"""The metrics of the probability of a positive class."""

OF_CLASS_SCORES: Mapping[Family, tuple[Metric, ...]] = MappingProxyType(
    {
        Family.RANKING: of_family(Family.RANKING, ClassScores),
        Family.PROBABILITY: tuple(
            m.of_classes() for m in of_family(Family.PROBABILITY) if m.over_classes
        ),
    }
)
"""The metrics of the probabilities of K classes."""

OF_ONE_CLASS = (ROC_AUC, AVERAGE_PRECISION)
"""The ranking metrics that are given for each of K classes against the rest."""

_MOST_DRAWS, _FEWEST_DRAWS = 20_000, 200
"""So often, over all classes, are the rows of one class drawn again, which bounds the time; of each
at least so often, with which the ends of an interval still mean something."""


class Tables:
    """The tables of one model by their type, each made when it is first asked for."""

    def __init__(self, model: ModelTables, options: Options) -> None:
        self.model, self.options = model, options
        self._tables: dict[type, Any] = {}

    def __getitem__(self, needs: type) -> Any:
        """Return the table of a type that a metric `needs`."""
        if needs not in self._tables:
            self._tables[needs] = _TABLES[needs](self)
        return self._tables[needs]

    @property
    def empty(self) -> bool:
        """Whether there are scores, but of no row."""
        return self.model.scores is not None and not len(self.model.scores.threshold)


_TABLES: Mapping[type, Callable[[Tables], Any]] = MappingProxyType(
    {
        ScoreTable: lambda tables: tables.model.scores or tables.model.confidence,
        ReliabilityTable: lambda tables: ReliabilityTable.from_scores(
            tables[ScoreTable], tables.options.bins, tables.options.binning
        ),
        CalibrationLine: lambda tables: CalibrationLine.from_scores(tables[ScoreTable]),
        HosmerLemeshow: lambda tables: HosmerLemeshow.from_scores(tables[ScoreTable]),
        Spiegelhalter: lambda tables: Spiegelhalter.from_scores(tables[ScoreTable]),
        ClassScores: lambda tables: tables.model.class_scores,
        ClassReliability: lambda tables: (
            ClassReliability(tables[ReliabilityTable], ())
            if tables.model.class_scores is None
            else tables[ClassScores].reliability(tables.options.bins, tables.options.binning)
        ),
        NumericOutcomes: lambda tables: tables.model.numbers,
        ResidualMoments: lambda tables: ResidualMoments.of(tables[NumericOutcomes]),
        Ranks: lambda tables: Ranks.from_values(
            tables[NumericOutcomes].truth,
            tables[NumericOutcomes].prediction,
            tables[NumericOutcomes].weight,
        ),
    }
)
"""How each type of table is made."""


class _Resampled(NamedTuple):
    """Resamples of a table; `observed` is that table as coarse as they are, None if it is so."""

    table: Any
    observed: Any = None
    method: str = "bootstrap-percentile"


class ModelSample(Sample):
    """The resamples of a model's tables, each made when it is first asked for."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables.options.level)
        self.tables, self._drawn = tables, dict[type, _Resampled | None]()

    def percentiles(self, metric: Metric) -> Percentiles | None:
        """Return the percentiles of a metric over the resamples."""
        if (drawn := self.draws(metric)) is None:
            return None
        ends = percentiles(drawn.values[:, np.newaxis], self.level)
        return ends._replace(method=drawn.method)

    def draws(self, metric: Metric) -> Draws | None:
        """Return the values of a metric, moved by what a coarser table changes in it."""
        if metric is AVERAGE_PRECISION:
            return Draws(self.ranking.average_precision.values)
        needs = metric.needs
        if needs not in self._drawn:
            self._drawn[needs] = _RESAMPLES[needs](self)
        if (drawn := self._drawn[needs]) is None:
            return None
        values = np.asarray(metric(drawn.table))
        if drawn.observed is not None:
            values = values + float(metric(self.tables[needs])) - float(metric(drawn.observed))
        return Draws(values, drawn.method)

    def roc_area(self) -> Interval:
        """Return the interval of the area under the ROC curve."""
        return self._area

    def mean_loss(self, losses: Losses) -> Interval | None:
        """Return the interval of a mean loss over resamples; None where there are many rows."""
        few = self.tables[ScoreTable].n <= NORMAL_ROWS
        return self._losses.interval(losses) if few else None

    @cached_property
    def ranking(self) -> RankingDraws:
        """Resamples of the score table."""
        return draw_ranking(self.tables[ScoreTable], self._rng(), self._plan)

    @cached_property
    def _area(self) -> Interval:
        return area_interval(self.tables[ScoreTable], self.level)

    @cached_property
    def _losses(self) -> LossDraws:
        return LossDraws(self.tables[ScoreTable], self._rng(), self._plan)

    @property
    def _plan(self) -> Plan:
        return Plan(self.tables.options.resamples, self.level)

    def _rng(self) -> np.random.Generator:
        """Return a generator at its start, so that no interval depends on which came first."""
        return np.random.default_rng(self.tables.options.seed)

    def of_scores(self) -> _Resampled:
        """Return resamples of the score table, in bins of scores."""
        return _Resampled(self.ranking.resampled, self.ranking.observed)

    def of_values(self) -> _Resampled:
        """Return resamples of the rows of predicted numbers."""
        rows = self.tables[NumericOutcomes]
        drawn = Resamples.of(rows.n, rows.weight, self._rng(), self._plan.resamples)
        moments = drawn.moments(rows.truth, rows.prediction, rows.weight)
        return _Resampled(moments, method=drawn.method)


_RESAMPLES: Mapping[type, Callable[[ModelSample], _Resampled | None]] = MappingProxyType(
    {
        ScoreTable: ModelSample.of_scores,
        ResidualMoments: ModelSample.of_values,
    }
)
"""How each type of table is drawn again."""


def estimates(metrics: Sequence[Metric], tables: Tables, sample: Sample | None = None) -> Estimates:
    """Return metrics by key, each made when first asked for; without a sample no intervals."""
    if tables.empty:
        return MappingProxyType({m.key: estimate(m, np.nan) for m in metrics})
    return OnDemand({m.key: partial(_estimate, m, tables, sample) for m in metrics})


def _estimate(metric: Metric, tables: Tables, sample: Sample | None) -> Estimate:
    return metric.estimate(tables[metric.needs], sample)


def metrics_of(model: ModelTables, family: Family) -> tuple[Metric, ...]:
    """Return the metrics of a family that a model has the tables for."""
    if model.class_scores is not None:
        return OF_CLASS_SCORES.get(family, ())
    if model.confidence is not None and family is Family.PROBABILITY:
        return tuple(m for m in OF_CLASS_SCORES[family] if m.key == "ece_top_label")
    if family is Family.VALUES:
        return () if model.numbers is None else VALUES
    if model.scores is None:
        return ()
    return OF_SCORES if family is Family.RANKING else OF_PROBABILITIES


def rank(model: ModelTables, options: Options) -> Estimates:
    """Return the ranking metrics of a model; none where it gave labels only."""
    return _with_intervals(metrics_of(model, Family.RANKING), model, options)


def judge_probabilities(model: ModelTables, options: Options) -> Estimates:
    """Return the probability metrics of a model; none where it gave labels only.

    Scores that are not probabilities have them undefined, with that as the reason.
    """
    metrics = metrics_of(model, Family.PROBABILITY)
    if model.scores is not None and not model.probability:
        return MappingProxyType({m.key: Estimate(np.nan, why=NOT_PROBABILITIES) for m in metrics})
    return _with_intervals(metrics, model, options)


def estimate_values(
    outcomes: NumericOutcomes, options: Options, metrics: Sequence[Metric] = VALUES
) -> Estimates:
    """Return metrics of predicted numbers, by key, in the order of `metrics`.

    Bootstrap intervals of all metrics come from the same draws of the rows.
    """
    model = ModelTables(n=outcomes.n, classes=(), numbers=outcomes)
    return MappingProxyType(dict(_with_intervals(metrics, model, options)))


def value_tables(outcomes: NumericOutcomes) -> Tables:
    """Return the tables of predicted numbers."""
    return Tables(ModelTables(n=outcomes.n, classes=(), numbers=outcomes), Options())


def rank_classes(model: ModelTables, options: Options) -> Mapping[str, Estimates]:
    """Return, by class name, how well each of K classes is ranked before the rest."""
    scores = model.class_scores
    if scores is None:
        return MappingProxyType({})
    bounded = for_each_of(len(scores.classes), options)
    why = "the model gives this class no probability"
    missing = MappingProxyType({m.key: Estimate(np.nan, why=why) for m in OF_ONE_CLASS})
    return MappingProxyType(
        {
            name: missing if table is None else of_scores(table, bounded, OF_ONE_CLASS)
            for name, table in zip(scores.classes, scores.one_vs_rest, strict=True)
        }
    )


def for_each_of(classes: int, options: Options) -> Options:
    """Return the settings for each of K classes, whose resamples together stay bounded."""
    most = max(_FEWEST_DRAWS, _MOST_DRAWS // max(classes, 1))
    return replace(options, resamples=min(options.resamples, most))


def of_scores(table: ScoreTable, options: Options, metrics: Sequence[Metric]) -> Estimates:
    """Return metrics of one score table, each made when it is first asked for."""
    return _with_intervals(metrics, ModelTables(n=table.n, classes=(), scores=table), options)


def value_of(metric: Metric, table: ScoreTable) -> Estimate:
    """Return a metric of a score table without an interval; undefined for an empty table."""
    return metric.estimate(table) if len(table.threshold) else estimate(metric, np.nan)


def _with_intervals(metrics: Sequence[Metric], model: ModelTables, options: Options) -> Estimates:
    tables = Tables(model, options)
    return estimates(metrics, tables, ModelSample(tables))


def without_intervals(model: ModelTables, options: Options) -> Mapping[Family, Estimates]:
    """Return the metrics of scores, probabilities and numbers as values, each when asked for."""
    tables, families = Tables(model, options), [Family.RANKING, Family.PROBABILITY, Family.VALUES]
    metrics = {family: estimates(metrics_of(model, family), tables) for family in families}
    if model.scores is not None and not model.probability:
        metrics[Family.PROBABILITY] = MappingProxyType({})
    return MappingProxyType(metrics)
