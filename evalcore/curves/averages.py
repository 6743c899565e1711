"""Averages of curves over classes, each class against all others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.curves.precision_recall import PrecisionRecallCurve
from evalcore.curves.roc import RocCurve
from evalcore.outcomes import Floats, frozen
from evalcore.tables.scores import ScoreTable

Limits = Callable[[Floats], tuple[Floats, Floats]]
"""From (g,) x to the heights of a curve just before and just after each."""


@dataclass(frozen=True, eq=False)
class MeanCurve:
    """The average height of several curves at each x.

    Attributes:
        x: (g,) rising in the weak sense; twice the same where a curve jumps.
        y: (g,) average height; NaN where a class has no curve.
    """

    x: Floats
    y: Floats

    def __post_init__(self) -> None:
        for name in ("x", "y"):
            object.__setattr__(self, name, frozen(getattr(self, name)))

    @property
    def area(self) -> float:
        """Area under straight lines: the average of the areas under the curves."""
        return float(np.trapezoid(self.y, self.x)) if len(self.x) > 1 else np.nan


def mean_roc(tables: Sequence[ScoreTable], weight: Sequence[float] | None = None) -> MeanCurve:
    """Return the vertical average of ROC curves, of equal or of (k,) given weights.

    Source: Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.4, 0.2]), np.array([1, 1, 0]))
    >>> mean_roc([table, table]).area
    1.0
    """
    curves = [RocCurve.from_table(table) for table in tables]
    knots = [curve.fpr for curve in curves]
    return _mean([_line(curve) for curve in curves], knots, weight)


def mean_precision_recall(
    tables: Sequence[ScoreTable], weight: Sequence[float] | None = None
) -> MeanCurve:
    """Return the average precision of stepped curves at each recall.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.4, 0.2]), np.array([1, 0, 1]))
    >>> mean_precision_recall([table]).area == PrecisionRecallCurve.from_table(
    ...     table).average_precision
    True
    """
    curves = [PrecisionRecallCurve.from_table(table) for table in tables]
    knots = [np.append(0.0, curve.recall) for curve in curves]
    return _mean([_steps(curve) for curve in curves], knots, weight)


def _mean(
    curves: Sequence[Limits], knots: Sequence[Floats], weight: Sequence[float] | None
) -> MeanCurve:
    x = np.unique(np.concatenate([[0.0, 1.0], *knots]))
    share = np.ones(len(curves)) if weight is None else np.asarray(weight, dtype=np.float64)
    limits = np.array([curve(x) for curve in curves])
    before, after = np.tensordot(share / share.sum(), limits, axes=1)
    return MeanCurve(np.repeat(x, 2), np.column_stack([before, after]).ravel())


def _line(curve: RocCurve) -> Limits:
    """Return the limits of straight lines, some of them upright."""

    def limits(x: Floats) -> tuple[Floats, Floats]:
        if np.isnan(curve.fpr).any() or not len(curve.fpr):
            return np.full(len(x), np.nan), np.full(len(x), np.nan)
        after = np.interp(x, curve.fpr, curve.tpr)
        first = curve.fpr.searchsorted(x)
        jumps = (first < len(curve.fpr)) & (curve.fpr[np.minimum(first, len(curve.fpr) - 1)] == x)
        return np.where(jumps, curve.tpr[np.minimum(first, len(curve.fpr) - 1)], after), after

    return limits


def _steps(curve: PrecisionRecallCurve) -> Limits:
    """Return the limits of steps: each precision holds from the recall before it."""

    def limits(x: Floats) -> tuple[Floats, Floats]:
        if np.isnan(curve.recall).any() or not len(curve.recall):
            return np.full(len(x), np.nan), np.full(len(x), np.nan)
        first = np.minimum(curve.recall.searchsorted(x), len(curve.recall) - 1)
        after = np.minimum(curve.recall.searchsorted(x, side="right"), len(curve.recall) - 1)
        # There is nothing before recall 0, nor after recall 1.
        first[0], after[-1] = after[0], first[-1]
        return curve.precision[first], curve.precision[after]

    return limits
