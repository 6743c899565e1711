"""One model on the rows that are compared: its value, interval, and values over resamples."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np

from evalcore.errors import EvalError
from evalcore.evaluation.condense import DecisionRule, decide, some_rows
from evalcore.evaluation.estimates import value_tables
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
from evalcore.metrics.metric import Family, MeanLoss, Metric, PercentileBootstrap
from evalcore.metrics.multiclass import of_matrix
from evalcore.metrics.ranking import each
from evalcore.outcomes import (
    BinaryOutcomes,
    ClassOutcomes,
    Codes,
    Floats,
    NumericOutcomes,
    Outcomes,
    Places,
)
from evalcore.tables.classes import ClassScores
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.residuals import ResidualMoments
from evalcore.tables.scores import ScoreTable

MOST_CLASSES = 64
"""With more classes, count metrics are compared without resamples."""

MOST_ORDERED = 2000
"""With more rows, what needs their order is compared without resamples."""

ORDERED: Mapping[str, Callable[[NumericOutcomes, Resamples], Floats]] = MappingProxyType(
    {
        "spearman": lambda rows, resamples: drawn_rank_correlations(
            rows.truth, rows.prediction, resamples
        ),
        "kendall_tau_a": lambda rows, resamples: np.asarray(
            tau_a(drawn_pairs(rows.truth, rows.prediction, resamples))
        ),
        "kendall_tau_b": lambda rows, resamples: np.asarray(
            tau_b(drawn_pairs(rows.truth, rows.prediction, resamples))
        ),
        "medae": lambda rows, resamples: drawn_medians(
            np.abs(rows.prediction - rows.truth), resamples
        ),
    }
)
"""Metrics of the order of rows that are drawn, by key."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """One model and the metric that it is compared by."""

    name: str
    outcomes: Outcomes
    metric: Metric

    @cached_property
    def value(self) -> float:
        """The metric on these rows; NaN where it is undefined."""
        raise NotImplementedError

    @property
    def can_resample(self) -> bool:
        """Whether it has values over resamples."""
        return True

    def draws(self, resamples: Resamples) -> Floats:
        """Return (B,) values over resamples of the rows; only where it can be."""
        raise NotImplementedError

    @cached_property
    def losses(self) -> Floats | None:
        """(n,) loss of each row, where the metric is about their mean."""
        return None

    def on(self, places: Places) -> "Candidate":
        """Return the model on some of its rows."""
        return replace(self, outcomes=some_rows(self.outcomes, places))


@dataclass(frozen=True, eq=False)
class Decider(Candidate):
    """A model compared by its decisions."""

    outcomes: BinaryOutcomes | ClassOutcomes
    rule: DecisionRule = "labels"
    threshold: float = 0.5

    @cached_property
    def decision(self) -> Codes:
        """(n,) codes of the classes decided."""
        return decide(self.outcomes, self.rule, self.threshold)

    @cached_property
    def matrix(self) -> ConfusionMatrix:
        """Rows = truth, columns = decision."""
        outcomes = self.outcomes
        return ConfusionMatrix.from_codes(
            outcomes.truth, self.decision, outcomes.classes, outcomes.weight
        )

    @property
    def right_of_all(self) -> tuple[float, float]:
        """Rows decided right, and all rows."""
        return float(np.trace(self.matrix.counts)), self.matrix.total

    @cached_property
    def value(self) -> float:
        """The metric of the confusion matrix; the mean over classes if it is about one class."""
        return float(of_matrix(self.metric, self.matrix))

    @property
    def can_resample(self) -> bool:
        """Whether there are not too many classes."""
        return len(self.outcomes.classes) <= MOST_CLASSES

    def draws(self, resamples: Resamples) -> Floats:
        """Count the cells of the confusion matrix in every resample."""
        classes = self.outcomes.classes
        size = len(classes)
        cell = self.outcomes.truth.astype(np.intp) * size + self.decision
        counts = resamples.counts(cell, size**2).reshape(-1, size, size)
        return np.asarray(of_matrix(self.metric, ConfusionMatrix(classes, counts)))


@dataclass(frozen=True, eq=False)
class Ranker(Candidate):
    """A model compared by the scores of a yes-or-no question."""

    outcomes: BinaryOutcomes

    @cached_property
    def table(self) -> ScoreTable:
        """Every distinct score with the counts above it."""
        return ScoreTable.from_scores(self.outcomes.truth, self.score, self.outcomes.weight)

    @property
    def score(self) -> Floats:
        """(n,) scores."""
        assert self.outcomes.score is not None
        return self.outcomes.score

    @cached_property
    def value(self) -> float:
        """The metric of the score table."""
        return float(self.metric(self.table)) if len(self.table.threshold) else np.nan

    @cached_property
    def losses(self) -> Floats | None:
        """(n,) loss of each row, for a metric that is their mean."""
        if not isinstance(self.metric.interval, MeanLoss):
            return None
        of_positive, of_negative = self.metric.interval.losses(self.score)
        return np.where(self.outcomes.truth == 1, of_positive, of_negative)

    def draws(self, resamples: Resamples) -> Floats:
        """Count rows in bins of scores; bins lose little, and the draws are moved by what."""
        losses = self.losses
        if losses is not None:
            return resamples.sums(lambda rows: losses[rows][np.newaxis])[:, 0] / resamples.n
        edges = self.table.threshold[RankingBins.of(self.table).last]
        size = len(edges)
        cell = np.searchsorted(-edges, -self.score) + size * self.outcomes.truth.astype(np.intp)
        counts = resamples.counts(cell, 2 * size).reshape(-1, 2, size).cumsum(axis=2)
        steps = np.bincount(cell, self.outcomes.weight, 2 * size).reshape(2, size).cumsum(axis=1)
        moved = self.value - float(self.metric(ScoreTable(edges, steps[1], steps[0])))
        if self.metric.key in DRAWN_AREAS:
            return DRAWN_AREAS[self.metric.key](counts[:, 1], counts[:, 0]) + moved
        takes_draws = isinstance(self.metric.interval, PercentileBootstrap)
        over_draws = self.metric if takes_draws else each(self.metric)
        return np.asarray(over_draws(ScoreTable(edges, counts[:, 1], counts[:, 0]))) + moved


@dataclass(frozen=True, eq=False)
class ClassRanker(Candidate):
    """A model compared by how it ranks K classes; without resamples."""

    outcomes: ClassOutcomes

    @property
    def can_resample(self) -> bool:
        """Whether it has values over resamples: not so far."""
        return False

    @cached_property
    def scores(self) -> ClassScores:
        """The condensed probabilities."""
        outcomes = self.outcomes
        assert outcomes.probabilities is not None
        return ClassScores.from_probabilities(
            outcomes.truth, outcomes.probabilities, outcomes.classes, outcomes.weight
        )

    @cached_property
    def value(self) -> float:
        """The metric of the condensed probabilities."""
        return float(self.metric(self.scores))


@dataclass(frozen=True, eq=False)
class Predictor(Candidate):
    """A model compared by the numbers that it predicts."""

    outcomes: NumericOutcomes

    @cached_property
    def value(self) -> float:
        """The metric of the table that it needs."""
        return float(self.metric(value_tables(self.outcomes)[self.metric.needs]))

    @cached_property
    def losses(self) -> Floats | None:
        """(n,) absolute errors for the mean absolute one, squared errors for the squared ones."""
        error = self.outcomes.prediction - self.outcomes.truth
        if self.metric.key in ("rmse", "mse"):
            return np.square(error)
        return np.abs(error) if self.metric.key == "mae" else None

    @property
    def can_resample(self) -> bool:
        """Whether the metric is made of sums, or is made fast of the order of few rows."""
        ordered = self.metric.key in ORDERED and self.outcomes.n <= MOST_ORDERED
        return ordered or self.metric.needs is ResidualMoments

    def draws(self, resamples: Resamples) -> Floats:
        """Sum up the rows of every resample, or order them."""
        outcomes = self.outcomes
        if self.metric.key in ORDERED:
            return ORDERED[self.metric.key](outcomes, resamples)
        table = drawn_moments(outcomes.truth, outcomes.prediction, outcomes.weight, resamples)
        return np.asarray(self.metric(table))


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
    if metric.needs in (BinaryCounts, ConfusionMatrix):
        if isinstance(outcomes, BinaryOutcomes | ClassOutcomes) and gives(outcomes, rule):
            return Decider(name, outcomes, metric, rule, threshold)
    elif metric.needs is ScoreTable:
        if isinstance(outcomes, BinaryOutcomes) and _scored(outcomes, metric):
            return Ranker(name, outcomes, metric)
    elif metric.needs is ClassScores and metric.family is Family.RANKING:
        if isinstance(outcomes, ClassOutcomes) and outcomes.probabilities is not None:
            return ClassRanker(name, outcomes, metric)
    elif metric.family is Family.VALUES:
        if isinstance(outcomes, NumericOutcomes):
            return Predictor(name, outcomes, metric)
    else:
        raise EvalError(
            "not-comparable",
            f'Models cannot be compared by "{metric.key}". Metrics that can: accuracy, f1, mcc, '
            "roc_auc, average_precision, brier, log_loss, rmse, mae, r2.",
        )
    return None


def _scored(outcomes: BinaryOutcomes, metric: Metric) -> bool:
    """Whether there are scores, which are probabilities if the metric needs these."""
    return outcomes.score is not None and (
        metric.family is not Family.PROBABILITY or outcomes.probability
    )


def gives(outcomes: Outcomes, rule: DecisionRule) -> bool:
    """Whether a model decides in this way."""
    match outcomes:
        case BinaryOutcomes():
            known = {"labels": outcomes.label, "threshold": outcomes.score, "argmax": None}
        case ClassOutcomes():
            known = {"labels": outcomes.label, "threshold": None, "argmax": outcomes.probabilities}
        case _:
            return False
    return known[rule] is not None
