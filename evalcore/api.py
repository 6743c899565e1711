"""What `import evalcore as ec` offers of columns: metrics, estimates, differences and curves.

The truth comes first, then what a model said, as in scikit-learn; all else goes by keyword.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from evalcore import inputs
from evalcore.clustering.distance import fitting
from evalcore.clustering.points import (
    Centroids,
    Separation,
    Silhouette,
    condense,
    silhouette as silhouette_of,
)
from evalcore.comparison.candidate import Candidate, candidate
from evalcore.comparison.resampled import ResampledValues, estimated
from evalcore.comparison.results import Comparison
from evalcore.curves.costs import CostCurve, DecisionCurve
from evalcore.curves.roc import CalibrationCurve, PrecisionRecallCurve, RocCurve
from evalcore.errors import EvalError
from evalcore.evaluation.condense import tables_of
from evalcore.evaluation.estimates import ModelSample, Tables, estimates
from evalcore.metrics import catalog, metric as declaration
from evalcore.metrics.metric import Estimate, Family, Sample
from evalcore.metrics.multiclass import of_matrix
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, Outcomes, units
from evalcore.results import ModelTables
from evalcore.tables.classes import ClassReliability, ClassScores
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.contingency import Contingency
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.scores import ScoreTable
from evalcore.text import Displayed

if TYPE_CHECKING:
    from evalcore.comparison.candidates import Candidates

USUAL = Options()


@dataclass(frozen=True, kw_only=True, repr=False)
class Metric(Displayed, declaration.Described):
    """A metric: call it with the truth and a model's predictions.

    Its key is its public name, such as "roc_auc"; `low` and `high` are the ends of its range, the
    formula is LaTeX, and `unit` is "share", "unit" (of the target), "nats", "count" or "".
    `undefined_when` says when it is NaN, `misleads` when the number fools people.
    """

    def _columns(self) -> Mapping[str, list[Any]]:
        shown = ("key", "name", "low", "high", "summary")
        return {n: [getattr(self, n)] for n in shown} | {"better": [self.better.value]}

    def __call__(
        self, truth: Any, prediction: Any, *, positive: Any = None, weights: Any = None
    ) -> float:
        """Return the value; NaN where it is undefined.

        Args:
            truth: (n,) labels, or numbers for a metric of predicted numbers; of a metric of how
                points lie, the (n, d) features.
            prediction: (n,) labels, scores, numbers or clusters, or (n, K) probabilities in the
                order of the sorted classes: what the metric is about.
            positive: The positive class, where it is not plain from the labels.
            weights: (n,) how often each row counts, 0 or more.

        Raises:
            EvalError: An argument cannot be used; the message says which and why.

        >>> metric("roc_auc")([0, 1, 1, 0], [0.1, 0.8, 0.4, 0.5])
        0.75
        """
        # Two families may share a key.
        asked = catalog.by_key(self.family).get(self.key) or catalog.find(self.key)
        if asked.family in _OF_GROUPS:
            return _of_groups(asked, truth, prediction, weights).value
        [outcomes] = _outcomes(asked, truth, [prediction], positive, weights)
        model = tables_of(outcomes)
        if asked.family is Family.COUNTS:
            assert model.labels is not None
            return float(of_matrix(asked, model.labels))
        return _estimate(asked, model, USUAL, plain=True).value


@dataclass(frozen=True)
class Difference(Displayed):
    """How far two models are apart on the same rows: the second minus the first.

    Attributes:
        value: The difference; NaN where either model has no value.
        low, high, method: Its interval and how it was made; None if there is none.
        p_value: Chance of a difference at least as large if both were equally good; NaN where no
            test fits.
        test: Key of the test that the p value is of; "" if there is none.
        first, second: The value of each model.
        note: What the reader must know, such as that the rows are too few; "" otherwise.
    """

    value: float
    low: float | None
    high: float | None
    p_value: float
    method: str | None
    test: str
    level: float
    first: float
    second: float
    note: str = ""


def metric(key: str) -> Metric:
    """Return a metric by its key, such as "roc_auc", or with a setting, such as "f_beta(3)".

    Raises:
        EvalError: There is none of that key; the message names those that are near.
    """
    return _public(catalog.find(key), key)


def metrics() -> list[Metric]:
    """Return every metric of the catalogue, in reading order."""
    return [_public(declared, declared.key) for declared in catalog.METRICS]


def _public(declared: declaration.Metric, key: str) -> Metric:
    known = {each.name: getattr(declared, each.name) for each in fields(Metric)}
    return Metric(**known | {"key": key})


def estimate(
    key: str,
    truth: Any,
    prediction: Any,
    *,
    positive: Any = None,
    weights: Any = None,
    groups: Any = None,
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Estimate:
    """Return a metric with its interval, or the reason why it is undefined.

    Args:
        key: The metric's.
        truth: As in a call of the metric.
        prediction: As in a call of the metric.
        positive: The positive class, where it is not plain from the labels.
        weights: (n,) how often each row counts, 0 or more. Whole numbers are counts of rows; others
            say how much a row counts, at whatever scale, and each row is one draw.
        groups: (n,) what the rows belong to, such as patients: whole groups are then drawn, for an
            interval that allows for rows of one group being alike (Field and Welsh 2007).
        level: Confidence level.
        resamples: Bootstrap draws, from 100 to 1,000,000.
        seed: Seed of the bootstrap.

    Raises:
        EvalError: An argument cannot be used; the message says which and why.

    >>> estimate("accuracy", ["no", "yes", "yes"], ["no", "yes", "no"])
    Estimate(value=0.667, low=0.208, high=0.939, method=wilson, level=0.950)
    """
    asked = catalog.find(key)
    options = Options(level=level, resamples=resamples, seed=seed)
    if asked.family in _OF_GROUPS:
        _refuse("groups", groups, asked)
        return _of_groups(asked, truth, prediction, weights, level)
    [outcomes] = _outcomes(asked, truth, [prediction], positive, weights, groups)
    if asked.family is Family.COUNTS:
        return estimated(ResampledValues(_candidates(asked, [outcomes]), options), 0)
    return _estimate(asked, tables_of(outcomes), options)


def difference(
    key: str,
    truth: Any,
    first: Any,
    second: Any,
    *,
    positive: Any = None,
    groups: Any = None,
    folds: Any = None,
    level: float = 0.95,
    seed: int = 0,
) -> Difference:
    """Return how far two models are apart on the same rows, with interval and p value.

    Args:
        key: The metric's.
        truth: As in a call of the metric.
        first: What one model said.
        second: What the other model said.
        positive: The positive class, where it is not plain from the labels.
        groups: (n,) what the rows belong to: whole groups are drawn in place of rows.
        folds: (n,) the fold of cross-validation that each row was in: models are compared fold by
            fold, with allowance for shared training rows (Nadeau and Bengio 2003).
        level: Confidence level.
        seed: Seed of the bootstrap.

    Raises:
        EvalError: An argument cannot be used, or the metric cannot be compared.

    >>> difference("accuracy", [0, 1, 1, 0] * 5, [0, 1, 0, 0] * 5, [0, 1, 1, 0] * 5).value
    0.25
    """
    from evalcore.compare import compare as compared, conclude
    from evalcore.comparison.candidates import scores_by_fold
    from evalcore.comparison.from_rows import from_rows

    asked = catalog.find(key)
    options = Options(level=level, seed=seed)
    if groups is not None and folds is not None:
        raise EvalError("groups-and-folds", "Give groups or folds, not both.")
    both = _outcomes(asked, truth, [first, second], positive, None, groups)
    inputs.refuse_other_order(truth, [folds])
    if folds is not None:
        scores = scores_by_fold(_candidates(asked, both, folds=folds))
        if scores is None:
            raise EvalError("too-few-folds", "Comparing fold by fold takes from 2 to 200 folds.")
        return _difference(compared(scores, options))
    return _difference(conclude(from_rows(_candidates(asked, both), options)))


def confusion_matrix(
    truth: Any, prediction: Any, *, positive: Any = None, weights: Any = None
) -> ConfusionMatrix:
    """Return how often each class was predicted for each true class; rows are the truth.

    Of two classes the negative one comes first; of several they are sorted.

    >>> confusion_matrix(["no", "yes", "yes"], ["no", "yes", "no"]).counts.tolist()
    [[1, 0], [1, 1]]
    """
    [outcomes] = inputs.labelled(truth, [prediction], positive, weights)
    matrix = tables_of(outcomes).labels
    assert matrix is not None
    return matrix


def roc_curve(truth: Any, score: Any, *, positive: Any = None, weights: Any = None) -> RocCurve:
    """Return true and false positive rates at each threshold. Source: Fawcett (2006).

    >>> roc_curve([0, 1, 1], [0.2, 0.9, 0.7]).tpr.tolist()
    [0.0, 0.5, 1.0, 1.0]
    """
    return RocCurve.from_table(_scores(truth, score, positive, weights))


def precision_recall_curve(
    truth: Any, score: Any, *, positive: Any = None, weights: Any = None
) -> PrecisionRecallCurve:
    """Return precision and recall at each threshold; between them no line is meant.

    Source: Davis and Goadrich (2006), The relationship between precision-recall and ROC curves.
    """
    return PrecisionRecallCurve.from_table(_scores(truth, score, positive, weights))


def calibration_curve(
    truth: Any,
    probability: Any,
    *,
    positive: Any = None,
    weights: Any = None,
    bins: int = 10,
    binning: Literal["uniform", "quantile"] = "uniform",
    level: float = 0.95,
) -> CalibrationCurve:
    """Return the share of positives in each bin of probabilities, with Wilson's interval.

    Source: Murphy and Winkler (1977), Applied Statistics 26(1).
    """
    asked = Options(bins=bins, binning=binning, level=level)
    table = _scores(truth, probability, positive, weights, probability=True)
    bounded = ReliabilityTable.from_scores(table, asked.bins, asked.binning)
    return CalibrationCurve.from_table(bounded, asked.level)


def cost_curve(truth: Any, score: Any, *, positive: Any = None, weights: Any = None) -> CostCurve:
    """Return the lowest normalised expected cost that any threshold reaches.

    Source: Drummond and Holte (2006), Cost curves, Machine Learning 65.
    """
    return CostCurve.from_table(_scores(truth, score, positive, weights))


def decision_curve(
    truth: Any,
    probability: Any,
    *,
    thresholds: Any = None,
    prevalence: float | None = None,
    positive: Any = None,
    weights: Any = None,
    level: float = 0.95,
) -> DecisionCurve:
    """Return the net benefit of acting on probabilities from each threshold on.

    Args:
        truth: (n,) labels of two classes.
        probability: (n,) probabilities of the positive class.
        thresholds: (g,) probabilities within (0, 1); 0.01 to 0.99 by default.
        prevalence: Share of positive cases where it is used; that of the rows by default.
        positive: The positive class, where it is not plain from the labels.
        weights: (n,) how often each row counts.
        level: Confidence level.

    Source: Vickers and Elkin (2006), Decision curve analysis, Medical Decision Making 26(6).
    """
    table = _scores(truth, probability, positive, weights, probability=True)
    at = np.arange(1, 100) / 100
    if thresholds is not None:
        at = inputs.numbers(thresholds, "the thresholds")
    if not ((at > 0) & (at < 1)).all():
        raise EvalError("bad-threshold", "Thresholds must lie between 0 and 1.")
    share = table.positives / table.n if prevalence is None else prevalence
    if not 0 <= share <= 1:
        raise EvalError("bad-prevalence", "The share of positives must lie between 0 and 1.")
    return DecisionCurve.from_table(table, at, share, Options(level=level).level)


def silhouette(
    features: Any, clusters: Any, *, noise: Any = None, distance: str | None = None
) -> Silhouette:
    """Return how much nearer each point is to its own cluster than to the next one.

    Args:
        features: (n, d) numbers.
        clusters: (n,) the cluster of each point.
        noise: The label of points in no cluster, such as -1.
        distance: "euclidean" (the usual one), "manhattan", "minkowski:P" or "cosine".

    Source: Rousseeuw (1987), Journal of Computational and Applied Mathematics 20.
    """
    points = inputs.clustered(features, clusters, noise)
    return silhouette_of(points, fitting(points, distance))


_OF_GROUPS = (Family.AGREEMENT, Family.POINTS)
"""Metrics of clusterings, whose rows stand for no draw from a population."""


def _outcomes(
    asked: declaration.Metric,
    truth: Any,
    predictions: list[Any],
    positive: Any,
    weights: Any,
    groups: Any = None,
) -> list[Outcomes]:
    """Return the checked outcomes that a metric is about, with the groups that are drawn whole."""
    inputs.refuse_other_order(truth, [groups])
    checked = _checked(asked, truth, predictions, positive, weights)
    counted = weights is None or inputs.are_counts(np.asarray(weights, np.float64))
    if groups is None and counted:
        return checked
    codes = np.arange(checked[0].n) if groups is None else _codes(groups, "groups", len(truth))
    if groups is not None and weights is not None:
        codes = codes[np.asarray(weights, np.float64) > 0]
    if len(np.unique(codes)) < 2:
        raise EvalError("one-group", ONE_GROUP)
    return [
        replace(one, unit=units(codes, one.weight, counted=counted), counted=counted)
        for one in checked
    ]


ONE_GROUP = "All rows belong to one group; a comparison needs at least two."


def _checked(
    asked: declaration.Metric, truth: Any, predictions: list[Any], positive: Any, weights: Any
) -> list[Outcomes]:
    if asked.family is Family.VALUES:
        return [*inputs.predicted(truth, predictions, weights)]
    if asked.family is Family.COUNTS:
        two = asked.needs is BinaryCounts and asked.over_classes is None
        try:
            return [*inputs.labelled(truth, predictions, positive, weights, two=two)]
        except EvalError as problem:
            raise _of_one_class(asked, problem) from None
    # Some metrics of two classes take the probabilities of several too.
    many = asked.over_classes is not None and getattr(predictions[0], "ndim", 1) == 2
    if many or asked.needs in (ClassScores, ClassReliability):
        return [inputs.class_scored(truth, one, weights) for one in predictions]
    chance = asked.family is Family.PROBABILITY
    return [*inputs.scored(truth, predictions, positive, weights, probability=chance)]


def _of_one_class(asked: declaration.Metric, problem: EvalError) -> EvalError:
    """Say how to ask a metric of two classes about one of several."""
    if problem.code != "not-binary" or "values (" not in problem.message:
        return problem
    return EvalError(
        problem.code,
        f"{asked.name} is about one class, and the truth holds several. For one class against the "
        f'rest: estimate("{asked.key}", truth == "a", prediction == "a") with your class for "a" '
        "(of "
        "numpy arrays or pandas columns). For each class, with averages over all: "
        "evaluate(data_frame). One number for all classes: accuracy, balanced_accuracy, mcc.",
    )


def _estimate(
    asked: declaration.Metric, model: ModelTables, options: Options, *, plain: bool = False
) -> Estimate:
    """Return a metric of scores, probabilities or numbers, as an evaluation makes it."""
    many = model.class_scores is not None and asked.over_classes is not None
    of = asked.of_classes() if many else asked
    tables = Tables(model, options)
    return estimates([of], tables, None if plain else ModelSample(tables))[of.key]


def _of_groups(
    asked: declaration.Metric, truth: Any, clusters: Any, weights: Any, level: float | None = None
) -> Estimate:
    """Return a metric of a clustering, against classes or by where its points lie."""
    _refuse("weights", weights, asked)
    sample = None if level is None else Sample(level)
    if asked.family is Family.POINTS:
        points = inputs.clustered(truth, clusters)
        tables = condense(points, fitting(points, None), rng=np.random.default_rng(USUAL.seed))
        known = {Centroids: tables.centroids, Separation: tables.separation}
        return asked.estimate(known.get(asked.needs, tables.silhouette), sample)
    target, clustering = inputs.labels(truth, "truth"), inputs.without_noise(clusters)
    if len(target.codes) != clustering.n or not clustering.n:
        raise EvalError("wrong-length", f"{len(target.codes)} classes and {clustering.n} clusters.")
    table = Contingency.from_codes(target.codes, clustering.cluster, target.names, clustering.names)
    return asked.estimate(table, sample)


def _candidates(
    asked: declaration.Metric, both: list[Outcomes], *, folds: Any = None
) -> Candidates:
    """Return models as a comparison takes them, called "first" and "second"."""
    from evalcore.comparison.candidates import Candidates

    names = ("first", "second")
    models = [candidate(name, one, asked) for name, one in zip(names, both, strict=False)]
    able = tuple(one for one in models if isinstance(one, Candidate))
    if len(able) < len(both):
        raise EvalError("not-comparable", f'Models cannot be compared by "{asked.key}".')
    return Candidates(asked, able, True, _codes(folds, "folds", both[0].n), ())


def _codes(values: Any, name: str, rows: int) -> Any:
    if values is None:
        return None
    codes = inputs.labels(values, name).codes
    if len(codes) != rows:
        raise EvalError("wrong-length", f"There must be one of {name} for each of {rows} rows.")
    return codes


def _difference(comparison: Comparison) -> Difference:
    """Return what a comparison of two models found about them."""
    [gap] = comparison.differences
    tested = comparison.tested(comparison.primary, gap.first, gap.second)
    return Difference(
        value=gap.difference,
        low=gap.low,
        high=gap.high,
        p_value=np.nan if tested is None else tested.finding.p_value,
        method=gap.method,
        test="" if tested is None else comparison.primary,
        level=comparison.level,
        first=comparison.models[gap.first].value,
        second=comparison.models[gap.second].value,
        note=comparison.doubt or gap.note or ("" if tested is None else tested.finding.note),
    )


def _scores(
    truth: Any, score: Any, positive: Any, weights: Any, *, probability: bool = False
) -> ScoreTable:
    """Return the counts of each class at each score."""
    [outcomes] = inputs.scored(truth, [score], positive, weights, probability=probability)
    assert isinstance(outcomes, BinaryOutcomes)
    assert outcomes.score is not None
    return ScoreTable.from_scores(outcomes.truth, outcomes.score, outcomes.weight)


def _refuse(name: str, given: Any, asked: declaration.Metric) -> None:
    """Refuse an argument for which a metric has no statistics, rather than leave it aside."""
    if given is not None:
        raise EvalError(
            f"no-{name}", f"{asked.name} takes no {name}; leave them out for a plain value."
        )
