"""Logistic regression of the truth on the log odds that a model gave."""

from typing import NamedTuple

import numpy as np

from evalcore.outcomes import Floats
from evalcore.tables.scores import ScoreTable

_STEPS = 30
_COARSE = 2048


class Fit(NamedTuple):
    """Coefficients with their standard errors; NaN where there is no finite fit."""

    intercept: float
    slope: float
    intercept_error: float
    slope_error: float


_NO_FIT = Fit(np.nan, np.nan, np.nan, np.nan)


class _Cells(NamedTuple):
    """Log odds with the positives and all rows at each."""

    odds: Floats
    positive: Floats
    rows: Floats


def fit(table: ScoreTable, clip: float = 0.0, *, slope: float | None = None) -> Fit:
    """Fit P(positive) = 1 / (1 + exp(-(a + b log odds))) by maximum likelihood.

    Probabilities are first moved into [clip, 1 - clip]; with `slope` given, b is fixed to it.
    NaN where a log odds is infinite, where one class has no rows, or where the log odds separate
    the classes. Source: Cox (1958), Biometrika 45.
    """
    cells = _cells(table, clip)
    if not table.positives or not table.negatives or not np.isfinite(cells.odds).all():
        return _NO_FIT
    if slope is None and cells.odds[0] == cells.odds[-1]:
        return _NO_FIT
    free = np.array([True, slope is None])
    start = np.array([0.0, 1.0 if slope is None else slope])
    # The coarse fit costs little and leaves one or two steps for the exact one.
    near = _climb(_coarse(cells), start, free)
    return _climb_with_errors(cells, start if near is None else near, free)


def _cells(table: ScoreTable, clip: float) -> _Cells:
    positive, negative = (counts.astype(np.float64) for counts in table.steps())
    probability = np.clip(table.threshold, clip, 1 - clip) if clip else table.threshold
    with np.errstate(divide="ignore"):
        odds = np.log(probability) - np.log1p(-probability)
    return _Cells(odds, positive, positive + negative)


def _coarse(cells: _Cells) -> _Cells:
    """Pool neighbouring cells, so that at most `_COARSE` are left."""
    size = len(cells.odds)
    if size <= _COARSE:
        return cells
    starts = np.arange(_COARSE) * size // _COARSE
    rows = np.add.reduceat(cells.rows, starts)
    odds = np.add.reduceat(cells.odds * cells.rows, starts) / rows
    return _Cells(odds, np.add.reduceat(cells.positive, starts), rows)


def _climb(cells: _Cells, start: Floats, free: Floats) -> Floats | None:
    """Take Newton steps until they vanish; None where they do not."""
    place = start
    for _ in range(_STEPS):
        gradient, information = _slope_and_curvature(cells, place)
        step = _solve(gradient, information, free)
        if step is None or np.abs(step).max() > 1e3:
            return None
        place = place + step
        if np.abs(step).max() < 1e-10 * (1 + np.abs(place).max()):
            return place
    return None


def _climb_with_errors(cells: _Cells, start: Floats, free: Floats) -> Fit:
    place = _climb(cells, start, free)
    if place is None:
        return _NO_FIT
    _, information = _slope_and_curvature(cells, place)
    if not free[1]:
        return Fit(place[0], place[1], 1 / np.sqrt(information[0, 0]), 0.0)
    errors = np.sqrt(np.linalg.inv(information).diagonal())
    return Fit(*map(float, (*place, *errors)))


def _slope_and_curvature(cells: _Cells, place: Floats) -> tuple[Floats, Floats]:
    """Return the gradient of the log likelihood and the information matrix."""
    from scipy.special import expit

    expected = expit(place[0] + place[1] * cells.odds)
    rest = cells.positive - cells.rows * expected
    weight = cells.rows * expected * (1 - expected)
    first = weight * cells.odds
    gradient = np.array([rest.sum(), np.einsum("i,i->", rest, cells.odds)])
    cross = first.sum()
    information = np.array([[weight.sum(), cross], [cross, np.einsum("i,i->", first, cells.odds)]])
    return gradient, information


def _solve(gradient: Floats, information: Floats, free: Floats) -> Floats | None:
    if not free[1]:
        return np.array([gradient[0] / information[0, 0], 0.0]) if information[0, 0] else None
    if np.linalg.cond(information) > 1e15:
        return None
    return np.linalg.solve(information, gradient).astype(np.float64)
