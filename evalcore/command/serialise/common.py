"""What all answers share: strict text, numbers with a reason where there is none, notices."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.command.asking import options_asked
from evalcore.errors import EvalError, Notice
from evalcore.metrics.catalog import by_key
from evalcore.metrics.spec import Estimate

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
