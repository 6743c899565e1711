"""Columns that play no role, as rows are sliced by them: labels, numbers or dates."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.errors import EvalError
from evalcore.outcomes import Categories
from evalcore.work import OnDemand
from evalread.columns import class_order, codes_in, labels_of, numbers_of, once
from evalread.dataset import Dataset, Table

_ISO_DATE = r"^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$"


def columns_of(dataset: Dataset) -> Mapping[str, Any]:
    """Return what rows may be sliced by: all columns but the truth and those of the models."""
    answers = {name for model in dataset.roles.models.values() for name in model.columns}
    known = (n for n in dataset.table.names if n not in {*answers, dataset.roles.truth})
    return OnDemand({name: partial(values_of, dataset.table, name) for name in known})


def free_in(dataset: Dataset) -> tuple[str, ...]:
    """Return those of these columns that play no role, or group the rows into slices."""
    roles = dataset.roles
    taken = {*roles.reasons} - {roles.group if roles.unit is None else None}
    return tuple(name for name in columns_of(dataset) if name not in taken)


@once
def values_of(table: Table, name: str) -> Any:
    """Return a column as `Categories`, (n,) floats, or (n,) dates; what is missing is no value.

    Raises:
        EvalError: "too-many-values": it has too many labels, as ids have. "list-cells".
    """
    column = table.columns[name]
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_date(column.type) or pa.types.is_timestamp(column.type):
        return column.cast(pa.timestamp("s"), safe=False).to_numpy()
    if not pa.types.is_boolean(column.type):
        try:
            return numbers_of(table, name).values
        except EvalError:
            pass
    if (dates := _dates(column)) is not None:
        return dates
    try:
        labels = labels_of(table, name)
    except EvalError as problem:
        if problem.code != "too-many-labels":
            raise
        said = f'"{name}" has too many distinct values to slice by, as ids and free text have.'
        raise EvalError("too-many-values", said, column=name) from None
    names = class_order(labels.names)
    return Categories(names, codes_in(labels, names))


def _dates(column: pa.ChunkedArray) -> Any:
    """Return text that is all dates, such as 2024-05-31, as dates; None for any other column."""
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return None
    blank = pc.equal(pc.utf8_trim_whitespace(column), "")
    written = pc.if_else(blank, pa.scalar(None, column.type), column)
    fits = pc.match_substring_regex(written, _ISO_DATE)
    if written.null_count == len(written) or not pc.all(fits).as_py():
        return None
    try:
        return np.asarray(written.cast(pa.timestamp("s")).to_numpy())
    except pa.ArrowInvalid:  # such as the 31st of June
        return None
