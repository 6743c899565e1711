"""What the models of a contest score fold by fold, where the rows have folds."""

import numpy as np

from evalcore.contests.contest import Contest
from evalcore.fold_scores import FoldScores
from evalcore.intake.model import Dataset

MOST_FOLDS = 200
"""With more folds, as in leave-one-out, a fold has too few rows for a score of its own."""


def foldwise(dataset: Dataset, contest: Contest) -> FoldScores | None:
    """Return the score of each model on each fold, NaN where undefined; None without folds."""
    if dataset.fold is None or contest.fold is None:
        return None
    codes = [int(code) for code in np.unique(contest.fold) if code >= 0]
    if not 2 <= len(codes) <= MOST_FOLDS:
        return None
    places = [np.flatnonzero(contest.fold == code) for code in codes]
    score = np.array([[one.on(part).value for part in places] for one in contest.contenders])
    score[~np.isfinite(score)] = np.nan
    return FoldScores(
        metric=contest.metric.key,
        models=tuple(one.name for one in contest.contenders),
        score=score,
        fold=tuple(dataset.fold.names[code] for code in codes),
    )
