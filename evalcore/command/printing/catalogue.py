"""The metrics, and requirements held against them, as text for people."""

from collections.abc import Iterable

from evalcore.command.checks import Outcome
from evalcore.command.printing.common import cells, table, visible
from evalcore.metrics.catalog import METRICS, by_key
from evalcore.metrics.spec import Metric


def catalogue() -> str:
    """Return the metrics: key, name, range, direction and meaning."""
    rows = [(m.key, visible(m.name), _range(m), m.better.value, m.summary) for m in METRICS]
    return "\n".join(table([("key", "name", "range", "better", "meaning"), *rows]))


def checks(outcomes: Iterable[Outcome]) -> str:
    """Return each requirement with the number that meets it or does not."""
    rows = [
        (
            "passed" if outcome.passed else "FAILED",
            visible(outcome.requirement.text),
            visible(outcome.model),
            outcome.group,
            *cells(outcome.estimate, by_key()[outcome.requirement.metric].unit),
        )
        for outcome in outcomes
    ]
    return "\n".join(table(rows))


def _range(metric: Metric) -> str:
    low, high = (f"{end:.4g}" for end in (metric.low, metric.high))
    return f"{low} to {high}"
