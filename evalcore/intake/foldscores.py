"""Files with one score per fold: no rows to evaluate, but models to compare."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pyarrow.compute as pc

from evalcore.errors import EvalError
from evalcore.intake.assignment import CHOSEN, Confidence, Reason
from evalcore.intake.foldnames import Scored, is_aside, known, metric_of, scored
from evalcore.intake.model import Choices, FoldRoles, Roles, Table, Task
from evalcore.intake.profile import Profile, profiles
from evalcore.intake.signatures import PREDICTIONS
from evalcore.intake.words import (
    DATASET,
    FOLD,
    ID,
    MODEL,
    REPEAT,
    TEST_SIZE,
    TRAIN_SIZE,
    TRUTH,
    pieces,
    plain,
)

_MOST_ROWS = 100_000
_SIDES = {
    "fold": FOLD,
    "repeat": REPEAT,
    "dataset": DATASET,
    "train_size": TRAIN_SIZE,
    "test_size": TEST_SIZE,
}


def holds_fold_scores(table: Table, choices: Choices) -> bool:
    """Tell whether a table has a row per fold, or per fold and model."""
    if choices.task is Task.FOLDS or choices.fold_scores:
        return True
    if choices.task or choices.truth or any(getattr(choices, name) for name in PREDICTIONS):
        return False
    named = {plain(name) for name in table.names}
    if table.n > _MOST_ROWS or named & set(TRUTH) or not named & (FOLD | DATASET):
        return False
    return _one_row_each(table, profiles(table))


def _one_row_each(table: Table, columns: Mapping[str, Profile]) -> bool:
    """Tell whether folds, with models and data sets, name every row once, beside numbers only."""
    keys = [column.name for column in columns.values() if _is_key(column)]
    others = [column for name, column in columns.items() if name not in keys]
    if not all(column.numeric or not column.present for column in others):
        return False
    scores = sum(not _is_side(column.name) for column in others)
    if scores < (1 if any(plain(name) in FOLD for name in keys) else 2):
        return False
    cells = [pc.fill_null(table.columns[name].cast("string"), "") for name in keys]
    joined = pc.binary_join_element_wise(*cells, "\x1f") if len(cells) > 1 else cells[0]
    return len(joined.unique()) == table.n


def _is_key(column: Profile) -> bool:
    return plain(column.name) in FOLD | REPEAT | DATASET or _names_models(column)


def _names_models(column: Profile) -> bool:
    """Tell models by name or number; "model_A" above scores is a model itself."""
    name = column.name
    return plain(name) in MODEL or (pieces(name)[0].lower() in MODEL and not column.numeric)


def _is_side(name: str) -> bool:
    return plain(name) in TRAIN_SIZE | TEST_SIZE | ID or is_aside(name)


def fold_roles(table: Table, choices: Choices) -> Roles | None:
    """Return the roles in a file with one score per fold; None for any other file.

    Raises:
        EvalError: "no-fold-score": no column holds scores.
    """
    if not holds_fold_scores(table, choices):
        return None
    sides: dict[str, Any] = {role: _side(table, choices, role) for role in _SIDES}
    found = _scores(table, choices, {column for column in sides.values() if column})
    told = Reason("numbers beside the names of folds", Confidence.LIKELY)
    names = Reason("named like a model", Confidence.LIKELY)
    reasons = dict.fromkeys(found.scores.values(), CHOSEN if choices.fold_scores else told)
    reasons |= dict.fromkeys(found.named_by.values(), CHOSEN if choices.model else names)
    for role, column in sides.items():
        named = Reason(f"named like a {role.replace('_', ' ')}", Confidence.LIKELY)
        reasons |= {column: CHOSEN if getattr(choices, role) else named} if column else {}
    fold = sides.pop("fold")
    folds = replace(found, **sides)
    return Roles(task=Task.FOLDS, truth="", models={}, fold=fold, folds=folds, reasons=reasons)


def _side(table: Table, choices: Choices, role: str) -> str | None:
    """Return the column of a fold, repeat, data set or size; an empty choice says there is none."""
    chosen: str | None = getattr(choices, role)
    if chosen is not None:
        return chosen or None
    return next((name for name in table.names if plain(name) in _SIDES[role]), None)


def _scores(table: Table, choices: Choices, sides: Collection[str]) -> FoldRoles:
    """Return which columns hold scores, of which model."""
    columns = profiles(table)
    naming = _naming(columns, choices, sides)
    if choices.fold_scores:
        given = choices.fold_scores
        names = [name for name in naming if len(given) == 1 and not any(given)]
        return _chosen(given, names)
    free = [
        name
        for name, column in columns.items()
        if column.numeric and not (_is_key(column) or _is_side(name))
        if name not in {*sides, *naming}
    ]
    if not free:
        raise EvalError(
            "no-fold-score",
            "No column holds the scores of the folds. Name it, in the command line by "
            "--fold-score COLUMN.",
        )
    if len(naming) > 1:
        return _paired(naming, free)
    return _long(naming[0], free) if naming else _wide(free)


def _naming(columns: Mapping[str, Profile], choices: Choices, sides: Collection[str]) -> list[str]:
    """Return the columns that name models: one, or one per score where rows hold several."""
    if choices.model is not None:
        return [choices.model] if choices.model else []
    free = [n for n, column in columns.items() if n not in sides and _names_models(column)]
    exact = [name for name in free if plain(name) in MODEL]
    return exact[:1] or free


def _chosen(given: Mapping[str, str], naming: list[str]) -> FoldRoles:
    parts = scored(list(given.values()))
    if naming:
        (column,) = given.values()
        return _long(naming[0], [column])
    names = {key or part.model or "model": part for key, part in zip(given, parts, strict=True)}
    return FoldRoles(
        metric=parts[0].metric, scores={name: part.column for name, part in names.items()}
    )


def _long(model: str, free: list[str]) -> FoldRoles:
    """Return the roles where one column names the model of each row."""
    first = next((name for name in free if known(metric_of(name))), free[0])
    others = tuple(name for name in free if name != first)
    return FoldRoles(
        metric=metric_of(first), scores={"": first}, named_by={first: model}, others=others
    )


def _paired(naming: list[str], free: list[str]) -> FoldRoles:
    """Return the roles where a row holds several models: model_A beside score_A."""
    named_by = {
        part.column: name
        for part in scored(free)
        for name in naming
        if pieces(name)[1:] == tuple(part.model.split(" "))
    }
    if len(named_by) < 2:
        return _long(naming[0], free)
    metric = next(part.metric for part in scored(list(named_by)))
    return FoldRoles(metric=metric, scores={c: c for c in named_by}, named_by=named_by)


def _wide(free: list[str]) -> FoldRoles:
    """Return the roles where each model has a column; of several metrics the commonest is taken."""
    parts = scored(free)
    counts = Counter(part.metric for part in parts)
    metric = max(counts, key=lambda name: (counts[name], known(name)))
    taken = [part for part in parts if part.metric == metric]
    others = tuple(part.column for part in parts if part.metric != metric)
    names = _distinct(taken)
    return FoldRoles(metric=metric, scores=names, others=others)


def other_scores(folds: FoldRoles) -> Iterator[FoldRoles]:
    """Yield the roles of the columns left aside, one metric after the other."""
    namer = next(iter(folds.named_by.values()), None)
    if namer is not None:
        for column in folds.others:
            yield replace(_long(namer, [column]), **_sides(folds))
        return
    by_metric: dict[str, list[Scored]] = {}
    for part in scored(folds.others) if folds.others else ():
        by_metric.setdefault(part.metric, []).append(part)
    for metric, parts in by_metric.items():
        yield FoldRoles(metric=metric, scores=_distinct(parts), **_sides(folds))


def _sides(folds: FoldRoles) -> dict[str, Any]:
    return {name: getattr(folds, name) for name in _SIDES if name != "fold"}


def _distinct(parts: list[Scored]) -> dict[str, str]:
    """Return model -> column; where names of models would clash, columns keep their own."""
    names = {part.model or "model": part.column for part in parts}
    return names if len(names) == len(parts) else {part.column: part.column for part in parts}
