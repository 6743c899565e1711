"""What a confusion matrix of K classes says as a whole.

Every function takes (..., K, K) counts, rows = truth, columns = decision, and gives (...) values,
so that it serves one matrix and a batch of bootstrap draws alike.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.metrics.spec import Number, ratio, scalar
from evalcore.tables.confusion import BinaryCounts

Matrices = NDArray[Any]


def as_matrices(counts: BinaryCounts) -> Matrices:
    """Return binary counts of shape (...) as (..., 2, 2) matrices, the negative class first."""
    cells = np.stack([counts.tn, counts.fp, counts.fn, counts.tp], axis=-1)
    return cells.reshape(*cells.shape[:-1], 2, 2)


class Margins(NamedTuple):
    """Sums of a matrix: (..., K) correct, actual and decided rows of each class, (...) all rows."""

    correct: NDArray[np.float64]
    actual: NDArray[np.float64]
    decided: NDArray[np.float64]
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
    """Return the share of rows decided right.

    >>> accuracy(np.array([[3, 1], [0, 4]]))
    0.875
    """
    return ratio(*correct_and_total(counts))


def error_rate(counts: Matrices) -> Number:
    """Return the share of rows decided wrong."""
    return ratio(*wrong_and_total(counts))


def balanced_accuracy(counts: Matrices) -> Number:
    """Return the mean recall over the classes that have rows.

    >>> balanced_accuracy(np.array([[3, 1, 0], [0, 4, 0], [0, 0, 0]]))
    0.875
    """
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

    >>> round(accuracy_p_value(np.array([[3, 1], [0, 4]])), 12) == round(9 / 2**8, 12)
    True
    """
    from scipy.special import betainc

    right, total = correct_and_total(counts)
    chance = no_information_rate(counts)
    tail = betainc(np.maximum(right, 1e-300), total - right + 1, chance)
    tail = np.where(right == 0, 1.0, tail)
    tail = np.where(total > 0, tail, np.nan)
    return scalar(tail)


def cohen_kappa(counts: Matrices) -> Number:
    """Return (observed - expected) / (1 - expected agreement).

    >>> cohen_kappa(np.array([[4, 1], [1, 4]]))
    0.6
    """
    sums = margins(counts)
    by_chance = (sums.actual * sums.decided).sum(axis=-1)
    correct = sums.correct.sum(axis=-1)
    return ratio(sums.total * correct - by_chance, sums.total**2 - by_chance)


def mcc(counts: Matrices) -> Number:
    """Return Gorodkin's R_K, the correlation of truth and decision; for two classes, MCC.

    >>> mcc(np.array([[4, 1], [1, 4]]))
    0.6
    """
    sums = margins(counts)
    covariance = sums.total * sums.correct.sum(axis=-1) - (sums.actual * sums.decided).sum(axis=-1)
    of_truth = sums.total**2 - (sums.actual**2).sum(axis=-1)
    of_decision = sums.total**2 - (sums.decided**2).sum(axis=-1)
    return ratio(covariance, np.sqrt(of_truth * of_decision))


def weighted_kappa(counts: Matrices, power: int) -> Number:
    """Return kappa with disagreements weighing |i - j|^power, the classes being in order.

    >>> weighted_kappa(np.array([[2, 0], [0, 2]]), power=2)
    1.0
    """
    counts = np.asarray(counts, dtype=np.float64)
    place = np.arange(counts.shape[-1])
    weights = np.abs(place[:, np.newaxis] - place) ** float(power)
    sums = margins(counts)
    observed = (weights * counts).sum(axis=(-2, -1)) * sums.total
    expected = np.einsum("...i,ij,...j->...", sums.actual, weights, sums.decided)
    return 1 - ratio(observed, expected)
