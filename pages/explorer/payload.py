"""What the threshold explorer is fed with: plain data, ready for JSON, exact to the last digit."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from evalcore.metrics.f_measure import F1
from evalcore.metrics.rates import PRECISION, RECALL, SPECIFICITY
from evalcore.metrics.spec import IntervalBy, Metric
from evalcore.metrics.summaries import ACCURACY
from evalcore.resampling.interval import normal_quantile
from evalcore.results import Estimates
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.scores import ScoreTable
from pages.escape import shorten, visible
from pages.explorer.drawn import METRICS, USUAL, Drawn
from pages.explorer.models import Explored, Style, model_payload

MODELS_AT_MOST = 10
CARDS = (RECALL, PRECISION, SPECIFICITY, F1, ACCURACY)


@dataclass(frozen=True)
class Chosen:
    """What is looked at.

    Attributes:
        model: The chosen model.
        thresholds: One for each model, in their order; all the same unless they are `own`.
        own: Whether each model keeps a threshold of its own.
        drawn: What is drawn.
    """

    model: str
    thresholds: Sequence[float]
    own: bool = False
    drawn: Drawn = USUAL


def static_payload(
    key: str,
    models: Sequence[Explored],
    *,
    classes: Sequence[str],
    level: float,
    equal_cost: float | None,
    styles: Sequence[Style],
) -> dict[str, Any]:
    """Return all that does not depend on what is chosen; `key` names it, for caches.

    `equal_cost` is the slope of lines of equal cost in the plane of the ROC curve; None where
    costs give none. `styles` are those of the lines of metrics.
    """
    return {
        "key": key,
        "classes": [visible(name) for name in classes],
        "level": level,
        "z": normal_quantile(level),
        "cards": [_metric(metric) for metric in CARDS],
        "metrics": [
            {**_metric(metric), "color": styles[at].color, "dash": styles[at].dash}
            for at, metric in enumerate(METRICS)
        ],
        "equalCost": equal_cost,
        "scales": _scales(models),
        "models": [model_payload(model) for model in models],
    }


def moving_payload(
    tables: Sequence[ScoreTable], decided: Sequence[Estimates], chosen: Chosen
) -> dict[str, Any]:
    """Return what the server says of what is chosen: exact counts and intervals, by model.

    `decided` holds the metrics at the thresholds; those intervals are sent that the browser can
    only approach by a formula.
    """
    return {
        "chosen": chosen.model,
        "thresholds": list(chosen.thresholds),
        "own": chosen.own,
        "drawn": {name: list(keys) for name, keys in asdict(chosen.drawn).items()},
        "at": [
            _at(table.at(threshold), metrics)
            for table, threshold, metrics in zip(tables, chosen.thresholds, decided, strict=True)
        ],
    }


def _at(counts: BinaryCounts, metrics: Mapping[str, Any]) -> dict[str, Any]:
    drawn = [metric.key for metric in CARDS if metric.interval is not IntervalBy.WILSON]
    ends = {key: [metrics[key].low, metrics[key].high] for key in drawn if metrics[key].method}
    return {"tp": counts.tp, "fp": counts.fp, "intervals": ends}


def _metric(metric: Metric) -> dict[str, str]:
    return {
        "key": metric.key,
        "name": metric.name,
        "summary": metric.summary,
        "undefined_when": metric.undefined_when,
    }


def _scales(models: Sequence[Explored]) -> str:
    """Say that the models score on different scales, where they do: one threshold is none then."""
    shares = [model for model in models if _within_one(model.table)]
    others = [model for model in models if not _within_one(model.table)]
    if not shares or not others:
        return ""
    odd = others[0].table.threshold
    name = visible(shorten(others[0].name, 40))
    return (
        f"{name} scores from {odd[-1]:.3g} to {odd[0]:.3g}, "
        f"{visible(shorten(shares[0].name, 40))} between 0 and 1: "
        "one threshold for all compares nothing."
    )


def _within_one(table: ScoreTable) -> bool:
    score = table.threshold
    return not len(score) or bool(score[0] <= 1 and score[-1] >= 0)
