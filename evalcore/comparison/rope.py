"""Differences that make no difference in practice, where nobody has said how large these are."""

from collections.abc import Iterable
from math import floor, isfinite, log10

USUAL = 0.01
"""For shares, areas and correlations."""


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
