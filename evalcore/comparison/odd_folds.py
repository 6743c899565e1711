"""Folds on which all models do much better or worse than on the others."""

from dataclasses import dataclass

import numpy as np

from evalcore.fold_scores import FoldScores

FEWEST = 5
"""With fewer folds nothing tells which one is odd."""

LIMIT = 3.5
"""So many robust standard deviations from the median make a fold odd."""


@dataclass(frozen=True)
class OddFold:
    """A fold unlike the others: its place, its mean over the models, and the median of all."""

    place: int
    mean: float
    median: float


def odd_folds(scores: FoldScores) -> tuple[OddFold, ...]:
    """Return the folds whose mean over the models lies far from the median of all folds.

    By the median absolute deviation: Iglewicz and Hoaglin (1993), How to Detect and Handle
    Outliers.

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
    median = float(np.median(means))
    spread = float(np.median(np.abs(means - median))) / 0.6745
    far = np.abs(means - median) > LIMIT * spread if spread else np.zeros(len(means), dtype=bool)
    return tuple(OddFold(int(places[k]), float(means[k]), median) for k in np.flatnonzero(far))
