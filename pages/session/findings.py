"""What the data say, computed once: who leads, remarks, sketches of curves, what is missed."""

from collections.abc import Iterator, Mapping

import numpy as np

from evalcore.comparison.results import Comparison, Standing, best_first
from evalcore.comparison.spec import BACKWARDS
from evalcore.curves.calibration import CalibrationCurve
from evalcore.curves.roc import PrecisionRecallCurve, RocCurve
from evalcore.errors import EvalError, Notice
from evalcore.evaluation.condense import labels_agree
from evalcore.metrics.catalog import by_key
from evalcore.metrics.metric import Estimate, Family
from evalcore.metrics.regression import mse
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, NumericOutcomes
from evalcore.results import Estimates, ModelEvaluation
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.residuals import ResidualMoments
from evalcore.tables.scores import ScoreTable
from evalread.dataset import Dataset, Task
from evalview.figures import curves, view
from pages.session import cache, comparisons, computed, current, selection

UNKNOWN = Estimate(float("nan"))


def leading(dataset: Dataset, options: Options | None = None) -> Comparison | EvalError:
    """Return which model is better by the usual metric, or why that cannot be said."""
    from evalcore.comparison.candidates import default_metric

    by_scores = options is None or default_metric(dataset) != "accuracy"
    asked = _usual_options(dataset) if options is None or by_scores else options
    return _leading(dataset, asked)


def _usual_options(dataset: Dataset) -> Options:
    return Options(threshold=dataset.threshold)


@cache.cached(entries=200)
def _leading(dataset: Dataset, options: Options) -> Comparison | EvalError:
    from evalcore.compare import verdict

    try:
        return verdict(dataset, options, resampled=comparisons.draws(dataset, None, options))
    except EvalError as refusal:
        return refusal


def judged_by(dataset: Dataset, metric: str, options: Options) -> Comparison | EvalError | None:
    """Return which model is better by a metric; None where that cannot be said."""
    from evalcore.comparison.candidates import default_metric

    if metric == default_metric(dataset):
        return leading(dataset, options)
    return comparisons.verdicts(dataset, (metric,), _asked(dataset, metric, options)).get(metric)


def by_value(dataset: Dataset, metric: str, options: Options) -> tuple[str, ...]:
    """Return all models, the best by a metric first, without tests; those without it last."""
    from evalcore.comparison.candidates import default_metric

    asked = None if metric == default_metric(dataset) else metric
    try:
        found = comparisons.draws(dataset, asked, _asked(dataset, metric, options)).candidates
    except EvalError:
        return tuple(dataset.models)
    order = best_first([one.value for one in found.models], found.metric.better)
    ranked = [found.models[place].name for place in order]
    return (*ranked, *(name for name in dataset.models if name not in ranked))


def _asked(dataset: Dataset, metric: str, options: Options) -> Options:
    """Return the settings that a metric depends on: the threshold where it counts decisions."""
    known = by_key().get(metric)
    return options if known is None or known.family is Family.COUNTS else _usual_options(dataset)


def first_to_show(dataset: Dataset) -> str | None:
    """Return the model that leads or errs least, or the clustering that leads; None if none does.

    A clustering leads by its agreement with the true classes, without these by its silhouette.
    """
    if dataset.roles.task is Task.REGRESSION:
        return _closest(dataset)
    if dataset.clusterings:
        return best_agreeing(dataset) or best_apart(dataset)
    return _best_by_value(dataset) if len(dataset.models) > 1 else None


@cache.cached(entries=200)
def _best_by_value(dataset: Dataset) -> str | None:
    """Return the first model in the order of `leading`, without the tests and intervals of it."""
    try:
        candidates = comparisons.draws(dataset, None, _usual_options(dataset)).candidates
    except EvalError:
        return None
    metric, values = candidates.metric, [one.value for one in candidates.models]
    if metric.key == "roc_auc" and all(value < 0.5 for value in values):
        # Of scores that all run backwards, for sure, the highest area tells least.
        found = leading(dataset)
        if isinstance(found, Comparison) and found.doubt == BACKWARDS:
            return None
    return candidates.models[best_first(values, metric.better)[0]].name


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
    from evalcore.comparison.candidates import common_rule

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


def notices(dataset: Dataset, model: str, threshold: float) -> tuple[Notice, ...]:
    """Return what must be known before believing the numbers of a model."""
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
    own = threshold if labels_agree(tables, threshold) else dataset.threshold
    return tuple(remarks(model, tables, made, Options(threshold=own)))


def backwards(dataset: Dataset, model: str) -> tuple[Notice, ...]:
    """Return what must be known of scores that rank worse than chance."""
    from evalcore.evaluation.remarks import below_half

    area = computed.ranking(dataset, model)["roc_auc"]
    return tuple(below_half(model, computed.tables(dataset)[model], area))


@cache.cached(entries=100)
def plain_ranking(dataset: Dataset, key: str) -> Estimates:
    """Return a number of how well scores rank, without an interval, of each model that has some."""
    from evalcore.evaluation.estimates import value_of

    scores = {name: found.scores for name, found in computed.tables(dataset).items()}
    return {
        name: value_of(by_key()[key], table) for name, table in scores.items() if table is not None
    }


@cache.cached(entries=100)
def class_averages(
    dataset: Dataset, model: str
) -> tuple[Mapping[str, RocCurve], Mapping[str, PrecisionRecallCurve]]:
    """Return the curves that stand for all of several classes, by their names."""
    scores = computed.tables(dataset)[model].class_scores
    assert scores is not None
    return curves.class_averages(scores)


@cache.cached(entries=100)
def sketches(dataset: Dataset, threshold: float) -> Mapping[str, ScoreTable]:
    """Return the score table of each model that has one, thinned to what a picture can show.

    The counts at `threshold` are exact.
    """
    return {
        name: found.scores.thinned(view.SKETCHED, keep=(threshold,))
        for name, found in computed.tables(dataset).items()
        if found.scores is not None
    }


@cache.cached(entries=100)
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


@cache.cached(entries=100)
def _closest(dataset: Dataset) -> str | None:
    tables = {name: found.numbers for name, found in computed.tables(dataset).items()}
    errors = {
        name: mse(ResidualMoments.of(told)) for name, told in tables.items() if told and told.n
    }
    return min(errors, key=errors.__getitem__, default=None)


WORST = 0.05
"""Of predicted numbers, the share of the rows with the largest errors that count as misses."""


def misses(dataset: Dataset, model: str) -> selection.Selection | None:
    """Return the rows that a model fails on: missed positives, wrong classes, the largest errors.

    None where it fails on none, or where nothing is predicted row by row.
    """
    failing = _failing(dataset, model)
    return next((each for each in failing if len(selection.selected(dataset, each).rows)), None)


def _failing(dataset: Dataset, model: str) -> Iterator[selection.Selection]:
    told = dataset.models.get(model)
    if isinstance(told, NumericOutcomes) and told.n:
        off = np.abs(told.prediction - told.truth)
        least = float(np.quantile(off, 1 - WORST, method="higher"))
        if least > 0:
            yield selection.Selection(model, (selection.Interval(selection.OFF, least),))
    if isinstance(told, BinaryOutcomes | ClassOutcomes):
        at = current.threshold(dataset, model)
        way = current.way(computed.ways(dataset, model))
        by = selection.Selection(model, way=way, threshold=at if way == "threshold" else None)
        if dataset.roles.task is Task.BINARY:
            negative, positive = told.classes
            yield by.cell(positive, negative)
        yield by.mistakes()
