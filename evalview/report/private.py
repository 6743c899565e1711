"""An evaluation as a report may give it away: curves of merged counts, no cell of few rows."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from evalcore.curves.roc import PrecisionRecallCurve, RocCurve
from evalcore.evaluate import evaluate_tables
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
from evalcore.work import NO_PROGRESS
from evalview import text
from evalview.report import counts
from evalview.report.material import Material

OF_SINGLE_ROWS = ("max_error",)
"""Metrics that are a number of one row."""


def evaluation_of(told: Material) -> Evaluation:
    """Return the evaluation without what tells of single rows; as it is where rows may be shown."""
    made = evaluate_tables(told.dataset, told.tables, told.options, NO_PROGRESS)
    if told.wishes.rows:
        return made
    return replace(
        made,
        options=replace(made.options, samples=False),
        models=MappingProxyType({n: _model(told, n, one) for n, one in made.models.items()}),
        clusterings=MappingProxyType({n: _clusters(told, c) for n, c in made.clusterings.items()}),
    )


def _model(told: Material, name: str, made: ModelEvaluation) -> ModelEvaluation:
    fewest, curves = told.wishes.fewest, {}
    if (merged := told.merged.get(name)) is not None:
        curves = {
            "roc": RocCurve.from_table(merged.table),
            "precision_recall": PrecisionRecallCurve.from_table(merged.table),
        }
        if told.tables[name].probability:
            options = told.options
            curves["calibration"] = counts.calibration(
                told.tables[name], merged, options.bins, options.level
            )
    return replace(
        made,
        decisions={way: _decisions(one, fewest) for way, one in made.decisions.items()},
        ranking=_estimates(made.ranking, told, name),
        values=_estimates(made.values, told, name),
        groups=tuple(one for one in made.groups if one.n >= fewest),
        folds=tuple(one for one in made.folds if one.n >= fewest),
        **curves,
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
    rows = [counts.merged_row(row, at, fewest)[0] for at, row in enumerate(matrix.counts)]
    return replace(made, confusion=ConfusionMatrix(matrix.classes, _hidden(rows, matrix.counts)))


def contingency_of(told: Material, name: str) -> Any:
    """Return the counts of classes in clusters, NaN where few points are."""
    assert told.evaluation is not None
    table = told.evaluation.clusterings[name].contingency
    assert table is not None
    rows = [counts.merged_row(row, -1, told.wishes.fewest)[0] for row in table.counts]
    return _hidden(rows, table.counts)


def _hidden(left: Any, whole: Any) -> Any:
    """Return counts with NaN, which is null in JSON, where rows were merged."""
    shown = np.array(left, dtype=np.float64).reshape(np.shape(whole))
    changed = shown != whole
    if not changed.any():
        return whole
    shown[changed] = np.nan
    return shown


def _clusters(told: Material, made: ClusteringEvaluation) -> ClusteringEvaluation:
    fewest = told.wishes.fewest
    return replace(
        made,
        clusters=tuple(
            one if one.n >= fewest else Cluster(one.name, one.n) for one in made.clusters
        ),
    )
