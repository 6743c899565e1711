"""What the threshold explorer is fed with: plain data, ready for JSON, exact to the last digit."""

import base64
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from evalcore.curves.operating_points import threshold_finding, threshold_flagging
from evalcore.metrics.f_measure import F1
from evalcore.metrics.rates import PRECISION, RECALL, SPECIFICITY
from evalcore.metrics.spec import Estimate, Interval, Metric
from evalcore.metrics.summaries import ACCURACY
from evalcore.resampling.interval import normal_quantile
from evalcore.results import Estimates
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.scores import ScoreTable
from pages.escape import visible
from pages.explorer.scale import axis, histogram

VERTICES = 2000
"""Rows of each score table that travel: at most 43 KB a model."""

MODELS_AT_MOST = 10
FOUND, FLAGGED = 0.9, 0.05
CARDS = (PRECISION, RECALL, SPECIFICITY, F1, ACCURACY)


class Style(Protocol):
    """How a model is drawn wherever it appears."""

    @property
    def color(self) -> str:
        """A colour, as #RRGGBB."""

    @property
    def dash(self) -> str:
        """A dash by plotly's name for it."""


@dataclass(frozen=True)
class Explored:
    """One model as the explorer shows it."""

    name: str
    style: Style
    table: ScoreTable
    ranking: Estimates


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
    tables: Sequence[ScoreTable],
    decided: Sequence[Estimates],
    *,
    chosen: str,
    threshold: float,
) -> dict[str, Any]:
    """Return what the server says of one threshold: exact counts and intervals, model by model.

    `decided` holds the metrics at the threshold; those intervals are sent that the browser can
    only approach by a formula.
    """
    return {
        "chosen": chosen,
        "threshold": threshold,
        "at": [
            _at(table.at(threshold), metrics)
            for table, metrics in zip(tables, decided, strict=True)
        ],
    }


def _at(counts: BinaryCounts, metrics: Estimates) -> dict[str, Any]:
    drawn = [metric.key for metric in CARDS if metric.interval is not Interval.WILSON]
    ends = {key: [metrics[key].low, metrics[key].high] for key in drawn if metrics[key].method}
    return {"tp": counts.tp, "fp": counts.fp, "intervals": ends}


def _card(metric: Metric) -> dict[str, str]:
    return {
        "key": metric.key,
        "name": metric.name,
        "summary": metric.summary,
        "undefined_when": metric.undefined_when,
    }


def _model(model: Explored) -> dict[str, Any]:
    presets = _presets(model.table, model.ranking)
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
        "auc": _estimate(model.ranking["roc_auc"]),
        "ap": _estimate(model.ranking["average_precision"]),
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


def _presets(table: ScoreTable, ranking: Estimates) -> list[dict[str, Any]]:
    found, flagged = f"{FOUND:.0%}", f"{FLAGGED:.0%}"
    thresholds = {
        ("best F1", "Highest F1 on these rows"): ranking["best_f1"].at,
        ("Youden", "Highest recall + specificity on these rows"): ranking["best_youden"].at,
        (
            f"recall ≥ {found}",
            f"Highest threshold that finds at least {found}",
        ): threshold_finding(table, FOUND),
        (
            f"flag {flagged}",
            f"Lowest threshold that flags at most {flagged} of the rows",
        ): threshold_flagging(table, FLAGGED),
    }
    return [_preset(*words, threshold) for words, threshold in thresholds.items()]


def _preset(label: str, why: str, threshold: float | None) -> dict[str, Any]:
    if threshold is None or math.isnan(threshold):
        return {"label": label, "threshold": None, "why": f"{why}: there is none here."}
    return {"label": label, "threshold": threshold, "why": f"{why}."}


def _estimate(estimate: Estimate) -> dict[str, Any]:
    if not estimate.defined:
        return {"value": None, "why": estimate.why}
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}
