"""A band that holds a whole ROC curve, not just each of its points, with the wanted confidence."""

from dataclasses import dataclass

import numpy as np

from evalcore.outcomes import Floats, frozen
from evalcore.resampling.bootstrap import PLAN, Plan, chunks, draw_cells
from evalcore.tables.partial import rates
from evalcore.tables.scores import ScoreTable
from evalcore.tables.weights import Counts

_GRID = 201
"""Rates at which the band is given."""

_SEGMENTS = 400
"""Thresholds that are kept; the cost does not depend on how many rows lie between them."""

_FEW = 5
"""Nearer than so many positives to either end, a rate is too coarse to be normal."""

_DRAWS = 128
"""Draws that are made at once."""


@dataclass(frozen=True, eq=False)
class RocBand:
    """The band around a ROC curve.

    Attributes:
        fpr: (g,) false positive rates, rising from 0 to 1.
        tpr: (g,) true positive rate of the curve; NaN where one class has no rows.
        low: (g,) lower edge, at least 0; NaN with too few positives for a band.
        high: (g,) upper edge, at most 1.
        method: "sup-t".
        level: Confidence that the whole true curve lies between the edges.
        resamples: Bootstrap draws behind it.
    """

    fpr: Floats
    tpr: Floats
    low: Floats
    high: Floats
    method: str
    level: float
    resamples: int

    def __post_init__(self) -> None:
        for name in ("fpr", "tpr", "low", "high"):
            object.__setattr__(self, name, frozen(getattr(self, name)))


def roc_band(table: ScoreTable, rng: np.random.Generator, plan: Plan = PLAN) -> RocBand:
    """Return a band of as many standard errors as the worst point of a resampled curve is off.

    Standard errors have a floor of sqrt(5) positives, and points within 5 positives of either end
    are left out of the search for the worst, since they are too coarse to be normal. Source:
    Montiel Olea and Plagborg-Moller (2019), Journal of Applied Econometrics 34(1).

    >>> score, truth = np.arange(40.0), np.arange(40) % 4 > 1
    >>> band = roc_band(ScoreTable.from_scores(score, truth), np.random.default_rng(0))
    >>> bool(np.all((band.low <= band.tpr) & (band.tpr <= band.high)))
    True
    """
    fpr = np.linspace(0, 1, _GRID)
    coarse = table.thinned(_SEGMENTS)
    curve = _interpolated(fpr, coarse.fp, coarse.tp)
    inner = (curve * table.positives >= _FEW) & ((1 - curve) * table.positives >= _FEW)
    if not inner.any():
        nothing = np.full(_GRID, np.nan)
        return RocBand(fpr, curve, nothing, nothing, "sup-t", plan.level, plan.resamples)
    draws = _curves(coarse, fpr, rng, plan)
    error = np.maximum(draws.std(axis=0), np.sqrt(_FEW) / table.positives)
    worst = np.max(np.abs(draws - curve)[:, inner] / error[inner], axis=1)
    reach = np.quantile(worst, plan.level) * error
    low, high = np.maximum(curve - reach, 0.0), np.minimum(curve + reach, 1.0)
    return RocBand(fpr, curve, low, high, "sup-t", plan.level, plan.resamples)


def _curves(table: ScoreTable, fpr: Floats, rng: np.random.Generator, plan: Plan) -> Floats:
    """Return (b, g) true positive rates of resamples that hold both classes."""
    cells = np.concatenate(table.steps()).astype(np.float64)
    curves = []
    for size, child in chunks(plan.resamples, rng, _DRAWS):
        for drawn in draw_cells(cells, size, child):
            tp, fp = np.cumsum(drawn.reshape(2, -1), axis=1)
            if tp[-1] and fp[-1]:
                curves.append(_interpolated(fpr, fp, tp))
    return np.array(curves)


def _interpolated(fpr: Floats, fp: Counts, tp: Counts) -> Floats:
    """Return the true positive rate at each rate of false ones; the top of a vertical line."""
    return np.interp(fpr, rates(fp), rates(tp))
