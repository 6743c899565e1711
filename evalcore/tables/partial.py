"""The area under a part of the ROC curve, and its standard form."""

from typing import Literal

import numpy as np

from evalcore.outcomes import Floats, Number
from evalcore.tables.scores import ScoreTable
from evalcore.tables.weights import Counts

Along = Literal["fpr", "tpr"]


def rates(cumulative: Counts) -> Floats:
    """Return (..., m + 1) shares of running counts, after a first 0, in their last.

    NaN where that is 0.

    >>> rates(np.array([1, 4])).tolist()
    [0.0, 0.25, 1.0]
    """
    *draws, rows = cumulative.shape
    shares = np.full((*draws, rows + 1), np.nan)
    if rows:
        whole = cumulative[..., -1:]
        shares[..., :1] = np.where(whole > 0, 0.0, np.nan)
        np.divide(cumulative, whole, out=shares[..., 1:], where=whole > 0)
    return shares


def partial_roc_area(
    table: ScoreTable, low: float, high: float, *, along: Along = "fpr", standardised: bool = True
) -> Number:
    """Return the area under the ROC curve where `along` lies in [low, high], within [0, 1].

    Along "tpr" it is the area between the curve and fpr = 1. Standardised, a perfect curve has 1
    and the diagonal 0.5 over any range. NaN where one class has no rows. Running counts of shape
    (..., m) have (...) areas. Source: McClish (1989), Medical Decision Making 9(3).

    >>> table = ScoreTable.from_scores(np.array([0.5, 0.5]), np.array([1, 0]))
    >>> partial_roc_area(table, 0.0, 0.5), partial_roc_area(table, 0.0, 0.5, standardised=False)
    (0.5, 0.125)
    """
    fpr, tpr = rates(table.fp), rates(table.tp)
    x, y = (fpr, tpr) if along == "fpr" else (tpr, 1 - fpr)
    area = _area_between(x, y, low, high)
    if not standardised:
        return area
    if low >= high:
        return np.nan
    width, mean = high - low, (low + high) / 2
    least = width * (mean if along == "fpr" else 1 - mean)
    return (1 + (area - least) / (width - least)) / 2


def _area_between(x: Floats, y: Floats, low: float, high: float) -> Number:
    """Integrate the line through (x, y), x rising in the weak sense, over [low, high]."""
    if x.shape[-1] < 2:
        return np.nan
    # What lies beyond, in every draw, adds nothing.
    reached = 2 + int((x < high).sum(axis=-1).max())
    x, y = x[..., :reached], y[..., :reached]
    inside = np.clip(x, low, high)
    left, right = inside[..., :-1], inside[..., 1:]
    run, rise = np.diff(x), np.diff(y)
    slope = np.divide(rise, run, out=np.zeros_like(run), where=run > 0)
    middle = y[..., :-1] + slope * ((left + right) / 2 - x[..., :-1])
    # A product of 0 and NaN stays NaN, so that a curve without one class has no area.
    area: Number = np.sum((right - left) * middle, axis=-1)
    return area if np.ndim(area) else float(area)
