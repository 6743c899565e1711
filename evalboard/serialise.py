"""Results as plain values for strict JSON: no NaN, no Infinity, a reason in their place."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalboard.arguments import options_asked
from evalboard.checks import Outcome
from evalcore.comparison.results import Comparison, Difference, TestedPair
from evalcore.comparison.rows import SampleSize
from evalcore.dataset import Dataset, FoldRoles, ModelRoles, Roles
from evalcore.errors import EvalError, Notice
from evalcore.metrics.catalog import METRICS, PARAMETRIC, by_key
from evalcore.metrics.metric import Estimate, Metric
from evalcore.results import (
    Cluster,
    ClusteringEvaluation,
    Decisions,
    Estimates,
    Evaluation,
    ModelEvaluation,
)
from evalread.clusters import unused

Json = dict[str, Any]


def text(value: Any) -> str:
    """Return JSON text; a number that JSON does not know is a defect and raises ValueError."""
    return json.dumps(value, allow_nan=False, ensure_ascii=False, indent=2)


def error(problem: EvalError) -> Json:
    """Return why input or an option cannot be used."""
    said: Json = {"code": problem.code, "message": problem.message, "rows": list(problem.rows)}
    if problem.column is not None:
        said["column"] = problem.column
    if options := options_asked(problem):
        said["options"] = list(options)
    return {"schema": "evalboard.error/1", "error": said}


def notices(some: Iterable[Notice]) -> list[Json]:
    """Return notices with their code, severity, sentence and rows."""
    return [
        {
            "code": notice.code,
            "severity": notice.severity,
            "message": notice.message,
            "rows": list(notice.rows),
        }
        for notice in some
    ]


def estimate(key: str, made: Estimate) -> Json:
    """Return a number with its interval, or why there is none."""
    if np.isnan(made.value):
        return {"value": None, "undefined": sentence(made.why)}
    if np.isinf(made.value):
        sign = "+" if made.value > 0 else "-"
        return {"value": None, "infinite": sign, "why": sentence(made.why)}
    metric = by_key().get(key)
    said: Json = {"value": _number(made.value, metric.unit if metric else "")}
    if made.method is not None:
        said |= {"low": made.low, "high": made.high, "method": made.method, "level": made.level}
    if made.at is not None:
        said["threshold"] = made.at
    if metric and metric.parameters:
        said["parameters"] = numbers(metric.parameters)
    return said | ({"note": made.note} if made.note else {})


def group(estimates: Mapping[str, Estimate]) -> Json:
    """Return metrics by key, each a number with its interval or why there is none."""
    return {key: estimate(key, made) for key, made in estimates.items()}


def sentence(reason: str) -> str:
    """Return a reason as a sentence of its own.

    >>> sentence("no row is positive")
    'No row is positive.'
    """
    return f"{reason[:1].upper()}{reason[1:]}." if reason else "There is no value."


def finite(value: float) -> float | None:
    """Return a number, or None for what JSON cannot hold."""
    return float(value) if np.isfinite(value) else None


def numbers(values: Mapping[str, float]) -> Json:
    """Return named numbers, None for what JSON cannot hold."""
    return {name: finite(value) for name, value in values.items()}


def array(values: NDArray[Any]) -> list[Any]:
    """Return the numbers of an array, None for what JSON cannot hold."""
    return [value if np.isfinite(value) else None for value in values.tolist()]


def _number(value: float, unit: str) -> float:
    return int(value) if unit == "count" and value == int(value) else float(value)


def catalogue() -> Json:
    """Return the declaration of every metric."""
    return {"schema": "evalboard.metrics/1", "metrics": [_metric(metric) for metric in METRICS]}


def checks(outcomes: Sequence[Outcome]) -> Json:
    """Return each requirement with the number that meets it or does not."""
    return {
        "schema": "evalboard.check/1",
        "passed": all(outcome.passed for outcome in outcomes),
        "requirements": [
            {
                "requirement": outcome.requirement.text,
                "passed": outcome.passed,
                "model": outcome.model,
                "group": outcome.group,
                "metric": outcome.requirement.metric,
                **estimate(outcome.requirement.metric, outcome.estimate),
            }
            for outcome in outcomes
        ],
    }


def _metric(metric: Metric) -> Json:
    return {
        "key": metric.key,
        "name": metric.name,
        "family": metric.family.value,
        "low": finite(metric.low),
        "high": finite(metric.high),
        "better": metric.better.value,
        "formula": metric.formula,
        "summary": metric.summary,
        "source": {"text": metric.source.text, "url": metric.source.url},
        "undefined_when": metric.undefined_when,
        "infinite_when": metric.infinite_when,
        "misleads": metric.misleads,
        "synonyms": list(metric.synonyms),
        "unit": metric.unit,
        "multiclass": metric.over_classes is not None,
        "parameters": numbers(metric.parameters),
        "settable": metric.key in PARAMETRIC,
    }


def clustering(made: ClusteringEvaluation, *, samples: bool) -> Json:
    """Return every number of a clustering; with `samples` also the silhouette of each point."""
    said: Json = {
        "n": made.n,
        "n_noise": made.n_noise,
        "metrics": {name: group(part) for name, part in made.metrics.items()},
        "noise_as_cluster": group(made.noise_as_cluster),
        "clusters": [_cluster(one) for one in made.clusters],
        "contingency": _contingency(made),
    }
    return said | ({"samples": _samples(made)} if samples else {})


def _cluster(one: Cluster) -> Json:
    return {
        "cluster": one.name,
        "n": one.n,
        "silhouette": finite(one.silhouette),
        "within_ss": finite(one.within_ss),
        "spread": finite(one.spread),
        "centre": numbers(one.centre),
    }


def _contingency(made: ClusteringEvaluation) -> Json | None:
    """Return the true classes (rows) against the clusters (columns)."""
    table = made.contingency
    if table is None:
        return None
    return {
        "classes": list(table.classes),
        "clusters": list(table.clusters),
        "counts": table.counts.tolist(),
    }


def _samples(made: ClusteringEvaluation) -> list[Json]:
    """Return an entry per point; no cluster for noise, no value where there is none."""
    points = made.clustering
    rows = np.arange(1, points.n + 1) if points.rows is None else points.rows
    values = np.full(points.n, np.nan)
    nearest = np.full(points.n, -1)
    if made.tables is not None:
        values, nearest = made.tables.silhouette.values, made.tables.silhouette.nearest
    names = (*points.names, None)
    columns = (rows, points.cluster, values, nearest)
    return [
        {"row": row, "cluster": names[own], "silhouette": finite(value), "nearest": names[next_]}
        for row, own, value, next_ in zip(*(c.tolist() for c in columns), strict=True)
    ]


def comparison(made: Comparison) -> Json:
    """Return which model is better, and how sure that is."""
    return {
        "schema": "evalboard.comparison/1",
        "metric": made.metric,
        "n": made.n,
        "unit": made.unit,
        "design": made.design.value,
        "level": made.level,
        "rope": made.rope,
        "notices": notices(made.notices),
        "summary": made.summary,
        "models": {
            name: {made.metric: estimate(made.metric, e)} for name, e in made.models.items()
        },
        "differences": [_difference(gap, made.metric) for gap in made.differences],
        "tests": [_test(pair, made.metric) for pair in made.tests],
        "primary": made.primary,
        "not_applicable": [{"name": r.test, "why": r.why} for r in made.not_applicable],
        "standing": {
            "order": list(made.standing.order),
            "groups": [list(group) for group in made.standing.groups],
            "mean_ranks": list(made.standing.mean_ranks),
            "critical_difference": finite(made.standing.critical_difference),
        },
        "sample_size": _sample_size(made.sample_size),
    }


def _difference(gap: Difference, metric: str) -> Json:
    said: Json = {
        "first": gap.first,
        "second": gap.second,
        "metric": metric,
        "difference": finite(gap.difference),
        "low": gap.low,
        "high": gap.high,
        "method": gap.method,
    }
    return said | ({"note": gap.note} if gap.note else {})


def _test(pair: TestedPair, metric: str) -> Json:
    finding = pair.finding
    said: Json = {
        "name": pair.test,
        "first": pair.first,
        "second": pair.second,
        "metric": metric,
        "statistic": finite(finding.statistic),
        "p_value": finite(finding.p_value),
        "p_adjusted": finite(pair.p_adjusted),
        "details": numbers(finding.details),
    }
    return said | ({"note": finding.note} if finding.note else {})


def _sample_size(size: SampleSize | None) -> Json | None:
    if size is None:
        return None
    return {
        "metric": size.metric,
        "rows_now": size.rows_now,
        "rows_needed": size.rows_needed,
        "smallest_difference": size.smallest_difference,
        "power": size.power,
    }


def evaluation(result: Evaluation) -> Json:
    """Return every number of an evaluation, as docs/command-line.md describes it."""
    return {
        "schema": "evalboard.evaluation/1",
        **_data(result.dataset),
        "notices": notices(result.notices),
        "models": {name: _model(made, result) for name, made in result.models.items()},
        "clusterings": {
            name: clustering(made, samples=result.options.samples)
            for name, made in result.clusterings.items()
        },
    }


def inspection(dataset: Dataset) -> Json:
    """Return what was read and which role each column plays, and why; no metric."""
    reasons, positive = dataset.roles.reasons, dataset.roles.positive_reason
    return {
        "schema": "evalboard.inspection/1",
        **_data(dataset),
        "columns": list(dataset.table.names),
        "unused": list(unused(dataset.table, dataset.roles)),
        "reasons": {column: why.text for column, why in reasons.items()},
        "confidence": {column: why.confidence.value for column, why in reasons.items()},
        "positive_reason": positive.text if positive else "",
        "positive_confidence": positive.confidence.value if positive else None,
        "notices": notices(dataset.notices),
    }


def _data(dataset: Dataset) -> Json:
    source = dataset.table.source
    return {
        "source": {
            "name": source.name,
            "format": source.format,
            "tool": source.tool,
            "encoding": source.encoding,
            "separator": source.separator,
            "decimal": source.decimal,
            "thousands": source.thousands,
            "sheet": source.sheet,
            "sha256": source.digest,
            "rows": source.rows,
            "rows_used": dataset.rows_used,
        },
        "task": dataset.roles.task.value,
        "classes": list(dataset.classes),
        "positive": dataset.roles.positive,
        "roles": _roles(dataset.roles),
    }


def _roles(roles: Roles) -> Json:
    return {
        "truth": roles.truth or None,
        "fold": roles.fold,
        "weight": roles.weight,
        "group": roles.group,
        "id": roles.id,
        "models": {name: _columns(model) for name, model in roles.models.items()},
        "clusterings": dict(roles.clusterings),
        "features": list(roles.features),
        "feature_kind": roles.feature_kind.value if roles.features else None,
        "fold_scores": _fold_columns(roles.folds) if roles.folds else None,
    }


def _fold_columns(folds: FoldRoles) -> Json:
    return {
        "metric": folds.metric,
        "scores": dict(folds.scores),
        "named_by": dict(folds.named_by),
        "repeat": folds.repeat,
        "dataset": folds.dataset,
        "train_size": folds.train_size,
        "test_size": folds.test_size,
    }


def _columns(model: ModelRoles) -> Json:
    return {
        "label": model.label,
        "score": model.score,
        "probabilities": dict(model.probabilities),
        "prediction": model.prediction,
    }


def _model(made: ModelEvaluation, result: Evaluation) -> Json:
    said: Json = {
        "n": made.n,
        "confusion": {way: _confusion(part) for way, part in made.decisions.items()},
        "metrics": {name: group(part) for name, part in made.metrics.items()},
    }
    if "threshold" in made.decisions:
        said["threshold"] = result.options.threshold
    return said | {
        "per_class": {name: _groups(part) for name, part in _per_class(made).items()},
        "averages": {way: _groups(part.averages) for way, part in made.decisions.items()},
        "curves": _curves(made),
        "folds": [
            {"fold": fold.fold, "n": fold.n, "metrics": _groups(fold.metrics)}
            for fold in made.folds
        ],
    }


def _per_class(made: ModelEvaluation) -> dict[str, Mapping[str, Estimates]]:
    parts = {way: part.per_class for way, part in made.decisions.items()}
    return parts | ({"ranking": made.class_ranking} if made.class_ranking else {})


def _confusion(part: Decisions) -> Json:
    confusion = part.confusion
    return {"classes": list(confusion.classes), "counts": confusion.counts.tolist()}


def _groups(groups: Mapping[str, Estimates]) -> Json:
    return {name: group(part) for name, part in groups.items()}


def _curves(made: ModelEvaluation) -> Json:
    curves = {
        "roc": (made.roc, ("fpr", "tpr", "threshold")),
        "pr": (made.precision_recall, ("recall", "precision", "threshold")),
        "calibration": (made.calibration, _CALIBRATION),
    }
    return {
        name: {column: array(getattr(curve, column)) for column in columns}
        for name, (curve, columns) in curves.items()
        if curve is not None
    }


_CALIBRATION = (
    "low",
    "high",
    "n",
    "mean_probability",
    "share_positive",
    "share_low",
    "share_high",
)
