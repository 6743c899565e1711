"""From columns of fold scores to one score per model and fold, matched by the folds' names."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import EvalError, Notice
from evalcore.fold_scores import FoldScores
from evalcore.intake.columns import labels_of, numbers_of
from evalcore.intake.foldscores import other_scores
from evalcore.intake.labels import same_by_value
from evalcore.intake.model import FoldRoles, Roles, Table
from evalcore.intake.rows import refuse_huge, row_list, row_numbers
from evalcore.intake.wording import listed
from evalcore.outcomes import Floats

MOST_MODELS = 200
_KEYS = ("dataset", "repeat", "fold")

Key = tuple[str, str, str]
Notices = tuple[Notice, ...]


@dataclass(frozen=True, eq=False)
class _Found:
    """The cells of one score column: (n,) models and scores, one per row of the file."""

    models: list[str]
    score: Floats


def bind_folds(table: Table, roles: Roles) -> tuple[FoldScores, Notices]:
    """Return the scores of all models on all folds.

    Raises:
        EvalError: "repeated-fold" where a model has two scores for one fold; "unnamed" where a
            cell that names a model or a fold is blank; "infinite-score", "bad-size".
    """
    assert roles.folds is not None
    made, notices = _bound(table, roles, roles.folds)
    others = tuple(_others(table, roles, roles.folds))
    return replace(made, others=others), (*notices, *_told(roles.folds))


def _others(table: Table, roles: Roles, folds: FoldRoles) -> Iterator[FoldScores]:
    """Yield what else was scored; what cannot be used is no reason to refuse the file."""
    for other in other_scores(folds):
        try:
            yield _bound(table, roles, other)[0]
        except EvalError:
            continue


def _bound(table: Table, roles: Roles, folds_of: FoldRoles) -> tuple[FoldScores, Notices]:
    keys, notices = _keys(table, roles, folds_of)
    parts = [_found(table, folds_of, name) for name in folds_of.scores]
    models = tuple(dict.fromkeys(model for part in parts for model in part.models))
    folds = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    if len(models) > MOST_MODELS:
        raise EvalError(
            "too-many-models",
            f"The file has {len(models):,} models; at most {MOST_MODELS} are compared. Leave out "
            "those that matter least.",
        )
    score = _filled(parts, keys, models, folds)
    names = dict(zip(_KEYS, zip(*folds, strict=True), strict=True))
    places = [folds[key] for key in keys]
    made = FoldScores(
        metric=folds_of.metric,
        models=models,
        score=score,
        fold=names["fold"],
        repeat=names["repeat"] if folds_of.repeat else (),
        dataset=names["dataset"] if folds_of.dataset else (),
        n_train=_sizes(table, folds_of.train_size, places),
        n_test=_sizes(table, folds_of.test_size, places),
    )
    return made, notices


def _keys(table: Table, roles: Roles, folds: FoldRoles) -> tuple[list[Key], Notices]:
    """Return the data set, repeat and fold of each row, "" for what there is one of."""
    columns = {"dataset": folds.dataset, "repeat": folds.repeat, "fold": roles.fold}
    blank = [""] * table.n
    parts = {key: _names(table, column) if column else blank for key, column in columns.items()}
    notices: Notices = ()
    if not any(columns.values()):
        if folds.named_by:
            raise EvalError(
                "no-fold",
                "No column names the folds, so that scores of different models cannot be matched. "
                "Choose the column of the fold.",
            )
        parts["fold"] = [str(row + 1) for row in range(table.n)]
        notices = (
            Notice("rows-are-folds", "No column names the folds: each row is taken as one."),
        )
    return list(zip(*parts.values(), strict=True)), notices


def _names(table: Table, column: str) -> list[str]:
    """Return the name in each row; numbers by value, "01" and "1.0" being as they are written."""
    (labels,) = same_by_value([labels_of(table, column)])
    blank = labels.codes < 0
    if blank.any():
        raise EvalError(
            "unnamed",
            f'Column "{column}" is blank in {row_list(blank)}, so that it is not known which '
            "model or fold is meant. Fill it in, or remove the rows.",
            rows=row_numbers(blank),
            column=column,
        )
    return [labels.names[code] for code in labels.codes.tolist()]


def _found(table: Table, folds: FoldRoles, name: str) -> _Found:
    column = folds.scores[name]
    numbers = numbers_of(table, column)
    infinite = np.isinf(numbers.values)
    if infinite.any():
        raise EvalError(
            "infinite-score",
            f'Column "{column}" is infinite in {row_list(infinite)}. Remove the rows, or write '
            "finite numbers.",
            rows=row_numbers(infinite),
            column=column,
        )
    refuse_huge(numbers, column)
    naming = folds.named_by.get(column)
    return _Found(_names(table, naming) if naming else [name] * table.n, numbers.values)


def _filled(
    parts: list[_Found], keys: list[Key], models: tuple[str, ...], folds: Mapping[Key, int]
) -> Floats:
    """Put each score at its model and fold; a score may be told twice, two scores may not."""
    score = np.full((len(models), len(folds)), np.nan)
    first: dict[tuple[int, int], int] = {}
    place = {model: at for at, model in enumerate(models)}
    for part in parts:
        for row, (model, key, value) in enumerate(
            zip(part.models, keys, part.score.tolist(), strict=True)
        ):
            at = (place[model], folds[key])
            if at in first and score[at] != value:
                raise _twice(model, key, first[at], row)
            first.setdefault(at, row)
            score[at] = value
    return score


def _twice(model: str, key: Key, first: int, row: int) -> EvalError:
    words = ("data set", "repeat", "fold")
    where = ", ".join(f"{word} {name}" for word, name in zip(words, key, strict=True) if name)
    return EvalError(
        "repeated-fold",
        f'"{model}" has two scores for {where} (rows {first + 1:,} and {row + 1:,}). Choose the '
        "column that tells them apart, such as that of the repeat, or remove one.",
        rows=(first + 1, row + 1),
    )


def _sizes(table: Table, column: str | None, places: list[int]) -> Floats | None:
    """Return the size of each fold, as its first row tells it."""
    if column is None:
        return None
    values = numbers_of(table, column).values
    bad: NDArray[np.bool_] = ~(np.isfinite(values) & (values > 0))
    if bad.any():
        raise EvalError(
            "bad-size",
            f'Column "{column}" holds no size above 0 in {row_list(bad)}.',
            rows=row_numbers(bad),
            column=column,
        )
    _, rows = np.unique(places, return_index=True)
    sizes: Floats = values[rows]
    return sizes


def _told(folds: FoldRoles) -> Iterator[Notice]:
    if folds.others:
        yield Notice(
            "other-scores",
            f'"{folds.metric}" is compared, unless another metric is chosen. The file also holds '
            f"{listed(folds.others, 6)}.",
        )
