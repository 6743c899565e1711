"""From a number about scores back to the pairs, counts and losses that it is made of."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from evalcore.metrics.catalog import by_key
from evalcore.metrics.spec import Metric
from evalcore.tables.scores import ScoreTable
from evalcore.tables.shortest import shortest
from pages.explained.working import Working, share, text


def _proportion(part: str, whole: str) -> Callable[[Metric, ScoreTable], Working]:
    of = share(part, whole)

    def make(metric: Metric, table: ScoreTable) -> Working:
        assert metric.proportion is not None
        k, n = metric.proportion(table)
        return of(float(k), float(n))

    return make


def pairs_of_rows(metric: Metric, table: ScoreTable) -> Working:
    """Return an area under the ROC curve, or Gini, as pairs of a positive and a negative row."""
    of_positives, of_negatives = (rows.astype(np.float64) for rows in table.steps())
    below = table.negatives - table.fp.astype(np.float64)
    right, tied = text("pairs ranked right"), text("tied pairs")
    positives, negatives = text("positives"), text("negatives")
    area = rf"\frac{{{right} + 0.5 \cdot {tied}}}{{{positives} \cdot {negatives}}}"
    return Working(
        rf"2 \cdot {area} - 1" if metric.key == "gini" else area,
        {
            right: float(of_positives @ below),
            tied: float(of_positives @ of_negatives),
            positives: float(table.positives),
            negatives: float(table.negatives),
        },
    )


def _widest_gap(metric: Metric, table: ScoreTable) -> Working:
    tp, fp = table.tp.astype(np.float64), table.fp.astype(np.float64)
    gap = tp / tp[-1] - fp / fp[-1]
    place = int(np.abs(gap).argmax())
    found, alarms = r"\frac{TP}{TP + FN}", r"\frac{FP}{FP + TN}"
    parts = (found, alarms) if gap[place] >= 0 else (alarms, found)
    counts = table.at(float(table.threshold[place]))
    values = {name: float(getattr(counts, name.lower())) for name in ("TP", "FP", "FN", "TN")}
    return Working(" - ".join(parts), values, shortest(table, float(table.threshold[place])))


def _mean_loss(metric: Metric, table: ScoreTable) -> Working:
    return share("losses of all rows, added up", "rows")(float(metric(table)) * table.n, table.n)


def _skill(metric: Metric, table: ScoreTable) -> Working:
    brier, positive = text("Brier score"), text("share of positives")
    return Working(
        rf"1 - \frac{{{brier}}}{{{positive} \cdot (1 - {positive})}}",
        {brier: float(by_key()["brier"](table)), positive: table.positives / table.n},
    )


def _uncertainty(metric: Metric, table: ScoreTable) -> Working:
    positive = text("share of positives")
    return Working(rf"{positive} \cdot (1 - {positive})", {positive: table.positives / table.n})


OF_SCORES: Mapping[str, Callable[[Metric, ScoreTable], Working]] = MappingProxyType(
    {
        "roc_auc": pairs_of_rows,
        "gini": pairs_of_rows,
        "ks_statistic": _widest_gap,
        "gain_at": _proportion("positives found", "all positives"),
        "recall_at_k": _proportion("positives found", "all positives"),
        "precision_at_k": _proportion("positives found", "rows looked at"),
        "brier": _mean_loss,
        "log_loss": _mean_loss,
        "log_loss_clipped": _mean_loss,
        "brier_skill_score": _skill,
        "brier_uncertainty": _uncertainty,
    }
)
