"""Tables from rows or columns of Python values: every cell becomes text, as it would be in CSV."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa

from evalcore.dataset import Source, Table
from evalcore.errors import EvalError, Notice
from evalread.columns import refuse_too_many_cells, unique_names
from evalread.readers.delimited import header_only


def cell_text(value: Any) -> str | None:
    """Write a value as text: None stays missing, and what is nested becomes JSON.

    >>> cell_text(True), cell_text(0.5), cell_text([1, 2]), cell_text(None)
    ('true', '0.5', '[1, 2]', None)
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def table_from_columns(
    header: Sequence[str],
    columns: Iterable[Sequence[Any]],
    source: Source,
    notices: Sequence[Notice] = (),
) -> Table:
    """Return a table of text cells.

    Raises:
        EvalError: "header-only" where there are no rows, "unreadable" for text that is none.
    """
    names, name_notices = unique_names(header)
    try:
        arrays = [pa.array([cell_text(value) for value in cells], pa.string()) for cells in columns]
    except (UnicodeEncodeError, pa.ArrowInvalid):
        raise EvalError("unreadable", "The file holds text that is not valid Unicode.") from None
    rows = len(arrays[0]) if arrays else 0
    if rows == 0:
        raise header_only(len(names))
    return Table(
        columns={name: pa.chunked_array([a]) for name, a in zip(names, arrays, strict=True)},
        source=replace(source, rows=rows),
        notices=(*name_notices, *notices),
    )


def table_from_records(records: Sequence[Mapping[str, Any]], source: Source) -> Table:
    """Return a table with a column per key, blank where a record lacks it."""
    keys = dict.fromkeys(key for record in records for key in record)
    unique_names(list(keys))  # refuses too many before they are spread out
    refuse_too_many_cells(len(records), len(keys))
    return table_from_columns(list(keys), ([r.get(k) for r in records] for k in keys), source)
