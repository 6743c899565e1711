"""What each model scored over the folds: mean, spread, standard error, folds won."""

from dataclasses import dataclass

import numpy as np

from evalcore.fold_scores import FoldScores
from evalcore.metrics.spec import Better
from evalcore.outcomes import Floats


@dataclass(frozen=True)
class FoldMean:
    """The scores of a model over its folds.

    Attributes:
        mean: Their mean; NaN without any.
        deviation: Their standard deviation; NaN with fewer than two.
        folds: How many there are.
        won: On how many no other model scores better.
    """

    mean: float
    deviation: float
    folds: int
    won: int

    @property
    def error(self) -> float:
        """Standard error of the mean, if folds were independent."""
        return self.deviation / self.folds**0.5 if self.folds else np.nan


def fold_means(scores: FoldScores, better: Better) -> dict[str, FoldMean]:
    """Return what each model scored over its folds, by its name.

    >>> values = np.array([[0.5, 0.7], [0.6, 0.6]])
    >>> scores = FoldScores(metric="f1", models=("A", "B"), score=values, fold=("1", "2"))
    >>> made = fold_means(scores, Better.HIGHER)["A"]
    >>> round(made.mean, 6), round(made.deviation, 6), round(made.error, 6), made.won
    (0.6, 0.141421, 0.1, 1)
    """
    signed = -scores.score if better is Better.LOWER else scores.score
    best = np.fmax.reduce(signed, axis=0)
    pairs = zip(scores.models, scores.score, signed, strict=True)
    return {
        name: _mean(own[np.isfinite(own)], int((sign == best).sum())) for name, own, sign in pairs
    }


def _mean(known: Floats, won: int) -> FoldMean:
    k = len(known)
    return FoldMean(
        float(known.mean()) if k else np.nan,
        float(known.std(ddof=1)) if k > 1 else np.nan,
        k,
        won,
    )
