"""The threshold at which a count metric is best, and how good it is there."""

import numpy as np

from evalcore.metrics.f_measure import F1
from evalcore.metrics.spec import Better, Family, IntervalBy, Metric
from evalcore.metrics.summaries import MCC, YOUDEN_J
from evalcore.outcomes import Floats
from evalcore.tables.blocks import blocks
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.scores import ScoreTable


def best(metric: Metric, key: str = "") -> Metric:
    """Declare the largest value of a count metric over all thresholds that are real scores.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.5, 0.4]), np.array([1, 0, 1]))
    >>> BEST_F1.optimum(table)
    (0.8, 0.4)
    """

    def optimum(table: ScoreTable) -> tuple[float, float]:
        return _largest(metric, table)

    return Metric(
        key=key or f"best_{metric.key}",
        name=f"Best {metric.name}",
        family=Family.RANKING,
        needs=ScoreTable,
        compute=lambda table: optimum(table)[0],
        optimum=optimum,
        summary=f"The largest {metric.name} that a threshold reaches, and that threshold.",
        formula=rf"\max_t \; {metric.formula}",
        low=metric.low,
        high=metric.high,
        better=Better.HIGHER,
        interval=IntervalBy.NONE,
        source=metric.source,
        undefined_when=f"{metric.undefined_when}, at every threshold",
        misleads="Chosen and judged on the same rows, it promises too much for new ones.",
    )


def _largest(metric: Metric, table: ScoreTable) -> tuple[float, float]:
    """Return the largest value and its highest threshold; NaN where all are undefined."""
    largest, where = -np.inf, np.nan
    for rows in blocks(len(table.threshold)):
        values = _along(metric, table, rows)
        place = int(values.argmax())
        if values[place] > largest:
            largest, where = float(values[place]), float(table.threshold[rows][place])
    return (largest, where) if largest > -np.inf else (np.nan, np.nan)


def _along(metric: Metric, table: ScoreTable, rows: slice) -> Floats:
    """Return the values of a count metric at some of the scores, -inf where it is undefined."""
    tp, fp = table.tp[rows].astype(np.float64), table.fp[rows].astype(np.float64)
    values = metric(BinaryCounts(tp, fp, table.positives - tp, table.negatives - fp))
    return np.where(np.isnan(values), -np.inf, values)


BEST_YOUDEN = best(YOUDEN_J, key="best_youden")
BEST_F1 = best(F1, key="best_f1")
BEST_MCC = best(MCC, key="best_mcc")
