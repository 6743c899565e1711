"""Who takes part: whether a model gives what a metric needs."""

from evalcore.contests.contenders import ClassRanker, Contender, Decider, Predictor, Ranker
from evalcore.errors import EvalError
from evalcore.evaluation.decided import Way
from evalcore.metrics.spec import Family, Metric
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, NumericOutcomes, Outcomes
from evalcore.tables.classes import ClassScores
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.scores import ScoreTable


def contender(
    name: str, outcomes: Outcomes, metric: Metric, way: Way = "labels", threshold: float = 0.5
) -> Contender | None:
    """Return a model ready to be compared; None if it does not give what the metric needs.

    Raises:
        EvalError: The metric cannot be compared between models.
    """
    if metric.needs in (BinaryCounts, ConfusionMatrix):
        if isinstance(outcomes, BinaryOutcomes | ClassOutcomes) and gives(outcomes, way):
            return Decider(name, outcomes, metric, way, threshold)
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


def gives(outcomes: Outcomes, way: Way) -> bool:
    """Whether a model decides in this way."""
    match outcomes:
        case BinaryOutcomes():
            known = {"labels": outcomes.label, "threshold": outcomes.score, "argmax": None}
        case ClassOutcomes():
            known = {"labels": outcomes.label, "threshold": None, "argmax": outcomes.probabilities}
        case _:
            return False
    return known[way] is not None
