"""What the threshold explorer is fed with: plain data, ready for JSON, exact to the last digit."""

import base64
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.curves.operating_points import threshold_finding, threshold_flagging
from evalcore.metrics.f_measure import F1
from evalcore.metrics.optimum import BEST_F1, BEST_YOUDEN
from evalcore.metrics.rates import PRECISION, RECALL, SPECIFICITY
from evalcore.metrics.spec import Estimate, Metric
from evalcore.metrics.summaries import ACCURACY
from evalcore.resampling.interval import normal_quantile
from evalcore.tables.scores import ScoreTable
from pages.escape import visible
from pages.explorer.scale import axis, histogram
from pages.figures.theme import ModelStyle

VERTICES = 2000
"""Rows of each score table that travel: at most 43 KB a model."""

MODELS_AT_MOST = 10
FOUND, FLAGGED = 0.9, 0.05
CARDS = (PRECISION, RECALL, SPECIFICITY, F1, ACCURACY)


@dataclass(frozen=True)
class Explored:
    """One model as the explorer shows it."""

    name: str
    style: ModelStyle
    table: ScoreTable
    auc: Estimate
    average_precision: Estimate


def static_payload(
    key: str, models: Sequence[Explored], *, classes: Sequence[str], level: float
) -> dict[str, Any]:
    """Return all that does not depend on the threshold; `key` names it, for caches."""
    return {
        "key": key,
        "classes": [visible(name) for name in classes],
        "level": level,
        "z": normal_quantile(level),
        "cards": [_card(metric) for metric in CARDS],
        "models": [_model(model) for model in models],
    }


def moving_payload(
    tables: Sequence[ScoreTable], *, chosen: str, threshold: float
) -> dict[str, Any]:
    """Return what the server says of one threshold: the exact counts of every model."""
    counts = [table.at(threshold) for table in tables]
    return {
        "chosen": chosen,
        "threshold": threshold,
        "at": [{"tp": count.tp, "fp": count.fp} for count in counts],
    }


def _card(metric: Metric) -> dict[str, str]:
    return {
        "key": metric.key,
        "name": metric.name,
        "summary": metric.summary,
        "undefined_when": metric.undefined_when,
    }


def _model(model: Explored) -> dict[str, Any]:
    presets = _presets(model.table)
    kept = [preset["threshold"] for preset in presets if preset["threshold"] is not None]
    thinned = model.table.thinned(VERTICES, kept)
    return {
        "name": model.name,
        "label": visible(model.name),
        "color": model.style.color,
        "dash": model.style.dash,
        "whole": len(thinned.threshold) == len(model.table.threshold),
        "table": _table(thinned),
        "presets": presets,
        "auc": _estimate(model.auc),
        "ap": _estimate(model.average_precision),
        "axis": axis(model.table),
        "histogram": histogram(model.table),
    }


def _table(table: ScoreTable) -> dict[str, Any]:
    return {
        "threshold": _column(table.threshold),
        "tp": _column(table.tp),
        "fp": _column(table.fp),
        "positives": table.positives,
        "negatives": table.negatives,
    }


def _column(values: NDArray[Any]) -> dict[str, str]:
    """Return numbers as {type: base64 of little-endian bytes}, small where they are counts."""
    is_count = np.issubdtype(values.dtype, np.integer) and values.max(initial=0) < 2**32
    code = "u4" if is_count else "f8"
    return {code: base64.b64encode(values.astype(f"<{code}").tobytes()).decode("ascii")}


def _presets(table: ScoreTable) -> list[dict[str, Any]]:
    found, flagged = f"{FOUND:.0%}", f"{FLAGGED:.0%}"
    return [
        _preset("best F1", _optimum(BEST_F1, table), "Highest F1 on these rows"),
        _preset(
            "Youden", _optimum(BEST_YOUDEN, table), "Highest recall + specificity on these rows"
        ),
        _preset(
            f"recall ≥ {found}",
            threshold_finding(table, FOUND),
            f"Highest threshold that finds at least {found}",
        ),
        _preset(
            f"flag {flagged}",
            threshold_flagging(table, FLAGGED),
            f"Lowest threshold that flags at most {flagged} of the rows",
        ),
    ]


def _optimum(metric: Metric, table: ScoreTable) -> float:
    if metric.where is None or math.isnan(float(np.asarray(metric(table)))):
        return math.nan
    return metric.where(table)


def _preset(label: str, threshold: float, why: str) -> dict[str, Any]:
    exists = math.isfinite(threshold)
    return {
        "label": label,
        "threshold": threshold if exists else None,
        "why": f"{why}." if exists else f"{why}: there is none here.",
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    if not estimate.defined:
        return {"value": None, "why": estimate.why}
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}
