"""Logistic regression on the log odds of a model, and maps that make probabilities truer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Floats
from evalcore.tables.confusion import blocks
from evalcore.tables.reliability import rising_shares
from evalcore.tables.scores import ScoreTable

_STEPS = 30
"""Newton's method doubles the digits with each step near the top: ten are the rule."""

_FAR = 1e3
"""A step as large as this climbs towards infinity: the log odds separate the classes."""

_HALVINGS = 20
"""A step a million times shorter moves nothing."""

_SLACK = 1e-12
"""Relative rounding of the likelihood, by which it may seem to fall at the top."""

_POOLS = (1 << 11, 1 << 17)
"""Pools of log odds for first fits, after which one step is left on millions of scores."""

_SURE = 0.5
"""A Newton step that moves no log odds further raises the likelihood: meanwhile the curvature grows
by at most exp(0.5), and it would have to double. Source: Bach (2010), EJS 4.
"""

COARSE = 0.05  # half of a single digit: it cannot stand for a probability
_SMALL = 1e-7
"""After a step so small, relative to where it leads, the next would be about its square."""


@dataclass(frozen=True)
class CalibrationLine:
    """Log odds of the truth as a line in the model's log odds; pairs of (value, standard error).

    NaN where there is no finite fit; `in_the_large` is the intercept with the slope held at 1.
    Source: Cox (1958), Biometrika 45.
    """

    slope: tuple[float, float]
    intercept: tuple[float, float]
    in_the_large: tuple[float, float]

    @classmethod
    def from_scores(cls, table: ScoreTable, clip: float = 0.0) -> Self:
        """Fit both lines by maximum likelihood, probabilities first moved into [clip, 1 - clip].

        Without a `clip` by `held_at`. There is no fit where a probability is 0 or 1 after that,
        where one class has no rows, or where the log odds separate the classes.
        """
        cells = _cells(table, clip or held_at(table))
        intercept, slope = _fit(cells, [True, True])
        return cls(slope, intercept, _fit(cells, [True, False])[0])


def held_at(table: ScoreTable) -> float:
    """Return how far from 0 and 1 rounded probabilities of 0 and 1 count: half of a digit.

    It is 0, so that there is no fit, where rounding does not explain, at a risk of 2.5%, how often
    they were wrong, or is that of a single digit, which is too coarse.
    """
    from scipy.special import betainc

    ends = at_ends(table)
    half = half_digit(table.threshold) if ends else 0.0
    told = all(betainc(max(wrong, 1e-9), n - wrong + 1, half) >= 0.025 for _, n, wrong in ends)
    return half if ends and told and half < COARSE else 0.0


def at_ends(table: ScoreTable) -> list[tuple[int, float, float]]:
    """Return the probabilities of exactly 0, then of 1: which, their rows, and the wrong ones."""
    last = len(table.threshold) - 1
    known = [(e, at) for e, at in ((0, last), (1, 0)) if (table.threshold[at:][:1] == e).any()]
    steps = [[c[at] - (c[at - 1] if at else 0) for _, at in known] for c in (table.tp, table.fp)]
    return [(end, float(sum(n)), float(n[end])) for (end, _), *n in zip(known, *steps, strict=True)]


def half_digit(probabilities: Floats) -> float:
    """Return half of the last digit that probabilities are written with, up to six; 0 beyond."""
    parts = probabilities[:: len(probabilities) // 1000 + 1], probabilities  # few settle it mostly
    for k in range(1, 7):
        if all((abs(part - part.round(k)) <= 10.0 ** -(k + 6)).all() for part in parts):
            return 0.5 / 10.0**k
    return 0.0


def sharpness(table: ScoreTable, clip: float = 0.0) -> tuple[float, float]:
    """Return the slope of the line through log odds 0, and its error; NaN as for the others."""
    return _fit(_cells(table, clip), [False, True])[1]


class _Cells(NamedTuple):
    """Log odds with the positives and all rows at each."""

    odds: Floats
    positive: Floats
    rows: Floats


def _cells(table: ScoreTable, clip: float) -> _Cells:
    positive, negative = (counts.astype(np.float64) for counts in table.steps())
    return _Cells(_log_odds(table.threshold, clip), positive, positive + negative)


def _pooled(cells: _Cells, most: int) -> _Cells:
    """Pool neighbouring cells, so that `most` are left."""
    starts = np.arange(most) * len(cells.odds) // most
    rows = np.add.reduceat(cells.rows, starts)
    odds = np.add.reduceat(cells.odds * cells.rows, starts) / rows
    return _Cells(odds, np.add.reduceat(cells.positive, starts), rows)


def _fit(cells: _Cells, coordinates: list[bool]) -> list[tuple[float, float]]:
    """Return intercept and slope with their errors, of which those named are free."""
    free, place = np.array(coordinates), np.array([0.0, 1.0])
    if not 0 < cells.positive.sum() < cells.rows.sum() or not np.isfinite(cells.odds).all():
        return [(np.nan, np.nan)] * 2
    # Coarse fits spare the exact one steps.
    coarse = (_pooled(cells, most) for most in _POOLS if most < len(cells.odds))
    for some in (*coarse, cells):
        top = _climb(some, place, free)
        if top is None:
            return [(np.nan, np.nan)] * 2
        place, information = top
    errors = np.full(2, np.nan)
    errors[free] = np.sqrt(np.linalg.inv(information[np.ix_(free, free)]).diagonal())
    if not free[1]:
        errors *= _misfit(cells, place)
    return [(float(value), float(error)) for value, error in zip(place, errors, strict=True)]


def _misfit(cells: _Cells, place: Floats) -> float:
    """Return how much more the rows vary than the fit says, as a wrong slope does; at least 1.

    Times it, a standard error is that of the sandwich, which few rows make too small; then the
    model's own stands. Source: Huber (1967), Berkeley Symposium 5.
    """
    expected = _expit(place[0] + place[1] * cells.odds)
    seen = cells.positive * (1 - expected) ** 2 + (cells.rows - cells.positive) * expected**2
    promised = cells.rows * expected * (1 - expected)
    return max(float(np.sqrt(seen.sum() / promised.sum())), 1.0)


def _climb(cells: _Cells, place: Floats, free: NDArray[np.bool_]) -> tuple[Floats, Floats] | None:
    """Return the place of the highest likelihood and the information there; None without one.

    Newton steps are taken in the free coordinates until they vanish.
    """
    farthest = float(np.abs(cells.odds).max())
    for _ in range(_STEPS):
        gradient, information = _slope_and_curvature(cells, place)
        some = information[np.ix_(free, free)]
        if not np.linalg.cond(some) < 1e14:
            return None
        step = np.zeros(2)
        step[free] = np.linalg.solve(some, gradient[free])
        if abs(step[0]) + abs(step[1]) * farthest > _SURE:
            step = _shortened(cells, place, step)
        place = place + step
        if np.abs(step).max() < _SMALL * (1 + np.abs(place).max()):
            return place, _slope_and_curvature(cells, place)[1]
        if np.abs(place).max() > _FAR:
            return None
    return None


def _shortened(cells: _Cells, place: Floats, step: Floats) -> Floats:
    """Return a step halved until the likelihood does not fall; far from the top, Newton's would."""
    here = _likelihood(cells, place)
    for _ in range(_HALVINGS):
        if _likelihood(cells, place + step) >= here - _SLACK * abs(here):
            break
        step = step / 2
    return step


def _likelihood(cells: _Cells, place: Floats) -> float:
    odds = place[0] + place[1] * cells.odds
    return float((cells.positive * odds - cells.rows * np.logaddexp(0.0, odds)).sum())


def _slope_and_curvature(cells: _Cells, place: Floats) -> tuple[Floats, Floats]:
    """Return the gradient of the log likelihood and the information matrix."""
    gradient, information = np.zeros(2), np.zeros((2, 2))
    for some in blocks(len(cells.odds)):
        odds, positive, rows = (part[some] for part in cells)
        expected = _expit(place[0] + place[1] * odds)
        rest = positive - rows * expected
        weight = rows * expected * (1 - expected)
        first = weight * odds
        cross, square = first.sum(), np.einsum("i,i->", first, odds)
        gradient += rest.sum(), np.einsum("i,i->", rest, odds)
        information += [[weight.sum(), cross], [cross, square]]
    return gradient, information


CLIP = 1e-9
"""Probabilities of 0 and 1 have no log odds: they are moved in by so much."""

HOTTEST = 1000.0
"""Highest temperature: at it all is a coin toss, and below 0 the order would be turned round."""

Map = Callable[[Floats], Floats]
"""From (m,) probabilities to (m,) truer ones; NaN where there is no fit."""


def platt(table: ScoreTable) -> Map:
    """Fit a line in the log odds by maximum likelihood.

    Source: Platt (1999), Advances in Large Margin Classifiers, without his smoothing of the truth.
    """
    line = CalibrationLine.from_scores(table, CLIP)
    intercept, slope = line.intercept[0], line.slope[0]
    return lambda probability: _expit(intercept + slope * _log_odds(probability))


def temperature(table: ScoreTable) -> Map:
    """Fit one factor of the log odds: 1 over the temperature, which is above 0.

    The likelihood has one top, so that where this lies outside the bound, the bound is best.

    Source: Guo et al. (2017), On calibration of modern neural networks, ICML.
    """
    slope = np.maximum(sharpness(table, CLIP)[0], 1 / HOTTEST)
    return lambda probability: _expit(slope * _log_odds(probability))


def isotonic(table: ScoreTable) -> Map:
    """Fit a rising step function; between its probabilities it is a straight line.

    Source: Zadrozny and Elkan (2002), KDD.
    """
    positive, negative = (step[::-1].astype(np.float64) for step in table.steps())
    if not (table.positives and table.negatives):
        return lambda probability: np.full(len(probability), np.nan)
    share, at = rising_shares(positive, positive + negative), table.threshold[::-1]
    return lambda probability: np.interp(probability, at, share)


METHODS: Mapping[str, Callable[[ScoreTable], Map]] = MappingProxyType(
    {"platt": platt, "isotonic": isotonic, "temperature": temperature}
)
"""Ways to recalibrate, by key."""


def _log_odds(probability: Floats, clip: float = CLIP) -> Floats:
    inside = np.clip(probability, clip, 1 - clip)
    with np.errstate(divide="ignore"):
        odds: Floats = np.log(inside) - np.log1p(-inside)
    return odds


def _expit(odds: Floats) -> Floats:
    from scipy.special import expit

    probability: Floats = expit(odds)
    return probability
