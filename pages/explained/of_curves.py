"""From an area under a curve back to the steps, strips or stretches that it adds up."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from evalcore.metrics.h_measure import h_losses
from evalcore.metrics.operating import found_in_first
from evalcore.metrics.spec import Metric
from evalcore.outcomes import Floats
from evalcore.tables.partial import rates
from evalcore.tables.scores import ScoreTable
from evalcore.tables.shortest import shortest
from pages.explained.parts import Parts, parts
from pages.explained.working import Working, share, text


def precision_steps(metric: Metric, table: ScoreTable) -> Working:
    """Return average precision as the precision at each positive's score, added up."""
    return _steps(table, _precision(table))


def _trapezoids(metric: Metric, table: ScoreTable) -> Working:
    precision = _precision(table)
    before = np.concatenate([precision[:1], precision[:-1]])
    return _steps(table, (precision + before) / 2)


def _steps(table: ScoreTable, height: Floats) -> Working:
    gained, _ = table.steps()
    at = np.flatnonzero(gained)
    products = gained[at] * height[at]
    terms = {
        "score": table.threshold[at],
        "positives gained": gained[at],
        "precision": height[at],
        "product": products,
    }
    of = share("products, added up", "positives")
    return of(products.sum(), table.positives).of_parts(parts("step", terms))


def _precision(table: ScoreTable) -> Floats:
    tp = table.tp.astype(np.float64)
    return tp / (tp + table.fp)


def _partial(metric: Metric, table: ScoreTable) -> Working:
    limit = metric.parameters["max_fpr"]
    fpr, tpr = _up_to(limit, rates(table.fp), rates(table.tp))
    width, height = np.diff(fpr), (tpr[1:] + tpr[:-1]) / 2
    wide = width > 0
    terms = {
        "FPR from": fpr[:-1][wide],
        "to": fpr[1:][wide],
        "mean TPR": height[wide],
        "area": (width * height)[wide],
    }
    made = Working(metric.formula, {"A(f)": float(width @ height), "f": limit})
    return made.of_parts(parts("strip", terms))


def _up_to(limit: float, fpr: Floats, tpr: Floats) -> tuple[Floats, Floats]:
    """Return the points of the curve up to a false positive rate, and the one on the line there."""
    count = int((fpr <= limit).sum())
    after = min(count, len(fpr) - 1)
    run, rise = fpr[after] - fpr[count - 1], tpr[after] - tpr[count - 1]
    height = tpr[count - 1] + (rise / run * (limit - fpr[count - 1]) if run else 0.0)
    return np.append(fpr[:count], limit), np.append(tpr[:count], height)


def _saved(metric: Metric, table: ScoreTable) -> Working:
    losses = h_losses(table)
    best, guessing = text("loss of the best thresholds"), text("loss of guessing")
    terms = {
        "cost of a false alarm from": losses.bounds[1:][::-1],
        "to": losses.bounds[:-1][::-1],
        "false alarms": losses.fp[::-1],
        "missed": table.positives - losses.tp[::-1],
        "loss": losses.loss[::-1],
    }
    values = {best: float(losses.loss.sum()), guessing: losses.guessing}
    return Working(rf"1 - \frac{{{best}}}{{{guessing}}}", values).of_parts(parts("stretch", terms))


def _best_precision(metric: Metric, table: ScoreTable) -> Working:
    enough = table.tp / table.tp[-1] >= metric.parameters["recall"]
    place = int(np.where(enough, _precision(table), -1.0).argmax())
    counts = table.at(threshold := float(table.threshold[place]))
    return Working(
        r"\frac{TP}{TP + FP}", {"TP": counts.tp, "FP": counts.fp}, shortest(table, threshold)
    )


def _height_of_roc(metric: Metric, table: ScoreTable) -> Working:
    allowed = (1 - metric.parameters["specificity"]) * table.negatives
    return share("positives found", "all positives")(
        float(metric(table)) * table.positives, table.positives
    ).of_parts(_around(table, allowed))


def _around(table: ScoreTable, allowed: float) -> Parts:
    last = int((table.fp <= allowed + 1e-9).sum())
    near = [place for place in (last - 1, last) if 0 <= place < len(table.fp)]
    return parts(
        "threshold",
        {
            "score": table.threshold[near],
            "false alarms": table.fp[near],
            "positives found": table.tp[near],
        },
    )


def _lift(metric: Metric, table: ScoreTable) -> Working:
    looked_at = metric.parameters["share"]
    found = found_in_first(table, looked_at * table.n)
    part, whole = text("positives found"), text("all positives")
    return Working(
        rf"\frac{{{part} / {whole}}}{{{text('share of rows')}}}",
        {part: float(found), whole: float(table.positives), text("share of rows"): looked_at},
    )


OF_CURVES: Mapping[str, Callable[[Metric, ScoreTable], Working]] = MappingProxyType(
    {
        "average_precision": precision_steps,
        "pr_auc_trapezoid": _trapezoids,
        "partial_roc_auc": _partial,
        "h_measure": _saved,
        "precision_at_recall": _best_precision,
        "sensitivity_at_specificity": _height_of_roc,
        "lift_at": _lift,
    }
)
