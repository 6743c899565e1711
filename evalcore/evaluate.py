"""From a data set to every number: condense once, then decide, rank and judge.

`condense` is the only part that looks at rows; the others take count tables and options, so that
a caller may keep the tables and ask again.
"""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from itertools import repeat
from math import sqrt
from types import MappingProxyType
from typing import Any

import numpy as np

from evalcore import results
from evalcore.curves.roc import CalibrationCurve, PrecisionRecallCurve, RocCurve
from evalcore.errors import EvalError, Notice
from evalcore.evaluation import decisions, estimates
from evalcore.evaluation.clusterings import evaluate_clustering
from evalcore.evaluation.condense import condense
from evalcore.evaluation.drawn import groups_of, share_that_tells
from evalcore.evaluation.estimates import (
    ModelSample,
    Tables,
    estimate_items,
    estimate_values,
    judge_probabilities,
    rank,
    rank_classes,
)
from evalcore.evaluation.remarks import remarks, side_by_side, value_remarks
from evalcore.metrics.metric import Sample
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes
from evalcore.predictions import Predictions
from evalcore.results import DecisionRule, Decisions, Estimates, Evaluation, ModelTables
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.tables.reliability import ReliabilityTable
from evalcore.text import counted
from evalcore.work import NO_PROGRESS, Progress

_WORKERS = 2
"""Models that are worked on at once; the numbers do not depend on it."""

CURVE_POINTS = 2000
"""At most so many points make a curve; see `ScoreTable.thinned`."""


def by_threads(
    tables: Mapping[str, ModelTables], options: Options, progress: Progress
) -> Mapping[str, results.ModelEvaluation]:
    """Return every number of every model, of which a few are worked on at once."""
    return by_workers(ThreadPoolExecutor(max_workers=_WORKERS), tables, options, progress)


def by_workers(
    pool: Executor,
    tables: Mapping[str, ModelTables],
    options: Options,
    progress: Progress,
    at_a_time: int = 1,
) -> Mapping[str, results.ModelEvaluation]:
    """Return every number of every model, made by a pool, which then ends.

    Processes take so many models at a time.
    """
    models = {}
    try:
        work = tables, tables.values(), repeat(options)
        evaluated = pool.map(evaluate_model, *work, chunksize=at_a_time)
        for name, model in zip(tables, evaluated, strict=True):
            progress.check()
            models[name] = model
            progress.report(len(models) / len(tables))
    finally:
        pool.shutdown(cancel_futures=True)
    return models


def evaluate(
    dataset: Predictions,
    options: Options,
    progress: Progress = NO_PROGRESS,
    of_all: Callable[..., Mapping[str, results.ModelEvaluation]] = by_threads,
) -> Evaluation:
    """Return every number of every model, or of every clustering.

    `of_all` makes those of all models, as `by_threads` does.

    Raises:
        EvalError: "fold-scores": the data set holds scores of folds, which can only be compared.
    """
    if dataset.fold_scores is not None:
        raise EvalError(
            "fold-scores",
            f'"{dataset.name}" holds one score per fold, not one row per example: its models can '
            "be compared, but nothing else can be computed from it.",
        )
    return evaluate_tables(dataset, condense(dataset), options, progress, of_all)


def evaluate_tables(
    dataset: Predictions,
    tables: Mapping[str, ModelTables],
    options: Options,
    progress: Progress,
    of_all: Callable[..., Mapping[str, results.ModelEvaluation]] = by_threads,
) -> Evaluation:
    """Return every number of every model from count tables that are at hand."""
    models = of_all(tables, options, progress)
    clusterings = {n: evaluate_clustering(dataset, n, options) for n in dataset.clusterings}
    own = [notice for model in models.values() for notice in model.notices]
    own += [notice for clustering in clusterings.values() for notice in clustering.notices]
    own += side_by_side(dataset.models)
    return Evaluation(
        dataset,
        options,
        MappingProxyType(models),
        tuple(dict.fromkeys((*dataset.notices, *own))),
        MappingProxyType(clusterings),
    )


def evaluate_model(name: str, tables: ModelTables, options: Options) -> results.ModelEvaluation:
    """Return every number of one model from its count tables."""
    numbers = tables.numbers
    evaluation = results.ModelEvaluation(
        n=tables.n,
        decisions=decide(tables, options),
        ranking=_all_of(rank(tables, options)),
        probability=_all_of(judge_probabilities(tables, options)),
        class_ranking=MappingProxyType(
            {name: _all_of(ranked) for name, ranked in rank_classes(tables, options).items()}
        ),
        values=MappingProxyType({}) if numbers is None else estimate_values(numbers, options),
        **_of_items(tables, options),
        folds=tuple(
            results.FoldEvaluation(fold, part.n, without_intervals(part, options))
            for fold, part in tables.folds.items()
        ),
        **_curves(tables, options),
    )
    about = [*_design_effect(name, tables)]
    if tables.items is None:
        own = (
            value_remarks(name, numbers) if numbers else remarks(name, tables, evaluation, options)
        )
        about = [*own, *about]
    return replace(evaluation, notices=tuple(about))


def _design_effect(name: str, tables: ModelTables) -> Iterator[Notice]:
    """Say how many independent rows tell as much, where rows depend on each other."""
    rows = tables.rows
    if rows is None:
        return
    share, scored = share_that_tells(rows), isinstance(rows, BinaryOutcomes) and rows.scored
    what = "ROC AUC" if scored else "mean error" if tables.numbers else "accuracy"
    groups, all_rows = groups_of(rows), counted(rows.n, "row")
    told = f"grouping makes no difference to the {what} of {all_rows}"
    if 1 / share >= NO_EFFECT:
        told = (
            f"{all_rows} determine the {what} as well as about {rows.n * share:,.0f} "
            "independent rows of equal weight"
        )
    elif groups and share >= NO_EFFECT:
        # A variance over G groups is known but for a relative error of the root of 2 / (G - 1).
        by_chance = 1 - 1 / share < 2 * sqrt(2 / max(groups.count - 1, 1))
        why = "likely by chance" if by_chance else "since rows of one group differ more than others"
        told = (
            f"groups differ less in the {what} than groups of independent rows would, {why}: "
            f"intervals of {all_rows} are narrower than without groups"
        )
    yield Notice("design-effect", f'"{name}": {told} (design effect {1 / share:.2g}).')


NO_EFFECT = 1.05
"""Below this design effect groups widen intervals by less than a fortieth, which nobody sees."""


def _of_items(tables: ModelTables, options: Options) -> dict[str, Any]:
    """Return what is known of answers of which only right or wrong is known, whole and by group."""
    if tables.items is None:
        return {}
    alone = Sample(options.level)
    groups = (
        results.GroupEvaluation(
            name, round(items.total), MappingProxyType({"items": estimate_items(items, alone)})
        )
        for name, items in tables.groups.items()
    )
    sample = ModelSample(Tables(tables, options))
    return {"items": estimate_items(tables.items, sample), "groups": tuple(groups)}


def _all_of(estimates: Estimates) -> Estimates:
    """Make whatever waits to be asked for."""
    return MappingProxyType(dict(estimates))


def decide(tables: ModelTables, options: Options) -> Mapping[DecisionRule, Decisions]:
    """Return what follows from each rule of decision that the model allows.

    "labels": the file's own; "threshold": score >= `options.threshold`; "argmax": the most likely
    class, of tied ones the first. They are never mixed.
    """
    matrices = _matrices(tables, options)
    return MappingProxyType(
        {
            rule: decisions.decisions(
                matrix, options, decisions.cells_of(tables.rows, rule, options)
            )
            for rule, matrix in matrices.items()
        }
    )


def _matrices(tables: ModelTables, options: Options) -> Mapping[DecisionRule, ConfusionMatrix]:
    matrices: dict[DecisionRule, ConfusionMatrix | None] = {
        "labels": tables.labels,
        "threshold": _at_threshold(tables, options.threshold),
        "argmax": tables.argmax,
    }
    return {rule: confusion for rule, confusion in matrices.items() if confusion is not None}


def _at_threshold(tables: ModelTables, threshold: float) -> ConfusionMatrix | None:
    if tables.scores is None:
        return None
    counts = tables.scores.at(threshold)
    cells = np.array([[counts.tn, counts.fp], [counts.fn, counts.tp]])
    return ConfusionMatrix(tables.classes, cells.astype(tables.scores.tp.dtype))


def _curves(tables: ModelTables, options: Options) -> dict[str, Any]:
    """Return the curves of a yes-or-no model; those of a large file through chosen points."""
    share = share_that_tells(tables.rows)
    if tables.confidence is not None:
        own = ReliabilityTable.from_scores(tables.confidence, options.bins, options.binning)
        return {"calibration": CalibrationCurve.from_table(own, options.level, share)}
    if tables.scores is None:
        return {}
    drawn = tables.scores.thinned(CURVE_POINTS, keep=(options.threshold,))
    curves: dict[str, Any] = {
        "roc": RocCurve.from_table(drawn),
        "precision_recall": PrecisionRecallCurve.from_table(drawn),
    }
    if tables.probability:
        bins = ReliabilityTable.from_scores(tables.scores, options.bins, options.binning)
        curves["calibration"] = CalibrationCurve.from_table(bins, options.level, share)
    return curves


def without_intervals(tables: ModelTables, options: Options) -> Mapping[str, Estimates]:
    """Return every metric of a model, or of one of its folds, without intervals: quickly.

    By where they come from, as `results.ModelEvaluation.metrics`.
    """
    groups: dict[str, Estimates] = {
        rule: decisions.without_intervals(matrix)
        for rule, matrix in _matrices(tables, options).items()
    }
    for family, group in estimates.without_intervals(tables, options).items():
        groups[family.value] = group
    if tables.items is not None:
        groups["items"] = estimate_items(tables.items)
    return MappingProxyType({name: group for name, group in groups.items() if group})
