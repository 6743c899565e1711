"""Folds on which all models do much better or worse than on the others."""

from dataclasses import dataclass

import numpy as np

from evalcore.fold_scores import FoldScores
from evalcore.outcomes import Floats

FEWEST = 5
"""With fewer folds nothing tells which one is odd."""

LEVEL = 0.01
"""Chance of calling any fold odd where all are alike and about normal."""


@dataclass(frozen=True)
class OddFold:
    """A fold unlike the others: its place, its mean over the models, and the median of all."""

    place: int
    mean: float
    median: float


def odd_folds(scores: FoldScores) -> tuple[OddFold, ...]:
    """Return the folds whose mean over the models lies far from that of the other folds.

    Each is held against the others by a t test, allowing for their number. Source: Grubbs (1969),
    Procedures for detecting outlying observations in samples, Technometrics 11(1).

    >>> values = np.array([[0.80, 0.81, 0.82, 0.83, 0.84, 0.20]])
    >>> made = odd_folds(FoldScores(metric="f1", models=("A",), score=values, fold=tuple("abcdef")))
    >>> [odd.place for odd in made]
    [5]
    """
    known = np.isfinite(scores.score).all(axis=0)
    places = np.flatnonzero(known)
    if len(places) < FEWEST:
        return ()
    means = scores.score[:, places].mean(axis=0)
    odd = np.flatnonzero(_p_values(means) * len(means) < LEVEL)
    median = float(np.median(means))
    return tuple(OddFold(int(places[k]), float(means[k]), median) for k in odd)


def _p_values(values: Floats) -> Floats:
    """Return for each of k values the p value of its being like the others."""
    from scipy.special import stdtr

    k = len(values)
    others = (values.sum() - values) / (k - 1)
    squares = (values**2).sum() - values**2 - (k - 1) * others**2
    # Where the others are all equal, nothing tells how far is far.
    known = squares > 1e-12 * np.maximum(values**2, others**2)
    error = np.sqrt(np.where(known, squares, np.inf) / (k - 2) * (1 + 1 / (k - 1)))
    p: Floats = 2 * stdtr(k - 2, -np.abs(values - others) / error)
    return p
