"""Rows that stand in a file more than once, told by their id or by all of their cells."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.errors import Notice
from evalcore.intake.columns import labels_of
from evalcore.intake.distinct import places_of
from evalcore.intake.model import Roles, Table
from evalcore.intake.rows import row_list, row_numbers
from evalcore.intake.wording import counted
from evalcore.outcomes import Codes

_MOST_IDS = 2_000_000
_MOST_CELLS = 2_000_000
_MANY = 0.05
"""Whole rows that repeat are told from this share on: a few may do so by chance."""

_FEWEST_VALUES = 20


def repetitions(table: Table, roles: Roles) -> Iterator[Notice]:
    """Report ids that repeat; without an id, whole rows that do, if they are many."""
    if roles.id and table.n <= _MOST_IDS:
        yield from _repeated_ids(table, roles)
    if not roles.id and table.n * len(table.columns) <= _MOST_CELLS:
        yield from _repeated_rows(table)


def _repeated_ids(table: Table, roles: Roles) -> Iterator[Notice]:
    """Report ids that stand in several rows: rows counted twice, or rows shared between folds."""
    places = places_of(table.columns[roles.id or ""])
    counts = np.bincount(places[places >= 0])
    repeated = (counts > 1)[places] & (places >= 0) if len(counts) else np.zeros(table.n, bool)
    if not repeated.any():
        return
    how_many = int((counts > 1).sum())
    ids = f"{counted(how_many, 'id')} {'stands' if how_many == 1 else 'stand'}"
    if roles.fold and _one_row_per_fold(places, labels_of(table, roles.fold).codes):
        message = f"{ids} in several folds: the same rows were predicted repeatedly."
    else:
        message = f"{ids} in several rows ({row_list(repeated)}); each row counts."
    yield Notice("repeated-id", message, "warning", rows=row_numbers(repeated), column=roles.id)


def _one_row_per_fold(ids: Codes, folds: Codes) -> bool:
    pairs = ids.astype(np.int64) * (int(folds.max()) + 2) + folds
    return len(np.unique(pairs)) == len(pairs)


def _repeated_rows(table: Table) -> Iterator[Notice]:
    """Report rows that are the same in every cell as one before."""
    again = _again(table)
    count = int(again.sum())
    if count < max(2, _MANY * table.n):
        return
    message = (
        f"{counted(count, 'row')} of {table.n:,} are the same in every cell as one before "
        f"({row_list(again)}); each row counts."
    )
    yield Notice("repeated-rows", message, "warning", rows=row_numbers(again))


def _again(table: Table) -> NDArray[np.bool_]:
    """Mark rows whose cells all equal those of an earlier row; none where cells tell too little."""
    never = np.zeros(table.n, bool)
    whole = np.zeros(table.n, np.int64)
    most, kinds = 0, whole
    for column in table.columns.values():
        if pa.types.is_nested(column.type):
            return never
        places = places_of(column)
        most = max(most, len(np.unique(places)))
        kinds, whole = np.unique(whole * (table.n + 1) + places, return_inverse=True)
        if len(kinds) == table.n:
            return never
    # Scores that repeat because they are rounded are shared by rows that differ, too.
    if most < max(_FEWEST_VALUES, len(kinds)):
        return never
    again = ~never
    again[np.unique(whole, return_index=True)[1]] = False
    return again
