"""What one model scores over its folds, when there is none to compare it with."""

from dataclasses import dataclass

import numpy as np

from evalcore.comparison.fold_means import FoldMean, fold_means
from evalcore.comparison.folds import FoldDifferences, corrected_interval
from evalcore.contests.contest import Contest, common_way
from evalcore.contests.entry import contender
from evalcore.contests.foldwise import foldwise
from evalcore.evaluation.decided import codes_of
from evalcore.fold_scores import FoldScores
from evalcore.intake.model import Dataset
from evalcore.metrics.catalog import find
from evalcore.metrics.spec import Metric
from evalcore.options import Options
from evalcore.resampling.interval import Interval


@dataclass(frozen=True, eq=False)
class Alone:
    """One model over its folds.

    Attributes:
        metric: What is scored.
        scores: The score of each fold.
        mean: Their mean, spread and naive standard error.
        corrected: Standard error that allows for training rows that folds share.
        interval: Student's, from that error.
        merged: The score of all rows with a fold, taken together.
    """

    metric: Metric
    scores: FoldScores
    mean: FoldMean
    corrected: float
    interval: Interval
    merged: float


def alone(dataset: Dataset, key: str, options: Options) -> Alone | None:
    """Return what the only model of a data set scores fold by fold.

    None where the model does not give what the metric needs, or fewer than two folds have rows.
    """
    [(name, outcomes)] = dataset.models.items()
    metric, way = find(key), common_way(dataset.models)
    one = contender(name, outcomes, metric, way, options.threshold_of(name))
    if one is None or dataset.fold is None:
        return None
    fold = codes_of(dataset.fold, outcomes)
    scores = foldwise(Contest(metric, (one,), True, fold, ()), dataset.fold.names)
    if scores is None or scores.n_test is None or scores.n_train is None:
        return None
    known = np.isfinite(scores.score[0])
    share = float((scores.n_test / scores.n_train)[known].mean())
    over = FoldDifferences(scores.score[0][known], share)
    mean = fold_means(scores, metric.better)[name]
    merged = one.on(np.flatnonzero(fold >= 0)).value
    return Alone(metric, scores, mean, over.corrected_error, corrected_interval(over), merged)
