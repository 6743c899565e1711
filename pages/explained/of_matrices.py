"""From a number about decisions back to the counts that it is made of."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from evalcore.metrics import matrix
from evalcore.metrics.spec import Metric
from evalcore.outcomes import Floats
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from pages.explained import arithmetic
from pages.explained.arithmetic import NotArithmeticError
from pages.explained.parts import parts
from pages.explained.working import Working, known, share, text

CLASSES = 12
"""So many classes are shown."""


def of_counts(metric: Metric, counts: BinaryCounts) -> Working | None:
    """Return the working of a metric of four counts; None where it is more than arithmetic.

    >>> from evalcore.metrics.rates import RECALL
    >>> of_counts(RECALL, BinaryCounts(tp=3, fp=1, fn=1, tn=5)).result
    0.75
    """
    values = {name: float(getattr(counts, name.lower())) for name in ("TP", "FP", "FN", "TN")}
    try:
        arithmetic.parse(metric.formula, values)
    except NotArithmeticError:
        return None
    return Working(metric.formula, values)


def of_class(metric: Metric, confusion: ConfusionMatrix, code: int) -> Working | None:
    """Return the working of a metric of one class against all others."""
    rest = confusion.one_vs_rest()
    cells = (np.asarray(getattr(rest, name))[code] for name in ("tp", "fp", "fn", "tn"))
    return of_counts(metric, BinaryCounts(*map(float, cells)))


def of_average(metric: Metric, confusion: ConfusionMatrix, average: str) -> Working | None:
    """Return the working of a mean over classes: "macro", "weighted", or "micro"."""
    rest = confusion.one_vs_rest()
    if average == "micro":
        cells = (np.sum(getattr(rest, name)) for name in ("tp", "fp", "fn", "tn"))
        return of_counts(metric, BinaryCounts(*map(float, cells)))
    values, rows = np.asarray(metric(rest)), np.asarray(rest.positives)
    used = np.flatnonzero(~np.isnan(values) & (rows + rest.fp > 0))
    columns = {"class": [confusion.classes[code] for code in used], metric.name: values[used]}
    if average == "macro":
        made = share("values of the classes, added up", "classes")(values[used].sum(), len(used))
        return made.of_parts(parts("class", columns, CLASSES))
    products = rows[used] * values[used]
    made = share("rows · value, added up", "rows")(products.sum(), rows[used].sum())
    columns |= {"rows": rows[used], "product": products}
    return made.of_parts(parts("class", columns, CLASSES))


def of_chance(counts: Floats) -> Working:
    """Return the p value of the accuracy of (K, K) counts, which a distribution gives."""
    right, total, largest = counts.trace(), counts.sum(), counts.sum(axis=1).max()
    formula = (
        rf"P(X \ge {right:.10g}), \; X \sim \mathrm{{Bin}}\left({total:.10g}, "
        rf"\frac{{{largest:.10g}}}{{{total:.10g}}}\right)"
    )
    return known(formula, float(matrix.accuracy_p_value(counts)))


def _kappa(counts: Floats) -> Working:
    total = counts.sum()
    observed, chance = text("agreement"), text("agreement by chance")
    return Working(
        rf"\frac{{{observed} - {chance}}}{{1 - {chance}}}",
        {
            observed: float(counts.trace() / total),
            chance: float(counts.sum(axis=0) @ counts.sum(axis=1) / total**2),
        },
    )


def _weighted_kappa(power: int) -> Callable[[Floats], Working]:
    squared = "" if power == 1 else ", squared"
    off = text(f"classes off{squared}, added up")
    chance = text(f"the same by chance{squared and ' alone'}")

    def make(counts: Floats) -> Working:
        code = np.arange(len(counts))
        distance = np.abs(np.subtract.outer(code, code)).astype(np.float64) ** power
        expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
        values = {off: (distance * counts).sum(), chance: (distance * expected).sum()}
        return Working(rf"1 - \frac{{{off}}}{{{chance}}}", values)

    return make


def _mcc(counts: Floats) -> Working:
    actual, decided = counts.sum(axis=1), counts.sum(axis=0)
    right, rows = text("right"), text("rows")
    both, of_truth, of_decision = map(text, ("is · called", "is²", "called²"))
    return Working(
        rf"\frac{{{right} \cdot {rows} - {both}}}"
        rf"{{\sqrt{{({rows}^2 - {of_truth}) ({rows}^2 - {of_decision})}}}}",
        {
            right: counts.trace(),
            rows: counts.sum(),
            both: float(actual @ decided),
            of_truth: float(actual @ actual),
            of_decision: float(decided @ decided),
        },
    )


def _mean_recall(counts: Floats) -> Working:
    actual = counts.sum(axis=1)
    recall = counts.diagonal()[actual > 0] / actual[actual > 0]
    return share("recalls of the classes, added up", "classes")(recall.sum(), len(recall))


OF_MATRIX: Mapping[str, Callable[[Floats], Working]] = MappingProxyType(
    {
        "accuracy": lambda counts: share("rows called right", "rows")(counts.trace(), counts.sum()),
        "error_rate": lambda counts: share("rows called wrong", "rows")(
            counts.sum() - counts.trace(), counts.sum()
        ),
        "balanced_accuracy": _mean_recall,
        "cohen_kappa": _kappa,
        "weighted_kappa_linear": _weighted_kappa(1),
        "weighted_kappa_quadratic": _weighted_kappa(2),
        "mcc": _mcc,
        "no_information_rate": lambda counts: share("rows of the largest class", "rows")(
            counts.sum(axis=1).max(), counts.sum()
        ),
        "accuracy_p_value": of_chance,
    }
)
