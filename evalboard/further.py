"""Metrics that an evaluation does not hold by itself: of those with a setting there is no end."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from evalcore.evaluation import decisions
from evalcore.evaluation.condense import RULES, condense
from evalcore.evaluation.estimates import ModelSample, Tables, estimates
from evalcore.metrics.metric import Estimate, Family, Metric
from evalcore.options import Options
from evalcore.results import Decisions, Estimates, Evaluation, ModelEvaluation, ModelTables


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
    decided: dict[str, Decisions] = {}
    for rule in RULES:
        if (part := model.decisions.get(rule)) is None:
            continue
        cells = decisions.cells_of(rows, rule, options)
        two = len(part.confusion.classes) == 2
        more = {
            key: decisions.of_whole(metric, part.confusion, options, cells)
            for key, metric in metrics.items()
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


def _of_scores(metric: Metric, model: ModelTables, options: Options) -> Estimate | None:
    """Return a metric of scores or probabilities; None where the model has none."""
    tables, many = Tables(model, options), model.class_scores is not None and metric.over_classes
    of = metric.of_classes() if many else metric
    true = metric.family is Family.RANKING or model.probability or many
    if not true or tables[of.needs] is None:
        return None
    return estimates([of], tables, ModelSample(tables))[of.key]
