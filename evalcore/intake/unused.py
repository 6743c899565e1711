"""Which columns of a file no number rests on."""

from collections.abc import Iterator
from itertools import chain

from evalcore.intake.model import FoldRoles, Roles, Table
from evalcore.intake.quantiles import stated


def unused(table: Table, roles: Roles) -> tuple[str, ...]:
    """Return the columns that play no role, in the file's order."""
    around = (found.columns for found in stated(table.names, roles).values())
    used = {*_used(roles), *chain.from_iterable(around)}
    return tuple(name for name in table.names if name not in used)


def _used(roles: Roles) -> Iterator[str | None]:
    yield from (roles.truth, roles.fold, roles.weight, roles.group, roles.id)
    for model in roles.models.values():
        yield from model.columns
    yield from roles.clusterings.values()
    yield from roles.features
    if roles.folds is not None:
        yield from _used_by_folds(roles.folds)


def _used_by_folds(folds: FoldRoles) -> Iterator[str | None]:
    yield from folds.scores.values()
    yield from folds.named_by
    yield from folds.named_by.values()
    yield from (folds.repeat, folds.dataset, folds.train_size, folds.test_size)
