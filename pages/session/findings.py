"""What the data say, computed once: who leads, remarks, sketches of curves, which pages fit."""

from collections.abc import Mapping

from evalcore.compare import verdict
from evalcore.comparison.candidates import MOST_FOLDS, common_rule, default_metric
from evalcore.comparison.results import Comparison, Place
from evalcore.comparison.spec import BACKWARDS
from evalcore.curves.calibration import CalibrationCurve
from evalcore.curves.roc import PrecisionRecallCurve, RocCurve, mean_precision_recall, mean_roc
from evalcore.dataset import Dataset, Task
from evalcore.errors import EvalError, Notice
from evalcore.evaluation.condense import labels_agree
from evalcore.evaluation.estimates import value_of
from evalcore.evaluation.remarks import below_half, remarks
from evalcore.metrics.catalog import by_key
from evalcore.metrics.metric import Estimate
from evalcore.metrics.regression import mse
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, Measurable, Points
from evalcore.results import Estimates, ModelEvaluation
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.residuals import ResidualMoments
from evalcore.tables.scores import ScoreTable
from pages.session import computed, numbers
from pages.session.cache import cached

UNKNOWN = Estimate(float("nan"))

SKETCHED = 400
"""Rows of a score table from which a curve is drawn."""


def leading(dataset: Dataset, options: Options | None = None) -> Comparison | EvalError:
    """Return which model is better by the usual metric, or why that cannot be said."""
    by_scores = options is None or default_metric(dataset) != "accuracy"
    asked = Options(threshold=dataset.threshold) if options is None or by_scores else options
    return _leading(dataset, asked)


@cached(entries=200)
def _leading(dataset: Dataset, options: Options) -> Comparison | EvalError:
    try:
        return verdict(dataset, options)
    except EvalError as refusal:
        return refusal


def first_to_show(dataset: Dataset) -> str | None:
    """Return the model that leads, errs least, or clusters best; None where nothing tells."""
    if dataset.roles.task is Task.REGRESSION:
        return _closest(dataset)
    if dataset.clusterings:
        return best_apart(dataset) or best_agreeing(dataset)
    found = leading(dataset) if len(dataset.models) > 1 else None
    # Of scores that all run backwards the highest area is that of the model that tells least.
    if not isinstance(found, Comparison) or found.doubt == BACKWARDS:
        return None
    return found.standing.order[0]


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


def places(dataset: Dataset, way: str, options: Options) -> Mapping[str, Mapping[str, Place]]:
    """Return where the models stand by the metric of the headline, decided in this way.

    Nothing where no test tells, or it is about decisions made in another way.
    """
    found = leading(dataset, options)
    if isinstance(found, EvalError) or found.doubt:
        return {}
    if found.metric == "accuracy" and way != common_rule(dataset.models):
        return {}
    return {found.metric: found.places}


def own_number(dataset: Dataset, model: str, threshold: float) -> Estimate:
    """Return the number by which a single model is judged at a glance, with its interval."""
    ranking = computed.ranking(dataset, model)
    if "roc_auc" in ranking and ranking["roc_auc"].defined:
        return ranking["roc_auc"]
    ways = computed.decisions(dataset, model, threshold)
    return next(iter(ways.values())).metrics["accuracy"] if ways else UNKNOWN


def notices(dataset: Dataset, model: str, threshold: float) -> tuple[Notice, ...]:
    """Return what must be known before believing the numbers of a model."""
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
    area = computed.ranking(dataset, model)["roc_auc"]
    return tuple(below_half(model, computed.tables(dataset)[model], area))


@cached(entries=100)
def plain_ranking(dataset: Dataset, key: str) -> Estimates:
    """Return a number of how well scores rank, without an interval, of each model that has some."""
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
    rows = zip(scores.one_vs_rest, scores.support.tolist(), strict=True)
    tables, support = zip(*((t, n) for t, n in rows if t is not None), strict=True)
    weights = {"macro average": [1.0] * len(tables), "weighted average": support}
    micro = scores.micro.thinned(SKETCHED)
    return (
        {name: mean_roc(tables, each) for name, each in weights.items()}
        | {"micro": RocCurve.from_table(micro)},
        {name: mean_precision_recall(tables, each) for name, each in weights.items()}
        | {"micro": PrecisionRecallCurve.from_table(micro)},
    )


@cached(entries=100)
def sketches(dataset: Dataset, threshold: float) -> Mapping[str, ScoreTable]:
    """Return the score table of each model that has one, thinned to what a picture can show.

    The counts at `threshold` are exact.
    """
    return {
        name: found.scores.thinned(SKETCHED, keep=(threshold,))
        for name, found in computed.tables(dataset).items()
        if found.scores is not None
    }


@cached(entries=100)
def calibrations(dataset: Dataset) -> Mapping[str, CalibrationCurve]:
    """Return the calibration curve of each model that gives probabilities."""
    return {
        name: CalibrationCurve.from_table(ReliabilityTable.from_scores(found.scores))
        for name, found in computed.tables(dataset).items()
        if found.scores is not None and found.probability
    }


@cached(entries=100)
def _closest(dataset: Dataset) -> str | None:
    tables = {name: found.numbers for name, found in computed.tables(dataset).items()}
    errors = {
        name: mse(ResidualMoments.of(told)) for name, told in tables.items() if told and told.n
    }
    return min(errors, key=errors.__getitem__, default=None)


CLASSES = (Task.BINARY, Task.MULTICLASS)
JUDGED = (*CLASSES, Task.REGRESSION, Task.CLUSTERING)


def is_judged(dataset: Dataset) -> bool:
    """Whether rows or points are judged one by one, rather than scores of folds."""
    return dataset.roles.task in JUDGED


def has_classes(dataset: Dataset) -> bool:
    """Whether classes are predicted."""
    return dataset.roles.task in CLASSES


def has_numbers(dataset: Dataset) -> bool:
    """Whether numbers are predicted."""
    return dataset.roles.task is Task.REGRESSION


def has_points(dataset: Dataset) -> bool:
    """Whether there are clusters of points whose features are known."""
    return any(isinstance(found, Points) for found in dataset.clusterings.values())


def has_measurable(dataset: Dataset) -> bool:
    """Whether there are clusters of points that lie so and so far apart."""
    return any(isinstance(found, Measurable) for found in dataset.clusterings.values())


def has_groups(dataset: Dataset) -> bool:
    """Whether a clustering can be held against classes or another clustering."""
    others = len(dataset.clusterings) + (dataset.true_class is not None)
    return bool(dataset.clusterings) and others > 1


def has_clusterings(dataset: Dataset) -> bool:
    """Whether there are clusterings to choose from."""
    return len(dataset.clusterings) > 1


def has_stated(dataset: Dataset) -> bool:
    """Whether quantiles or intervals are stated beside predicted numbers."""
    return dataset.roles.task is Task.REGRESSION and bool(numbers.found(dataset))


def has_several(dataset: Dataset) -> bool:
    """Whether there are models to compare, by rows or by folds."""
    scored = dataset.fold_scores
    return len(dataset.models if scored is None else scored.models) > 1


def has_several_on_rows(dataset: Dataset) -> bool:
    """Whether there are models to compare by rows."""
    return len(dataset.models) > 1


def has_folds(dataset: Dataset) -> bool:
    """Whether there are models judged on few enough folds."""
    folded = dataset.fold is not None and 2 <= len(dataset.fold.names) <= MOST_FOLDS
    scored = dataset.fold_scores is not None and has_several(dataset)
    return scored or (folded and bool(dataset.models))


def has_scores(dataset: Dataset) -> bool:
    """Whether a model scores rows, for a yes-or-no question or for classes."""
    return has_class_scores(dataset) or any(
        isinstance(outcomes, BinaryOutcomes) and outcomes.score is not None
        for outcomes in dataset.models.values()
    )


def has_probabilities(dataset: Dataset) -> bool:
    """Whether a model gives probabilities."""
    return has_class_scores(dataset) or any(
        isinstance(outcomes, BinaryOutcomes) and outcomes.probability
        for outcomes in dataset.models.values()
    )


def has_class_scores(dataset: Dataset) -> bool:
    """Whether a model gives the probability of each of several classes."""
    return any(
        isinstance(outcomes, ClassOutcomes) and outcomes.probabilities is not None
        for outcomes in dataset.models.values()
    )
