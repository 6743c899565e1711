"""How close the probabilities of a yes-or-no model come to what happened."""

from typing import Any

import numpy as np

from evalcore.intervals.ranking import Losses
from evalcore.metrics import metric
from evalcore.metrics.metric import Better, Family, Metric, ratio
from evalcore.metrics.sources import cite
from evalcore.outcomes import Floats
from evalcore.tables.classes import ClassScores
from evalcore.tables.scores import ScoreTable


def _mean_loss(losses: Losses, **declaration: Any) -> Metric:
    """Declare the mean of a loss per row by the losses of a positive and of a negative row."""
    interval = metric.MeanLoss(losses)
    return Metric(
        family=Family.PROBABILITY,
        needs=ScoreTable,
        compute=lambda table: interval.mean_and_error(table)[0],
        interval=interval,
        better=Better.LOWER,
        **declaration,
    )


def _squared(probability: Floats) -> tuple[Floats, Floats]:
    return (1 - probability) ** 2, probability**2


def _logarithmic(probability: Floats) -> tuple[Floats, Floats]:
    with np.errstate(divide="ignore"):
        return -np.log(probability), -np.log1p(-probability)


BRIER = _mean_loss(
    _squared,
    key="brier",
    name="Brier score",
    summary="The mean squared distance between the probability and what happened (0 or 1).",
    formula=r"\frac{1}{n} \sum_i (p_i - y_i)^2",
    source=cite("Brier (1950)"),
    synonyms=("mean squared error of probabilities", "quadratic score"),
    misleads="With rare positives it is small for any model that says so: see the skill score. "
    "The multi-class form adds up all classes and is twice as large for two.",
)

LOG_LOSS = _mean_loss(
    _logarithmic,
    key="log_loss",
    over_classes=metric.OverClasses(
        lambda scores: scores.log_loss.mean,
        metric.StandardError(lambda scores: scores.log_loss.mean_and_error),
        ClassScores,
    ),
    summary="The mean of -ln of the probability that was given to what happened.",
    formula=r"-\frac{1}{n} \sum_i \ln p_i(y_i)",
    high=np.inf,
    source=cite("Good (1952)"),
    infinite_when="a row was given probability 0 for what happened",
    synonyms=("cross-entropy", "logarithmic score", "negative log-likelihood"),
    misleads="One confident error decides it: scikit-learn hides an infinite value by clipping.",
    unit="nats",
)


def log_loss_clipped(epsilon: float, key: str = "") -> Metric:
    """Declare log loss with probabilities moved into [epsilon, 1 - epsilon]."""
    low, high = -float(np.log1p(-epsilon)), -float(np.log(epsilon))

    def losses(probability: Floats) -> tuple[Floats, Floats]:
        # 1 - epsilon is rounded where epsilon is tiny; the losses at both ends are exact.
        of_positive, of_negative = _logarithmic(probability)
        return np.clip(of_positive, low, high), np.clip(of_negative, low, high)

    return _mean_loss(
        losses,
        key=key or f"log_loss_clipped({epsilon:g})",
        name=f"Log loss, clipped at {epsilon:g}",
        summary=f"Log loss with every probability moved into [{epsilon:g}, 1 - {epsilon:g}].",
        formula=rf"-\frac{{1}}{{n}} \sum_i \ln \min(\max(p_i(y_i), {epsilon:g}), 1 - {epsilon:g})",
        low=low,
        high=high,
        source=cite("Good (1952)"),
        synonyms=("clipped cross-entropy",),
        parameters={"epsilon": float(epsilon)},
        misleads="Where a probability of 0 went wrong, the value is a matter of epsilon alone.",
        unit="nats",
    )


LOG_LOSS_CLIPPED = log_loss_clipped(1e-15, key="log_loss_clipped")


def brier_uncertainty(table: ScoreTable) -> float:
    """Return the Brier score of always giving the share of positives, pi (1 - pi)."""
    share = ratio(table.positives, table.n)
    return float(share * (1 - share))


def brier_skill_score(table: ScoreTable) -> tuple[float, float]:
    """Return the part of the base rate's Brier score that the model saves, and its error.

    The standard error is that of the ratio's first-order terms, summed over the rows.
    """
    score, ideal = float(BRIER(table)), brier_uncertainty(table)
    if not ideal > 0:
        return np.nan, np.nan
    skill = 1 - score / ideal
    share = table.positives / table.n
    influence = [
        ((loss - score) - (1 - skill) * (1 - 2 * share) * (truth - share)) / ideal
        for loss, truth in zip(_squared(table.threshold), (1, 0), strict=True)
    ]
    squares = sum(
        (rows * part**2).sum() for rows, part in zip(table.steps(), influence, strict=True)
    )
    return skill, float(np.sqrt(squares) / table.n)


BRIER_SKILL_SCORE = Metric(
    key="brier_skill_score",
    family=Family.PROBABILITY,
    needs=ScoreTable,
    compute=lambda table: brier_skill_score(table)[0],
    interval=metric.StandardError(brier_skill_score),
    summary="How much better than always giving the base rate: 1 is perfect, 0 no better.",
    formula=r"1 - \frac{\mathrm{Brier}}{\pi (1 - \pi)}",
    low=-np.inf,
    source=cite("Wilks (2019)"),
    undefined_when="the truth holds only one class",
    synonyms=("BSS", "index of prediction accuracy", "scaled Brier score"),
    misleads="The base rate is that of the same rows, which a real forecaster did not know.",
)

BRIER_UNCERTAINTY = Metric(
    key="brier_uncertainty",
    family=Family.PROBABILITY,
    needs=ScoreTable,
    compute=brier_uncertainty,
    summary="The part of the Brier score that lies in the task: its value for the base rate.",
    formula=r"\pi (1 - \pi)",
    high=0.25,
    better=Better.NEITHER,
    interval=metric.NoInterval("None: it follows from the share of positives, which has one."),
    source=cite("Murphy (1973)"),
)
