"""What is compared: a metric of the catalogue, or a name that a file gives to its scores."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import floor, isfinite, log10

from evalcore.errors import Notice
from evalcore.metrics.catalog import METRICS
from evalcore.metrics.spec import Better, Metric

USUAL = 0.01
"""For shares, areas and correlations."""


@dataclass(frozen=True)
class Compared:
    """What there is to say about the scores that are compared.

    Attributes:
        key: Key of the catalogue, or the name in the file.
        name: Its name for people.
        better: Which direction is good.
        range: Smallest and largest possible value.
        notices: What is assumed about it.
    """

    key: str
    name: str
    better: Better
    range: tuple[float, float]
    notices: tuple[Notice, ...] = ()


def compared(name: str) -> Compared:
    """Return what is known about scores of this name; of an unknown one, high is taken as good.

    >>> compared("AUC").key, compared("rmse").better.value, compared("my_score").key
    ('roc_auc', 'lower', 'my_score')
    """
    metric = _by_name().get(_plain(name))
    if metric is not None:
        return Compared(metric.key, metric.name, metric.better, (metric.low, metric.high))
    if _plain(name) in _ERRORS:
        return Compared(name, name, Better.LOWER, (-float("inf"), float("inf")))
    told = Notice(
        "unknown-metric",
        f'"{name}" is not a known metric: a high score is taken to be good.',
        "warning",
    )
    return Compared(name, name, Better.HIGHER, (-float("inf"), float("inf")), (told,))


def usual_rope(bounds: tuple[float, float], values: Iterable[float]) -> float:
    """Return 0.01 for a metric that has a largest value, else a hundredth of the largest one here.

    Rounded to one digit, in the unit of the metric.

    >>> usual_rope((0, 1), [0.8]), usual_rope((0, float("inf")), [54.3, 61.2])
    (0.01, 0.6)
    """
    high = bounds[1]
    largest = max((abs(value) for value in values if isfinite(value)), default=0.0)
    if isfinite(high) or not largest:
        return USUAL
    hundredth = largest / 100
    return round(hundredth, -floor(log10(hundredth)))


_ERRORS = frozenset({"error", "loss", "cost", "risk"})


def _plain(name: str) -> str:
    return "".join(part for part in name.casefold() if part.isalnum())


@cache
def _by_name() -> dict[str, Metric]:
    """Return metrics by key, name and synonym; where two share a name, the first in the list."""
    found: dict[str, Metric] = {}
    for name_of in (lambda m: (m.key, m.name), lambda m: m.synonyms):
        for metric in METRICS:
            for name in name_of(metric):
                found.setdefault(_plain(name), metric)
    return found
