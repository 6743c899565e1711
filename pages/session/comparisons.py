"""What is known about models side by side, computed once per data set and settings."""

from collections.abc import Mapping, Sequence
from math import isfinite

import streamlit as st

from evalcore.compare import compare, verdict
from evalcore.comparison.candidates import (
    OverFolds,
    choose_candidates,
    disagreeing_rows,
    scores_by_fold,
)
from evalcore.comparison.candidates import over_folds as scores_over_folds
from evalcore.comparison.distributions import (
    Distribution,
    Method,
    ResampledValues,
    Sampling,
    distribution,
)
from evalcore.comparison.results import Comparison
from evalcore.dataset import Dataset
from evalcore.errors import EvalError
from evalcore.options import Options
from evalcore.outcomes import FoldScores, Rows

DAY = 24 * 3600

Verdicts = Mapping[str, Comparison]
"""What is concluded by each metric."""


def draws(
    dataset: Dataset, metric: str | None, options: Options, sampling: Sampling = "rows"
) -> ResampledValues:
    """Return the values of models over resamples, each made when it is first asked for.

    Raises:
        EvalError: Fewer than two models give what is compared, or they share no rows.
    """
    return _draws(dataset.digest, metric, options, sampling, dataset)


def comparison(
    dataset: Dataset, metric: str | None, options: Options, rope: float | None = None
) -> Comparison:
    """Return which model is better by a metric, by the usual one if it is None.

    Raises:
        EvalError: Fewer than two models give what is compared, or they share no rows.
    """
    return _comparison(dataset.digest, metric, options, rope, dataset)


def verdicts(dataset: Dataset, metrics: Sequence[str], options: Options) -> Verdicts:
    """Return what is concluded by each metric that the models give."""
    found = {}
    for metric in metrics:
        made = _verdict(dataset.digest, metric, options, dataset)
        if isinstance(made, Comparison):
            found[metric] = made
    return found


def fold_scores(dataset: Dataset, metric: str | None, options: Options) -> FoldScores | None:
    """Return what each model scored on each fold; None where there are no folds."""
    if dataset.fold_scores is not None:
        return dataset.fold_scores.by_metric.get(metric or "", dataset.fold_scores)
    if dataset.fold is None:
        return None
    return _fold_scores(dataset.digest, metric, options, dataset)


def of_folds(
    dataset: Dataset, metric: str | None, options: Options, rope: float | None
) -> Comparison | None:
    """Return which way of making models is better, by the scores of folds; None without these.

    Raises:
        EvalError: Fewer than two models have scores, or they share no fold.
    """
    return _of_folds(dataset.digest, metric, options, rope, dataset)


def over_folds(dataset: Dataset, metric: str, options: Options) -> OverFolds | None:
    """Return what the only model scores over its folds; None where it has no such scores."""
    return _over_folds(dataset.digest, metric, options, dataset)


def distributed(
    made: ResampledValues, place: int, less: int | None, method: Method
) -> Distribution:
    """Return what a model, or its difference to another one, comes to over resamples."""
    return distribution(made, place, less, method)


def disagreement(made: ResampledValues, places: tuple[int, int], options: Options) -> Rows:
    """Return the data rows on which two models disagree."""
    one, other = (made.candidates.models[place] for place in places)
    thresholds = options.threshold_of(one.name), options.threshold_of(other.name)
    return disagreeing_rows(one, other, thresholds)


def is_drawn(made: ResampledValues, place: int) -> bool:
    """Whether a model has a value, and values over resamples."""
    return made.can_resample(place) and isfinite(made.candidates.models[place].value)


@st.cache_resource(max_entries=6, ttl=DAY, show_spinner=False)
def _draws(
    digest: str, metric: str | None, options: Options, sampling: Sampling, _dataset: Dataset
) -> ResampledValues:
    return ResampledValues(choose_candidates(_dataset, metric, options), options, sampling)


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _comparison(
    digest: str, metric: str | None, options: Options, rope: float | None, _dataset: Dataset
) -> Comparison:
    rows = _dataset.fold_scores is None and bool(_dataset.models)
    shared = draws(_dataset, metric, options) if rows else None
    return compare(_dataset, options, metric=metric, rope=rope, draws=shared)


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _over_folds(digest: str, metric: str, options: Options, _dataset: Dataset) -> OverFolds | None:
    return scores_over_folds(_dataset, metric, options)


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _of_folds(
    digest: str, metric: str | None, options: Options, rope: float | None, _dataset: Dataset
) -> Comparison | None:
    scores = fold_scores(_dataset, metric, options)
    return None if scores is None else compare(scores, options, rope=rope)


@st.cache_resource(max_entries=200, ttl=DAY, show_spinner=False)
def _verdict(
    digest: str, metric: str, options: Options, _dataset: Dataset
) -> Comparison | EvalError:
    try:
        if _dataset.fold_scores is not None:
            return compare(_dataset, options, metric=metric)
        shared = draws(_dataset, metric, options)
        return verdict(_dataset, options, metric=metric, draws=shared)
    except EvalError as refusal:
        return refusal


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _fold_scores(
    digest: str, metric: str | None, options: Options, _dataset: Dataset
) -> FoldScores | None:
    names = () if _dataset.fold is None else _dataset.fold.names
    return scores_by_fold(choose_candidates(_dataset, metric, options), names)
