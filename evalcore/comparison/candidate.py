"""One model on the rows that are compared: its value, interval, and values over resamples."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from evalcore import outcomes as data
from evalcore.errors import EvalError
from evalcore.evaluation import drawn
from evalcore.evaluation.condense import decide, some_rows
from evalcore.evaluation.decisions import cells_of, decisions, in_closed_form
from evalcore.evaluation.estimates import (
    ACCURACY_OF_ITEMS,
    ModelSample,
    Tables,
    estimate_values,
    judge_probabilities,
    rank,
    value_tables,
)
from evalcore.intervals.resamples import Resamples
from evalcore.metrics.catalog import find
from evalcore.metrics.decisions import no_information_rate
from evalcore.metrics.metric import Estimate, Family, Metric, PercentileBootstrap
from evalcore.metrics.multiclass import of_matrix
from evalcore.metrics.probability import BRIER_SKILL_SCORE
from evalcore.options import Options
from evalcore.outcomes import Codes, Floats, Outcomes, Places
from evalcore.results import DecisionRule, ModelTables
from evalcore.tables.classes import ClassScores, log_losses
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.residuals import Ranks, ResidualMoments
from evalcore.tables.scores import ScoreTable

MOST_CLASSES = 64
"""With more classes, the cells of all resamples would not fit into memory: K squared for each."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """One model and the metric that it is compared by; a subclass for each kind of table.

    Attributes:
        outcomes: Truth and prediction of each row, of the kind that the metric's table is made of.
        rule: How it decides, for metrics of decisions.
        threshold: Scores from here on are called positive, where it decides by scores.
        known: The tables of these rows, where they are at hand: to sort many scores takes long.
        among: (K,) whether a class takes part in an average over classes; None for all that occur.
    """

    name: str
    outcomes: Any
    metric: Metric
    rule: DecisionRule = "labels"
    threshold: float = 0.5
    known: ModelTables | None = None
    among: NDArray[np.bool_] | None = None

    @property
    def fits(self) -> bool:
        """Whether the model gives what the table is made of."""
        raise NotImplementedError

    @cached_property
    def table(self) -> Any:
        """The table that the metric needs, of all rows; for decisions the confusion matrix."""
        raise NotImplementedError

    @cached_property
    def value(self) -> float:
        """The metric on these rows; NaN where it is undefined."""
        return float(self.metric(self.table))

    @cached_property
    def losses(self) -> Floats | None:
        """(n,) loss of each row, where the metric is about their mean."""
        return None

    @cached_property
    def decision(self) -> Codes:
        """(n,) codes of the classes decided."""
        return decide(self.outcomes, self.rule, self.threshold)

    @property
    def right(self) -> NDArray[np.bool_] | None:
        """(n,) whether each row is decided right; None where it may be right in part."""
        right: NDArray[np.bool_] = np.equal(self.decision, self.outcomes.truth)
        return right

    @property
    def can_resample(self) -> bool:
        """Whether it has values over resamples."""
        return False

    def over(self, resamples: Resamples) -> Floats:
        """Return (B,) values over resamples of the rows; only where `can_resample`."""
        raise NotImplementedError

    def evaluated(self, options: Options) -> Estimate | None:
        """Return its value with the interval of an evaluation; None where that has none of it."""
        raise NotImplementedError

    def gain(self, options: Options, own: Estimate) -> Estimate | None:
        """Return how much better it is than one guess for all rows; None for most metrics."""
        return None

    @property
    def averaged(self) -> NDArray[np.bool_] | None:
        """(K,) whether an average is over a class, which occurs and has a value; else None."""
        return None

    def averaged_among(self, classes: NDArray[np.bool_]) -> Self:
        """Return the model with its average over some classes alone."""
        return replace(self, among=classes)

    @property
    def shares_resamples(self) -> bool:
        """Whether the interval of an evaluation is made of just the resamples that `over` takes."""
        return False

    def on(self, places: Places) -> Self:
        """Return the model on some of its rows."""
        return replace(self, outcomes=some_rows(self.outcomes, places), known=None)


class _OfDecisions(Candidate):
    """A model by the confusion matrix of its decisions."""

    @property
    def fits(self) -> bool:
        return can_decide(self.outcomes, self.rule)

    @cached_property
    def table(self) -> ConfusionMatrix:
        rows = self.outcomes
        return ConfusionMatrix.from_codes(rows.truth, self.decision, rows.classes, rows.weight)

    @cached_property
    def value(self) -> float:
        return float(of_matrix(self.metric, self.table, self.among))

    @property
    def averaged(self) -> NDArray[np.bool_] | None:
        if len(self.table.classes) == 2 or self.metric.over_classes is not None:
            return None
        rest = self.table.one_vs_rest()
        return np.asarray((rest.positives > 0) & ~np.isnan(self.metric(rest)))

    @property
    def can_resample(self) -> bool:
        return len(self.table.classes) <= MOST_CLASSES

    def over(self, resamples: Resamples) -> Floats:
        """Count the cells of the confusion matrix in every resample."""
        classes = self.table.classes
        size = len(classes)
        cell = self.outcomes.truth.astype(np.intp) * size + self.decision
        counts = resamples.counts(cell, size**2).reshape(-1, size, size)
        return np.asarray(of_matrix(self.metric, ConfusionMatrix(classes, counts), self.among))

    def evaluated(self, options: Options) -> Estimate | None:
        if self.among is not None:  # which no evaluation of one model has
            return None
        cells = cells_of(self.outcomes, self.rule, replace(options, threshold=self.threshold))
        closed = None if cells else in_closed_form(self.table, self.metric, options.level)
        if closed is not None:
            return closed
        decided = decisions(self.table, options, cells)
        whole = len(self.table.classes) == 2 or self.metric.over_classes is not None
        return (decided.metrics if whole else decided.averages["macro"]).get(self.metric.key)

    def gain(self, options: Options, own: Estimate) -> Estimate | None:
        if self.metric.key != "accuracy" or own.low is None or own.high is None:
            return None
        most = float(no_information_rate(self.table.counts))
        return replace(own, value=own.value - most, low=own.low - most, high=own.high - most)


class _OfScores(Candidate):
    """A model by its scores, which are probabilities if the metric needs these."""

    @property
    def fits(self) -> bool:
        rows = self.outcomes
        if not isinstance(rows, data.BinaryOutcomes) or rows.score is None:
            return False
        return rows.probability or self.metric.family is not Family.PROBABILITY

    @cached_property
    def table(self) -> ScoreTable:
        rows = self.outcomes
        if self.known is not None and self.known.scores is not None:
            return self.known.scores
        return ScoreTable.from_scores(rows.truth, rows.score, rows.weight)

    @cached_property
    def value(self) -> float:
        return float(self.metric(self.table)) if len(self.table.threshold) else np.nan

    @cached_property
    def losses(self) -> Floats | None:
        return drawn.losses_of_scores(self.metric, self.outcomes)

    @property
    def can_resample(self) -> bool:
        return True

    def over(self, resamples: Resamples) -> Floats:
        if self.losses is not None:
            return drawn.over_losses(self.losses, resamples)
        return drawn.DrawnScores.of(self.outcomes, self.table, resamples).over(self.metric)

    def evaluated(self, options: Options) -> Estimate | None:
        rows, table = self.outcomes, self.table
        tables = ModelTables(
            n=table.n,
            classes=rows.classes,
            scores=table,
            probability=rows.probability,
            rows=dependent(rows),
        )
        probable = self.metric.family is Family.PROBABILITY
        return (judge_probabilities if probable else rank)(tables, options).get(self.metric.key)

    def gain(self, options: Options, own: Estimate) -> Estimate | None:
        skill = replace(self, metric=BRIER_SKILL_SCORE)
        return skill.evaluated(options) if self.metric.key == "brier" else None


class _OfClassScores(Candidate):
    """A model by its probabilities of K classes."""

    @property
    def fits(self) -> bool:
        return getattr(self.outcomes, "probabilities", None) is not None

    @cached_property
    def table(self) -> ClassScores:
        rows = self.outcomes
        return ClassScores.from_probabilities(
            rows.truth, rows.probabilities, rows.classes, rows.weight
        )

    @cached_property
    def losses(self) -> Floats | None:
        filled = np.nan_to_num(self.outcomes.probabilities)
        of_truth = filled[np.arange(self.outcomes.n), self.outcomes.truth]
        return log_losses(filled, of_truth) if self.metric.key == "log_loss" else None

    @property
    def averaged(self) -> NDArray[np.bool_] | None:
        if self.metric.family is not Family.RANKING:
            return None
        given = ~np.isnan(self.outcomes.probabilities).all(axis=0)
        return np.asarray((self.table.support > 0) & given)

    def averaged_among(self, classes: NDArray[np.bool_]) -> Self:
        some = np.where(classes, self.outcomes.probabilities, np.nan)
        return replace(self, outcomes=replace(self.outcomes, probabilities=some))

    @property
    def can_resample(self) -> bool:
        return self.losses is not None or self.metric.key.endswith(("_ovr_macro", "_ovr_weighted"))

    def over(self, resamples: Resamples) -> Floats:
        """Average over the classes that a resample has rows of, as over all rows."""
        if self.losses is not None:
            return drawn.over_losses(self.losses, resamples)
        area, _, average = self.metric.key.partition("_ovr_")
        made = []
        for name, table in zip(self.table.classes, self.table.one_vs_rest, strict=True):
            if table is not None:
                one = drawn.DrawnScores.of(self.outcomes.against_rest(("", name)), table, resamples)
                made.append(np.stack([one.over(find(area)), one.drawn.tp[:, -1]]))
        values, support = np.ma.masked_invalid(made).swapaxes(0, 1)
        weights = support if average == "weighted" else None
        return np.ma.filled(np.ma.average(values, axis=0, weights=weights), np.nan)

    def evaluated(self, options: Options) -> Estimate | None:
        rows = self.outcomes
        judge = rank if self.metric.family is Family.RANKING else judge_probabilities
        one = ModelTables(
            n=rows.n, classes=rows.classes, class_scores=self.table, rows=dependent(rows)
        )
        return judge(one, options).get(self.metric.key)


class _OfNumbers(Candidate):
    """A model by the numbers that it predicts."""

    @property
    def fits(self) -> bool:
        return isinstance(self.outcomes, data.NumericOutcomes)

    @cached_property
    def table(self) -> Any:
        return value_tables(self.outcomes)[self.metric.needs]

    @cached_property
    def losses(self) -> Floats | None:
        """Absolute errors for the mean absolute one, squared errors for the squared ones."""
        error = self.outcomes.prediction - self.outcomes.truth
        if self.metric.key in ("rmse", "mse"):
            return np.asarray(np.square(error))
        return np.abs(error) if self.metric.key == "mae" else None

    @property
    def can_resample(self) -> bool:
        return drawn.can_draw_numbers(self.metric, self.outcomes.n)

    def over(self, resamples: Resamples) -> Floats:
        return drawn.over_numbers(self.metric, [self.outcomes], resamples)[0]

    def evaluated(self, options: Options) -> Estimate | None:
        return estimate_values(self.outcomes, options, [self.metric]).get(self.metric.key)

    @property
    def shares_resamples(self) -> bool:
        alone = self.outcomes.unit is None
        return alone and self.can_resample and isinstance(self.metric.interval, PercentileBootstrap)


class _OfItems(Candidate):
    """A model by which items it got right."""

    @property
    def fits(self) -> bool:
        return isinstance(self.outcomes, data.CorrectOutcomes)

    @cached_property
    def table(self) -> data.CorrectOutcomes:
        items: data.CorrectOutcomes = self.outcomes
        return items

    @property
    def right(self) -> NDArray[np.bool_] | None:
        return None if self.table.tries is not None else self.table.right == 1

    @property
    def can_resample(self) -> bool:
        return True

    def over(self, resamples: Resamples) -> Floats:
        return drawn.over_items(self.table, resamples)

    def evaluated(self, options: Options) -> Estimate | None:
        items = self.table
        tables = ModelTables(n=items.n, classes=(), items=items, rows=dependent(items))
        return self.metric.estimate(items, ModelSample(Tables(tables, options)))


_KINDS: Mapping[type, type[Candidate]] = MappingProxyType(
    {
        BinaryCounts: _OfDecisions,
        ConfusionMatrix: _OfDecisions,
        ScoreTable: _OfScores,
        ClassScores: _OfClassScores,
        data.CorrectOutcomes: _OfItems,
        **dict.fromkeys((ResidualMoments, Ranks, data.NumericOutcomes), _OfNumbers),
    }
)
"""The kind of candidate by the table that a metric needs; other metrics are not compared."""


def candidate(
    name: str,
    outcomes: Outcomes,
    metric: Metric,
    rule: DecisionRule = "labels",
    threshold: float = 0.5,
    known: ModelTables | None = None,
) -> Candidate | None:
    """Return a model ready to be compared; None if it does not give what the metric needs.

    Raises:
        EvalError: The metric cannot be compared between models.
    """
    if isinstance(outcomes, data.CorrectOutcomes) and metric.key == ACCURACY_OF_ITEMS.key:
        metric = ACCURACY_OF_ITEMS
    if isinstance(outcomes, data.ClassOutcomes) and metric.key == "log_loss":
        metric = metric.of_classes()
    calibration = metric.needs is ClassScores and metric.family is not Family.RANKING
    if metric.needs not in _KINDS or (calibration and metric.key != "log_loss"):
        raise EvalError(
            "not-comparable",
            f'Models cannot be compared by "{metric.key}". Metrics that can: accuracy, f1, mcc, '
            "roc_auc, roc_auc_ovr_macro, average_precision, brier, log_loss, rmse, mae, r2.",
        )
    one = _KINDS[metric.needs](name, outcomes, metric, rule, threshold, known)
    return one if one.fits else None


def dependent(rows: Any) -> Any:
    """Return the rows where some depend on each other, and are drawn together."""
    return None if rows.unit is None else rows


def can_decide(outcomes: Outcomes, rule: DecisionRule) -> bool:
    """Whether a model gives what a rule decides by."""
    match outcomes:
        case data.BinaryOutcomes():
            given = {"labels": outcomes.label, "threshold": outcomes.score}
        case data.ClassOutcomes():
            given = {"labels": outcomes.label, "argmax": outcomes.probabilities}
        case _:
            return False
    return given.get(rule) is not None
