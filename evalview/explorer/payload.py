"""What the threshold explorer is fed with: data for JSON, and sentences."""

import base64
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from evalcore.curves import roc
from evalcore.intervals.closed import normal_quantile
from evalcore.metrics import decisions
from evalcore.metrics.metric import Estimate, Metric
from evalcore.metrics.ranking import PARTIAL_ROC_AUC
from evalcore.outcomes import Floats
from evalcore.results import Estimates
from evalcore.tables.confusion import BinaryCounts, Counts
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.scores import ScoreTable
from evalview import escape, text
from evalview.explorer.band import RocBand, Ties
from evalview.figures.lines import ScoreHistogram

METRICS = (
    decisions.RECALL,
    decisions.PRECISION,
    decisions.F1,
    decisions.SPECIFICITY,
    decisions.ACCURACY,
    decisions.BALANCED_ACCURACY,
    decisions.MCC,
    decisions.YOUDEN_J,
    decisions.NPV,
    decisions.FPR,
    decisions.JACCARD,
    decisions.DETECTION_PREVALENCE,
)
"""Metrics that the browser knows; see assets/explorer/scores.js."""

OFFERED: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "curves": ("roc", "precision-recall", "gain", "lift", "ks", "det", "metrics"),
        "lines": ("band", "hull", "cost", "partial", "f1", "intervals"),
        "metrics": tuple(metric.key for metric in METRICS),
    }
)
"""What may be drawn; see assets/explorer/curves.js."""


@dataclass(frozen=True)
class Drawn:
    """What is drawn.

    Attributes:
        curves: The curves, each a figure.
        lines: What is drawn on them besides; "intervals" are those of the cards, with the counts.
        metrics: The metrics that are drawn against the threshold.
    """

    curves: tuple[str, ...] = ("roc", "precision-recall")
    lines: tuple[str, ...] = ("band",)
    metrics: tuple[str, ...] = ("recall", "precision", "f1")

    @classmethod
    def of(cls, wanted: Mapping[str, Iterable[object] | None]) -> Self:
        """Keep what there is, in its order; what is left open stays as usual."""
        drawn = asdict(cls())
        for name, known in OFFERED.items():
            asked = wanted.get(name)
            if asked is not None and not isinstance(asked, str):
                drawn[name] = tuple(key for key in known if key in list(asked))
        return cls(**drawn)


USUAL = Drawn()
"""What is drawn before anything is chosen."""


BINS = 50
CROWDED = 0.5
"""By rank, when one bin of the histogram would hold more than this share of rows and scores."""


def axis(table: ScoreTable) -> dict[str, Any]:
    """Return the kind of scale and its ends."""
    if _is_crowded(table):
        low, high = table.threshold[[-1, 0]].tolist()
        return {"kind": "rank", "low": low, "high": high}
    edges = ScoreHistogram.from_table(table, BINS).edges
    return {"kind": "size", "low": float(edges[0]), "high": float(edges[-1])}


def histogram(table: ScoreTable) -> list[dict[str, float]]:
    """Return bins, each from one score to another and from one place on the slider to another.

    `left` and `right` are places, 0 being the left end and 1 the right.
    """
    if not table.n:
        return []
    return _by_rank(table) if _is_crowded(table) else _by_size(table)


def _is_crowded(table: ScoreTable) -> bool:
    """Whether nearly all scores would stand in one spot: some near 1, say, and one at 1e300."""
    by_size = ScoreHistogram.from_table(table, BINS)
    edges = by_size.edges
    if (edges[0], edges[-1]) == (0, 1) or len(table.threshold) <= 2:
        return False
    rows = by_size.positives + by_size.negatives
    scores = -np.diff(table.threshold[::-1].searchsorted(edges[::-1]))
    return bool(rows.max() > CROWDED * table.n and scores.max() > CROWDED * len(table.threshold))


def _by_size(table: ScoreTable) -> list[dict[str, float]]:
    by_size = ScoreHistogram.from_table(table, BINS)
    places = np.arange(BINS + 1) / BINS
    return _bins(by_size.edges, places, by_size.positives, by_size.negatives)


def _by_rank(table: ScoreTable) -> list[dict[str, float]]:
    by_rank = ReliabilityTable.from_scores(table, BINS, "quantile")
    places = np.append(0.0, np.cumsum(by_rank.n, dtype=np.float64) / table.n)
    return _bins(by_rank.edges, places, by_rank.positives, by_rank.n - by_rank.positives)


def _bins(
    edges: Floats, places: Floats, positives: Counts, negatives: Counts
) -> list[dict[str, float]]:
    names = ("from", "to", "left", "right", "positives", "negatives")
    columns = (edges[:-1], edges[1:], places[:-1], places[1:], positives, negatives)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [dict(zip(names, row, strict=True)) for row in rows]


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
        band: The band of its ROC curve; None where there is none.
        called: How a sentence names it; its name if that is left out.
        effective: How many independent rows each row tells as much as: below 1 where rows of one
            group depend on each other, or weights say how much a row matters.
    """

    name: str
    style: Style
    table: ScoreTable
    ranking: Estimates
    band: RocBand | None = None
    called: str | None = None
    effective: float = 1.0


def model_payload(model: Explored, level: float) -> dict[str, Any]:
    """Return all of a model that no threshold changes."""
    presets = _presets(model)
    kept = [preset["threshold"] for preset in presets if preset["threshold"] is not None]
    thinned = model.table.thinned(vertices(model.table), [*kept, *_goals(model.table)])
    return {
        "name": model.name,
        "label": escape.in_order(model.name),
        "spoken": escape.in_order(model.called or model.name),
        "color": model.style.color,
        "dash": model.style.dash,
        # With so many times fewer rows Wilson's interval is that of a larger quantile.
        "z": normal_quantile(level) / math.sqrt(model.effective),
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
    return np.array([text.decimals_needed(*pair) for pair in pairs], dtype=np.uint8)


def _column(values: NDArray[Any]) -> dict[str, str]:
    """Return numbers as {type: base64 of little-endian bytes}, small where they are counts."""
    if values.dtype == np.uint8:
        return {"u1": base64.b64encode(values.tobytes()).decode("ascii")}
    is_count = np.issubdtype(values.dtype, np.integer) and values.max(initial=0) < 2**32
    code = "u4" if is_count else "f8"
    return {code: base64.b64encode(values.astype(f"<{code}").tobytes()).decode("ascii")}


def _presets(model: Explored) -> list[dict[str, Any]]:
    best = {
        "best F1": ("Highest F1 on these rows", model.ranking["best_f1"].at),
        "Youden": ("Highest recall + specificity on these rows", model.ranking["best_youden"].at),
    }
    return [
        {"label": label, **_aim(why, at and text.shortest_threshold(model.table, at))}
        for label, (why, at) in best.items()
    ]


def _aim(why: str, threshold: float | None) -> dict[str, Any]:
    """Return a threshold to jump to, None where there is none, and why it is that one."""
    if threshold is not None and math.isinf(threshold):
        return {"threshold": None, "why": f"{why}: flag nothing."}
    if threshold is None or math.isnan(threshold):
        return {"threshold": None, "why": f"{why}: undefined here."}
    return {"threshold": threshold, "why": f"{why}."}


def _goals(table: ScoreTable) -> list[float]:
    """Return the thresholds that the goals begin with, so that these are exact."""
    found = (
        roc.threshold_finding(table, FOUND),
        roc.threshold_precise(table, RIGHT),
        roc.threshold_flagging(table, FLAGGED),
        roc.threshold_flagging_rows(table, ROWS),
    )
    return [threshold for threshold in found if not math.isnan(threshold)]


def _estimate(estimate: Estimate) -> dict[str, Any]:
    if not estimate.defined:
        return {"value": None, "why": estimate.why}
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def _partial(ranking: Estimates) -> dict[str, Any]:
    found = ranking.get(PARTIAL_ROC_AUC.key, Estimate(math.nan, why="not computed"))
    return {"to": PARTIAL_ROC_AUC.parameters["max_fpr"], **_estimate(found)}


def _band(band: RocBand | None) -> dict[str, Any] | None:
    if band is None or np.isnan(band.low).any():
        return None
    shares = np.linspace(0, 1, BAND_POINTS)
    edges = {
        name: np.interp(shares, band.fpr, edge).round(4).tolist()
        for name, edge in (("low", band.low), ("high", band.high))
    }
    return {**edges, "method": band.method, "resamples": band.resamples}


def _ties(table: ScoreTable) -> dict[str, Any] | None:
    ties = Ties.of(table)
    if not ties.high - ties.low > TIES_MATTER:
        return None
    boxes = ties.boxes[:BOXES].round(4).tolist()
    return {"share": ties.share, "low": ties.low, "high": ties.high, "boxes": boxes}


MODELS_AT_MOST = 10
CARDS = (
    decisions.RECALL,
    decisions.PRECISION,
    decisions.SPECIFICITY,
    decisions.F1,
    decisions.ACCURACY,
)


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


@dataclass(frozen=True)
class Costs:
    """What a reader says of decisions between two classes, and what follows.

    Attributes:
        of: What each of tn, fp, fn and tp costs; NaN where that is not said yet.
        share: Share of positives where decisions are made; None where nobody told another than
            that in the rows.
        volume: Cases a day.
        cheapest: The cheapest threshold of each model, inf to flag nothing; NaN where not all costs
            are said, or there is none.
        where: Which costs it is cheapest for, in words.
    """

    of: tuple[float, float, float, float]
    share: float | None
    volume: int
    cheapest: Sequence[float]
    where: str = ""


def _costs(told: Costs) -> dict[str, Any]:
    names = ("tn", "fp", "fn", "tp")
    told_of = zip(names, told.of, strict=True)
    said = {name: None if math.isnan(cost) else cost for name, cost in told_of}
    open_yet = any(cost is None for cost in said.values())
    return {
        **said,
        "share": told.share,
        "volume": told.volume,
        "cheapest": [
            {"threshold": None, "why": "Enter the cost of a miss first."}
            if open_yet
            else _aim(told.where[:1].upper() + told.where[1:], at)
            for at in told.cheapest
        ],
    }


def static_payload(
    key: str,
    models: Sequence[Explored],
    *,
    classes: Sequence[str],
    level: float,
    styles: Sequence[Style],
    source: Sequence[str] = (),
) -> dict[str, Any]:
    """Return all that does not depend on what is chosen; `key` names it, for caches.

    `styles` are those of the lines of metrics. Saved pictures say their `source`.
    """
    return {
        "key": key,
        "source": [escape.in_order(part) for part in source],
        "classes": [escape.in_order(name) for name in classes],
        "level": level,
        "cards": [_metric(metric) for metric in CARDS],
        "metrics": [
            {**_metric(metric), "color": styles[at].color, "dash": styles[at].dash}
            for at, metric in enumerate(METRICS)
        ],
        "scales": _scales(models),
        "models": [model_payload(model, level) for model in models],
    }


def moving_payload(
    tables: Sequence[ScoreTable],
    decided: Sequence[Estimates],
    chosen: Chosen,
    costs: Costs | None = None,
) -> dict[str, Any]:
    """Return what the server says of what is chosen: exact counts and intervals, by model.

    `decided` holds the metrics at the thresholds; those intervals are sent that the browser can
    only approach by a formula. `costs` are None where none can be said.
    """
    return {
        "chosen": chosen.model,
        "thresholds": list(chosen.thresholds),
        "own": chosen.own,
        "costs": None if costs is None else _costs(costs),
        "drawn": {name: list(keys) for name, keys in asdict(chosen.drawn).items()},
        "at": [
            _at(table.at(threshold), metrics)
            for table, threshold, metrics in zip(tables, chosen.thresholds, decided, strict=True)
        ],
    }


def _at(counts: BinaryCounts, metrics: Mapping[str, Any]) -> dict[str, Any]:
    shown = {metric.key: metrics[metric.key] for metric in CARDS if metric.key in metrics}
    ends = {
        key: [one.low, one.high]
        for key, one in shown.items()
        if one.method and one.method != "wilson"
    }
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
    name = escape.in_order(text.abbreviate(others[0].name, 40))
    return (
        f"{name} scores from {odd[-1]:.3g} to {odd[0]:.3g}, "
        f"{escape.in_order(text.abbreviate(shares[0].name, 40))} between 0 and 1: one threshold "
        "for all models is not meaningful."
    )


def _within_one(table: ScoreTable) -> bool:
    score = table.threshold
    return not len(score) or bool(score[0] <= 1 and score[-1] >= 0)
