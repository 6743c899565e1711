"""What decisions cost, and the threshold at which a count metric is best."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evalcore.errors import EvalError
from evalcore.metrics.metric import AtOptimum, Better, Family, Metric, OverClasses, ratio, scalar
from evalcore.metrics.rates import F1
from evalcore.metrics.sources import cite
from evalcore.metrics.summaries import MCC, YOUDEN_J
from evalcore.outcomes import Floats, Number
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix, blocks
from evalcore.tables.scores import ScoreTable


def total_cost(costs: ArrayLike) -> Metric:
    """Declare the sum of the costs of all decisions.

    `costs` is (K, K): row = truth, column = decision; negative entries are gains.
    Raises EvalError where it is not square or not finite.

    >>> table = ConfusionMatrix(("no", "yes"), np.array([[5, 1], [2, 2]]))
    >>> total_cost([[0, 1], [10, -3]])(table)
    15.0
    """
    prices = _checked(costs)
    return _cost(
        prices,
        lambda counts: scalar(np.einsum("ij,...ij->...", prices, counts)),
        key="total_cost",
        summary="The costs of all decisions added up; a gain counts below zero.",
        formula=r"\sum_{ij} C_{ij} N_{ij}",
        low=-np.inf,
        high=np.inf,
        undefined_when="never",
        misleads="It grows with the number of rows: compare files by the mean cost.",
    )


def mean_cost(costs: ArrayLike) -> Metric:
    """Declare the mean cost of a decision; `costs` as for `total_cost`."""
    prices = _checked(costs)
    return _cost(
        prices,
        lambda counts: ratio(
            np.einsum("ij,...ij->...", prices, counts), np.sum(counts, axis=(-2, -1))
        ),
        key="mean_cost",
        summary="What a decision costs on average; a gain counts below zero.",
        formula=r"\frac{\sum_{ij} C_{ij} N_{ij}}{\sum_{ij} N_{ij}}",
        low=float(prices.min()),
        high=float(prices.max()),
        misleads="It holds for the class shares of these rows only.",
    )


def weighted_accuracy(weights: ArrayLike) -> Metric:
    """Declare accuracy with each of the four counts weighing differently.

    `weights` are (w1, w2, w3, w4) >= 0, of TP, FN, FP and TN.
    Raises EvalError where they are not four finite numbers >= 0.
    """
    values = np.array(weights, dtype=np.float64)
    if values.shape != (4,) or not (np.isfinite(values) & (values >= 0)).all():
        raise EvalError("bad-weights", "Give four weights of 0 or more: of TP, FN, FP and TN.")
    w1, w2, w3, w4 = values.tolist()

    def compute(counts: BinaryCounts) -> Number:
        right = w1 * counts.tp + w4 * counts.tn
        return ratio(right, right + w2 * counts.fn + w3 * counts.fp)

    return Metric(
        key="weighted_accuracy",
        family=Family.COUNTS,
        needs=BinaryCounts,
        compute=compute,
        summary="Accuracy in which each kind of decision has its own weight.",
        formula=r"\frac{w_1 TP + w_4 TN}{w_1 TP + w_2 FN + w_3 FP + w_4 TN}",
        source=cite("Tan, Steinbach, Karpatne and Kumar (2018)"),
        undefined_when="no row has a weight",
        parameters={"w1": w1, "w2": w2, "w3": w3, "w4": w4},
    )


def _cost(prices: Floats, over_classes: Any, **declaration: Any) -> Metric:
    rows, columns = np.indices(prices.shape)
    return Metric(
        family=Family.COUNTS,
        needs=ConfusionMatrix,
        compute=lambda table: over_classes(table.counts),
        over_classes=OverClasses(over_classes),
        better=Better.LOWER,
        source=cite("Elkan (2001)"),
        parameters={
            f"C[{row},{column}]": float(price)
            for row, column, price in zip(rows.flat, columns.flat, prices.flat, strict=True)
        },
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
        formula=rf"\max_t \; {metric.formula}",
        low=metric.low,
        high=metric.high,
        interval=AtOptimum(partial(_largest, metric)),
        source=metric.source,
        undefined_when=f"{metric.undefined_when}, at every threshold",
        misleads="Chosen and judged on the same rows, it promises too much for new ones.",
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
