"""The threshold at which a count metric is best, and how good it is there."""

import numpy as np

from evalcore.metrics.f_measure import F1
from evalcore.metrics.spec import Better, Family, Interval, Metric
from evalcore.metrics.summaries import MCC, YOUDEN_J
from evalcore.outcomes import Floats
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.scores import ScoreTable


def best(metric: Metric, key: str = "") -> Metric:
    """Declare the largest value of a count metric over all thresholds that are real scores.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.5, 0.4]), np.array([1, 0, 1]))
    >>> BEST_F1(table), BEST_F1.where(table)
    (0.8, 0.4)
    """

    def compute(table: ScoreTable) -> float:
        largest = float(_along(metric, table).max(initial=-np.inf))
        return largest if largest > -np.inf else np.nan

    def where(table: ScoreTable) -> float:
        return float(table.threshold[int(_along(metric, table).argmax())])

    return Metric(
        key=key or f"best_{metric.key}",
        name=f"Best {metric.name}",
        family=Family.RANKING,
        needs=ScoreTable,
        compute=compute,
        where=where,
        summary=f"The largest {metric.name} that a threshold reaches, and that threshold.",
        formula=rf"\max_t \; {metric.formula}",
        low=metric.low,
        high=metric.high,
        better=Better.HIGHER,
        interval=Interval.NONE,
        source=metric.source,
        undefined_when=f"{metric.undefined_when}, at every threshold",
        misleads="Chosen and judged on the same rows, it promises too much for new ones.",
    )


def _along(metric: Metric, table: ScoreTable) -> Floats:
    """Return the (m,) values of a count metric at each score, -inf where it is undefined."""
    tp, fp = table.tp.astype(np.float64), table.fp.astype(np.float64)
    values = metric(BinaryCounts(tp, fp, table.positives - tp, table.negatives - fp))
    return np.where(np.isnan(values), -np.inf, values)


BEST_YOUDEN = best(YOUDEN_J, key="best_youden")
BEST_F1 = best(F1, key="best_f1")
BEST_MCC = best(MCC, key="best_mcc")
