"""Cells that hold lists or objects, put into plain columns where the file says what is what."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import pyarrow as pa

from evalcore.errors import EvalError
from evalcore.intake.chosen import chosen_columns
from evalcore.intake.model import Table
from evalcore.intake.modelnames import speaks_of_prediction
from evalcore.intake.numbers import MISSING_WORDS, holds_lists
from evalcore.intake.profile import profile
from evalcore.intake.readers.naming import refuse_too_many_cells
from evalcore.intake.translate import by_label, by_pairs, parsed, text, vectors, with_columns
from evalcore.intake.wording import shorten

_NAME_KEYS = ("label", "class", "name", "displayName")
_SHARE_KEYS = ("score", "prob", "probability", "confidence", "value")
_MOST_FIELDS = 100
_LOOKED_AT = 100


def plain_cells(table: Table) -> Table:
    """Spread what lists and objects hold, column by column; what is unclear stays as it is.

    So do columns whose role the file's tool has settled.
    """
    settled = {*chosen_columns(table.hints), table.hints.model}
    free = [name for name in table.names if name not in settled]
    for name in [name for name in free if _opens(table.columns[name])]:
        table = _plain(table, name)
    return table


def _opens(column: pa.ChunkedArray) -> bool:
    """Tell whether the first cells are lists or objects, at less cost than reading them."""
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return holds_lists(column[:_LOOKED_AT])
    cells = (column[place].as_py() for place in range(min(len(column), _LOOKED_AT)))
    first = next((cell.lstrip() for cell in cells if cell and not cell.isspace()), "")
    return first.startswith(("[", "(", "{")) and holds_lists(column[:_LOOKED_AT])


def _plain(table: Table, name: str) -> Table:
    head = [parsed(cell) for cell in table.columns[name][:_LOOKED_AT].to_pylist()]
    shown = [cell for cell in head if cell is not None]
    if shown and all(isinstance(cell, dict) for cell in shown):
        return _objects(table, name, shown)
    if not speaks_of_prediction(name) or not shown:
        return table
    if pair := _pair_keys(shown):
        return by_label(name, *pair)(table)
    sizes = {len(cell) for cell in shown if isinstance(cell, list) and all(map(_number, cell))}
    if len(sizes) != 1 or not all(isinstance(cell, list) and cell for cell in shown):
        return table
    return _numbers(table, name, sizes.pop())


def _objects(table: Table, name: str, shown: Sequence[Mapping[str, Any]]) -> Table:
    """Spread {"cat": 0.9, "dog": 0.1} by class, and a record into "name.field" columns.

    What such columns tell in full is not kept beside them.
    """
    values = [value for cell in shown for value in cell.values()]
    if speaks_of_prediction(name) and len({*chain.from_iterable(shown)}) > 1:
        if all(map(_number, values)):
            return by_pairs(name)(table)
        if all(isinstance(value, bool) for value in values):
            return table  # yes or no to each class, of which none may be meant, or several
    cells = [parsed(cell) for cell in table.columns[name].to_pylist()]
    objects = [cell for cell in cells if isinstance(cell, dict)]
    found = list(dict.fromkeys(chain.from_iterable(objects)))
    fields = found[:_MOST_FIELDS]
    plain = [f for f in fields if not any(isinstance(o.get(f), dict | list) for o in objects)]
    refuse_too_many_cells(table.n, len(plain))
    spread = {f"{name}.{f}": text([_field(cell, f) for cell in cells]) for f in plain}
    all_told = plain == found and len(objects) == table.n
    return with_columns(table, spread, drop=[name] if all_told else [])


def _field(cell: Any, key: str) -> str | None:
    value = cell.get(key) if isinstance(cell, dict) else None
    return value if value is None else str(value)


def _pair_keys(shown: Sequence[Any]) -> tuple[str, str] | None:
    """Return the keys of [{"label": "cat", "score": 0.9}, ...], where cells are such lists."""
    items: list[Any] = [item for cell in shown if isinstance(cell, list) for item in cell]
    if not items or not all(isinstance(item, dict) for item in items):
        return None
    name = next((key for key in _NAME_KEYS if all(key in item for item in items)), None)
    share = next((key for key in _SHARE_KEYS if all(key in item for item in items)), None)
    return (name, share) if name and share else None


def _number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return not isinstance(value, bool)


def _only_numbers(table: Table, name: str) -> Table:
    """Read "[0.9]" as 0.9; the rows that were not looked at may hold anything."""
    numbers = []
    for row, cell in enumerate(table.columns[name].to_pylist(), start=1):
        only = _only(cell)
        if only is not None and not _number(only):
            raise EvalError(
                "list-cells",
                f'Column "{name}" should hold one number in each row; row {row:,} holds '
                f'"{shorten(str(cell))}".',
                rows=(row,),
                column=name,
            )
        numbers.append(None if only is None else str(only))
    return with_columns(table, {name: text(numbers)})


def _only(cell: Any) -> Any:
    """Return what a cell or its list of one holds; None where that is blank."""
    found = parsed(cell)
    if isinstance(found, list) and len(found) < 2:
        found = found[0] if found else None
    elif found is None:
        found = cell
    return None if str(found).strip().lower() in MISSING_WORDS else found


def _numbers(table: Table, name: str, size: int) -> Table:
    """Spread lists of numbers: one number, one per class of another list, or per class 0, 1, ..."""
    if size == 1:
        return _only_numbers(table, name)
    for other in table.names:
        if other != name and holds_lists(table.columns[other][:1000]):
            names = parsed(table.columns[other][0].as_py())
            if isinstance(names, list) and len(names) == size and not any(map(_number, names)):
                return by_pairs(name, other)(table)
    return vectors(name)(table) if _numbered_classes(table, size) else table


def _numbered_classes(table: Table, size: int) -> bool:
    """Tell whether a column holds the classes 0, 1, ..., which lists of numbers are in order of."""
    numbers = {str(place) for place in range(size)}
    found = (profile(table, name) for name in table.names)
    return any(column.holds_only(numbers) and not column.constant for column in found)
