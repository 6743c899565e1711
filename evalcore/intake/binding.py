"""From columns with roles to a checked data set: one set of rows per model, nothing in silence."""

import hashlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType

import numpy as np

from evalcore.errors import Notice
from evalcore.intake.answers import Given, binary_model, class_model, numeric_model
from evalcore.intake.checks import check
from evalcore.intake.classes import class_columns
from evalcore.intake.clusterbinding import bind_clusterings, true_class
from evalcore.intake.columns import labels_of, numbers_of
from evalcore.intake.foldbinding import bind_folds
from evalcore.intake.labels import class_order, codes_in
from evalcore.intake.model import Categories, Dataset, Roles, Table, Task
from evalcore.intake.rows import checked_weights
from evalcore.outcomes import Floats, Outcomes

_WORKERS = 2
"""Models that are bound at once; what takes long in it does not hold the interpreter's lock."""

_Bound = Mapping[str, tuple[Outcomes, tuple[Notice, ...]]]


def bind(table: Table, roles: Roles) -> Dataset:
    """Turn the columns that have roles into checked outcomes, one per model.

    Raises:
        EvalError: A column does not hold what its role needs; the message names it and the rows.
    """
    if roles.task is Task.FOLDS:
        return _with_fold_scores(table, roles)
    if roles.task is Task.CLUSTERING:
        return _with_clusterings(table, roles)
    classes, bound, shared = _models(Given(table, roles, _weight(table, roles)))
    models = {name: outcomes for name, (outcomes, _) in bound.items()}
    own = [notice for _, notices in bound.values() for notice in notices]
    checked = check(table, roles, classes, models)
    return Dataset(
        digest=digest_of(table, roles),
        table=table,
        roles=roles,
        classes=classes,
        models=MappingProxyType(models),
        notices=tuple(dict.fromkeys((*table.notices, *shared, *own, *checked))),
        fold=_categories(table, roles.fold),
        group=_categories(table, roles.group),
    )


def _with_fold_scores(table: Table, roles: Roles) -> Dataset:
    scores, notices = bind_folds(table, roles)
    return Dataset(
        digest=digest_of(table, roles),
        table=table,
        roles=roles,
        classes=(),
        models=MappingProxyType({}),
        notices=tuple(dict.fromkeys((*table.notices, *notices))),
        fold_scores=scores,
    )


def _with_clusterings(table: Table, roles: Roles) -> Dataset:
    truth = true_class(table, roles)
    clusterings, notices = bind_clusterings(table, roles)
    return Dataset(
        digest=digest_of(table, roles),
        table=table,
        roles=roles,
        classes=truth.names if truth else (),
        models=MappingProxyType({}),
        notices=tuple(dict.fromkeys((*table.notices, *notices))),
        clusterings=clusterings,
        true_class=truth,
    )


def _models(given: Given) -> tuple[tuple[str, ...], _Bound, tuple[Notice, ...]]:
    """Bind every model; return the classes, the models, and the notices they share."""
    names = given.roles.models
    if given.roles.task is Task.REGRESSION:
        return (), {name: numeric_model(given, name) for name in names}, ()
    columns = class_columns(given.table, given.roles)
    one = binary_model if given.roles.task is Task.BINARY else class_model
    with ThreadPoolExecutor(_WORKERS) as pool:
        bound = pool.map(lambda name: one(given, columns, name), names)
        return columns.classes, dict(zip(names, bound, strict=True)), columns.notices


def _weight(table: Table, roles: Roles) -> Floats | None:
    if not roles.weight:
        return None
    numbers = numbers_of(table, roles.weight)
    return checked_weights(numbers, roles.weight)


def _categories(table: Table, column: str | None) -> Categories | None:
    if not column:
        return None
    labels = labels_of(table, column)
    names = class_order(labels.names)
    return Categories(names, codes_in(labels, names).astype(np.int32, copy=False))


def digest_of(table: Table, roles: Roles) -> str:
    """Return the key of every cache: the bytes, how they were read, and the roles."""
    source = table.source
    read = (source.encoding, source.separator, source.decimal, source.thousands, source.sheet)
    models = [
        (name, m.label, m.score, sorted(m.probabilities.items()), m.prediction)
        for name, m in roles.models.items()
    ]
    side = (roles.truth, roles.fold, roles.weight, roles.group, roles.id)
    scale = (roles.scale, roles.reverse)
    asked = (roles.task, roles.positive, *scale, roles.order, roles.merge_spellings)
    features = (roles.features, roles.feature_kind)
    clusters = (sorted(roles.clusterings.items()), features, roles.noise)
    told = repr((source.digest, read, models, side, asked, clusters, roles.folds))
    return hashlib.sha256(told.encode()).hexdigest()
