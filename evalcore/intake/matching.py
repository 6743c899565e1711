"""The rows of one table beside those of another, matched on an id, with an audit of the rest."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.errors import EvalError, Notice
from evalcore.intake.distinct import places_of
from evalcore.intake.joinedhints import Member
from evalcore.intake.model import Table
from evalcore.intake.rows import row_list, row_numbers
from evalcore.intake.wording import counted, have
from evalcore.outcomes import Rows


def match(lead: Table, other: Member, key: str | None) -> tuple[Rows, list[Notice]]:
    """Return for each row of the lead its place in the other table (-1: none), and the audit."""
    name = other.table.source.name
    if key is None:
        message = (
            f'The rows of "{name}" were matched by their position: the files share no id column. '
            "If their order differs, every number is wrong."
        )
        return np.arange(lead.n), [Notice("matched-by-position", message, "warning")]
    keys = []
    for table in (lead, other.table):
        keys.append(table.columns[key].cast(pa.string()))
        _refuse_duplicates(keys[-1], key, table.source.name)
    found = pc.fill_null(pc.index_in(keys[0], value_set=keys[1].combine_chunks()), -1)
    places: Rows = found.to_numpy().astype(np.int64)
    if not (places >= 0).any():
        raise EvalError(
            "no-match", f'No value of "{key}" in "{name}" is in "{lead.source.name}".', column=key
        )
    return places, _audit(places, other, key)


def _refuse_duplicates(keys: pa.ChunkedArray, key: str, name: str) -> None:
    places = places_of(keys)
    counts = np.bincount(places[places >= 0], minlength=1)
    repeated = (places >= 0) & (counts > 1)[places]
    if repeated.any():
        raise EvalError(
            "duplicate-id",
            f'"{name}" has {counted(int((counts > 1).sum()), "id")} in "{key}" more than once '
            f"({row_list(repeated)}); rows cannot be matched.",
            rows=row_numbers(repeated),
            column=key,
        )


def _audit(places: Rows, other: Member, key: str) -> list[Notice]:
    name, notices = other.table.source.name, []
    lost = places < 0
    if lost.any():
        count = int(lost.sum())
        message = f'{count:,} of {len(places):,} rows {have(count)} no match in "{name}".'
        notices.append(Notice("unmatched", message, "warning", rows=row_numbers(lost), column=key))
    found = places[~lost]
    surplus = other.table.n - len(found)
    if surplus:
        rows = f"{counted(surplus, 'row')} of"
        message = f'{rows} "{name}" {have(surplus)} an id that no other row has; left out.'
        notices.append(Notice("surplus", message, "warning", column=key))
    if (np.diff(found) < 0).any():
        message = f'"{name}" is in another order; its rows were matched by "{key}".'
        notices.append(Notice("reordered", message, column=key))
    return notices


def taken(table: Table, places: Rows) -> Table:
    """Return the table's rows at these places, blank where there is none."""
    if np.array_equal(places, np.arange(table.n)):
        return table
    indices = pa.array(places, mask=places < 0)
    columns = {name: column.take(indices) for name, column in table.columns.items()}
    return replace(table, columns=columns, source=replace(table.source, rows=len(places)))
