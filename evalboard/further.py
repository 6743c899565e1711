"""Metrics that an evaluation does not hold by itself: those with a setting, and of costs given."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from evalcore.compare import P, at_cheapest
from evalcore.errors import EvalError
from evalcore.evaluation import decisions
from evalcore.evaluation.condense import RULES, condense
from evalcore.evaluation.estimates import ModelSample, Tables, estimates
from evalcore.metrics.decisions import accuracy_weights, mean_cost, total_cost, weighted_accuracy
from evalcore.metrics.metric import Estimate, Family, Metric, OverClasses
from evalcore.options import Options
from evalcore.outcomes import Floats
from evalcore.predictions import Predictions
from evalcore.results import (
    DecisionRule,
    Decisions,
    Estimates,
    Evaluation,
    ModelEvaluation,
    ModelTables,
)
from evalcore.text import listed


def with_metrics(made: Evaluation, metrics: Mapping[str, Metric]) -> Evaluation:
    """Return an evaluation with further metrics, by key, for each model that has what they need.

    Such are metrics with a setting or with costs, of which there is no end.
    """
    tables = condense(made.dataset) if metrics and made.dataset.models else {}
    models = {
        name: _with_metrics(model, tables.get(name), metrics, made.options)
        for name, model in made.models.items()
    }
    return replace(made, models=MappingProxyType(models))


def _with_metrics(
    model: ModelEvaluation,
    tables: ModelTables | None,
    metrics: Mapping[str, Metric],
    options: Options,
) -> ModelEvaluation:
    rows = None if tables is None else tables.rows
    decided: dict[DecisionRule, Decisions] = {}
    for rule in RULES:
        if (part := model.decisions.get(rule)) is None:
            continue
        cells = decisions.cells_of(rows, rule, options)
        two = len(part.confusion.classes) == 2
        more = {
            key: decisions.of_whole(metric, part.confusion, options, cells)
            for key, metric in _bounded(metrics, float(part.confusion.counts.sum())).items()
            if metric.family is Family.COUNTS and (two or metric.over_classes)
        }
        decided[rule] = replace(part, metrics=MappingProxyType({**part.metrics, **more}))

    def with_found(family: Family, own: Estimates) -> Estimates:
        some = {key: metric for key, metric in metrics.items() if metric.family is family}
        found = {key: _of_scores(one, tables, options) for key, one in some.items() if tables}
        return MappingProxyType({**own, **{key: made for key, made in found.items() if made}})

    return replace(
        model,
        decisions=MappingProxyType(decided),
        ranking=with_found(Family.RANKING, model.ranking),
        probability=with_found(Family.PROBABILITY, model.probability),
    )


def _bounded(metrics: Mapping[str, Metric], cases: float) -> Mapping[str, Metric]:
    """Return metrics of which a total lies within the bounds of the mean, times the cases.

    Its interval is then that of the mean, times the cases.
    """
    total, mean = metrics.get("total_cost"), metrics.get("mean_cost")
    if total is None or mean is None or np.isfinite(total.low):
        return metrics
    return {**metrics, "total_cost": replace(total, low=cases * mean.low, high=cases * mean.high)}


def _of_scores(metric: Metric, model: ModelTables, options: Options) -> Estimate | None:
    """Return a metric of scores or probabilities; None where the model has none."""
    tables, many = Tables(model, options), model.class_scores is not None and metric.over_classes
    of = metric.of_classes() if many else metric
    true = metric.family is Family.RANKING or model.probability or many
    if not true or tables[of.needs] is None:
        return None
    return estimates([of], tables, ModelSample(tables))[of.key]


def with_costs(given: argparse.Namespace, dataset: Predictions) -> Mapping[str, Metric]:
    """Return the metrics of the costs that are given; none where none are.

    Raises:
        EvalError: A cost names no two classes, or a number is out of its range.
    """
    if not given.cost:
        if given.prevalence is not None or given.volume is not None:
            raise EvalError("usage", "--prevalence and --volume go with --cost TRUTH:DECISION=N.")
        return {}
    classes = dataset.classes
    prices, share, shares = costs(given.cost, classes), given.prevalence, None
    if share is not None:
        if len(classes) != 2 or not 0 <= share <= 1:
            raise EvalError(
                "bad-prevalence", "--prevalence is a share from 0 to 1, for two classes."
            )
        shares = (1 - share, share)
    total, mean = total_cost(prices, shares), mean_cost(prices, shares)
    found = {"total_cost": total, "mean_cost": mean}
    if len(classes) == 2 and (weights := accuracy_weights(prices)):
        found["weighted_accuracy"] = weighted_accuracy(weights, shares)
    if given.volume is not None:
        if not 0 < given.volume < np.inf:
            raise EvalError("bad-volume", "--volume is a number of cases above 0.")
        found["total_cost"] = _times(found["mean_cost"], total, given.volume)
    return found


def compared_by(
    given: argparse.Namespace, dataset: P, options: Options
) -> tuple[P, Options, Metric | str | None]:
    """Return what models are compared by: with costs their mean, each at its cheapest threshold.

    A threshold that is given is that of all of them.
    """
    metrics, key = with_costs(given, dataset), given.metric or "mean_cost"
    if not metrics:
        return dataset, options, given.metric
    if given.threshold is None and len(dataset.classes) == 2:
        prices = costs(given.cost, dataset.classes)
        dataset, options = at_cheapest(dataset, options, prices, given.prevalence)
    return dataset, options, metrics.get(key, key)


def costs(said: Sequence[str], classes: Sequence[str]) -> Floats:
    """Return (K, K) costs, row = truth, column = decision; what is not said costs nothing.

    >>> costs(["yes:no=10", "no:yes=1"], ("no", "yes")).tolist()
    [[0.0, 1.0], [10.0, 0.0]]
    """
    if not classes:
        raise EvalError("no-classes", "--cost is about decisions between classes; here are none.")
    pairs = {
        f"{truth}:{decision}": (row, column)
        for row, truth in enumerate(classes)
        for column, decision in enumerate(classes)
    }
    prices = np.zeros((len(classes), len(classes)))
    for text in said:
        pair, sign, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = np.nan
        if not sign or not np.isfinite(value) or pair not in pairs:
            raise EvalError(
                "bad-cost",
                f'--cost "{text}" is not a cost of a decision. Write TRUTH:DECISION=NUMBER, such '
                f"as {classes[-1]}:{classes[0]}=10. The classes are {listed(classes)}.",
            )
        prices[pairs[pair]] = value
    return prices


def _times(mean: Metric, total: Metric, cases: float) -> Metric:
    """Return the mean cost of a case, times the cases, as the total cost."""

    def compute(counts: Any) -> Any:
        return cases * mean.of_classes()(counts)

    return replace(
        total,
        compute=lambda table: compute(table.counts),
        over_classes=OverClasses(compute),
        low=cases * mean.low,
        high=cases * mean.high,
        misleads=mean.misleads,
    )
