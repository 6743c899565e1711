"""What the models of a contest score fold by fold, where the rows have folds."""

from collections.abc import Sequence

import numpy as np

from evalcore.contests.contest import Contest
from evalcore.fold_scores import FoldScores

MOST_FOLDS = 200
"""With more folds, as in leave-one-out, a fold has too few rows for a score of its own."""


def folds_of(contest: Contest) -> list[int]:
    """Return the folds that rows of the contest are in, rising."""
    fold = contest.fold
    return [] if fold is None else [int(code) for code in np.unique(fold) if code >= 0]


def foldwise(contest: Contest, names: Sequence[str] = ()) -> FoldScores | None:
    """Return the score of each model on each fold, NaN where undefined; None without folds.

    `names` are those of all folds; without them folds are named by their codes, in their order.
    """
    codes = folds_of(contest)
    if not 2 <= len(codes) <= MOST_FOLDS:
        return None
    places = [np.flatnonzero(contest.fold == code) for code in codes]
    score = np.array([[one.on(part).value for part in places] for one in contest.contenders])
    score[~np.isfinite(score)] = np.nan
    sizes = np.array([len(part) for part in places], dtype=np.float64)
    return FoldScores(
        metric=contest.metric.key,
        models=tuple(one.name for one in contest.contenders),
        score=score,
        fold=tuple(names[code] if names else f"{code:06d}" for code in codes),
        n_train=sizes.sum() - sizes,
        n_test=sizes,
    )
