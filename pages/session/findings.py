"""What the data say, computed once: who leads, comparisons, remarks, sketches, what is missed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from evalcore.comparison.candidates import (
    choose_candidates,
    common_rule,
    default_metric,
    scores_by_fold,
)
from evalcore.comparison.results import Comparison, Standing
from evalcore.curves.roc import CalibrationCurve, PrecisionRecallCurve, RocCurve
from evalcore.errors import EvalError, Notice
from evalcore.metrics.catalog import by_key
from evalcore.metrics.metric import Estimate, Family
from evalcore.options import Options
from evalcore.outcomes import Floats, NumericOutcomes, Rows
from evalcore.predictions import FoldScores
from evalcore.results import Estimates, ModelEvaluation
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.residuals import ResidualMoments
from evalcore.tables.scores import ScoreTable
from evalread.dataset import Dataset
from evalread.detection.profile import profile
from evalread.detection.scores import Bounds, prediction_bounds
from evalview import headlines, selections
from evalview.figures import curves, errors, lines, view
from evalview.figures.errors import PREDICTED, Against
from evalview.figures.numbers import FittedLine
from evalview.lab.quantiles import QuantileTable
from pages.session import computed
from pages.session.cache import cached

if TYPE_CHECKING:
    from evalcore.comparison.resampled import ResampledValues, Sampling
    from evalview.figures.folds import OverFolds

UNKNOWN = Estimate(float("nan"))


def leading(dataset: Dataset, options: Options | None = None) -> Comparison | EvalError:
    """Return which model is better by the usual metric, or why that cannot be said."""
    by_scores = options is None or default_metric(dataset) != "accuracy"
    asked = _usual_options(dataset) if options is None or by_scores else options
    return _verdict(dataset, None, asked)


def _usual_options(dataset: Dataset) -> Options:
    return Options(threshold=dataset.threshold)


def judged_by(dataset: Dataset, metric: str, options: Options) -> Comparison | EvalError | None:
    """Return which model is better by a metric; None where that cannot be said."""
    if metric == default_metric(dataset):
        return leading(dataset, options)
    return by_metric(dataset, metric, _asked(dataset, metric, options))


def by_value(dataset: Dataset, metric: str, options: Options) -> tuple[str, ...]:
    """Return all models, the best by a metric first, without tests; those without it last."""
    asked = None if metric == default_metric(dataset) else metric
    try:
        found = draws(dataset, asked, _asked(dataset, metric, options)).candidates
    except EvalError:
        return tuple(dataset.models)
    ranked = [one.name for one in found.best_first]
    return (*ranked, *(name for name in dataset.models if name not in ranked))


def _asked(dataset: Dataset, metric: str, options: Options) -> Options:
    """Return the settings that a metric depends on: the threshold where it counts decisions."""
    known = by_key().get(metric)
    return options if known is None or known.family is Family.COUNTS else _usual_options(dataset)


def first_to_show(dataset: Dataset, among: Iterable[str] | None = None) -> str | None:
    """Return the model that leads, `among` some, or the clustering; None if none does.

    A clustering leads by its agreement with the true classes, without these by its silhouette.
    """
    if dataset.clusterings:
        return best_agreeing(dataset) or best_apart(dataset)
    able = tuple(dataset.models if among is None else among)
    return _leader(dataset, able) if len(able) > 1 else None


@cached(entries=200)
def _leader(dataset: Dataset, among: tuple[str, ...]) -> str | None:
    from evalcore.compare import leader

    try:
        return leader(dataset, among, draws(dataset, None, _usual_options(dataset)))[0]
    except EvalError:
        return None


def best_apart(dataset: Dataset) -> str | None:
    """Return the clustering with the highest mean silhouette; None where none has one."""
    return _highest(dataset, "points", "silhouette")


def best_agreeing(dataset: Dataset) -> str | None:
    """Return the clustering that agrees best with the true classes, beyond chance."""
    return _highest(dataset, "agreement", "adjusted_rand_index")


def _highest(dataset: Dataset, group: str, key: str) -> str | None:
    if len(dataset.clusterings) == 1:
        return next(iter(dataset.clusterings))
    every = {name: computed.clustering(dataset, name).metrics for name in dataset.clusterings}
    values = {name: found[group][key] for name, found in every.items() if group in found}
    known = {name: one.value for name, one in values.items() if one.defined}
    return max(known, key=known.__getitem__, default=None)


def places(dataset: Dataset, way: str, options: Options) -> Mapping[str, Mapping[str, Standing]]:
    """Return where the models stand by the metric of the headline, decided in this way.

    Nothing where no test tells, or it is about decisions made in another way.
    """
    found = leading(dataset, options)
    if isinstance(found, EvalError) or found.doubt:
        return {}
    if found.metric == "accuracy" and way != common_rule(dataset.models):
        return {}
    return {found.metric: found.verdict.standings}


def own_number(dataset: Dataset, model: str, threshold: float) -> Estimate:
    """Return the number by which a single model is judged at a glance, with its interval."""
    ranking = computed.ranking(dataset, model)
    if "roc_auc" in ranking and ranking["roc_auc"].defined:
        return ranking["roc_auc"]
    if found := computed.items(dataset, model):
        return found["accuracy"]
    ways = computed.decisions(dataset, model, threshold)
    return next(iter(ways.values())).metrics["accuracy"] if ways else UNKNOWN


def notices(dataset: Dataset, model: str, threshold: float, of: str = "") -> tuple[Notice, ...]:
    """Return what must be known before believing the numbers of a model, or `of` one way."""
    from evalcore.evaluation.remarks import remarks

    made = ModelEvaluation(
        n=computed.tables(dataset)[model].n,
        decisions=computed.decisions(dataset, model, threshold),
        ranking=computed.ranking(dataset, model),
        probability=computed.probability(dataset, model),
        class_ranking=computed.class_ranking(dataset, model),
    )
    tables = computed.tables(dataset)[model]
    # A threshold chosen on a page is no fault of the labels: they are held against the file's own.
    own = threshold if headlines.labels_agree(tables, threshold) else dataset.threshold
    return tuple(remarks(model, tables, made, Options(threshold=own), of))


@cached(entries=100)
def side_by_side(dataset: Dataset) -> tuple[Notice, ...]:
    """Return what must be known of the models side by side."""
    from evalcore.evaluation.remarks import side_by_side as found

    return tuple(found(dataset.models))


def backwards(dataset: Dataset, model: str) -> tuple[Notice, ...]:
    """Return what must be known of scores that rank worse than chance."""
    from evalcore.evaluation.remarks import below_half

    area = computed.ranking(dataset, model)["roc_auc"]
    return tuple(below_half(model, computed.tables(dataset)[model], area))


@cached(entries=100)
def plain_ranking(dataset: Dataset, key: str) -> Estimates:
    """Return a number of how well scores rank, without an interval, of each model that has some."""
    from evalcore.evaluation.estimates import value_of

    scores = {name: found.scores for name, found in computed.tables(dataset).items()}
    return {
        name: value_of(by_key()[key], table) for name, table in scores.items() if table is not None
    }


@cached(entries=100)
def class_averages(
    dataset: Dataset, model: str
) -> tuple[Mapping[str, RocCurve], Mapping[str, PrecisionRecallCurve]]:
    """Return the curves that stand for all of several classes, by their names."""
    scores = computed.tables(dataset)[model].class_scores
    assert scores is not None
    return curves.class_averages(scores)


@cached(entries=100)
def sketches(dataset: Dataset, threshold: float) -> Mapping[str, ScoreTable]:
    """Return the score table of each model that has one, thinned to what a picture can show.

    The counts at `threshold` are exact.
    """
    return {
        name: found.scores.thinned(view.SKETCHED, keep=(threshold,))
        for name, found in computed.tables(dataset).items()
        if found.scores is not None
    }


@cached(entries=100)
def calibrations(dataset: Dataset) -> Mapping[str, CalibrationCurve]:
    """Return the calibration curve of each model that gives probabilities."""
    from evalcore.evaluation.drawn import share_that_tells

    return {
        name: CalibrationCurve.from_table(
            ReliabilityTable.from_scores(found.scores), share=share_that_tells(found.rows)
        )
        for name, found in computed.tables(dataset).items()
        if found.scores is not None and found.probability
    }


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


def by_metric(dataset: Dataset, metric: str, options: Options) -> Comparison | None:
    """Return what is concluded by a metric; None where the models do not give it."""
    made = _verdict(dataset, metric, options)
    return made if isinstance(made, Comparison) else None


@cached(entries=100)
def fold_scores(dataset: Dataset, metric: str | None, options: Options) -> FoldScores | None:
    """Return what each model scored on each fold; None where there are no folds."""
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
    from evalview.figures import folds

    return folds.over_folds(dataset, metric, options)


def disagreement(made: ResampledValues, places: tuple[int, int], options: Options) -> Rows:
    """Return the data rows on which two models disagree."""
    one, other = (made.candidates.models[place] for place in places)
    thresholds = options.threshold_of(one.name), options.threshold_of(other.name)
    return selections.disagreeing_rows(one, other, thresholds)


def is_drawn(made: ResampledValues, place: int) -> bool:
    """Whether a model has a value, and values over resamples."""
    return made.can_resample(place) and isfinite(made.candidates.models[place].value)


@cached(entries=200)
def _verdict(dataset: Dataset, metric: str | None, options: Options) -> Comparison | EvalError:
    from evalcore.compare import compare, verdict

    try:
        if dataset.fold_scores is not None:
            return compare(dataset, options, metric=metric)
        shared = draws(dataset, metric, options)
        return verdict(dataset, options, metric=metric, resampled=shared)
    except EvalError as refusal:
        return refusal


COLUMNS_TRIED = 200
"""Columns of a wide file that are offered to look at errors by."""

ACTUAL = Against(selections.ACTUAL, "the true number")

ORDER = Against(selections.ORDER, "the order of the rows in the file")

OWN = (PREDICTED, ACTUAL, ORDER)


T = TypeVar("T")


def outcomes(dataset: Dataset, model: str) -> NumericOutcomes:
    """Return the checked numbers of a model."""
    found = dataset.models[model]
    assert isinstance(found, NumericOutcomes)
    return found


@cached(entries=400)
def of_errors(dataset: Dataset, model: str, make: Callable[[Floats, Floats | None], T]) -> T:
    """Return what the errors of a model and the weights of its rows make, such as a curve."""
    told = outcomes(dataset, model)
    return make(told.prediction - told.truth, told.weight)


@cached(entries=100)
def line(dataset: Dataset, model: str) -> FittedLine:
    """Return the least-squares line of truth on prediction."""
    return FittedLine.from_moments(ResidualMoments.of(outcomes(dataset, model)))


@cached(entries=100)
def halfway(dataset: Dataset, model: str) -> lines.Scatter:
    """Return the mean of truth and prediction beside their difference."""
    told = outcomes(dataset, model)
    middle = told.truth + (told.prediction - told.truth) / 2
    return lines.Scatter.from_values(middle, told.prediction - told.truth, told.rows)


@cached(entries=100)
def against_truth(dataset: Dataset, model: str) -> lines.Scatter:
    """Return predicted numbers beside the true ones."""
    numbers = computed.tables(dataset)[model].numbers
    assert numbers is not None
    return lines.Scatter.from_values(numbers.prediction, numbers.truth, numbers.rows)


@cached(entries=100)
def residuals(dataset: Dataset, model: str) -> tuple[lines.Scatter, lines.Trend]:
    """Return predicted numbers beside their errors, and how these are spread."""
    numbers = computed.tables(dataset)[model].numbers
    assert numbers is not None
    error = numbers.prediction - numbers.truth
    return (
        lines.Scatter.from_values(numbers.prediction, error, numbers.rows),
        lines.Trend.from_values(numbers.prediction, error),
    )


def offered(dataset: Dataset) -> tuple[Against, ...]:
    """Return what errors can be looked at by: the numbers themselves, and columns of the file."""
    return (*OWN, *_columns(dataset))


@cached(entries=100)
def against(dataset: Dataset, model: str, by: Against) -> errors.Errors:
    """Return the errors from small to large values of something; rows without it are left out."""
    told = outcomes(dataset, model)
    try:
        values = selections.values_of(dataset, selections.Selection(model), by.of)
    except EvalError:  # what is no number, in a row beyond the sample, is missing
        values = np.full(told.n, np.nan)
    known = np.flatnonzero(np.isfinite(values))
    whole = len(known) == len(values)
    kept = slice(None) if whole else known
    error, x = (told.prediction - told.truth)[kept], values[kept]
    rows = np.arange(1, told.n + 1) if told.rows is None else told.rows
    weight = None if told.weight is None else told.weight[kept]
    left_out = len(values) - len(x)
    return errors.Errors.from_values(by, x, error, rows[kept], weight, left_out)


@cached(entries=24)
def _columns(dataset: Dataset) -> tuple[Against, ...]:
    """Return the columns of numbers and of dates that play no role of their own."""
    roles = dataset.roles
    taken = {roles.truth, roles.weight}
    taken |= {name for model in roles.models.values() for name in model.columns}
    free = [name for name in dataset.table.names if name not in taken][:COLUMNS_TRIED]
    found = []
    for name in free:
        seen = profile(dataset.table, name)
        if seen.numeric and not seen.constant:
            found.append(Against(name, f"the column “{name}”", column=True))
        elif seen.moment or (not seen.numeric and selections.dates(dataset, name) is not None):
            found.append(Against(name, f"the column “{name}”", column=True, dates=True))
    return tuple(found)


def found(dataset: Dataset) -> Mapping[str, Bounds]:
    """Return the columns round the predictions of each model that has any."""
    return prediction_bounds(dataset.table.names, dataset.roles)


def asks_level(dataset: Dataset) -> bool:
    """Return whether an interval is stated without the share that it should hold."""
    return any(end.promised is None for one in found(dataset).values() for end in one.ends)


@cached(entries=100)
def quantiles(dataset: Dataset, model: str, promised: float) -> QuantileTable:
    """Return each stated quantile of a model against what came true."""
    return errors.quantile_table(dataset, model, promised)


@cached(entries=100)
def intervals(dataset: Dataset, model: str, promised: float) -> tuple[errors.Stated, ...]:
    """Return the intervals that a model states, the widest first; `promised` where none is said."""
    return errors.stated_intervals(dataset, model, promised)
