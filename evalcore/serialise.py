"""Results as plain values for strict JSON: no NaN, no Infinity, a reason in their place."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.checks import Outcome
from evalcore.errors import EvalError, Notice
from evalcore.intake.model import Dataset, ModelRoles, Roles
from evalcore.metrics.catalog import METRICS, PARAMETRIC, by_key
from evalcore.metrics.spec import Estimate, Metric
from evalcore.results import Decisions, Estimates, Evaluation, ModelEvaluation

Json = dict[str, Any]


def text(value: Any) -> str:
    """Return JSON text; a number that JSON does not know is a defect and raises ValueError."""
    return json.dumps(value, allow_nan=False, ensure_ascii=False, indent=2)


def evaluation(result: Evaluation) -> Json:
    """Return every number of an evaluation, as docs/json.md describes it."""
    return {
        "schema": "evalboard.evaluation/1",
        **_data(result.dataset),
        "notices": notices(result.notices),
        "models": {name: _model(made, result) for name, made in result.models.items()},
        "clusterings": {},
    }


def inspection(dataset: Dataset) -> Json:
    """Return what was read and which role each column plays, and why; no metric."""
    return {
        "schema": "evalboard.inspection/1",
        **_data(dataset),
        "columns": list(dataset.table.names),
        "reasons": dict(dataset.roles.reasons),
        "positive_reason": dataset.roles.positive_reason,
        "notices": notices(dataset.notices),
    }


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


def error(problem: EvalError) -> Json:
    """Return why input or an option cannot be used."""
    said: Json = {"code": problem.code, "message": problem.message, "rows": list(problem.rows)}
    if problem.column is not None:
        said["column"] = problem.column
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
    said: Json = {"value": _number(made.value, key)}
    if made.method is not None:
        said |= {"low": made.low, "high": made.high, "method": made.method, "level": made.level}
    if made.at is not None:
        said["threshold"] = made.at
    if settings := _settings(by_key()[key]):
        said["parameters"] = settings
    return said | ({"note": made.note} if made.note else {})


def sentence(reason: str) -> str:
    """Return a reason as a sentence of its own.

    >>> sentence("no row is positive")
    'No row is positive.'
    """
    return f"{reason[:1].upper()}{reason[1:]}." if reason else "There is no value."


def _data(dataset: Dataset) -> Json:
    source = dataset.table.source
    used = max((outcomes.n for outcomes in dataset.models.values()), default=0)
    return {
        "source": {
            "name": source.name,
            "format": source.format,
            "tool": source.tool,
            "encoding": source.encoding,
            "separator": source.separator,
            "decimal": source.decimal,
            "sheet": source.sheet,
            "sha256": source.digest,
            "rows": source.rows,
            "rows_used": used,
        },
        "task": dataset.roles.task.value,
        "classes": list(dataset.classes),
        "positive": dataset.roles.positive,
        "roles": _roles(dataset.roles),
    }


def _roles(roles: Roles) -> Json:
    return {
        "truth": roles.truth,
        "fold": roles.fold,
        "weight": roles.weight,
        "group": roles.group,
        "id": roles.id,
        "models": {name: _columns(model) for name, model in roles.models.items()},
        "clusterings": dict(roles.clusterings),
        "features": list(roles.features),
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
        "metrics": {name: _group(group) for name, group in made.metrics.items()},
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
    return {name: _group(group) for name, group in groups.items()}


def _group(group: Estimates) -> Json:
    return {key: estimate(key, made) for key, made in group.items()}


def _curves(made: ModelEvaluation) -> Json:
    curves = {
        "roc": (made.roc, ("fpr", "tpr", "threshold")),
        "pr": (made.precision_recall, ("recall", "precision", "threshold")),
        "calibration": (made.calibration, _CALIBRATION),
    }
    return {
        name: {column: _list(getattr(curve, column)) for column in columns}
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


def _metric(metric: Metric) -> Json:
    return {
        "key": metric.key,
        "name": metric.name,
        "family": metric.family.value,
        "low": _finite(metric.low),
        "high": _finite(metric.high),
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
        "parameters": _settings(metric),
        "settable": metric.key in PARAMETRIC,
    }


def _settings(metric: Metric) -> Json:
    return {name: _finite(value) for name, value in metric.parameters.items()}


def _number(value: float, key: str) -> float:
    return int(value) if by_key()[key].unit == "count" and value == int(value) else float(value)


def _list(values: NDArray[Any]) -> list[Any]:
    """Return numbers, with null for what is undefined or lies above every score."""
    return [value if np.isfinite(value) else None for value in values.tolist()]


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None
