"""Which models of a data set can be compared by a metric, and on which rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations

import numpy as np

from evalcore.comparison.candidate import Candidate, can_decide, candidate
from evalcore.errors import EvalError, Notice
from evalcore.evaluation.condense import DecisionRule, decide, some_rows
from evalcore.metrics.catalog import find
from evalcore.metrics.metric import Metric
from evalcore.options import Options
from evalcore.outcomes import (
    BinaryOutcomes,
    Categories,
    Codes,
    Floats,
    NumericOutcomes,
    Outcomes,
    Predictions,
    Rows,
    data_rows,
)
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix

RULES: tuple[DecisionRule, ...] = ("labels", "argmax", "threshold")
"""Of the rules that most models can decide by, the first is taken for all of them."""

USUAL = Options()


@dataclass(frozen=True, eq=False)
class Candidates:
    """Models that give what is compared, on the rows that all of them have.

    Attributes:
        metric: What is compared.
        models: The models, in the file's order.
        shared: Whether all are on the same rows; if not, they have no row in common.
        fold: (n,) fold of each shared row, -1 where there is none; None without folds.
        notices: What the reader must know about the choice of models and rows.
        group: (n,) group of each shared row, -1 where there is none; None without groups.
    """

    metric: Metric
    models: tuple[Candidate, ...]
    shared: bool
    fold: Codes | None
    notices: tuple[Notice, ...]
    group: Codes | None = None


def choose_candidates(
    dataset: Predictions, key: str | None = None, options: Options = USUAL
) -> Candidates:
    """Return the models and rows to compare by a metric; by default the usual one of the task.

    Raises:
        EvalError: Fewer than two models give what is compared; some share rows, but not all; the
            metric is unknown or cannot be compared; or there are clusterings.
    """
    if dataset.clusterings:
        raise EvalError(
            "clusterings",
            "No test compares clusterings: evaluating the file shows their numbers side by side.",
        )
    metric = find(key or default_metric(dataset))
    rule = common_rule(dataset.models)
    outcomes = {
        name: own
        for name, own in dataset.models.items()
        if candidate(name, own, metric, rule) is not None
    }
    if len(outcomes) < 2:
        raise EvalError("one-model", _too_few(metric, list(outcomes)))
    every = np.arange(1, dataset.rows + 1)
    rows = {name: every if own.rows is None else own.rows for name, own in outcomes.items()}
    given = [own for own in rows.values() if own is not every]
    common = reduce(np.intersect1d, given, every) if given else every
    shared = bool(len(common)) or not any(map(len, rows.values()))
    if shared:
        outcomes = {name: _on(common, rows[name], own) for name, own in outcomes.items()}
    else:
        _check_disjoint(rows)
    left_out = [name for name in dataset.models if name not in outcomes]
    return Candidates(
        metric=metric,
        models=tuple(
            Candidate(name, own, metric, rule, options.threshold_of(name))
            for name, own in outcomes.items()
        ),
        shared=shared,
        fold=_codes(dataset.fold, common, shared),
        group=_codes(dataset.group, common, shared),
        notices=(
            *_about_decisions(metric, dataset, rule, options),
            *_about_rows(metric, left_out, rows, common if shared else None),
        ),
    )


def default_metric(dataset: Predictions) -> str:
    """Return the key of the metric that models of this kind are usually compared by."""
    models = list(dataset.models.values())
    if all(isinstance(outcomes, NumericOutcomes) for outcomes in models):
        return "rmse"
    scored = [o for o in models if isinstance(o, BinaryOutcomes) and o.score is not None]
    enough = len(scored) > 1 or len(scored) == len(models)
    both_classes = any(0 < np.count_nonzero(o.truth) < o.n for o in scored)
    return "roc_auc" if enough and both_classes else "accuracy"


def common_rule(models: Mapping[str, Outcomes]) -> DecisionRule:
    """Return the rule that most models can decide by."""
    return max(RULES, key=lambda rule: sum(can_decide(own, rule) for own in models.values()))


def _codes(column: Categories | None, rows: Codes, shared: bool) -> Codes | None:
    return column.codes[rows - 1] if column is not None and shared else None


def _on(common: Codes, rows: Codes, outcomes: Outcomes) -> Outcomes:
    """Return outcomes on the common rows only."""
    if len(rows) == len(common):
        return outcomes
    return some_rows(outcomes, np.searchsorted(rows, common))


def _too_few(metric: Metric, names: Sequence[str]) -> str:
    has = f'only "{names[0]}" gives' if names else "none gives"
    return f"Comparing takes two models, and {has} what {metric.name} needs."


def _check_disjoint(rows: Mapping[str, Codes]) -> None:
    for first, second in combinations(rows, 2):
        if len(np.intersect1d(rows[first], rows[second])):
            raise EvalError(
                "no-common-row",
                f'No row was scored by all models, though "{first}" and "{second}" share some: '
                "compare models that share rows.",
            )


def _about_decisions(
    metric: Metric, dataset: Predictions, rule: DecisionRule, options: Options
) -> Iterator[Notice]:
    """Say what is taken as a decision, and how a metric of one class is taken for several."""
    if metric.needs not in (BinaryCounts, ConfusionMatrix):
        return
    if rule == "threshold":
        yield Notice("decisions", _about_thresholds(options))
    elif rule == "argmax":
        yield Notice("decisions", "The class with the largest probability is taken.")
    elif any(can_decide(own, other) for own in dataset.models.values() for other in RULES[1:]):
        yield Notice("decisions", "The file's own labels are the decisions, whatever the scores.")
    if len(dataset.classes) > 2 and metric.over_classes is None:
        yield Notice("macro", f"{metric.name} is the mean over the classes (macro).")


def _about_thresholds(options: Options) -> str:
    if options.own_thresholds:
        each = ", ".join(f'"{name}" {at:g}' for name, at in options.own_thresholds)
        return (
            f"Each model calls rows positive from a threshold of its own ({each}), all others from "
            f"{options.threshold:g}. Chosen on these rows, they flatter their model."
        )
    return (
        f"Every model calls rows positive where its score >= {options.threshold:g}; a threshold "
        "chosen for one model may suit another badly."
    )


def _about_rows(
    metric: Metric,
    left_out: Sequence[str],
    rows: Mapping[str, Codes],
    common: Codes | None,
) -> Iterator[Notice]:
    """Say which models are left out, and on which rows the others are compared."""
    if left_out:
        names = ", ".join(f'"{name}"' for name in left_out)
        message = f"Left out, since they do not give what {metric.name} needs: {names}."
        yield Notice("left-out", message, "warning")
    if common is None:
        message = "The models have no row in common: each is judged on rows of its own."
        yield Notice("independent-rows", message, "warning")
    elif any(len(own) > len(common) for own in rows.values()):
        every = len(reduce(np.union1d, rows.values()))
        message = f"The models are compared on the {len(common):,} of {every:,} rows that all have."
        yield Notice("common-rows", message, "warning")


FARTHEST = 200
"""Predicted numbers nearly always differ: so many rows are given, as many as a person may read."""


def disagreeing_rows(one: Candidate, other: Candidate, thresholds: tuple[float, float]) -> Rows:
    """Return the data rows, 1 being the first, on which two models on the same rows disagree.

    Classes that differ, decided by scores at the `thresholds` where there are scores, those with
    the largest difference of scores first. Of predicted numbers the rows that differ most.
    """
    distance = _distance(one.outcomes, other.outcomes)
    order = np.argsort(-distance, kind="stable")
    if isinstance(one.outcomes, NumericOutcomes):
        order = order[:FARTHEST]
        return data_rows(one.outcomes, order[distance[order] > 0])
    first, second = (
        _decision(model.outcomes, at) for model, at in zip((one, other), thresholds, strict=True)
    )
    return data_rows(one.outcomes, order[(first != second)[order]])


def _decision(outcomes: Outcomes, threshold: float) -> Codes:
    assert not isinstance(outcomes, NumericOutcomes)
    rules: tuple[DecisionRule, ...] = ("threshold", "labels", "argmax")
    return decide(outcomes, next(r for r in rules if can_decide(outcomes, r)), threshold)


def _distance(first: Outcomes, second: Outcomes) -> Floats:
    """Return (n,) differences of predicted numbers or scores; zeros where there are none."""
    name = "prediction" if isinstance(first, NumericOutcomes) else "score"
    one, other = getattr(first, name, None), getattr(second, name, None)
    return np.zeros(first.n) if one is None or other is None else np.abs(one - other)
