"""How well scores rank and how true probabilities are, each number with its interval.

Sources: Guo et al. (2017), On calibration of modern neural networks, ICML, for the class decided
for; Kull et al. (2019), Beyond temperature scaling, NeurIPS, for each class; Nixon et al. (2019),
Measuring calibration in deep learning, CVPR workshops, for bins of equal counts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial, reduce
from operator import add
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.evaluation.decisions import (
    estimate,
    of_draws,
    of_proportions,
    plain_estimates,
    with_error,
)
from evalcore.intervals.bootstrap import Plan, draw_cells
from evalcore.intervals.closed import Interval, holm, wald_interval
from evalcore.intervals.delong import delong_interval
from evalcore.intervals.ranking import NORMAL_ROWS, RankingDraws, draw_ranking, mean_loss_intervals
from evalcore.metrics.calibration import ECE, SPIEGELHALTER_P, HosmerLemeshow, Spiegelhalter
from evalcore.metrics.catalog import of_family
from evalcore.metrics.metric import Estimate, Family, IntervalBy, Metric
from evalcore.metrics.multiclass import ECE_CLASSWISE
from evalcore.metrics.probability import BRIER, LOG_LOSS
from evalcore.metrics.ranking import AVERAGE_PRECISION, ROC_AUC
from evalcore.metrics.recalibration import METHODS, CalibrationLine
from evalcore.options import Options
from evalcore.outcomes import Codes, Floats
from evalcore.results import Estimates, ModelTables
from evalcore.tables.classes import ClassReliability, ClassScores, LossMoments
from evalcore.tables.groups import by_code
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.scores import ScoreTable
from evalcore.work import OnDemand

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
    made = _RankingsMade(table, options)
    return OnDemand({m.key: partial(made.of, m) for m in metrics})


def plain_rankings(tables: ModelTables) -> Estimates:
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


class _RankingsMade:
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


def plain_probabilities(tables: ModelTables, options: Options) -> Estimates:
    """Return the probability metrics as plain values."""
    values: dict[Metric, float] = {}
    if tables.scores is not None and tables.probability:
        made = _ProbabilitiesMade(tables.scores, options)
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
    made = _ProbabilitiesMade(table, options)
    return OnDemand({m.key: partial(made.of, m) for m in OF_TWO})


class _ProbabilitiesMade:
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


@dataclass(frozen=True, eq=False)
class ClassCalibration:
    """What the probabilities of K classes are worth.

    Attributes:
        decided: Of the largest probability of each row, right where that class is the true one.
        classes: Of each class against the others, by its name, the largest calibration error
            first; a class without a probability is left out.
        mean: The mean calibration error of the classes; it has no interval, since the rows of
            one class are those of the others.
        p_values: Spiegelhalter's p value of each class.
        p_decided: That of the largest probabilities; it and those of the classes are adjusted
            for their number (Holm).
    """

    decided: Estimates
    classes: Mapping[str, Estimates]
    mean: Estimate
    p_values: Mapping[str, float]
    p_decided: float


def judge_classes(scores: ClassScores, options: Options) -> ClassCalibration:
    """Return how true the probabilities are, every number with its interval on demand."""
    tables = {
        name: table
        for name, table in zip(scores.classes, scores.one_vs_rest, strict=True)
        if table is not None
    }
    bounded = for_each_of(len(tables), options)
    found = {name: of_probabilities(table, bounded) for name, table in tables.items()}
    binned = scores.reliability(options.bins, options.binning)
    errors = {
        name: -1.0 if np.isnan(error := float(ECE(table))) else error
        for name, table in zip(scores.classes, binned.one_vs_rest, strict=True)
        if table is not None
    }
    worst = sorted(found, key=lambda name: -errors[name])
    decided = of_probabilities(scores.top_label, options)
    tests = [found[name] for name in worst]
    p_decided, *p_values = holm([each[SPIEGELHALTER_P.key].value for each in (decided, *tests)])
    return ClassCalibration(
        decided,
        MappingProxyType(dict(zip(worst, tests, strict=True))),
        estimate(ECE_CLASSWISE, float(ECE_CLASSWISE(binned))),
        MappingProxyType(dict(zip(worst, p_values, strict=True))),
        p_decided,
    )


FOLDS = 5
JUDGED = ("brier", "log_loss", "ece")
NO_FIT = (
    "there is no fit: the other folds hold one class only, or the probabilities tell their classes "
    "apart without error"
)
UNBOUNDED = "a loss is infinite"


@dataclass(frozen=True, eq=False)
class Recalibrated:
    """The probabilities of all folds, each mapped as the other folds ask for.

    Attributes:
        table: The mapped probabilities; None where a fold has no fit.
        estimates: Brier score, log loss and ECE of them, by key.
        saved: How much lower Brier score and log loss are than before, row by row, by key.
    """

    table: ScoreTable | None
    estimates: Estimates
    saved: Estimates


def fold_codes(truth: Codes, rng: np.random.Generator, folds: int = FOLDS) -> NDArray[np.int64]:
    """Deal (n,) rows out to folds at random, each class evenly.

    >>> fold_codes(np.array([0, 0, 1, 1]), np.random.default_rng(0), 2).tolist()
    [0, 1, 0, 1]
    """
    code = np.empty(len(truth), dtype=np.int64)
    for value in np.unique(truth):
        places = np.flatnonzero(truth == value)
        code[rng.permutation(places)] = np.arange(len(places)) % folds
    return code


def fold_tables(
    truth: Codes, score: Floats, fold: NDArray[np.int64], weight: Floats | None = None
) -> tuple[ScoreTable, ...]:
    """Condense the truth and (n,) scores fold by fold; rows of a fold below 0 are left out."""
    return tuple(
        ScoreTable.from_scores(truth[rows], score[rows], None if weight is None else weight[rows])
        for _, rows in by_code(fold)
    )


def recalibrate(
    folds: Sequence[ScoreTable], method: str, options: Options, level: float | None = None
) -> Recalibrated:
    """Map the probabilities of each fold by what the other folds ask for; at least one fold.

    `method` is a key of `METHODS`; `level` is that of what is saved, by default as all others.
    """
    whole = reduce(add, folds)
    mapped = [METHODS[method](whole - fold)(fold.threshold) for fold in folds]
    if not all(np.isfinite(each).all() for each in mapped):
        nothing = {key: Estimate(np.nan, why=NO_FIT) for key in JUDGED}
        return Recalibrated(None, nothing, {key: nothing[key] for key in JUDGED[:2]})
    pairs = list(zip(folds, mapped, strict=True))
    table = reduce(add, (_at(fold, said) for fold, said in pairs))
    saved = {m.key: _saved(m, pairs, level or options.level) for m in (BRIER, LOG_LOSS)}
    return Recalibrated(table, judged(table, options), saved)


def judged(table: ScoreTable, options: Options) -> Estimates:
    """Return Brier score, log loss and ECE of a table of probabilities."""
    tables = ModelTables(n=table.n, classes=(), scores=table, probability=True)
    found = judge_probabilities(tables, options)
    return {key: found[key] for key in JUDGED}


def _at(table: ScoreTable, probability: Floats) -> ScoreTable:
    """Return the rows of a table at other scores, in whichever order these are."""
    positive, negative = table.steps()
    truth = np.repeat(np.array([1, 0], dtype=np.int8), len(probability))
    weight = np.concatenate([positive, negative]).astype(np.float64)
    return ScoreTable.from_scores(truth, np.tile(probability, 2), weight)


def _saved(metric: Metric, pairs: Sequence[tuple[ScoreTable, Floats]], level: float) -> Estimate:
    """Return the mean of loss before minus loss after, with the interval of its error."""
    assert metric.losses is not None
    moments = LossMoments(0.0, 0.0, 0.0)
    for fold, said in pairs:
        losses = zip(metric.losses(fold.threshold), metric.losses(said), fold.steps(), strict=True)
        for before, after, rows in losses:
            held = rows > 0
            if not np.isfinite(before[held] + after[held]).all():
                return Estimate(np.nan, why=UNBOUNDED)
            moments += LossMoments.of(before[held] - after[held], rows[held])
    ends = wald_interval(*moments.mean_and_error, level)
    if np.isnan(ends.low):
        return Estimate(moments.mean)
    return Estimate(moments.mean, float(ends.low), float(ends.high), ends.method, level)
