"""Maps that make probabilities truer, each fitted to one score table and applied to another."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from evalcore.metrics.logistic import CalibrationLine, sharpness
from evalcore.outcomes import Floats
from evalcore.tables.reliability import rising_shares
from evalcore.tables.scores import ScoreTable

CLIP = 1e-9
"""Probabilities of 0 and 1 have no log odds: they are moved in by so much."""

HOTTEST = 1000.0
"""Highest temperature: at it all is a coin toss, and below 0 the order would be turned round."""

Map = Callable[[Floats], Floats]
"""From (m,) probabilities to (m,) truer ones; NaN where there is no fit."""


def platt(table: ScoreTable) -> Map:
    """Fit a line in the log odds by maximum likelihood.

    Source: Platt (1999), Advances in Large Margin Classifiers, without his smoothing of the truth.

    >>> table = ScoreTable.from_scores(np.array([0.75, 0.25] * 2), np.array([1, 0, 0, 1]))
    >>> platt(table)(np.array([0.75])).round(6).tolist()
    [0.5]
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


def _log_odds(probability: Floats) -> Floats:
    inside = np.clip(probability, CLIP, 1 - CLIP)
    odds: Floats = np.log(inside) - np.log1p(-inside)
    return odds


def _expit(odds: Floats) -> Floats:
    from scipy.special import expit

    probability: Floats = expit(odds)
    return probability
