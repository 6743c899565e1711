"""Metrics of a model with their intervals: each from the table that it needs and its resamples.

Sources: Guo et al. (2017), On calibration of modern neural networks, ICML, for the class decided
for; Kull et al. (2019), Beyond temperature scaling, NeurIPS, for each class; Nixon et al. (2019),
Measuring calibration in deep learning, CVPR workshops, for bins of equal counts.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

import numpy as np

from evalcore.evaluation import drawn
from evalcore.evaluation.condense import some_rows, tables_of
from evalcore.intervals.closed import Interval, holm, normal_quantile, t_quantile, wilson
from evalcore.intervals.delong import Groups, area_interval
from evalcore.intervals.ranking import NORMAL_ROWS, LossDraws, Losses, RankingDraws, draw_ranking
from evalcore.intervals.resamples import Plan, Resamples
from evalcore.metrics.catalog import VALUES, of_family
from evalcore.metrics.decisions import ACCURACY
from evalcore.metrics.metric import Closed, Draws, Estimate, Family, MeanLoss, Metric, Sample
from evalcore.metrics.multiclass import ECE_CLASSWISE
from evalcore.metrics.probability import ECE, SPIEGELHALTER_P, HosmerLemeshow, Spiegelhalter
from evalcore.metrics.ranking import AVERAGE_PRECISION, ROC_AUC
from evalcore.metrics.recalibration import CalibrationLine
from evalcore.metrics.vocabulary import cite
from evalcore.options import Options
from evalcore.outcomes import (
    BinaryOutcomes,
    ClassOutcomes,
    CorrectOutcomes,
    Floats,
    NumericOutcomes,
    Places,
)
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
        CorrectOutcomes: lambda tables: tables.model.items,
        ResidualMoments: lambda tables: ResidualMoments.of(tables[NumericOutcomes]),
        Ranks: lambda tables: Ranks.from_values(
            tables[NumericOutcomes].truth,
            tables[NumericOutcomes].prediction,
            tables[NumericOutcomes].weight,
        ),
    }
)
"""How each type of table is made."""


class ModelSample(Sample):
    """The resamples of a model's tables, each made when it is first asked for."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables.options.level)
        self.tables = tables
        self.groups = None if tables.model.rows is None else drawn.groups_of(tables.model.rows)

    def errors(self, metric: Metric, values: Floats) -> Floats:
        """Return the standard error of a metric over draws of the groups."""
        assert self.groups is not None
        draws = self._over_groups(metric)
        if draws is None:
            return np.array([self._left_out.error(metric, self.groups, self.level)])
        return self.groups.errors(draws[:, np.newaxis], values, (metric.low, metric.high))

    def as_independent(self, table: Any) -> Any:
        """Return bins of as many independent rows as tell as much."""
        if isinstance(table, ClassReliability):
            return ClassReliability(self.as_independent(table.top_label), ())
        if not isinstance(table, ReliabilityTable):
            return None
        share = drawn.share_that_tells(self.tables.model.rows)
        n, sums, positives = (
            np.asarray(part * share, np.float64)
            for part in (table.n, table.probability_sum, table.positives)
        )
        return ReliabilityTable(table.edges, n, sums, positives)

    def _over_groups(self, metric: Metric) -> Floats | None:
        """Return (B,) values over draws of the groups; None where they are not made fast."""
        rows: Any = self.tables.model.rows
        if metric.needs is CorrectOutcomes:
            return drawn.over_items(rows, self._groups_drawn)
        if metric.needs is ScoreTable:
            losses = drawn.losses_of_scores(metric, rows)
            if losses is not None:
                return drawn.over_losses(losses, self._groups_drawn)
            one_by_one = not metric.interval.takes_draws
            return None if one_by_one else self._scores_drawn.over(metric)
        if isinstance(rows, NumericOutcomes) and drawn.can_draw_numbers(metric, rows.n):
            return drawn.over_numbers(metric, [rows], self._groups_drawn)[0]
        return None

    @cached_property
    def _groups_drawn(self) -> Resamples:
        assert self.tables.model.rows is not None
        return drawn.groups_drawn(self.tables.model.rows, self.tables.options)

    @cached_property
    def _scores_drawn(self) -> drawn.DrawnScores:
        rows = self.tables.model.rows
        assert isinstance(rows, BinaryOutcomes)
        return drawn.DrawnScores.of(rows, self.tables[ScoreTable], self._groups_drawn)

    @cached_property
    def _left_out(self) -> "LeftOut":
        return LeftOut(self.tables)

    def draws(self, metric: Metric) -> Draws | None:
        """Return the values of a metric, moved by what a coarser table changes in it."""
        if self.groups is not None:
            values = self._over_groups(metric)
            return None if values is None else Draws(values, self._groups_drawn.method)
        if metric is AVERAGE_PRECISION:
            return Draws(self.ranking.average_precision.values)
        with np.errstate(over="ignore", invalid="ignore"):  # huge numbers, whose draws are infinite
            if metric.needs is ResidualMoments:
                moments, method = self._moments_drawn
                return Draws(np.asarray(metric(moments)), method)
            values = np.asarray(metric(self.ranking.resampled))
            if (coarse := self.ranking.observed) is not None:
                values = values + float(metric(self.tables[ScoreTable])) - float(metric(coarse))
        return Draws(values)

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
        return draw_ranking(self.tables[ScoreTable], self._plan)

    @cached_property
    def _area(self) -> Interval:
        rows, table = self.tables.model.rows, self.tables[ScoreTable]
        if self.groups is None or not isinstance(rows, BinaryOutcomes) or rows.score is None:
            return area_interval(table, self.level)
        areas = drawn.areas_of(rows)
        grouped, alone = areas.pair(0, 0), areas.independent.pair(0, 0)
        variances = grouped.variance_first, alone.variance_first
        return self.groups.area(alone.first, variances, alone.rows, self.level)

    @cached_property
    def _losses(self) -> LossDraws:
        return LossDraws(self.tables[ScoreTable], self._plan)

    @property
    def _plan(self) -> Plan:
        options = self.tables.options
        return Plan(options.resamples, self.level, options.seed)

    @cached_property
    def _moments_drawn(self) -> tuple[ResidualMoments, str]:
        rows = self.tables[NumericOutcomes]
        rng = np.random.default_rng(self._plan.seed)
        resamples = Resamples.of(rows.n, rows.weight, rng, self._plan.resamples)
        [moments] = resamples.moments(rows.truth, [rows.prediction], rows.weight)
        return moments, resamples.method


_PARTS, _FEWEST_PARTS = 40, 10
"""Into so many parts groups are dealt, of which one is left out at a time: more tell little more,
and of large files, whose tables take long to make, fewer must do."""

_CELLS_MADE = 4_000_000
"""Rows times classes that are condensed again, over all parts, which takes some seconds."""


class LeftOut:
    """Values of metrics on all rows but those of a part of the groups, for those not drawn fast.

    Source: Shao and Tu (1995), The Jackknife and Bootstrap, 2.3 (the grouped jackknife).
    """

    def __init__(self, tables: Tables) -> None:
        rows = tables.model.rows
        assert rows is not None
        assert rows.unit is not None
        there = np.flatnonzero(np.bincount(rows.unit))
        most = _CELLS_MADE // max(rows.n * max(len(tables.model.classes), 1), 1)
        fewest = _PARTS if isinstance(rows, BinaryOutcomes) else _FEWEST_PARTS
        self.parts = min(len(there), max(fewest, min(_PARTS, most)))
        of_group = np.zeros(there.max() + 1, dtype=np.intp)
        rng = np.random.default_rng(tables.options.seed)
        of_group[there] = rng.permutation(len(there)) % max(self.parts, 1)
        self._values: dict[str, list[float]] = {}
        for kept in self._kept(tables, of_group[rows.unit]):
            self._add(Tables(kept, tables.options))

    def _kept(self, tables: Tables, part: Places) -> Iterator[ModelTables]:
        """Yield the tables without each part; those of scores in bins of these."""
        rows: Any = tables.model.rows
        if isinstance(rows, BinaryOutcomes):
            without = Resamples(1 - np.eye(self.parts, dtype=np.float32), part, None, rows.weight)
            counts = drawn.DrawnScores.of(rows, tables[ScoreTable], without).drawn
            for tp, fp in zip(counts.tp, counts.fp, strict=True):
                some = tp + fp > 0
                scores = ScoreTable(counts.threshold[some], tp[some], fp[some])
                yield replace(tables.model, scores=scores)
        else:
            for left in range(self.parts):
                yield tables_of(some_rows(rows, np.flatnonzero(part != left)))

    def _add(self, tables: Tables) -> None:
        model = tables.model
        families = [Family.RANKING, Family.VALUES]
        families += [Family.PROBABILITY] if model.scores is None or model.probability else []
        for metric in (m for family in families for m in metrics_of(model, family)):
            drawn_fast = isinstance(metric.interval, MeanLoss) or metric.interval.takes_draws
            if metric.interval.by_groups and not (drawn_fast and metric.needs is ScoreTable):
                value = float(metric(tables[metric.needs]))
                self._values.setdefault(metric.key, []).append(value)

    def error(self, metric: Metric, groups: Groups, level: float) -> float:
        """Return the standard error, as much larger as fewer parts than groups ask."""
        values, parts = np.array(self._values.get(metric.key, [np.nan])), self.parts
        if parts < 2:
            return np.nan
        squares = float(((values - values.mean()) ** 2).sum())
        wider = Groups(parts, groups.per_row).reach(level) / groups.reach(level)
        return wider * float(np.sqrt((parts - 1) / parts * squares))


def estimates(metrics: Sequence[Metric], tables: Tables, sample: Sample | None = None) -> Estimates:
    """Return metrics by key, each made when first asked for; without a sample no intervals."""
    if tables.empty:
        return MappingProxyType({m.key: Estimate(np.nan, why=m.undefined_when) for m in metrics})
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
    rows = None if outcomes.unit is None else outcomes
    model = ModelTables(n=outcomes.n, classes=(), numbers=outcomes, rows=rows)
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
    rows = model.rows if isinstance(model.rows, ClassOutcomes) else None
    return MappingProxyType(
        {
            name: missing
            if table is None
            else of_scores(
                table,
                bounded,
                OF_ONE_CLASS,
                None if rows is None else rows.against_rest(("", name)),
            )
            for name, table in zip(scores.classes, scores.one_vs_rest, strict=True)
        }
    )


def for_each_of(classes: int, options: Options) -> Options:
    """Return the settings for each of K classes, whose resamples together stay bounded."""
    most = max(_FEWEST_DRAWS, _MOST_DRAWS // max(classes, 1))
    return replace(options, resamples=min(options.resamples, most))


def of_scores(
    table: ScoreTable,
    options: Options,
    metrics: Sequence[Metric],
    rows: BinaryOutcomes | None = None,
) -> Estimates:
    """Return metrics of one score table, each made when it is first asked for.

    The `rows` are those that it was made of, where some depend on each other.
    """
    model = ModelTables(n=table.n, classes=(), scores=table, rows=rows)
    return _with_intervals(metrics, model, options)


def value_of(metric: Metric, table: ScoreTable) -> Estimate:
    """Return a metric of a score table without an interval; undefined for an empty table."""
    none = Estimate(np.nan, why=metric.undefined_when)
    return metric.estimate(table) if len(table.threshold) else none


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


@dataclass(frozen=True, eq=False)
class ClassCalibration:
    """What the probabilities of K classes are worth.

    Those of the `top_label` are the largest of each row, right where that class is the true one.
    Of the `classes` against the others the largest calibration error comes first; a class without
    a probability is left out. Their `mean` error has no interval, since they share their rows.
    Spiegelhalter's p values, `p_top_label` among them, are adjusted for their number (Holm).
    """

    top_label: Estimates
    classes: Mapping[str, Estimates]
    mean: Estimate
    p_values: Mapping[str, float]
    p_top_label: float


def judge_classes(scores: ClassScores, options: Options) -> ClassCalibration:
    """Return how true the probabilities are, every number with its interval on demand."""
    tables = {
        name: table
        for name, table in zip(scores.classes, scores.one_vs_rest, strict=True)
        if table is not None
    }
    bounded = for_each_of(len(tables), options)
    by_class = {name: of_scores(table, bounded, OF_PROBABILITIES) for name, table in tables.items()}
    binned = scores.reliability(options.bins, options.binning)
    errors = {
        name: -1.0 if np.isnan(error := float(ECE(table))) else error
        for name, table in zip(scores.classes, binned.one_vs_rest, strict=True)
        if table is not None
    }
    worst = sorted(by_class, key=lambda name: -errors[name])
    top_label = of_scores(scores.top_label, options, OF_PROBABILITIES)
    tests = [by_class[name] for name in worst]
    p_top_label, *p_values = holm([each[SPIEGELHALTER_P.key].value for each in (top_label, *tests)])
    return ClassCalibration(
        top_label,
        MappingProxyType(dict(zip(worst, tests, strict=True))),
        ECE_CLASSWISE.estimate(binned),
        MappingProxyType(dict(zip(worst, p_values, strict=True))),
        p_top_label,
    )


def accuracy_of_items(items: CorrectOutcomes) -> float:
    """Return the mean over items of the share of tries that were right; NaN without items."""
    return float(items.share @ _weights(items) / items.total) if items.total else np.nan


def items_interval(items: CorrectOutcomes, level: float = 0.95) -> Interval:
    """Return Wilson's interval, for as many independent tries as vary like these items.

    Of items that were tried once it is Wilson's own. Else it has the variance of the mean over
    items, and allows for estimating it from few. Source: Korn and Graubard (1998), Confidence
    intervals for proportions with small expected number of positive counts estimated from survey
    data, Survey Methodology 24(2), with Wilson's interval in place of the exact one, as in Dean
    and Pagano (2015), Journal of Survey Statistics and Methodology 3(4).
    """
    total, value = items.total, accuracy_of_items(items)
    tries = total if items.tries is None else _tries_that_count(items, value, level)
    return wilson(value * tries, tries, level)


def _tries_that_count(items: CorrectOutcomes, value: float, level: float) -> float:
    """Return how many independent tries would tell as much as these; no fewer than one."""
    assert items.tries is not None
    total, weight = items.total, _weights(items)
    if not 0 < value < 1 or total <= 1:
        # Items that are all alike show no variation: each then counts as one try.
        return total
    variance = float(weight @ (items.share - value) ** 2) / (total * (total - 1))
    most = float(weight @ items.tries)
    tries = min(value * (1 - value) / variance, most) if variance else most
    return max(1.0, tries * (normal_quantile(level) / t_quantile(level, total - 1)) ** 2)


def _weights(items: CorrectOutcomes) -> Floats:
    return np.ones(items.n) if items.weight is None else items.weight


ACCURACY_OF_ITEMS: Metric = replace(
    ACCURACY,
    needs=CorrectOutcomes,
    compute=accuracy_of_items,
    summary="The share of items that are right; each counts by the share of its right tries.",
    formula=r"\frac{\text{right}}{\text{items}}",
    misleads="",
    source=cite("Miller (2024)"),
    interval=Closed(items_interval, says="Wilson’s method for a share, with items as the unit."),
    over_classes=None,
)
"""Accuracy where only right or wrong is known, under the same key."""


def estimate_items(items: CorrectOutcomes, sample: Sample | None = None) -> Estimates:
    """Return the metrics of right and wrong answers, by key; without a sample no intervals."""
    return MappingProxyType({m.key: m.estimate(items, sample) for m in (ACCURACY_OF_ITEMS,)})
