"""What is known about models side by side, computed once per data set and settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING

from evalcore.comparison.results import Comparison
from evalcore.errors import EvalError
from evalcore.options import Options
from evalcore.outcomes import FoldScores, Rows
from evalread.dataset import Dataset
from pages.session import computed
from pages.session.cache import cached

if TYPE_CHECKING:
    from evalcore.comparison.candidates import OverFolds
    from evalcore.comparison.resampled import Distribution, Method, ResampledValues, Sampling

Verdicts = Mapping[str, Comparison]
"""What is concluded by each metric."""


@cached(entries=6)
def draws(
    dataset: Dataset, metric: str | None, options: Options, sampling: Sampling = "rows"
) -> ResampledValues:
    """Return the values of models over resamples, each made when it is first asked for.

    Raises:
        EvalError: Fewer than two models give what is compared, or they share no rows.
    """
    from evalcore.comparison.candidates import choose_candidates
    from evalcore.comparison.resampled import ResampledValues

    candidates = choose_candidates(dataset, metric, options, computed.tables(dataset))
    return ResampledValues(candidates, options, sampling)


@cached(entries=100)
def comparison(
    dataset: Dataset, metric: str | None, options: Options, rope: float | None = None
) -> Comparison:
    """Return which model is better by a metric, by the usual one if it is None.

    Raises:
        EvalError: Fewer than two models give what is compared, or they share no rows.
    """
    from evalcore.compare import compare

    rows = dataset.fold_scores is None and bool(dataset.models)
    shared = draws(dataset, metric, options) if rows else None
    return compare(dataset, options, metric=metric, rope=rope, resampled=shared)


def verdicts(dataset: Dataset, metrics: Sequence[str], options: Options) -> Verdicts:
    """Return what is concluded by each metric that the models give."""
    found = {}
    for metric in metrics:
        made = _verdict(dataset, metric, options)
        if isinstance(made, Comparison):
            found[metric] = made
    return found


@cached(entries=100)
def fold_scores(dataset: Dataset, metric: str | None, options: Options) -> FoldScores | None:
    """Return what each model scored on each fold; None where there are no folds."""
    from evalcore.comparison.candidates import choose_candidates, scores_by_fold

    if dataset.fold_scores is not None:
        return dataset.fold_scores.by_metric.get(metric or "", dataset.fold_scores)
    if dataset.fold is None:
        return None
    return scores_by_fold(choose_candidates(dataset, metric, options), dataset.fold.names)


@cached(entries=100)
def of_folds(
    dataset: Dataset, metric: str | None, options: Options, rope: float | None
) -> Comparison | None:
    """Return which way of making models is better, by the scores of folds; None without these.

    Raises:
        EvalError: Fewer than two models have scores, or they share no fold.
    """
    from evalcore.compare import compare

    scores = fold_scores(dataset, metric, options)
    return None if scores is None else compare(scores, options, rope=rope)


@cached(entries=100)
def over_folds(dataset: Dataset, metric: str, options: Options) -> OverFolds | None:
    """Return what the only model scores over its folds; None where it has no such scores."""
    from evalcore.comparison.candidates import over_folds as scores_over_folds

    return scores_over_folds(dataset, metric, options)


def distributed(
    made: ResampledValues, place: int, less: int | None, method: Method
) -> Distribution:
    """Return what a model, or its difference to another one, comes to over resamples."""
    from evalcore.comparison.resampled import distribution

    return distribution(made, place, less, method)


def disagreement(made: ResampledValues, places: tuple[int, int], options: Options) -> Rows:
    """Return the data rows on which two models disagree."""
    from evalcore.comparison.candidates import disagreeing_rows

    one, other = (made.candidates.models[place] for place in places)
    thresholds = options.threshold_of(one.name), options.threshold_of(other.name)
    return disagreeing_rows(one, other, thresholds)


def is_drawn(made: ResampledValues, place: int) -> bool:
    """Whether a model has a value, and values over resamples."""
    return made.can_resample(place) and isfinite(made.candidates.models[place].value)


@cached(entries=200)
def _verdict(dataset: Dataset, metric: str, options: Options) -> Comparison | EvalError:
    from evalcore.compare import compare, verdict

    try:
        if dataset.fold_scores is not None:
            return compare(dataset, options, metric=metric)
        shared = draws(dataset, metric, options)
        return verdict(dataset, options, metric=metric, resampled=shared)
    except EvalError as refusal:
        return refusal
