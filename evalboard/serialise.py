"""Results as strict JSON: no NaN, no Infinity, a reason in their place.

Keys and their order are public (docs/command-line.md); `SHAPES` says which attributes of a class
they are, and `evalcore.text` walks through a result by it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from evalboard.arguments import options_asked
from evalcore.curves.roc import CalibrationCurve, PrecisionRecallCurve, RocCurve
from evalcore.errors import EvalError, Notice
from evalcore.metrics.catalog import PARAMETRIC, by_key, find
from evalcore.metrics.metric import Estimate, Metric
from evalcore.metrics.vocabulary import Source
from evalcore.results import (
    Cluster,
    ClusteringEvaluation,
    Evaluation,
    FoldEvaluation,
    GroupEvaluation,
    ModelEvaluation,
)
from evalcore.slices.columns import where_of
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.tables.contingency import Contingency
from evalcore.text import Shape, picked, plain
from evalread.counts.blocks import Counts
from evalread.dataset import Dataset, Evidence, FoldRoles, ModelRoles, Roles
from evalread.detection.clusters import unused

if TYPE_CHECKING:
    from pathlib import Path

    from evalboard.checks import History, Outcome
    from evalboard.samples import Sample
    from evalcore.comparison.results import Comparison, Difference, TestedPair
    from evalcore.monitoring.results import OverTime
    from evalcore.plan import Plan
    from evalcore.slices.results import Against, Slice, Slices
    from evalcore.slices.rows import Listed
    from evalcore.slices.shift import Shift

Json = dict[str, Any]


def text(value: Any) -> str:
    """Return JSON text; a number that JSON does not know is a defect and raises ValueError."""
    found: list[str] = []
    _write(value, "\n", found.append)
    return "".join(found)


def _write(value: Any, line: str, out: Callable[[str], object]) -> None:
    """Write a value, indented as `json.dumps` does it; `line` begins a line.

    What holds no further list or mapping is written in one go: with an indent, `json` writes each
    number by itself in Python, which takes several times as long.
    """
    inner = line + "  "
    named = isinstance(value, dict)
    parts = value.values() if named else value if isinstance(value, list) else ()
    # Of lists and mappings, those that hold nothing are written alike with and without an indent.
    if not any(part for part in parts if type(part) in _NESTED):
        text = _encoder(inner).encode(value)
        out(f"{text[0]}{inner}{text[1:-1]}{line}{text[-1]}" if parts else text)
        return
    begin = "{" if named else "["
    for key, part in value.items() if named else enumerate(value):
        out(f"{begin}{inner}{_encoder(inner).encode(key)}: " if named else begin + inner)
        _write(part, inner, out)
        begin = ","
    out(line + ("}" if named else "]"))


_NESTED = frozenset({dict, list})


@cache
def _encoder(line: str) -> json.JSONEncoder:
    """Return what writes values one to a line."""
    return json.JSONEncoder(allow_nan=False, ensure_ascii=False, separators=("," + line, ": "))


def error(problem: EvalError) -> Json:
    """Return why input or an option cannot be used."""
    said = picked(problem, "code message rows") | (
        {} if problem.column is None else {"column": problem.column}
    )
    if options := options_asked(problem):
        said["options"] = options
    return _json("error", {"error": said})


def catalogue(metrics: Sequence[Metric]) -> Json:
    """Return the declarations of metrics."""
    return _json("metrics", {"metrics": metrics})


def samples(known: Sequence[Sample]) -> Json:
    """Return the samples that come with the product."""
    return _json(
        "samples", {"samples": [picked(one, "name title shows task rows") for one in known]}
    )


def sample(path: Path) -> Json:
    """Return where a sample was written."""
    return _json("sample", {"file": str(path)})


def checks(outcomes: Sequence[Outcome], history: History | None = None) -> Json:
    """Return each requirement with the number that meets it or does not, and what has changed."""
    passed = all(outcome.passed for outcome in outcomes)
    said: Json = {"passed": passed, "requirements": [*map(_outcome, outcomes)]}
    if history is not None:
        from evalboard.checks import shown

        said |= {"passed": passed and history.passed, "history": shown(history)}
    return _json("check", said)


def over_time(made: OverTime) -> Json:
    """Return a metric by period, and whether it has changed."""
    change, tracks = made.change, (made.metric, *made.others)
    told = None
    if change is not None:
        told = {
            "since": made.start[change.since],
            "flagged": made.start[change.flagged],
            "direction": "higher" if change.higher else "lower",
            "worse": change.worse,
            "rows": _rows(change.rows),
            "value": _estimate(change.value, made.metric.key),
        }
    cusums = {"cusum_up": made.up.value, "limit_up": made.up.limit}
    cusums |= {"cusum_down": made.down.value, "limit_down": made.down.limit}
    periods = [
        {
            "start": start,
            "rows": _rows(made.rows[place]),
            **{
                track.key: {
                    **_estimate(track.each[place], track.key),
                    "running": _estimate(track.running[place], track.key),
                }
                for track in tracks
            },
            **{name: held[place] for name, held in cusums.items()},
        }
        for place, start in enumerate(made.start)
    ]
    return _json(
        "over-time",
        {
            **picked(made, "model date every"),
            "metric": made.metric.key,
            "reference": _estimate(made.reference, made.metric.key),
            "reference_periods": made.first,
            "plan": picked(made.plan, "looks error change"),
            "looks": made.looks,
            "change": told,
            "said": made.verdict,
            "periods": periods,
            **picked(made, "notices"),
        },
    )


def plan(made: Plan) -> Json:
    """Return how many rows an evaluation takes, and what was assumed."""
    from evalcore.plan import sentences

    assumed = "metric value share deviation alike group_rows within models"
    return _json(
        "plan",
        {
            "expected": picked(made.expected, assumed),
            **picked(made, _PLAN),
            "sentences": sentences(made),
        },
    )


_PLAN = (
    "rows low high smallest_difference width rows_for_width difference rows_for_difference "
    "pairs level power design_effect few_groups"
)


def evaluation(result: Evaluation) -> Json:
    """Return every number of an evaluation, as docs/command-line.md describes it."""
    clusterings = {
        name: _clustering(made) | ({"samples": points(made)} if result.options.samples else {})
        for name, made in result.clusterings.items()
    }
    data = result.dataset
    assert isinstance(data, Dataset)
    said = {
        **_data(data),
        "notices": result.notices,
        "models": {name: _model(made, result) for name, made in result.models.items()},
        "clusterings": clusterings,
    }
    return _json("evaluation", said)


def inspection(dataset: Dataset, evidence: Sequence[Evidence] | None = None) -> Json:
    """Return what was read and which role each column plays, and why; no metric."""
    reasons, positive = dataset.roles.reasons, dataset.roles.positive_reason
    said = {
        **_data(dataset),
        "columns": dataset.table.names,
        "unused": unused(dataset.table, dataset.roles),
        "reasons": {column: why.text for column, why in reasons.items()},
        "confidence": {column: why.confidence for column, why in reasons.items()},
        "positive_reason": positive.text if positive else "",
        "positive_confidence": positive.confidence if positive else None,
        "notices": dataset.notices,
    }
    if evidence is not None:
        said["evidence"] = [
            {"column": one.column, "points": one.points, "reason": one.reason.text}
            for one in evidence
        ]
    return _json("inspection", said)


def comparison(made: Comparison) -> Json:
    """Return which model is better, and how sure that is."""
    said = {
        **picked(made, "metric n unit design level rope notices summary"),
        "models": {name: {made.metric: found} for name, found in made.models.items()},
        "differences": [_difference(gap, made.metric) for gap in made.differences],
        "tests": [_test(pair, made.metric) for pair in made.tests],
        "primary": made.primary,
        "not_applicable": [picked(test, "name=test why") for test in made.not_applicable],
        "standing": {
            "order": made.order,
            "groups": made.verdict.groups,
            **picked(made, "mean_ranks critical_difference"),
        },
        "corrected": made.corrected and picked(made.corrected, "model value low high"),
        "sample_size": made.sample_size and picked(made.sample_size, _SAMPLE_SIZE),
    }
    return _json("comparison", said)


def slices(made: Slices) -> Json:
    """Return the slices of the rows, worst first, and how far the groups of columns are apart."""
    said = {
        "metric": made.metric,
        "model": made.model,
        "overall": _estimate(made.overall, made.metric),
        "columns": made.columns,
        "slices": [_slice(one, made.metric) for one in made.slices],
        **picked(made, "searched method level seed gaps takes notices"),
    }
    return _json("slices", said)


def _slice(one: Slice, metric: str) -> Json:
    return {
        "where": where_of(one.rule),
        "rule": one.text,
        "n": _rows(one.n),
        "share": one.share,
        "share_of_errors": one.share_of_errors,
        **_against(one.found, metric),
        "p_adjusted": one.p_adjusted,
        "confirmed": one.confirmed,
        "few": one.few,
        "same": [where_of(rule) for rule in one.same],
        "models": {name: _against(found, metric) for name, found in one.models.items()},
    }


def _against(made: Against, metric: str) -> Json:
    """Return the value with its interval, and how it differs from that of the rest."""
    said: Json = {"value": None, "low": None, "high": None} | _estimate(made.value, metric)
    said["rest"] = _estimate(made.rest, metric)
    for name, one in (("difference", made.difference), ("ratio", made.ratio)):
        said |= {name: one.value, f"{name}_low": one.low, f"{name}_high": one.high}
    return said | {"p_value": made.p_value, "test": made.test or None}


def shift(made: Shift) -> Json:
    """Return how a later file differs from an earlier one."""
    compared = {"truth": made.truth, "metrics": made.metrics}
    said: Json = {
        "model": made.model,
        "rows": dict(zip(("earlier", "later"), map(_rows, made.n), strict=True)),
        **{
            name: {key: _changed(one, key, made.p_adjusted.get(key)) for key, one in some.items()}
            for name, some in compared.items()
        },
        "per_class": {
            label: {
                key: _changed(one, key, made.per_class_p[label, key]) for key, one in row.items()
            }
            for label, row in made.per_class.items()
        },
        "scores": None,
        "labels": not made.assumed,
        "assumed": made.assumed or None,
        "check": {key: _estimate(one, key) for key, one in made.check.items()},
        **picked(made, "level notices"),
    }
    if (moved := made.scores) is not None:
        said["scores"] = {
            "of": moved.of,
            "distance": _estimate(moved.distance, ""),
            "above": _estimate(moved.above, ""),
            "p_value": moved.p_value,
            "p_adjusted": made.p_adjusted.get("scores"),
        }
    return _json("shift", said)


def _changed(one: Against, key: str, p_adjusted: float | None) -> Json:
    ends = ("low", "high", "method")
    gap = {name: getattr(one.difference, name) for name in ends}
    return {
        "earlier": _estimate(one.rest, key),
        "later": _estimate(one.value, key),
        "difference": one.difference.value,
        **{f"difference_{name}": held for name, held in gap.items()},
        "p_value": one.p_value,
        "test": one.test or None,
        "p_adjusted": p_adjusted,
    }


def _rows(n: float) -> float:
    return int(n) if n == int(n) else n


def listed(found: Listed, dataset: Dataset) -> Json:
    """Return rows, those most worth a look first, with their cells as they stand in the file."""
    doubts, columns = found.doubts, dataset.table.columns
    likely = {} if doubts is None else dict(zip(doubts.row.tolist(), doubts.likely, strict=True))
    rows = [
        {
            "row": row,
            "value": value,
            **({} if doubts is None else {"likely": doubts.classes[int(likely[row])]}),
            "cells": {name: _written(column[row - 1].as_py()) for name, column in columns.items()},
        }
        for row, value in zip(found.row.tolist(), found.value.tolist(), strict=True)
    ]
    said = {**picked(found, "model by of total notices"), "rows": rows, "label_errors": None}
    if doubts is not None:
        wrong = _estimate(doubts.wrong, "")
        said["label_errors"] = {
            "listed": len(doubts.row), "by_chance": doubts.by_chance, "wrong": wrong,
            "assumed": doubts.assumed,
        }  # fmt: skip
    return _json("rows", said)


def counts(made: Counts, path: Path) -> Json:
    """Return the JSON of `counts`."""
    blocks = [picked(block, "models cells single digits") for block in made.blocks]
    return _json("counted", {"file": str(path), "rows": _rows(made.rows), "blocks": blocks})


def _written(cell: Any) -> Any:
    """Return a cell as JSON has it; what it does not know, such as a date, as text."""
    return cell if cell is None or isinstance(cell, str | int | float) else str(cell)


_SAMPLE_SIZE = "metric rows_now rows_needed smallest_difference power pairs each"


def _json(schema: str, said: Json) -> Json:
    made: Json = plain({"schema": f"evalboard.{schema}/1", **said}, SHAPES)
    return made


def _data(dataset: Dataset) -> Json:
    source = picked(
        dataset.table.source,
        "name format tool encoding separator decimal thousands sheet sha256=digest rows",
    )
    return {
        "source": source | {"rows_used": dataset.rows_used} | _counted(dataset),
        "task": dataset.roles.task,
        "classes": dataset.classes,
        "positive": dataset.roles.positive,
        "roles": dataset.roles,
    }


def _counted(dataset: Dataset) -> Json:
    """Return the rows that counts are of, where their cells were read."""
    if dataset.table.counted is None:
        return {}
    parts = (*dataset.models.values(), *dataset.clusterings.values())
    used = max((part.total for part in parts), default=0)
    return {"rows": _rows(dataset.table.counted.rows), "rows_used": _rows(used)}


def _roles(roles: Roles, key: str) -> Json:
    return {
        "truth": roles.truth or None,
        **picked(roles, "fold weight group date? id model? models clusterings features"),
        "feature_kind": roles.feature_kind if roles.features else None,
        "fold_scores": roles.folds,
    }


def _model(made: ModelEvaluation, result: Evaluation) -> Json:
    decisions = made.decisions
    per_class = {way: part.per_class for way, part in decisions.items()}
    curves = {"roc": made.roc, "pr": made.precision_recall, "calibration": made.calibration}
    return {
        "n": made.n,
        "confusion": {way: part.confusion for way, part in decisions.items()},
        "metrics": made.metrics,
        **({"threshold": result.options.threshold} if "threshold" in decisions else {}),
        "per_class": per_class | ({"ranking": made.class_ranking} if made.class_ranking else {}),
        "averages": {way: part.averages for way, part in decisions.items()},
        "curves": {name: curve for name, curve in curves.items() if curve is not None},
        "folds": made.folds,
        **({"groups": made.groups} if made.groups else {}),
    }


def _clustering(made: ClusteringEvaluation) -> Json:
    return picked(made, "n n_noise metrics noise_as_cluster clusters contingency")


def points(made: ClusteringEvaluation) -> list[Json]:
    """Return an entry per point; no cluster for noise, no value where there is none."""
    of = made.clustering
    rows = np.arange(1, of.n + 1) if of.rows is None else of.rows
    values = np.full(of.n, np.nan)
    nearest = np.full(of.n, -1)
    if made.tables is not None:
        values, nearest = made.tables.silhouette.values, made.tables.silhouette.nearest
    names = (*of.names, None)
    columns = (rows, of.cluster, values, nearest)
    return [
        {"row": row, "cluster": names[own], "silhouette": value, "nearest": names[next_]}
        for row, own, value, next_ in zip(*(c.tolist() for c in columns), strict=True)
    ]


def _difference(gap: Difference, metric: str) -> Json:
    ends = picked(gap, "difference low high method note?")
    return {"first": gap.first, "second": gap.second, "metric": metric, **ends}


def _test(pair: TestedPair, metric: str) -> Json:
    found = picked(pair.finding, "statistic p_value details note?")
    details = {"p_adjusted": pair.p_adjusted, "details": found.pop("details")}
    note = {"note": found.pop("note")} if "note" in found else {}
    return picked(pair, "name=test first second") | {"metric": metric} | found | details | note


def _outcome(outcome: Outcome) -> Json:
    said = picked(
        outcome, "requirement=requirement.text passed model group metric=requirement.metric"
    )
    return said | _estimate(outcome.estimate, outcome.requirement.metric)


def _metric(metric: Metric, key: str) -> Json:
    """Return the declaration of a metric."""
    names = "better formula summary source undefined_when infinite_when misleads synonyms unit"
    return {
        **picked(metric, "key name family"),
        "low": float(metric.low),  # a bound is a real number, however it is declared
        "high": float(metric.high),
        **picked(metric, names),
        "multiclass": metric.over_classes is not None,
        "parameters": metric.parameters,
        "settable": metric.key in PARAMETRIC,
    }


def _estimate(made: Estimate, key: str) -> Json:
    """Return the number of a metric with its interval, or why there is none."""
    if np.isnan(made.value):
        return {"value": None, "undefined": sentence(made.why)}
    if np.isinf(made.value):
        sign = "+" if made.value > 0 else "-"
        return {"value": None, "infinite": sign, "why": sentence(made.why)}
    metric = by_key().get(key) or (find(key) if "(" in key else None)
    whole = metric is not None and metric.unit == "count" and made.value == int(made.value)
    said: Json = {"value": int(made.value) if whole else float(made.value)}
    if made.method is not None:
        said |= picked(made, "low high method level")
    if made.at is not None:
        said["threshold"] = made.at
    if metric and metric.parameters:
        said["parameters"] = metric.parameters
    return said | picked(made, "note?")


def sentence(reason: str) -> str:
    """Return a reason as a sentence of its own.

    >>> sentence("no row is positive")
    'No row is positive.'
    """
    return f"{reason[:1].upper()}{reason[1:]}." if reason else "There is no value."


SHAPES: Mapping[type, Shape] = MappingProxyType(
    {
        CalibrationCurve: "low high n mean_probability share_positive share_low share_high",
        Cluster: "cluster=name n silhouette within_ss spread centre",
        ConfusionMatrix: "classes counts",
        Contingency: "classes clusters counts",
        Estimate: _estimate,
        FoldEvaluation: "fold n metrics",
        GroupEvaluation: "group n metrics",
        FoldRoles: "metric scores named_by repeat dataset train_size test_size",
        Metric: _metric,
        ModelRoles: "label score probabilities prediction correct?",
        Notice: "code severity message rows",
        PrecisionRecallCurve: "recall precision threshold",
        RocCurve: "fpr tpr threshold",
        Roles: _roles,
        Source: "text url",
    }
)
"""Class -> which of its attributes are its keys."""
