"""One model on the rows that are compared: its value, interval, and values over resamples."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from evalcore.errors import EvalError
from evalcore.evaluation.condense import DecisionRule, decide, some_rows
from evalcore.evaluation.decisions import decisions, of_share
from evalcore.evaluation.estimates import (
    estimate_values,
    judge_probabilities,
    rank,
    value_tables,
)
from evalcore.intervals.ranking import RankingBins
from evalcore.intervals.resamples import (
    DRAWN_AREAS,
    Resamples,
    drawn_medians,
    drawn_moments,
    drawn_pairs,
    drawn_rank_correlations,
)
from evalcore.metrics.correlation import tau_a, tau_b
from evalcore.metrics.metric import Estimate, Family, MeanLoss, Metric, PercentileBootstrap
from evalcore.metrics.multiclass import of_matrix
from evalcore.metrics.ranking import each
from evalcore.options import Options
from evalcore.outcomes import (
    BinaryOutcomes,
    ClassOutcomes,
    Codes,
    Floats,
    NumericOutcomes,
    Outcomes,
    Places,
)
from evalcore.results import ModelTables
from evalcore.tables.classes import ClassScores
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.residuals import Ranks, ResidualMoments
from evalcore.tables.scores import ScoreTable

MOST_CLASSES = 64
"""With more classes, the cells of all resamples would not fit into memory: K squared for each."""

MOST_ORDERED = 2000
"""With more rows, ordering every resample anew would take minutes."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """One model and the metric that it is compared by.

    Attributes:
        name: The model.
        outcomes: Truth and prediction of each row, of the kind that the metric's table is made of.
        metric: What is compared.
        rule: How it decides, for metrics of decisions.
        threshold: Scores from here on are called positive, where it decides by scores.
    """

    name: str
    outcomes: Any
    metric: Metric
    rule: DecisionRule = "labels"
    threshold: float = 0.5

    @property
    def _source(self) -> "TableSource":
        return TABLES[self.metric.needs]

    @cached_property
    def table(self) -> Any:
        """The table that the metric needs, of all rows; for decisions the confusion matrix."""
        return self._source.make(self)

    @cached_property
    def value(self) -> float:
        """The metric on these rows; NaN where it is undefined."""
        return float(self._source.value(self))

    @cached_property
    def losses(self) -> Floats | None:
        """(n,) loss of each row, where the metric is about their mean."""
        return self._source.losses(self)

    @cached_property
    def decision(self) -> Codes:
        """(n,) codes of the classes decided."""
        return decide(self.outcomes, self.rule, self.threshold)

    @property
    def can_resample(self) -> bool:
        """Whether it has values over resamples."""
        return self._source.over is not None and self._source.can_resample(self)

    def over(self, resamples: Resamples) -> Floats:
        """Return (B,) values over resamples of the rows; only where `can_resample`."""
        assert self._source.over is not None
        return self._source.over(self, resamples)

    def evaluated(self, options: Options) -> Estimate | None:
        """Return its value with the interval of an evaluation; None where that has none of it."""
        return self._source.evaluated(self, options)

    @property
    def shares_resamples(self) -> bool:
        """Whether the interval of an evaluation is made of just the resamples that `over` takes."""
        by_resamples = isinstance(self.metric.interval, PercentileBootstrap)
        return self._source is OF_NUMBERS and self.can_resample and by_resamples

    def on(self, places: Places) -> "Candidate":
        """Return the model on some of its rows."""
        return replace(self, outcomes=some_rows(self.outcomes, places))


@dataclass(frozen=True, kw_only=True)
class TableSource:
    """How the tables of one type are made, and what metrics of them come to over resamples.

    Attributes:
        fits: Whether a model gives what the table is made of.
        make: Gives the table of all rows.
        value: Gives the metric of that table.
        evaluated: Gives the estimate of an evaluation; None where it has none.
        over: Gives (B,) values over resamples; None where there are none.
        can_resample: Whether it does for this model.
        losses: Gives (n,) losses whose mean the metric is; None for other metrics.
    """

    fits: Callable[[Candidate], bool]
    make: Callable[[Candidate], Any]
    value: Callable[[Candidate], Any] = lambda one: one.metric(one.table)
    evaluated: Callable[[Candidate, Options], Estimate | None]
    over: Callable[[Candidate, Resamples], Floats] | None = None
    can_resample: Callable[[Candidate], bool] = lambda _: True
    losses: Callable[[Candidate], Floats | None] = lambda _: None


def candidate(
    name: str,
    outcomes: Outcomes,
    metric: Metric,
    rule: DecisionRule = "labels",
    threshold: float = 0.5,
) -> Candidate | None:
    """Return a model ready to be compared; None if it does not give what the metric needs.

    Raises:
        EvalError: The metric cannot be compared between models.
    """
    calibration = metric.needs is ClassScores and metric.family is not Family.RANKING
    if metric.needs not in TABLES or calibration:
        raise EvalError(
            "not-comparable",
            f'Models cannot be compared by "{metric.key}". Metrics that can: accuracy, f1, mcc, '
            "roc_auc, average_precision, brier, log_loss, rmse, mae, r2.",
        )
    one = Candidate(name, outcomes, metric, rule, threshold)
    return one if TABLES[metric.needs].fits(one) else None


def can_decide(outcomes: Outcomes, rule: DecisionRule) -> bool:
    """Whether a model gives what a rule decides by."""
    match outcomes:
        case BinaryOutcomes():
            given = {"labels": outcomes.label, "threshold": outcomes.score}
        case ClassOutcomes():
            given = {"labels": outcomes.label, "argmax": outcomes.probabilities}
        case _:
            return False
    return given.get(rule) is not None


def _confusion(one: Candidate) -> ConfusionMatrix:
    outcomes = one.outcomes
    return ConfusionMatrix.from_codes(
        outcomes.truth, one.decision, outcomes.classes, outcomes.weight
    )


def _evaluated_decisions(one: Candidate, options: Options) -> Estimate | None:
    share = of_share(one.table, one.metric, options.level)
    if share is not None:
        return share
    made = decisions(one.table, options)
    whole = len(one.table.classes) == 2 or one.metric.over_classes is not None
    return (made.metrics if whole else made.averages["macro"]).get(one.metric.key)


def _decisions_over(one: Candidate, resamples: Resamples) -> Floats:
    """Count the cells of the confusion matrix in every resample."""
    classes = one.table.classes
    size = len(classes)
    cell = one.outcomes.truth.astype(np.intp) * size + one.decision
    counts = resamples.counts(cell, size**2).reshape(-1, size, size)
    return np.asarray(of_matrix(one.metric, ConfusionMatrix(classes, counts)))


def _has_scores(one: Candidate) -> bool:
    """Whether there are scores, which are probabilities if the metric needs these."""
    told = one.outcomes
    if not isinstance(told, BinaryOutcomes) or told.score is None:
        return False
    return told.probability or one.metric.family is not Family.PROBABILITY


def _score_table(one: Candidate) -> ScoreTable:
    outcomes = one.outcomes
    return ScoreTable.from_scores(outcomes.truth, outcomes.score, outcomes.weight)


def _evaluated_scores(one: Candidate, options: Options) -> Estimate | None:
    outcomes, probable = one.outcomes, one.metric.family is Family.PROBABILITY
    names, table = outcomes.classes, one.table
    tables = ModelTables(n=table.n, classes=names, scores=table, probability=outcomes.probability)
    return (judge_probabilities if probable else rank)(tables, options).get(one.metric.key)


def _scores_over(one: Candidate, resamples: Resamples) -> Floats:
    """Count rows in bins of scores; bins lose little, and the values are moved by what."""
    losses, metric = one.losses, one.metric
    if losses is not None:
        return resamples.sums(lambda rows: losses[rows][np.newaxis])[:, 0] / resamples.n
    rows, edges = one.outcomes, one.table.threshold[RankingBins.of(one.table).last]
    size = len(edges)
    cell = np.searchsorted(-edges, -rows.score) + size * rows.truth.astype(np.intp)
    counts = resamples.counts(cell, 2 * size).reshape(-1, 2, size).cumsum(axis=2)
    steps = np.bincount(cell, rows.weight, 2 * size).reshape(2, size).cumsum(axis=1)
    moved = one.value - float(metric(ScoreTable(edges, steps[1], steps[0])))
    if metric.key in DRAWN_AREAS:
        return DRAWN_AREAS[metric.key](counts[:, 1], counts[:, 0]) + moved
    takes_draws = isinstance(metric.interval, PercentileBootstrap)
    over_draws = metric if takes_draws else each(metric)
    return np.asarray(over_draws(ScoreTable(edges, counts[:, 1], counts[:, 0]))) + moved


def _losses_of_scores(one: Candidate) -> Floats | None:
    if not isinstance(one.metric.interval, MeanLoss):
        return None
    of_positive, of_negative = one.metric.interval.losses(one.outcomes.score)
    return np.where(one.outcomes.truth == 1, of_positive, of_negative)


def _class_scores(one: Candidate) -> ClassScores:
    outcomes = one.outcomes
    return ClassScores.from_probabilities(
        outcomes.truth, outcomes.probabilities, outcomes.classes, outcomes.weight
    )


def _evaluated_class_scores(one: Candidate, options: Options) -> Estimate | None:
    tables = ModelTables(n=one.outcomes.n, classes=one.table.classes, class_scores=one.table)
    return rank(tables, options).get(one.metric.key)


def _numbers(one: Candidate) -> Any:
    return value_tables(one.outcomes)[one.metric.needs]


def _numbers_over(one: Candidate, resamples: Resamples) -> Floats:
    """Sum up the rows of every resample, or order them."""
    rows, ordered = one.outcomes, ORDERED.get(one.metric.key)
    if ordered is not None:
        return ordered(rows.truth, rows.prediction, resamples)
    moments = drawn_moments(rows.truth, rows.prediction, rows.weight, resamples)
    return np.asarray(one.metric(moments))


def _sums_or_few_rows(one: Candidate) -> bool:
    """Whether the metric is made of sums, or of the order of few rows, which is made fast."""
    ordered = one.metric.key in ORDERED and one.outcomes.n <= MOST_ORDERED
    return ordered or one.metric.needs is ResidualMoments


def _losses_of_numbers(one: Candidate) -> Floats | None:
    """Return absolute errors for the mean absolute one, squared errors for the squared ones."""
    error = one.outcomes.prediction - one.outcomes.truth
    if one.metric.key in ("rmse", "mse"):
        return np.asarray(np.square(error))
    return np.abs(error) if one.metric.key == "mae" else None


ORDERED: Mapping[str, Callable[[Floats, Floats, Resamples], Floats]] = MappingProxyType(
    {
        "spearman": drawn_rank_correlations,
        "kendall_tau_a": lambda x, y, drawn: np.asarray(tau_a(drawn_pairs(x, y, drawn))),
        "kendall_tau_b": lambda x, y, drawn: np.asarray(tau_b(drawn_pairs(x, y, drawn))),
        "medae": lambda x, y, drawn: drawn_medians(np.abs(y - x), drawn),
    }
)
"""Metrics of the order of rows, over resamples, by key."""

OF_DECISIONS = TableSource(
    fits=lambda one: can_decide(one.outcomes, one.rule),
    make=_confusion,
    value=lambda one: of_matrix(one.metric, one.table),
    evaluated=_evaluated_decisions,
    over=_decisions_over,
    can_resample=lambda one: len(one.table.classes) <= MOST_CLASSES,
)
OF_SCORES = TableSource(
    fits=_has_scores,
    make=_score_table,
    value=lambda one: one.metric(one.table) if len(one.table.threshold) else np.nan,
    evaluated=_evaluated_scores,
    over=_scores_over,
    losses=_losses_of_scores,
)
OF_CLASS_SCORES = TableSource(
    fits=lambda one: getattr(one.outcomes, "probabilities", None) is not None,
    make=_class_scores,
    evaluated=_evaluated_class_scores,
)
OF_NUMBERS = TableSource(
    fits=lambda one: isinstance(one.outcomes, NumericOutcomes),
    make=_numbers,
    evaluated=lambda one, options: estimate_values(one.outcomes, options, [one.metric]).get(
        one.metric.key
    ),
    over=_numbers_over,
    can_resample=_sums_or_few_rows,
    losses=_losses_of_numbers,
)

TABLES: Mapping[type, TableSource] = MappingProxyType(
    {
        BinaryCounts: OF_DECISIONS,
        ConfusionMatrix: OF_DECISIONS,
        ScoreTable: OF_SCORES,
        ClassScores: OF_CLASS_SCORES,
        ResidualMoments: OF_NUMBERS,
        Ranks: OF_NUMBERS,
        NumericOutcomes: OF_NUMBERS,
    }
)
"""By the type of table that a metric needs, how it is made; other metrics are not compared."""
