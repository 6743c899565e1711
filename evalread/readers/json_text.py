"""JSON in the shapes that tools write tables in, JSON lines, cells that hold lists or objects."""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any, TypeGuard

import numpy as np

from evalcore.text import shorten
from evalread.columns import MISSING_WORDS, holds_lists
from evalread.dataset import Choices, Source, Table
from evalread.detection.predictions import chosen_columns
from evalread.detection.profile import is_metric, profile, speaks_of_prediction
from evalread.notices import notice, refusal
from evalread.readers.delimited import to_utf8
from evalread.readers.tables import table_from_columns, table_from_records
from evalread.rewriting import (
    cell_text,
    pair_keys,
    parsed,
    refuse_too_many_cells,
    spread,
    text,
    with_columns,
)

_DEEPEST = 3
"""How deep metrics are looked for: by data set, by model, by class."""

_MOST_NUMBERS = 1000
"""Numbers of an object that are looked at: a report seldom has more."""


def looks_like_json(text: bytes) -> bool:
    """Return whether text begins as JSON does."""
    return bool(re.match(rb'(\xef\xbb\xbf)?\s*(\{\s*("|\})|\[\s*(\{|\[|\]))', text[:4096]))


def read_json(data: bytes, source: Source, choices: Choices) -> Table:
    """Read JSON or JSON lines; every cell becomes text.

    Raises:
        EvalError: "not-json" with the line, or "no-table" where it holds no table.
    """
    text, encoding = to_utf8(data, choices.encoding)
    try:
        found = list(_values(text.decode().rstrip()))
    except json.JSONDecodeError as error:
        raise refusal("not-json", line=error.lineno) from None
    except RecursionError:
        raise refusal("not-json/deep") from None
    except ValueError:
        raise refusal("not-json/digits", most=sys.get_int_max_str_digits()) from None
    several = len(found) > 1
    known = replace(source, format="json lines" if several else "json", encoding=encoding)
    return _table(found if several else found[0], known)


def _values(text: str) -> Iterator[Any]:
    """Yield the value in a text, or each of several, which stand on lines as a rule."""
    decoder, begins, at = json.JSONDecoder(), re.compile(r"\S"), 0
    while start := begins.search(text, at):
        try:
            value, at = decoder.raw_decode(text, start.start())
        except json.JSONDecodeError as error:
            # What is missing on one of several lines is noticed on the next.
            place = start.start() if at else error.pos
            raise json.JSONDecodeError(error.msg, text, place) from None
        yield value


def _table(found: Any, source: Source) -> Table:
    """Return the table of a value in one of the shapes that tools write.

    Raises:
        EvalError: "finished-metrics" or "no-table": it holds no row per example.
    """
    if _are(found, dict):
        return table_from_records(found, source)
    if _are(found, list) and found[0]:
        return _of_lists(found, source)
    if isinstance(found, dict) and found:
        return _of_object(found, source)
    raise refusal("no-table/json")


def _are(values: Any, kind: type) -> TypeGuard[list[Any]]:
    return isinstance(values, list) and bool(values) and all(isinstance(v, kind) for v in values)


def _of_lists(found: Sequence[Sequence[Any]], source: Source) -> Table:
    """Read a list of rows, of which the first may be a header."""
    header = found[0] if _are(found[0], str) else None
    names = header or [f"column {place + 1}" for place in range(len(found[0]))]
    rows = found[1:] if header else found
    for at, row in enumerate(rows, start=1):
        if len(row) != len(names):
            raise refusal("ragged/row", row=at, values=len(row), wanted=len(names))
    return table_from_columns(names, ([row[k] for row in rows] for k in range(len(names))), source)


def _of_object(found: Mapping[str, Any], source: Source) -> Table:
    """Read an object that holds records or columns, or is a record itself."""
    if (models := _of_models(found, source)) is not None:
        return models
    names, rows = found.get("columns"), found.get("data")
    if _are(names, str) and _are(rows, list) and {*map(len, rows)} == {len(names)}:
        return table_from_columns(names, zip(*rows, strict=True), source)  # as pandas splits it
    records = [value for value in found.values() if _are(value, dict)]
    if len(records) == 1:
        return table_from_records(records[0], source)
    lists = {name: value for name, value in found.items() if isinstance(value, list)}
    most = max(map(len, lists.values()), default=0)
    columns = {name: values for name, values in lists.items() if len(values) == most}
    if len(columns) == len(found) > 1:
        return table_from_columns(list(columns), columns.values(), source)
    several = len(columns) > 1 and most > 1
    if not (several and any(map(speaks_of_prediction, columns))):
        _refuse_metrics(found)
    if several:
        others = [name for name in found if name not in columns]
        left_out = [notice("left-out", names=others)]
        return table_from_columns(list(columns), columns.values(), source, left_out)
    if len(found) > 1 and _are(list(found.values()), dict):
        return _of_objects(found, source)
    return table_from_records([found], source)


def _of_models(found: Mapping[str, Any], source: Source) -> Table | None:
    """Read {"rf": {"y_true": [1, 0], "y_pred": [1, 1]}, ...}; None for any other object."""
    parts = list(found.values())
    if not _are(parts, dict) or not all(_are([*part.values()], list) for part in parts):
        return None
    if any(len({*map(len, p.values())}) > 1 or p.keys() != parts[0].keys() for p in parts):
        return None
    named = {"model": Choices(model="model")} if len(parts) > 1 and "model" not in parts[0] else {}
    rows = [
        {**dict.fromkeys(named, name), **dict(zip(part, cells, strict=True))}
        for name, part in found.items()
        for cells in zip(*part.values(), strict=True)
    ]
    return replace(table_from_records(rows, source), hints=named.get("model", Choices()))


def _refuse_metrics(found: Mapping[str, Any]) -> None:
    """Refuse an object whose numbers are metrics."""
    numbers = dict.fromkeys(islice(_names_of_numbers(found, depth=0), _MOST_NUMBERS))
    if metrics := [name for name in numbers if is_metric(name)]:
        raise refusal("finished-metrics/json", metrics=metrics)


def _names_of_numbers(found: Mapping[str, Any], depth: int) -> Iterator[str]:
    for name, value in found.items():
        if isinstance(value, dict) and depth < _DEEPEST:
            yield from _names_of_numbers(value, depth + 1)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield name


def _of_objects(found: Mapping[str, Mapping[str, Any]], source: Source) -> Table:
    """Read {"p": {"0": 0.1, ...}}, as pandas writes columns, or {"0": {"p": 0.1}}, its rows."""
    if all(key.lstrip("-").isdigit() for key in found):
        return table_from_records(list(found.values()), source)
    rows = dict.fromkeys(chain.from_iterable(found.values()))
    columns = ([cells.get(row) for row in rows] for cells in found.values())
    return table_from_columns(list(found), columns, source)


_MOST_FIELDS = 100
"""Fields of an object that become columns; the others stay in its cell."""

_LOOKED_AT = 100
"""Cells that show what a column holds."""

_ONE_ITEM = re.compile(r"\s*+[\[(]([^][(){},]*+),?\s*+[\])]\s*+")


def plain_cells(table: Table) -> Table:
    """Spread what lists and objects hold, column by column; what is unclear stays as it is.

    So do columns whose role the file's tool has settled.
    """
    with_role = {*chosen_columns(table.hints), table.hints.model}
    free = [name for name in table.names if name not in with_role]
    for name in [name for name in free if holds_lists(table.columns[name][:_LOOKED_AT])]:
        table = _plain(table, name)
    return table


def _plain(table: Table, name: str) -> Table:
    head = [parsed(cell) for cell in table.columns[name][:_LOOKED_AT].to_pylist()]
    shown = [cell for cell in head if cell is not None]
    if shown and all(isinstance(cell, dict) for cell in shown):
        return _objects(table, name, shown)
    if not speaks_of_prediction(name) or not shown:
        return table
    if pair_keys(shown):
        return spread(table, name)
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
            return spread(table, name)
        if all(isinstance(value, bool) for value in values):
            return table  # yes or no to each class, of which none may be meant, or several
    cells = [parsed(cell) for cell in table.columns[name].to_pylist()]
    objects = [cell if isinstance(cell, dict) else {} for cell in cells]
    found = list(dict.fromkeys(chain.from_iterable(objects)))
    nested = {f for one in objects for f, value in one.items() if isinstance(value, dict | list)}
    fields = [field for field in found[:_MOST_FIELDS] if field not in nested]
    refuse_too_many_cells(table.n, len(fields))
    columns = {f"{name}.{f}": text([cell_text(one.get(f)) for one in objects]) for f in fields}
    all_told = fields == found and all(isinstance(cell, dict) for cell in cells)
    return with_columns(table, columns, drop=[name] if all_told else [])


def _number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return not isinstance(value, bool)


def _numbers(table: Table, name: str, size: int) -> Table:
    """Spread lists of numbers: one number, one per class of another list, or per class 0, 1, ..."""
    if size == 1:
        cells = [cell_text(cell) or "" for cell in table.columns[name].to_pylist()]
        alone = (_ONE_ITEM.fullmatch(cell) for cell in cells)
        pairs = zip(alone, cells, strict=True)
        bare = [one[1].strip(" \t\n\"'") if one else cell for one, cell in pairs]
        fits = [_number(cell) or cell.strip().lower() in MISSING_WORDS for cell in bare]
        if not all(fits):
            first = fits.index(False)
            about = {"cell": shorten(cells[first]), "first": first + 1}
            raise refusal("list-cells/rows", rows=~np.array(fits), column=name, **about)
        return with_columns(table, {name: text(bare)})
    for other in table.names:
        if other != name and holds_lists(table.columns[other][:1000]):
            names = parsed(table.columns[other][0].as_py())
            if isinstance(names, list) and len(names) == size and not any(map(_number, names)):
                return spread(table, name, other)
    # A column of the classes 0, 1, ... says that the lists are in their order.
    numbers = {str(place) for place in range(size)}
    found = (profile(table, column) for column in table.names)
    in_order = any(one.holds_only(numbers) and not one.constant for one in found)
    return spread(table, name) if in_order else table
