"""Single numbers that sum up a whole confusion matrix, of two classes or of K.

Every function takes (..., K, K) counts, rows = truth, columns = decision, and gives (...) values,
so that it serves one matrix and a batch of bootstrap draws alike.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.intervals.closed import Interval, of_two_rates
from evalcore.metrics.metric import (
    TEST,
    Better,
    Closed,
    Family,
    Metric,
    OverClasses,
    Wilson,
    ratio,
    scalar,
)
from evalcore.metrics.rates import NPV, PRECISION, RECALL, SPECIFICITY, rate
from evalcore.metrics.sources import cite
from evalcore.outcomes import Number
from evalcore.tables.confusion import BinaryCounts

Matrices = NDArray[Any]


def as_matrices(counts: BinaryCounts) -> Matrices:
    """Return binary counts of shape (...) as (..., 2, 2) matrices, the negative class first."""
    cells = np.stack([counts.tn, counts.fp, counts.fn, counts.tp], axis=-1)
    return cells.reshape(*cells.shape[:-1], 2, 2)


class Margins(NamedTuple):
    """Sums of a matrix: (..., K) correct, actual and predicted rows by class, (...) all rows."""

    correct: NDArray[np.float64]
    actual: NDArray[np.float64]
    predicted: NDArray[np.float64]
    total: NDArray[np.float64]


def margins(counts: Matrices) -> Margins:
    """Sum (..., K, K) counts by row, by column and along the diagonal, in float64."""
    counts = np.asarray(counts, dtype=np.float64)
    actual = counts.sum(axis=-1)
    correct = np.diagonal(counts, axis1=-2, axis2=-1)
    return Margins(correct, actual, counts.sum(axis=-2), actual.sum(axis=-1))


def correct_and_total(counts: Matrices) -> tuple[Number, Number]:
    """Return the rows decided right and all rows."""
    sums = margins(counts)
    return sums.correct.sum(axis=-1), sums.total


def wrong_and_total(counts: Matrices) -> tuple[Number, Number]:
    """Return the rows decided wrong and all rows."""
    right, total = correct_and_total(counts)
    return total - right, total


def accuracy(counts: Matrices) -> Number:
    """Return the share of rows decided right."""
    return ratio(*correct_and_total(counts))


def multiclass_balanced_accuracy(counts: Matrices) -> Number:
    """Return the mean recall over the classes that have rows."""
    sums = margins(counts)
    present = sums.actual > 0
    recall = np.where(present, ratio(sums.correct, sums.actual), 0.0)
    return ratio(recall.sum(axis=-1), present.sum(axis=-1))


def largest_class(counts: Matrices) -> tuple[Number, Number]:
    """Return the rows of the largest true class, and all rows."""
    sums = margins(counts)
    return scalar(sums.actual.max(axis=-1)), sums.total


def no_information_rate(counts: Matrices) -> Number:
    """Return the share of the largest true class."""
    return ratio(*largest_class(counts))


def accuracy_p_value(counts: Matrices) -> Number:
    """Return P(at least as many right) if each row were right with the no-information rate.

    One-sided exact binomial test, as in caret's confusionMatrix.
    """
    from scipy.special import betainc

    right, total = correct_and_total(counts)
    chance = no_information_rate(counts)
    tail = betainc(np.maximum(right, 1e-300), total - right + 1, chance)
    tail = np.where(right == 0, 1.0, tail)
    tail = np.where(total > 0, tail, np.nan)
    return scalar(tail)


def multiclass_kappa(counts: Matrices) -> Number:
    """Return (observed - expected) / (1 - expected agreement)."""
    sums = margins(counts)
    by_chance = (sums.actual * sums.predicted).sum(axis=-1)
    correct = sums.correct.sum(axis=-1)
    return ratio(sums.total * correct - by_chance, sums.total**2 - by_chance)


def multiclass_mcc(counts: Matrices) -> Number:
    """Return Gorodkin's R_K, the correlation of truth and decision; for two classes, MCC."""
    sums = margins(counts)
    covariance = sums.total * sums.correct.sum(axis=-1) - (sums.actual * sums.predicted).sum(
        axis=-1
    )
    of_truth = sums.total**2 - (sums.actual**2).sum(axis=-1)
    of_decision = sums.total**2 - (sums.predicted**2).sum(axis=-1)
    return ratio(covariance, np.sqrt(of_truth * of_decision))


def weighted_kappa(counts: Matrices, power: int) -> Number:
    """Return kappa with disagreements weighing |i - j|^power, the classes being in order."""
    counts = np.asarray(counts, dtype=np.float64)
    place = np.arange(counts.shape[-1])
    weights = np.abs(place[:, np.newaxis] - place) ** float(power)
    sums = margins(counts)
    observed = (weights * counts).sum(axis=(-2, -1)) * sums.total
    expected = np.einsum("...i,ij,...j->...", sums.actual, weights, sums.predicted)
    return 1 - ratio(observed, expected)


_summary = partial(Metric, family=Family.COUNTS, needs=BinaryCounts)


def _share_over_classes(of: Callable[[Matrices], tuple[Number, Number]]) -> OverClasses:
    return OverClasses(lambda counts: ratio(*of(counts)), Wilson(of))


NO_INFORMATION_RATE = rate(
    lambda counts: largest_class(as_matrices(counts)),
    key="no_information_rate",
    name="No-information rate",
    over_classes=_share_over_classes(largest_class),
    summary="The accuracy of always answering the largest class.",
    formula=r"\frac{\max(TP + FN, FP + TN)}{TP + FP + FN + TN}",
    better=Better.NEITHER,
    source=cite("Kuhn (2008)"),
    synonyms=("NIR", "majority class accuracy", "ZeroR"),
)

ACCURACY_P_VALUE = _summary(
    key="accuracy_p_value",
    name="p value of accuracy > no-information rate",
    compute=lambda counts: accuracy_p_value(as_matrices(counts)),
    over_classes=OverClasses(accuracy_p_value, TEST),
    summary="How often always answering the largest class would be right as often by luck.",
    formula=r"P(X \ge TP + TN), \; X \sim \mathrm{Bin}"
    r"\left(TP + FP + FN + TN, \frac{\max(TP + FN, FP + TN)}{TP + FP + FN + TN}\right)",
    better=Better.LOWER,
    interval=TEST,
    source=cite("Kuhn (2008)"),
    synonyms=("P-Value [Acc > NIR]",),
    misleads="It takes the no-information rate as known, though it comes from the same rows.",
)


def mcc(counts: BinaryCounts) -> Number:
    """Return the correlation of truth and decision, both taken as 0 and 1."""
    of_truth = counts.positives * counts.negatives
    of_decision = counts.predicted_positive * counts.predicted_negative
    covariance = counts.tp * counts.tn - counts.fp * counts.fn
    return ratio(covariance, np.sqrt(of_truth * of_decision))


def cohen_kappa(counts: BinaryCounts) -> Number:
    """Return (observed - expected) / (1 - expected agreement)."""
    by_chance = counts.positives * counts.predicted_negative
    by_chance = by_chance + counts.negatives * counts.predicted_positive
    return ratio(2 * (counts.tp * counts.tn - counts.fp * counts.fn), by_chance)


ACCURACY = rate(
    lambda c: (c.tp + c.tn, c.total),
    key="accuracy",
    over_classes=_share_over_classes(correct_and_total),
    summary="The share of rows called right.",
    formula=r"\frac{TP + TN}{TP + FP + FN + TN}",
    source=cite("Fawcett (2006)"),
    synonyms=("proportion correct", "percent correct"),
    misleads="With 1% positives, calling none gives 0.99: compare the no-information rate.",
)

ERROR_RATE = rate(
    lambda c: (c.fp + c.fn, c.total),
    key="error_rate",
    over_classes=_share_over_classes(wrong_and_total),
    summary="The share of rows called wrong.",
    formula=r"\frac{FP + FN}{TP + FP + FN + TN}",
    better=Better.LOWER,
    source=cite("Fawcett (2006)"),
    synonyms=("misclassification rate", "zero-one loss", "1 - accuracy"),
    misleads="With rare positives it is small for any model that calls few rows positive.",
)


def _of_both_rates(factor: float, shift: float) -> Closed:
    """Return the interval of factor * (recall + specificity - 1) + shift."""

    def ends(counts: BinaryCounts, level: float) -> Interval:
        found = of_two_rates(counts, factor, -factor, level)
        return replace(found, low=found.low + shift, high=found.high + shift)

    return Closed(ends, "Wilson’s intervals of recall and specificity, put together (MOVER).")


BALANCED_ACCURACY = _summary(
    key="balanced_accuracy",
    compute=lambda counts: (RECALL(counts) + SPECIFICITY(counts)) / 2,
    interval=_of_both_rates(0.5, 0.5),
    over_classes=OverClasses(multiclass_balanced_accuracy),
    summary="The mean of the recall of every class, each class counting the same.",
    formula=r"\frac{1}{2}\left(\frac{TP}{TP + FN} + \frac{TN}{TN + FP}\right)",
    source=cite("Brodersen, Ong, Stephan and Buhmann (2010)"),
    undefined_when="a class has no rows",
    synonyms=("mean recall", "macro recall", "BER = 1 - balanced accuracy"),
    misleads="It hides how many false alarms a rare class brings: see precision.",
)

MCC = _summary(
    key="mcc",
    name="Matthews correlation",
    compute=mcc,
    over_classes=OverClasses(multiclass_mcc),
    summary="The correlation of truth and decision: 1 perfect, 0 no better than chance.",
    formula=r"\frac{TP \cdot TN - FP \cdot FN}"
    r"{\sqrt{(TP + FP)(TP + FN)(TN + FP)(TN + FN)}}",
    low=-1,
    source=cite("Gorodkin (2004)"),
    undefined_when="truth or decisions hold one class only",
    synonyms=("MCC", "phi coefficient", "R_K statistic"),
    misleads="scikit-learn shows 0 where it is undefined.",
)

COHEN_KAPPA = _summary(
    key="cohen_kappa",
    name="Cohen's kappa",
    compute=cohen_kappa,
    over_classes=OverClasses(multiclass_kappa),
    summary="How far the agreement of truth and decision exceeds the one due to chance.",
    formula=r"\frac{2 (TP \cdot TN - FN \cdot FP)}"
    r"{(TP + FP)(FP + TN) + (TP + FN)(FN + TN)}",
    low=-1,
    source=cite("Cohen (1960)"),
    undefined_when="truth and decisions hold the same one class only",
    synonyms=("kappa", "kappa statistic"),
    misleads="It depends on the prevalence: the same recall and specificity give other values.",
)

YOUDEN_J = _summary(
    key="youden_j",
    name="Youden's J",
    compute=lambda counts: RECALL(counts) + SPECIFICITY(counts) - 1,
    interval=_of_both_rates(1, 0),
    summary="Recall plus specificity minus 1: 0 is as good as guessing.",
    formula=r"\frac{TP}{TP + FN} + \frac{TN}{TN + FP} - 1",
    low=-1,
    source=cite("Youden (1950)"),
    undefined_when="a class has no rows",
    synonyms=("informedness", "bookmaker informedness", "Peirce skill score", "TSS"),
    misleads="It weighs a missed positive and a false alarm by their class sizes, not their cost.",
)

MARKEDNESS = _summary(
    key="markedness",
    compute=lambda counts: PRECISION(counts) + NPV(counts) - 1,
    summary="Precision plus negative predictive value minus 1: how far a call can be trusted.",
    formula=r"\frac{TP}{TP + FP} + \frac{TN}{TN + FN} - 1",
    low=-1,
    source=cite("Powers (2011)"),
    undefined_when="all rows are called the same",
    synonyms=("delta P",),
)

G_MEAN = _summary(
    key="g_mean",
    name="G-mean",
    compute=lambda counts: scalar(np.sqrt(RECALL(counts) * SPECIFICITY(counts))),
    summary="The geometric mean of recall and specificity: low when either is.",
    formula=r"\sqrt{\frac{TP}{TP + FN} \cdot \frac{TN}{TN + FP}}",
    source=cite("Kubat, Holte and Matwin (1998)"),
    undefined_when="a class has no rows",
    synonyms=("geometric mean",),
    misleads="Some use the name for the geometric mean of precision and recall.",
)

FOWLKES_MALLOWS = _summary(
    key="fowlkes_mallows",
    name="Fowlkes-Mallows index",
    compute=lambda counts: scalar(np.sqrt(PRECISION(counts) * RECALL(counts))),
    summary="The geometric mean of precision and recall.",
    formula=r"\frac{TP}{\sqrt{(TP + FP)(TP + FN)}}",
    source=cite("Fowlkes and Mallows (1983)"),
    undefined_when="no row is positive, or none is called positive",
    synonyms=("FM index", "G measure"),
)
