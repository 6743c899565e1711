"""What a report may give away, without cells of few rows: an evaluation, the explorer's data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from types import MappingProxyType
from typing import Any

import numpy as np

from evalcore.curves.roc import PrecisionRecallCurve, RocCurve
from evalcore.errors import Notice
from evalcore.evaluate import evaluate_tables
from evalcore.evaluation.drawn import share_that_tells
from evalcore.metrics.metric import Estimate
from evalcore.results import (
    Cluster,
    ClusteringEvaluation,
    Decisions,
    Estimates,
    Evaluation,
    ModelEvaluation,
)
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.text import counted
from evalcore.work import NO_PROGRESS
from evalview import text, words
from evalview.explorer import band, payload
from evalview.explorer.payload import METRICS, Explored
from evalview.figures import theme
from evalview.report import counts
from evalview.report.material import Material

OF_SINGLE_ROWS = ("max_error",)
"""Metrics that are a number of one row."""

UNNAMED: Mapping[str, str] = MappingProxyType(
    {
        "one-row": "One row alone makes up more than half of the squared error or the log loss.",
        "few-rows": "Two or three rows make up more than half of the squared error.",
    }
)
"""What is said instead of notices that tell what a single row holds, by their code."""


def notices(told: Material, noted: Iterable[Notice]) -> tuple[Notice, ...]:
    """Return each notice once, without what a row holds unless rows may be shown."""
    shown = (
        one
        if told.wishes.rows or one.code not in UNNAMED
        else replace(one, message=UNNAMED[one.code], rows=())
        for one in noted
    )
    return tuple(dict.fromkeys(shown))


def evaluation_of(told: Material) -> Evaluation:
    """Return the evaluation without what tells of single rows; as it is where rows may be shown."""
    made = _priced(told, evaluate_tables(told.dataset, told.tables, told.options, NO_PROGRESS))
    if told.wishes.rows:
        return made
    return replace(
        made,
        options=replace(made.options, samples=False),
        notices=notices(told, made.notices),
        models=MappingProxyType({n: _model(told, n, one) for n, one in made.models.items()}),
        clusterings=MappingProxyType({n: _clusters(told, c) for n, c in made.clusterings.items()}),
    )


def _priced(told: Material, made: Evaluation) -> Evaluation:
    """Return the evaluation with the mean costs that the report shows, among those of decisions."""
    models = dict(made.models)
    for name, cost in told.mean_costs.items():
        if cost is not None and (way := told.way(name)):
            own = models[name]
            costs = {"mean_cost": cost, "total_cost": told.total_costs[name] or cost}
            metrics = MappingProxyType({**own.decisions[way].metrics, **costs})
            decisions = {**own.decisions, way: replace(own.decisions[way], metrics=metrics)}
            models[name] = replace(own, decisions=MappingProxyType(decisions))
    return replace(made, models=MappingProxyType(models))


def _model(told: Material, name: str, made: ModelEvaluation) -> ModelEvaluation:
    fewest, options, tables = told.wishes.fewest, told.options, told.tables[name]
    if (merged := told.merged.get(name)) is not None:
        made = replace(
            made,
            roc=RocCurve.from_table(merged.table),
            precision_recall=PrecisionRecallCurve.from_table(merged.table),
        )
        if tables.probability:
            said = counts.calibration(tables, merged, options.bins, options.level)
            made = replace(made, calibration=said)
    return replace(
        made,
        decisions={way: _decisions(one, fewest) for way, one in made.decisions.items()},
        ranking=_estimates(made.ranking, told, name),
        values=_estimates(made.values, told, name),
        groups=tuple(one for one in made.groups if one.n >= fewest),
        folds=tuple(one for one in made.folds if one.n >= fewest),
    )


def _estimates(found: Estimates, told: Material, name: str) -> Estimates:
    """Return the metrics but for those of one row; an optimum has the shortest threshold."""
    table = told.tables[name].scores
    kept = {key: made for key, made in found.items() if key not in OF_SINGLE_ROWS}
    return {key: _shortened(made, table) for key, made in kept.items()}


def _shortened(made: Estimate, table: Any) -> Estimate:
    if made.at is None or table is None or not np.isfinite(made.at):
        return made
    return replace(made, at=text.shortest_threshold(table, made.at))


def _decisions(made: Decisions, fewest: int) -> Decisions:
    matrix = made.confusion
    if len(matrix.classes) == 2:
        return made
    shown = _shown(matrix.counts, fewest, diagonal=True)
    return replace(made, confusion=ConfusionMatrix(matrix.classes, shown))


def contingency_of(told: Material, name: str) -> Any:
    """Return the counts of classes in clusters, NaN where few points are."""
    assert told.evaluation is not None
    table = told.evaluation.clusterings[name].contingency
    assert table is not None
    return _shown(table.counts, told.wishes.fewest, diagonal=False)


def _shown(whole: Any, fewest: int, *, diagonal: bool) -> Any:
    """Return counts with NaN, which is null in JSON, where they are hidden."""
    hidden = counts.hidden_cells(whole, fewest, diagonal=diagonal)
    return np.where(hidden, np.nan, whole) if hidden.any() else whole


def _clusters(told: Material, made: ClusteringEvaluation) -> ClusteringEvaluation:
    fewest = told.wishes.fewest
    return replace(
        made,
        clusters=tuple(
            one if one.n >= fewest else Cluster(one.name, one.n) for one in made.clusters
        ),
    )


# The explorer

DIGITS = 4
"""Decimals of an area that travels: more than is shown, fewer than tell of one row."""


def explorer_payload(told: Material) -> dict[str, Any]:
    """Return the payload of the explorer, with merged counts in place of all scores."""
    dataset, names = told.dataset, _names(told)
    styles = theme.model_styles(tuple(dataset.models))
    explored = [_explored(told, name, styles[name]) for name in names]
    still = payload.static_payload(
        "report",
        explored,
        classes=[words.class_of(dataset.roles.truth, label) for label in dataset.classes],
        level=told.options.level,
        styles=tuple(theme.model_style(at) for at in range(len(METRICS))),
        source=[dataset.table.source.name, counted(dataset.table.source.rows, "row")],
    )
    for name, model, one in zip(names, still["models"], explored, strict=True):
        model |= _merged(told, name, model, one)
    assert told.evaluation is not None
    at = [told.options.threshold_of(name) for name in names]
    decided = [told.evaluation.models[name].decisions["threshold"].metrics for name in names]
    tables = [told.merged[name].table for name in names]
    chosen = payload.Chosen(names[0], at, own=len(set(at)) > 1)
    return still | payload.moving_payload(tables, decided, chosen, _costs(told, names))


def _costs(told: Material, names: Sequence[str]) -> payload.Costs:
    """Return what is said of costs; where nothing is, the boxes begin empty."""
    use = told.wishes.use
    tn, fp, fn, tp = use.costs or (0.0, 1.0, None, 0.0)
    return payload.Costs(
        (tn or 0.0, fp or 0.0, np.nan if fn is None else fn, tp or 0.0),
        None if use.prevalence is None else use.prevalence / 100,
        use.cases,
        [told.cheapest(name, told.merged[name].table) for name in names],
        told.cheapest_where,
    )


def _names(told: Material) -> list[str]:
    """Return the models that the explorer shows, the leading one first among them."""
    scored = [name for name in told.order if name in told.merged]
    return scored[: payload.MODELS_AT_MOST]


def _explored(told: Material, name: str, style: theme.ModelStyle) -> Explored:
    assert told.evaluation is not None
    tables, made = told.tables[name], told.merged[name]
    share = share_that_tells(tables.rows)
    drawn = band.roc_band(made.table, np.random.default_rng(told.options.seed), share=share)
    ranking = told.evaluation.models[name].ranking
    return Explored(
        name,
        style,
        made.table,
        _rounded(ranking),
        band=drawn,
        called=words.spoken(told.dataset, name),
        effective=share,
    )


def _rounded(ranking: Estimates) -> Estimates:
    keys = ("roc_auc", "average_precision", "best_f1", "best_youden")
    return {key: _round(ranking[key]) for key in keys}


def _round(made: Estimate) -> Estimate:
    if not made.defined:
        return made
    ends = [None if end is None else round(end, DIGITS) for end in (made.low, made.high)]
    return replace(made, value=round(made.value, DIGITS), low=ends[0], high=ends[1])


def _merged(told: Material, name: str, model: dict[str, Any], one: Explored) -> dict[str, Any]:
    made, full = told.merged[name], told.tables[name].scores
    assert full is not None
    axis = model["axis"]
    if axis["kind"] == "size":
        bars = counts.histogram(one.table, axis["low"], axis["high"])
    else:
        bars = model["histogram"]
    kept = [
        _preset(preset, at, made, full)
        for preset, at in zip(model["presets"], _at(told, name), strict=True)
    ]
    whole = len(one.table.threshold) == len(full.threshold)
    return {"histogram": bars, "ties": None, "presets": kept, "whole": whole}


def _at(told: Material, name: str) -> list[float | None]:
    assert told.evaluation is not None
    ranking = told.evaluation.models[name].ranking
    return [ranking[key].at for key in ("best_f1", "best_youden")]


def _preset(
    preset: dict[str, Any], at: float | None, made: counts.Merged, full: Any
) -> dict[str, Any]:
    """Return a preset whose counts are exact here, or one that leads nowhere and says why."""
    if at is None or not isfinite(at):
        return preset
    short = text.shortest_threshold(full, at)
    if short not in made.kept:
        why = "Left out: too few rows lie between this threshold and another one in the report."
        return {**preset, "threshold": None, "why": why}
    return {**preset, "threshold": short}
