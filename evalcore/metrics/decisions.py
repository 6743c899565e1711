"""Counts, rates and F measures of a yes-or-no decision, sums of a whole matrix, and what it costs.

Functions that take (..., K, K) counts, rows = truth, columns = decision, give (...) values, so that
they serve one matrix and a batch of bootstrap draws alike.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evalcore.errors import EvalError
from evalcore.intervals.closed import Interval, of_two_rates, wilson
from evalcore.metrics.metric import (
    DESCRIPTION,
    TEST,
    AtOptimum,
    Better,
    Closed,
    Family,
    Metric,
    OverClasses,
    PercentileBootstrap,
    Wilson,
    ratio,
    scalar,
    share_of,
)
from evalcore.metrics.vocabulary import cite
from evalcore.outcomes import Floats, Number
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix, blocks
from evalcore.tables.scores import ScoreTable

_decision = partial(Metric, family=Family.COUNTS, needs=BinaryCounts)
_rate = partial(share_of, family=Family.COUNTS, needs=BinaryCounts)
"""Declares a share of rows by its two counts."""

RECALL = _rate(lambda c: (c.tp, c.positives), key="recall")
PRECISION = _rate(lambda c: (c.tp, c.predicted_positive), key="precision")
SPECIFICITY = _rate(lambda c: (c.tn, c.negatives), key="specificity")
NPV = _rate(lambda c: (c.tn, c.predicted_negative), key="npv")
FPR = _rate(lambda c: (c.fp, c.negatives), key="fpr", better=Better.LOWER)
FNR = _rate(lambda c: (c.fn, c.positives), key="fnr", better=Better.LOWER)
FDR = _rate(lambda c: (c.fp, c.predicted_positive), key="fdr", better=Better.LOWER)
FOR = _rate(lambda c: (c.fn, c.predicted_negative), key="for", better=Better.LOWER)
JACCARD = _rate(lambda c: (c.tp, c.tp + c.fp + c.fn), key="jaccard")
PREVALENCE = _rate(lambda c: (c.positives, c.total), key="prevalence", better=Better.NEITHER)
DETECTION_RATE = _rate(lambda c: (c.tp, c.total), key="detection_rate")

DETECTION_PREVALENCE = _rate(
    lambda c: (c.predicted_positive, c.total), key="detection_prevalence", better=Better.NEITHER
)


_cell = partial(_decision, interval=DESCRIPTION, high=float("inf"), unit="count")

TP = _cell(compute=lambda c: c.tp, key="tp")
FP = _cell(compute=lambda c: c.fp, key="fp", better=Better.LOWER)
FN = _cell(compute=lambda c: c.fn, key="fn", better=Better.LOWER)
TN = _cell(compute=lambda c: c.tn, key="tn")


_odds = partial(_decision, high=float("inf"))

LR_PLUS = _odds(compute=lambda c: ratio(RECALL(c), FPR(c)), key="lr_plus")
LR_MINUS = _odds(
    compute=lambda c: ratio(FNR(c), SPECIFICITY(c)), key="lr_minus", better=Better.LOWER
)
DIAGNOSTIC_ODDS_RATIO = _odds(
    compute=lambda c: ratio(c.tp * c.tn, c.fp * c.fn), key="diagnostic_odds_ratio"
)


def f_beta(beta: float, key: str = "") -> Metric:
    """Declare the F measure in which recall weighs `beta` squared times as much as precision.

    >>> f_beta(2)(BinaryCounts(tp=2, fp=2, fn=1, tn=0)) == 10 / 16
    True
    """
    square = beta**2

    mean = "Harmonic mean of precision P and recall R: 2 P R / (P + R)."
    if beta != 1:
        mean = (
            f"Weighted harmonic mean of precision P and recall R, {1 + square:g} P R / "
            f"({square:g} P + R): a missed positive counts {square:g} times as much as a false "
            "alarm."
        )

    def compute(counts: BinaryCounts) -> Number:
        hits = (1 + square) * counts.tp
        return ratio(hits, hits + square * counts.fn + counts.fp)

    by_jaccard = Closed(_of_jaccard, "Wilson’s interval of the Jaccard index J, as 2 J / (1 + J).")
    return _decision(
        key=key or f"f_beta({beta:g})",
        interval=by_jaccard if beta == 1 else PercentileBootstrap(),
        name=f"F{beta:g} score",
        compute=compute,
        summary=mean,
        formula=_formula(square),
        source=cite("van Rijsbergen (1979)"),
        undefined_when="no row is positive and none is called positive",
        synonyms=("F measure", "F score", *(("Dice coefficient",) if beta == 1 else ("F-beta",))),
        parameters={"beta": float(beta)},
        misleads="True negatives do not count, and swapping the classes changes it.",
    )


def _of_jaccard(counts: BinaryCounts, level: float) -> Interval:
    """Return the interval of F1, which rises with the Jaccard index, a share of rows."""
    found = wilson(counts.tp, counts.tp + counts.fp + counts.fn, level)
    low, high = (2 * end / (1 + end) for end in (found.low, found.high))
    return replace(found, low=low, high=high, method="wilson-jaccard")


def _formula(square: float) -> str:
    if square == 1:
        return r"\frac{2 TP}{2 TP + FP + FN}"
    hits = f"{1 + square:g} TP"
    return rf"\frac{{{hits}}}{{{hits} + FP + {square:g} FN}}"


F1 = f_beta(1, key="f1")
F0_5 = f_beta(0.5, key="f0_5")
F2 = f_beta(2, key="f2")


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
    by_chance = (sums.actual * sums.predicted).sum(axis=-1)
    covariance = sums.total * sums.correct.sum(axis=-1) - by_chance
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


def _share_over_classes(of: Callable[[Matrices], tuple[Number, Number]]) -> OverClasses:
    return OverClasses(lambda counts: ratio(*of(counts)), Wilson(of))


NO_INFORMATION_RATE = _rate(
    lambda counts: largest_class(as_matrices(counts)),
    key="no_information_rate",
    over_classes=_share_over_classes(largest_class),
    better=Better.NEITHER,
)

ACCURACY_P_VALUE = _decision(
    key="accuracy_p_value",
    compute=lambda counts: accuracy_p_value(as_matrices(counts)),
    over_classes=OverClasses(accuracy_p_value, TEST),
    better=Better.LOWER,
    interval=TEST,
    unit="p",
)


def mcc(counts: BinaryCounts) -> Number:
    """Return the correlation of truth and decision, both taken as 0 and 1."""
    of_truth = counts.positives * counts.negatives
    of_decision = counts.predicted_positive * counts.predicted_negative
    covariance = counts.tp * counts.tn - counts.fp * counts.fn
    return ratio(covariance, np.sqrt(of_truth * of_decision))


ACCURACY = _rate(
    lambda c: (c.tp + c.tn, c.total),
    key="accuracy",
    over_classes=_share_over_classes(correct_and_total),
)

ERROR_RATE = _rate(
    lambda c: (c.fp + c.fn, c.total),
    key="error_rate",
    over_classes=_share_over_classes(wrong_and_total),
    better=Better.LOWER,
)


def _of_both_rates(factor: float, shift: float) -> Closed:
    """Return the interval of factor * (recall + specificity - 1) + shift."""

    def ends(counts: BinaryCounts, level: float) -> Interval:
        found = of_two_rates(counts, factor, -factor, level)
        return replace(found, low=found.low + shift, high=found.high + shift)

    return Closed(ends, "Wilson’s intervals of recall and specificity, combined (MOVER).")


BALANCED_ACCURACY = _decision(
    key="balanced_accuracy",
    compute=lambda counts: (RECALL(counts) + SPECIFICITY(counts)) / 2,
    interval=_of_both_rates(0.5, 0.5),
    over_classes=OverClasses(multiclass_balanced_accuracy),
)

MCC = _decision(key="mcc", compute=mcc, over_classes=OverClasses(multiclass_mcc), low=-1)

COHEN_KAPPA = _decision(
    key="cohen_kappa",
    compute=lambda counts: multiclass_kappa(as_matrices(counts)),
    over_classes=OverClasses(multiclass_kappa),
    low=-1,
)

YOUDEN_J = _decision(
    key="youden_j",
    compute=lambda counts: RECALL(counts) + SPECIFICITY(counts) - 1,
    interval=_of_both_rates(1, 0),
    low=-1,
)

MARKEDNESS = _decision(
    key="markedness", compute=lambda counts: PRECISION(counts) + NPV(counts) - 1, low=-1
)

G_MEAN = _decision(
    key="g_mean", compute=lambda counts: scalar(np.sqrt(RECALL(counts) * SPECIFICITY(counts)))
)

FOWLKES_MALLOWS = _decision(
    key="fowlkes_mallows",
    compute=lambda counts: scalar(np.sqrt(PRECISION(counts) * RECALL(counts))),
)


def with_shares(counts: Matrices, shares: ArrayLike | None) -> Matrices:
    """Return (..., K, K) counts, as many, at (K,) shares; NaN where a class has no rows."""
    if shares is None:
        return counts
    n, rows = counts.sum(axis=(-2, -1), keepdims=True), counts.sum(axis=-1, keepdims=True)
    return np.asarray(ratio(counts * np.reshape(shares, (-1, 1)) * n, rows))


def total_cost(costs: ArrayLike, shares: ArrayLike | None = None) -> Metric:
    """Declare the sum of the costs of all decisions.

    `costs` is (K, K): row = truth, column = decision; negative entries are gains. (K,) `shares`
    of the classes, which add up to 1, stand in for those of the rows.
    Raises EvalError where costs are not square or not finite.

    >>> table = ConfusionMatrix(("no", "yes"), np.array([[5, 1], [2, 2]]))
    >>> total_cost([[0, 1], [10, -3]])(table)
    15.0
    """
    prices = _checked(costs)
    return _cost(
        prices,
        lambda counts: scalar(np.sum(prices * with_shares(counts, shares), axis=(-2, -1))),
        key="total_cost",
        summary="The costs of all decisions added up; a gain counts as a negative cost.",
        formula=r"\sum_{ij} C_{ij} N_{ij}",
        low=-np.inf,
        high=np.inf,
        undefined_when="never",
        misleads="It grows with the number of rows: compare files by the mean cost.",
    )


def mean_cost(costs: ArrayLike, shares: ArrayLike | None = None) -> Metric:
    """Declare the mean cost of a decision; `costs` and `shares` as for `total_cost`."""
    total, prices = total_cost(costs, shares), _checked(costs)
    return _cost(
        prices,
        lambda counts: ratio(total.of_classes()(counts), np.sum(counts, axis=(-2, -1))),
        key="mean_cost",
        summary="What a decision costs on average; a gain counts as a negative cost.",
        formula=r"\frac{\sum_{ij} C_{ij} N_{ij}}{\sum_{ij} N_{ij}}",
        low=float(prices.min()),
        high=float(prices.max()),
        misleads="It holds for the class shares of these rows only.",
    )


def weighted_accuracy(weights: ArrayLike, shares: ArrayLike | None = None) -> Metric:
    """Declare accuracy with each of the four counts weighing differently.

    `weights` are (w1, w2, w3, w4) >= 0, of TP, FN, FP and TN; `shares` as for `total_cost`.
    Raises EvalError where they are not four finite numbers >= 0.
    """
    values = np.array(weights, dtype=np.float64)
    if values.shape != (4,) or not (np.isfinite(values) & (values >= 0)).all():
        raise EvalError("bad-weights", "Give four weights of 0 or more: of TP, FN, FP and TN.")
    cells = values[::-1].reshape(2, 2)
    return _decision(
        key="weighted_accuracy",
        compute=lambda counts: accuracy(cells * with_shares(as_matrices(counts), shares)),
        summary="Accuracy in which each kind of decision has its own weight.",
        formula=r"\frac{w_1 TP + w_4 TN}{w_1 TP + w_2 FN + w_3 FP + w_4 TN}",
        source=cite("Tan, Steinbach, Karpatne and Kumar (2018)"),
        undefined_when="the weights of all rows add up to 0",
        parameters=dict(zip(("w1", "w2", "w3", "w4"), values.tolist(), strict=True)),
    )


def accuracy_weights(costs: ArrayLike) -> tuple[float, float, float, float] | None:
    """Return weights of `weighted_accuracy` by (2, 2) costs, row = truth, column = decision.

    A case counts as much as a mistake on it costs more than the right decision; None where one
    costs less, or neither costs more.

    >>> accuracy_weights([[0, 1], [10, -3]])
    (13.0, 13.0, 1.0, 1.0)
    """
    (tn, fp), (fn, tp) = np.asarray(costs, dtype=np.float64).tolist()
    of_positive, of_negative = fn - tp, fp - tn
    if min(of_positive, of_negative) < 0 or not of_positive + of_negative:
        return None
    return of_positive, of_positive, of_negative, of_negative


MOST_NAMED = 10_000
"""Prices listed as settings of a metric: those of more than 100 classes nobody reads."""


def _cost(prices: Floats, over_classes: Any, **declaration: Any) -> Metric:
    named = np.ndindex(prices.shape) if prices.size <= MOST_NAMED else ()
    return Metric(
        family=Family.COUNTS,
        needs=ConfusionMatrix,
        compute=lambda table: over_classes(table.counts),
        over_classes=OverClasses(over_classes),
        better=Better.LOWER,
        source=cite("Elkan (2001)"),
        parameters={f"C[{row},{column}]": float(prices[row, column]) for row, column in named},
        **declaration,
    )


def _checked(costs: ArrayLike) -> Floats:
    prices: NDArray[np.float64] = np.array(costs, dtype=np.float64)
    if prices.ndim != 2 or prices.shape[0] != prices.shape[1] or not np.isfinite(prices).all():
        raise EvalError("bad-costs", "Costs must be a square table of finite numbers.")
    return prices


def best(metric: Metric, key: str = "") -> Metric:
    """Declare the largest value of a count metric over all thresholds that are real scores.

    >>> table = ScoreTable.from_scores(np.array([1, 0, 1]), np.array([0.9, 0.5, 0.4]))
    >>> BEST_F1.estimate(table)
    Estimate(value=0.800, at=0.400)
    """
    return Metric(
        key=key or f"best_{metric.key}",
        name=f"Best {metric.name}",
        family=Family.RANKING,
        needs=ScoreTable,
        compute=lambda table: _largest(metric, table)[0],
        summary=f"The largest {metric.name} that a threshold reaches, and that threshold.",
        formula=rf"\max_t \left({metric.formula}\right)",
        low=metric.low,
        high=metric.high,
        interval=AtOptimum(partial(_largest, metric)),
        source=metric.source,
        undefined_when=f"{metric.undefined_when}, at every threshold",
        misleads="Chosen and judged on the same rows, it is optimistic for new ones.",
    )


def _largest(metric: Metric, table: ScoreTable) -> tuple[float, float]:
    """Return the largest value and its highest threshold; NaN where all are undefined."""
    largest, where = -np.inf, np.nan
    for rows in blocks(len(table.threshold)):
        tp, fp = table.tp[rows].astype(np.float64), table.fp[rows].astype(np.float64)
        values = metric(BinaryCounts(tp, fp, table.positives - tp, table.negatives - fp))
        values = np.where(np.isnan(values), -np.inf, values)
        place = int(values.argmax())
        if values[place] > largest:
            largest, where = float(values[place]), float(table.threshold[rows][place])
    return (largest, where) if largest > -np.inf else (np.nan, np.nan)


BEST_YOUDEN = best(YOUDEN_J, key="best_youden")
BEST_F1 = best(F1, key="best_f1")
BEST_MCC = best(MCC, key="best_mcc")
