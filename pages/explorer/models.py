"""One model as the explorer is fed with it."""

import base64
import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from evalcore.curves.operating_points import (
    threshold_finding,
    threshold_flagging,
    threshold_flagging_rows,
    threshold_precise,
)
from evalcore.curves.ties import Ties
from evalcore.metrics.ranking import PARTIAL_ROC_AUC
from evalcore.metrics.spec import Estimate
from evalcore.resampling.bands import RocBand
from evalcore.results import Estimates
from evalcore.tables.scores import ScoreTable
from evalcore.tables.shortest import decimals, shortest
from pages.escape import visible
from pages.explorer.scale import axis, histogram

VERTICES, WEIGHTED_VERTICES = 2000, 1600
"""Rows of each score table that travel: at most 46 KB a model. Fractional counts are longer."""

BAND_POINTS = 67
"""Points of each edge of the band that travel."""

BOXES = 60
"""Ties that are drawn; the smaller ones cannot be seen."""

TIES_MATTER = 0.01
"""Ties are shown where they leave the AUC open by more than this."""

FOUND, RIGHT, FLAGGED, ROWS = 0.9, 0.9, 0.05, 100
"""What the goals begin with: those of assets/explorer/scores.js."""


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
    """One model as the explorer shows it.

    Attributes:
        name: Its name.
        style: How it is drawn.
        table: Every distinct score with the counts above it.
        ranking: How well the scores rank.
        cheapest: The threshold of lowest cost; NaN where there is none, inf where none is flagged.
        band: The band of its ROC curve; None where there is none.
        called: How a sentence names it; its name if that is left out.
    """

    name: str
    style: Style
    table: ScoreTable
    ranking: Estimates
    cheapest: float = math.nan
    band: RocBand | None = None
    called: str | None = None


def model_payload(model: Explored) -> dict[str, Any]:
    """Return all of a model that no threshold changes."""
    presets = _presets(model)
    kept = [preset["threshold"] for preset in presets if preset["threshold"] is not None]
    thinned = model.table.thinned(vertices(model.table), [*kept, *_goals(model.table)])
    return {
        "name": model.name,
        "label": visible(model.name),
        "spoken": visible(model.called or model.name),
        "color": model.style.color,
        "dash": model.style.dash,
        "whole": len(thinned.threshold) == len(model.table.threshold),
        "table": {**_table(thinned), "decimals": _column(_decimals(thinned, model.table))},
        "presets": presets,
        "auc": _estimate(model.ranking["roc_auc"]),
        "ap": _estimate(model.ranking["average_precision"]),
        "partial": _partial(model.ranking),
        "band": _band(model.band),
        "ties": _ties(model.table),
        "axis": axis(model.table),
        "histogram": histogram(model.table),
    }


def vertices(table: ScoreTable) -> int:
    """Return how many rows of a table travel."""
    return VERTICES if np.issubdtype(table.tp.dtype, np.integer) else WEIGHTED_VERTICES


def _table(table: ScoreTable) -> dict[str, Any]:
    return {
        "threshold": _column(table.threshold),
        "tp": _column(table.tp),
        "fp": _column(table.fp),
        "positives": table.positives,
        "negatives": table.negatives,
    }


def _decimals(thinned: ScoreTable, table: ScoreTable) -> NDArray[np.uint8]:
    """Return in how few decimals, rounded down, each threshold flags the same rows of the table."""
    rising = table.threshold[::-1]
    below = np.append(-np.inf, rising)[rising.searchsorted(thinned.threshold)]
    pairs = zip(thinned.threshold.tolist(), below.tolist(), strict=True)
    return np.array([decimals(*pair) for pair in pairs], dtype=np.uint8)


def _column(values: NDArray[Any]) -> dict[str, str]:
    """Return numbers as {type: base64 of little-endian bytes}, small where they are counts."""
    if values.dtype == np.uint8:
        return {"u1": base64.b64encode(values.tobytes()).decode("ascii")}
    is_count = np.issubdtype(values.dtype, np.integer) and values.max(initial=0) < 2**32
    code = "u4" if is_count else "f8"
    return {code: base64.b64encode(values.astype(f"<{code}").tobytes()).decode("ascii")}


def _presets(model: Explored) -> list[dict[str, Any]]:
    thresholds = {
        ("best F1", "Highest F1 on these rows"): model.ranking["best_f1"].at,
        ("Youden", "Highest recall + specificity on these rows"): model.ranking["best_youden"].at,
        ("cheapest", "Lowest cost on these rows, as the page Costs says"): model.cheapest,
    }
    return [_preset(*words, at and shortest(model.table, at)) for words, at in thresholds.items()]


def _preset(label: str, why: str, threshold: float | None) -> dict[str, Any]:
    if threshold is not None and math.isinf(threshold):
        return {"label": label, "threshold": None, "why": f"{why}: it is to flag nothing."}
    if threshold is None or math.isnan(threshold):
        return {"label": label, "threshold": None, "why": f"{why}: there is none here."}
    return {"label": label, "threshold": threshold, "why": f"{why}."}


def _goals(table: ScoreTable) -> list[float]:
    """Return the thresholds that the goals begin with, so that these are exact."""
    found = (
        threshold_finding(table, FOUND),
        threshold_precise(table, RIGHT),
        threshold_flagging(table, FLAGGED),
        threshold_flagging_rows(table, ROWS),
    )
    return [threshold for threshold in found if not math.isnan(threshold)]


def _estimate(estimate: Estimate) -> dict[str, Any]:
    if not estimate.defined:
        return {"value": None, "why": estimate.why}
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def _partial(ranking: Estimates) -> dict[str, Any]:
    found = ranking.get(PARTIAL_ROC_AUC.key, Estimate(math.nan, why="it was not computed"))
    return {"to": PARTIAL_ROC_AUC.parameters["max_fpr"], **_estimate(found)}


def _band(band: RocBand | None) -> dict[str, Any] | None:
    if band is None or np.isnan(band.low).any():
        return None
    rates = np.linspace(0, 1, BAND_POINTS)
    edges = {
        name: np.interp(rates, band.fpr, edge).round(4).tolist()
        for name, edge in (("low", band.low), ("high", band.high))
    }
    return {**edges, "method": band.method, "resamples": band.resamples}


def _ties(table: ScoreTable) -> dict[str, Any] | None:
    ties = Ties.of(table)
    if not ties.high - ties.low > TIES_MATTER:
        return None
    boxes = ties.boxes[:BOXES].round(4).tolist()
    return {"share": ties.share, "low": ties.low, "high": ties.high, "boxes": boxes}
