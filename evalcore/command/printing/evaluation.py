"""An evaluation, and what was read, as text for people."""

from collections.abc import Iterator, Mapping

import numpy as np

from evalcore.command.printing.clustering import clusterings
from evalcore.command.printing.common import (
    metrics,
    notices,
    number,
    pages,
    short,
    table,
    visible,
    width,
)
from evalcore.intake.assignment import Reason
from evalcore.intake.model import Dataset, FeatureKind, FoldRoles, ModelRoles, Roles
from evalcore.intake.quantiles import Bounds, stated
from evalcore.intake.unused import unused
from evalcore.intake.wording import counted, listed
from evalcore.metrics.catalog import by_key
from evalcore.results import Decisions, Evaluation, ModelEvaluation
from evalcore.tables.confusion import ConfusionMatrix

_HEADLINE = ("roc_auc", "average_precision", "brier", "accuracy", "f1", "mcc")
_FEATURE = {
    FeatureKind.NUMBERS: "feature",
    FeatureKind.CATEGORIES: "category",
    FeatureKind.DISTANCES: "distance to",
}
_MOST_FEATURES = 100
_MOST_CLASSES = 12
"""A matrix of more classes is left to the JSON."""

_MOST_FOLDS = 30


def evaluation(result: Evaluation) -> str:
    """Return an evaluation: what it is of, what to mind, then every number of every model."""
    parts = [[*_about(result.dataset)], [*notices(result.notices)]]
    if len(result.models) > 1:
        parts.append(_side_by_side(result))
    parts += [list(_model(name, made, result)) for name, made in result.models.items()]
    parts += clusterings(result)
    return pages(parts)


def inspection(dataset: Dataset) -> str:
    """Return what was read, and which role each column plays, with its reason."""
    return pages([[*_about(dataset)], [*_inspected(dataset)], [*notices(dataset.notices)]])


def _inspected(dataset: Dataset) -> Iterator[str]:
    yield from _roles(dataset)
    if left := unused(dataset.table, dataset.roles):
        yield f"Not used: {visible(listed(left))}"


def _about(dataset: Dataset) -> Iterator[str]:
    source, roles = dataset.table.source, dataset.roles
    said = [visible(source.name), source.tool or source.format, f"{source.rows:,} rows"]
    yield " · ".join([*said, _counted(dataset), roles.task.value])
    if roles.positive is not None:
        because = f" ({_why(roles.positive_reason)})" if roles.positive_reason else ""
        yield f'Positive class: "{visible(roles.positive)}"{because}'


def _counted(dataset: Dataset) -> str:
    if dataset.clusterings:
        return counted(len(dataset.clusterings), "clustering")
    scores = dataset.fold_scores
    return counted(len(dataset.roles.models if scores is None else scores.models), "model")


def _side_by_side(result: Evaluation) -> list[str]:
    """Return the main metrics, a line per model."""
    groups = [made.metrics for made in result.models.values()]
    shown = [
        (where, key)
        for key in _HEADLINE
        for where in dict.fromkeys(name for group in groups for name in group)
        if any(key in group.get(where, {}) for group in groups)
    ]
    head = ("", *(_heading(where, key) for where, key in shown))
    lines = [
        (visible(name), *(short(made.metrics.get(where, {}).get(key)) for where, key in shown))
        for name, made in result.models.items()
    ]
    return table([head, *lines])


def _heading(where: str, key: str) -> str:
    name = by_key()[key].name
    return f"{name}, {where}" if where in ("labels", "threshold", "argmax") else name


def _model(name: str, made: ModelEvaluation, result: Evaluation) -> Iterator[str]:
    yield f"{visible(name)} · {made.n:,} rows"
    yield "=" * width(f"{visible(name)} · {made.n:,} rows")
    yield from _decisions(made, result.options.threshold)
    for title, group in (
        ("How well the scores rank", made.ranking),
        ("How true the probabilities are", made.probability),
        ("How close the numbers are", made.values),
    ):
        if group:
            yield from ["", title, *metrics(group)]
    yield from _folds(made)


def _decisions(made: ModelEvaluation, threshold: float) -> Iterator[str]:
    before: Decisions | None = None
    for way, part in made.decisions.items():
        yield from ["", _way(way, threshold)]
        if before and np.array_equal(before.confusion.counts, part.confusion.counts):
            yield "  the same counts, and so the same numbers, as above"
            continue
        yield from _matrix(part.confusion)
        yield from metrics(part.metrics)
        yield from _averages(part)
        before = part


def _way(way: str, threshold: float) -> str:
    return {
        "labels": "Decided by the file's own labels",
        "threshold": f"Decided by score >= {threshold:g}",
        "argmax": "Decided by the largest probability",
    }[way]


def _matrix(confusion: ConfusionMatrix) -> list[str]:
    if len(confusion.classes) > _MOST_CLASSES:
        return [f"  {len(confusion.classes)} classes: the matrix is in the JSON."]
    names = [visible(name) for name in confusion.classes]
    rows = [("", *(f"called {name}" for name in names))]
    for name, counts in zip(names, confusion.counts.tolist(), strict=True):
        rows.append((f"is {name}", *(number(count, "count") for count in counts)))
    return [*table(rows, "  "), ""]


def _averages(part: Decisions) -> Iterator[str]:
    if len(part.confusion.classes) < 3:
        return
    kinds, known = list(part.averages), by_key()
    keys = part.averages[kinds[0]]
    rows = [(known[key].name, *(short(part.averages[kind][key]) for kind in kinds)) for key in keys]
    yield from ["", *table([("", *kinds), *rows], "  ")]


def _folds(made: ModelEvaluation) -> Iterator[str]:
    if not made.folds:
        return
    shown = [
        (where, key)
        for key in _HEADLINE
        for where, group in made.folds[0].metrics.items()
        if key in group
    ]
    rows = [
        (visible(f.fold), f"{f.n:,}", *(short(f.metrics[where][key]) for where, key in shown))
        for f in made.folds[:_MOST_FOLDS]
    ]
    yield from ["", f"By fold ({len(made.folds)})"]
    yield from table([("fold", "rows", *(_heading(w, k) for w, k in shown)), *rows], "  ")


def _roles(dataset: Dataset) -> list[str]:
    roles, reasons = dataset.roles, dataset.roles.reasons
    pairs = [("truth", roles.truth)] if roles.truth else []
    pairs += [pair for name, model in roles.models.items() for pair in _model_roles(name, model)]
    pairs += _around(stated(dataset.table.names, roles))
    pairs += [(f"clusters of {name}", column) for name, column in roles.clusterings.items()]
    pairs += _features(roles)
    pairs += _fold_roles(roles.folds) if roles.folds else []
    side = {"fold": roles.fold, "weight": roles.weight, "group": roles.group, "id": roles.id}
    pairs += [(role, column) for role, column in side.items() if column]
    return table([(visible(r), visible(c), _why(reasons.get(c))) for r, c in pairs])


def _around(found: Mapping[str, Bounds]) -> Iterator[tuple[str, str]]:
    for name, bounds in found.items():
        for one in bounds.ends:
            yield f"lower end of {name}", one.lower
            yield f"upper end of {name}", one.upper
        for level, column in bounds.quantiles.items():
            yield f"{100 * level:.3g}% quantile of {name}", column


def _why(reason: Reason | None) -> str:
    return f"{visible(reason.text)} ({reason.confidence.value})" if reason else ""


def _features(roles: Roles) -> list[tuple[str, str]]:
    role = _FEATURE[roles.feature_kind]
    more = len(roles.features) - _MOST_FEATURES
    rest = [("", f"and {more:,} more")] if more > 0 else []
    return [*((role, column) for column in roles.features[:_MOST_FEATURES]), *rest]


def _fold_roles(folds: FoldRoles) -> list[tuple[str, str]]:
    pairs = [
        (f"{folds.metric} of {name}" if name else folds.metric, column)
        for name, column in folds.scores.items()
    ]
    pairs += [(f"model of {column}", names) for column, names in folds.named_by.items()]
    side = {
        "repeat": folds.repeat,
        "data set": folds.dataset,
        "training rows": folds.train_size,
        "test rows": folds.test_size,
    }
    return pairs + [(role, column) for role, column in side.items() if column]


def _model_roles(name: str, model: ModelRoles) -> list[tuple[str, str]]:
    single = {"label": model.label, "score": model.score, "prediction": model.prediction}
    pairs = [(f"{role} of {name}", column) for role, column in single.items() if column]
    return pairs + [(f"P({label}) of {name}", c) for label, c in model.probabilities.items()]
