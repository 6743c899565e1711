"""Results as plain values for JSON and data frames, and as small tables for people."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from html import escape
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from evalcore.text import significant

if TYPE_CHECKING:
    import pandas as pd
    from _typeshed import DataclassInstance

Shape = str | Callable[[Any, str], Any]
"""What a class becomes: named attributes (see `picked`), or a function of a value and its key."""

NO_SHAPES: Mapping[type, Shape] = MappingProxyType({})


def plain(value: Any, shapes: Mapping[type, Shape] = NO_SHAPES, key: str = "") -> Any:
    """Return a value as dicts, lists, texts, numbers and None, as strict JSON knows them.

    Data classes become their fields by name, but for those that they list as `left_out`, unless
    `shapes` says otherwise; `key` is the name under which the value stands. NaN and infinite
    numbers are None.

    >>> from evalcore.errors import Notice
    >>> plain({"n": np.array([1.5, np.nan]), "told": Notice("a-code", "Mind.")}, {Notice: "code"})
    {'n': [1.5, None], 'told': {'code': 'a-code'}}
    """
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    shape = shapes.get(type(value))
    if shape is not None:
        value = picked(value, shape) if isinstance(shape, str) else shape(value, key)
    elif is_dataclass(value):
        left_out = getattr(value, "left_out", ())
        names = (field.name for field in fields(value) if field.name not in left_out)
        value = {name: getattr(value, name) for name in names}
    return _of_container(value, shapes)


def picked(value: Any, names: str) -> dict[str, Any]:
    """Return attributes of a value by name, in the order in which they are named.

    `name=attribute` gives one another name; one that ends in "?" is left out where it is empty.

    >>> from evalcore.errors import Notice
    >>> picked(Notice("a-code", "Mind."), "why=message code rows?")
    {'why': 'Mind.', 'code': 'a-code'}
    """
    found = {}
    for word in names.split():
        name, _, attribute = word.rstrip("?").partition("=")
        held = attrgetter(attribute or name)(value)
        if not word.endswith("?") or held:
            found[name] = held
    return found


def _of_container(value: Any, shapes: Mapping[type, Shape]) -> Any:
    if isinstance(value, Mapping):
        return {str(name): plain(part, shapes, str(name)) for name, part in value.items()}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist(), shapes)
    if isinstance(value, Iterable):
        return [plain(part, shapes) for part in value]
    if value is None or isinstance(value, str | int | float):
        return plain(value)
    raise TypeError(f"{type(value).__name__} has no plain form")


ROWS_SHOWN = 20
"""A table in a notebook or a terminal has at most so many rows, which fit on a screen."""


class Displayed:
    """A dataclass that a person looks at: its text is a small table, and it gives a data frame.

    Its rows are those of its arrays, or a single one of its plain fields; a class that has other
    rows says which in `_columns`.
    """

    left_out: ClassVar[tuple[str, ...]] = ()
    """Fields that are no part of the result, such as the data set that it was made from."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "__repr__" not in vars(cls):  # else a dataclass would write one of its own
            cls.__repr__ = Displayed.__repr__  # type: ignore[method-assign]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as numbers, text, lists and dictionaries; None is undefined."""
        found: dict[str, Any] = plain(self)
        return found

    def to_frame(self) -> pd.DataFrame:
        """Return the rows as a pandas data frame; NaN is undefined."""
        import pandas as pd

        return pd.DataFrame(dict(self._columns()))

    def __repr__(self) -> str:
        columns, rows = _shown(self._columns())
        if rows == 1:
            cells = (f"{name}={cells[0]}" for name, cells in columns.items())
            return f"{self._caption()}({', '.join(cells)})"
        widths = {name: max(map(len, (name, *cells))) for name, cells in columns.items()}
        lines = [tuple(columns), *zip(*columns.values(), strict=True)]
        told = (
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths.values(), strict=True))
            for line in lines
        )
        return "\n".join([self._caption(), *(line.rstrip() for line in told), *_rest(rows)])

    def _repr_html_(self) -> str:
        """Return the table for a notebook; all text in it is escaped."""
        columns, rows = _shown(self._columns())
        head = "".join(f"<th>{escape(name)}</th>" for name in columns)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in line)}</tr>"
            for line in zip(*columns.values(), strict=True)
        )
        rest = "".join(f"<p>{line}</p>" for line in _rest(rows))
        return (
            f"<table><caption>{escape(self._caption())}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"
        )

    def _caption(self) -> str:
        """Return what stands above the table."""
        return type(self).__name__

    def _columns(self) -> Mapping[str, Sequence[Any]]:
        """Return the rows to show, column by column."""
        names = (each.name for each in fields(cast("DataclassInstance", self)))
        known = {name: getattr(self, name) for name in names if name not in self.left_out}
        arrays = {n: v for n, v in known.items() if isinstance(v, np.ndarray) and v.ndim == 1}
        if arrays:
            rows = len(next(iter(arrays.values())))
            return {name: v.tolist() for name, v in arrays.items() if len(v) == rows}
        single = {n: v for n, v in known.items() if not isinstance(v, Mapping | np.ndarray)}
        return {n: [v.value if isinstance(v, Enum) else v] for n, v in single.items()}


def _shown(columns: Mapping[str, Sequence[Any]]) -> tuple[dict[str, list[str]], int]:
    """Return the first rows as text, without the columns that are empty in them, and their number.

    The number is that of all rows.
    """
    rows = max(map(len, columns.values()), default=0)
    cells = {name: [_cell(cell) for cell in col[:ROWS_SHOWN]] for name, col in columns.items()}
    return {name: texts for name, texts in cells.items() if any(texts) or not rows}, rows


def _rest(rows: int) -> list[str]:
    """Return the line that says how many rows are not shown."""
    more = rows - ROWS_SHOWN
    return [f"{more:,} more rows: to_frame() has all"] if more > 0 else []


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float | np.floating):
        return significant(float(value))
    return str(value)
