"""The declarations of metrics, and requirements held against them, as plain values for JSON."""

from collections.abc import Sequence

from evalcore.command.checks import Outcome
from evalcore.command.serialise.common import Json, estimate, finite, numbers
from evalcore.metrics.catalog import METRICS, PARAMETRIC
from evalcore.metrics.spec import Metric


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
