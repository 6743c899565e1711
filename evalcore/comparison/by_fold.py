"""What models score on each fold: means, folds unlike the others, one model over its folds."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.comparison.candidate import candidate
from evalcore.comparison.candidates import Candidates, common_rule
from evalcore.comparison.folds import FoldDifferences, corrected_interval
from evalcore.evaluation.condense import MOST_FOLDS, codes_of
from evalcore.intervals.closed import Interval
from evalcore.metrics.catalog import find
from evalcore.metrics.metric import Better, Metric
from evalcore.options import Options
from evalcore.outcomes import Floats, FoldScores, Predictions


def folds_of(candidates: Candidates) -> list[int]:
    """Return the folds that rows of the candidates are in, rising."""
    fold = candidates.fold
    return [] if fold is None else [int(code) for code in np.unique(fold) if code >= 0]


def scores_by_fold(candidates: Candidates, names: Sequence[str] = ()) -> FoldScores | None:
    """Return the score of each model on each fold, NaN where undefined; None without folds.

    `names` are those of all folds; without them folds are named by their codes, in their order.
    """
    codes = folds_of(candidates)
    if not 2 <= len(codes) <= MOST_FOLDS:
        return None
    rows = [np.flatnonzero(candidates.fold == code) for code in codes]
    score = np.array([[one.on(own).value for own in rows] for one in candidates.models])
    score[~np.isfinite(score)] = np.nan
    sizes = np.array([len(own) for own in rows], dtype=np.float64)
    return FoldScores(
        metric=candidates.metric.key,
        models=tuple(one.name for one in candidates.models),
        score=score,
        fold=tuple(names[code] if names else f"{code:06d}" for code in codes),
        n_train=sizes.sum() - sizes,
        n_test=sizes,
    )


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
    """Return the mean score of each model over its folds, by its name.

    >>> values = np.array([[0.5, 0.7], [0.6, 0.6]])
    >>> scores = FoldScores(metric="f1", models=("A", "B"), score=values, fold=("1", "2"))
    >>> mean = fold_means(scores, Better.HIGHER)["A"]
    >>> round(mean.mean, 6), round(mean.deviation, 6), round(mean.error, 6), mean.won
    (0.6, 0.141421, 0.1, 1)
    """
    signed = -scores.score if better is Better.LOWER else scores.score
    best = np.fmax.reduce(signed, axis=0)
    return {
        name: _mean(own[np.isfinite(own)], int((sign == best).sum()))
        for name, own, sign in zip(scores.models, scores.score, signed, strict=True)
    }


def _mean(known: Floats, won: int) -> FoldMean:
    k = len(known)
    mean = float(known.mean()) if k else np.nan
    return FoldMean(mean, float(known.std(ddof=1)) if k > 1 else np.nan, k, won)


FEWEST = 5
"""With fewer folds three degrees of freedom or less tell how far the others vary."""

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


@dataclass(frozen=True, eq=False)
class OverFolds:
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


def over_folds(dataset: Predictions, key: str, options: Options) -> OverFolds | None:
    """Return the scores of the only model of a data set over its folds.

    None where the model does not give what the metric needs, or fewer than two folds have rows.
    """
    [(name, outcomes)] = dataset.models.items()
    metric, rule = find(key), common_rule(dataset.models)
    one = candidate(name, outcomes, metric, rule, options.threshold_of(name))
    if one is None or dataset.fold is None:
        return None
    fold = codes_of(dataset.fold, outcomes)
    scores = scores_by_fold(Candidates(metric, (one,), True, fold, ()), dataset.fold.names)
    if scores is None or scores.n_test is None or scores.n_train is None:
        return None
    known = np.isfinite(scores.score[0])
    share = float((scores.n_test / scores.n_train)[known].mean())
    over = FoldDifferences(scores.score[0][known], share)
    mean = fold_means(scores, metric.better)[name]
    merged = one.on(np.flatnonzero(fold >= 0)).value
    return OverFolds(metric, scores, mean, over.corrected_error, corrected_interval(over), merged)
