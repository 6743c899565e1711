"""Several settings of one method, one below the other, as models of their own."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from evalcore.intake.model import Choices, Table
from evalcore.intake.translate import with_columns


def stacked_settings(
    table: Table, settings: Sequence[str], rows: Sequence[str], shown: Callable[[str], str]
) -> Table:
    """Make each of several stacked settings of one method a model of its own.

    Args:
        table: The stacked table.
        settings: Columns that tell the settings apart.
        rows: Columns that together tell the examples of one setting apart.
        shown: How a setting's column is called in the model's name.
    """
    several = [name for name in settings if len(table.columns[name].unique()) > 1]
    if not several or not rows:
        return table
    model, key = " and ".join(several), " and ".join(rows)
    named = {model: joined_cells(table, several, shown, between=", ")}
    keys = {} if key in table.columns else {key: joined_cells(table, rows, between=" ")}
    stacked = with_columns(table, {**named, **keys}, drop=several)
    return replace(stacked, hints=Choices(model=model, id=key))


def joined_cells(
    table: Table,
    names: Sequence[str],
    shown: Callable[[str], str] = lambda _: "",
    *,
    between: str,
) -> pa.ChunkedArray:
    """Write the cells of several columns one after the other, each after how it is called."""
    cells = [pc.fill_null(table.columns[name].cast(pa.string()), "") for name in names]
    parts = [
        pc.binary_join_element_wise(shown(name), column, "")
        for name, column in zip(names, cells, strict=True)
    ]
    return pc.binary_join_element_wise(*parts, between) if len(parts) > 1 else parts[0]
