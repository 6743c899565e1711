"""From a number about decisions back to the counts that it is made of."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from evalcore.metrics.spec import Metric
from evalcore.outcomes import Floats
from evalcore.tables.confusion import BinaryCounts
from pages.explained import arithmetic
from pages.explained.arithmetic import NotArithmeticError
from pages.explained.working import Working, share, text


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
        "no_information_rate": lambda counts: share("rows of the largest class", "rows")(
            counts.sum(axis=1).max(), counts.sum()
        ),
    }
)
