"""The rows on which two models say different things."""

import numpy as np

from evalcore.contests.contenders import Contender, Predictor
from evalcore.evaluation.decided import Judged, decided
from evalcore.outcomes import BinaryOutcomes, Codes, Floats, Rows, data_rows

FARTHEST = 200
"""Of predicted numbers, which nearly always differ, so many rows are given."""


def disagreeing(one: Contender, other: Contender, thresholds: tuple[float, float]) -> Rows:
    """Return the data rows, 1 being the first, on which two models on the same rows disagree.

    Classes that differ, decided by scores at the `thresholds` where there are scores, those that
    are farthest apart first. Of predicted numbers the rows that are farthest apart.
    """
    return data_rows(one.outcomes, _apart(one, other, thresholds))


def _apart(one: Contender, other: Contender, thresholds: tuple[float, float]) -> Codes:
    if isinstance(one, Predictor) and isinstance(other, Predictor):
        distance = np.abs(one.outcomes.prediction - other.outcomes.prediction)
        order = np.argsort(-distance, kind="stable")[:FARTHEST]
        return order[distance[order] > 0]
    first, second = one.outcomes, other.outcomes
    assert isinstance(first, Judged)
    assert isinstance(second, Judged)
    codes = [_decision(told, at) for told, at in zip((first, second), thresholds, strict=True)]
    places = np.flatnonzero(codes[0] != codes[1])
    return places[np.argsort(-_distance(first, second)[places], kind="stable")]


def _decision(outcomes: Judged, threshold: float) -> Codes:
    scored = isinstance(outcomes, BinaryOutcomes) and outcomes.score is not None
    if scored:
        return decided(outcomes, "threshold", threshold)
    return decided(outcomes, "labels" if outcomes.label is not None else "argmax")


def _distance(first: Judged, second: Judged) -> Floats:
    """Return (n,) how far scores are apart; zeros where there are none."""
    scores = [told.score for told in (first, second) if isinstance(told, BinaryOutcomes)]
    one, other = scores if len(scores) == 2 else (None, None)
    return np.zeros(first.n) if one is None or other is None else np.abs(one - other)
