"""JSON in the shapes that tools write tables in, JSON lines, cells that hold lists or objects."""

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any

import pyarrow as pa

from evalcore.errors import EvalError, Notice
from evalcore.text import listed, shorten
from evalread.columns import MISSING_WORDS, holds_lists, refuse_too_many_cells
from evalread.dataset import Choices, Source, Table
from evalread.detection.kinds import ROWS_NEEDED
from evalread.detection.metrics import is_metric
from evalread.detection.predictions import chosen_columns
from evalread.detection.profile import profile, speaks_of_prediction
from evalread.readers.delimited import to_utf8
from evalread.readers.tables import table_from_columns, table_from_records
from evalread.rewriting import pair_keys, parsed, spread, text, with_columns

_SPACE = re.compile(r"\s*")
_DEEPEST = 3
"""How deep metrics are looked for: by data set, by model, by class."""

_MOST_NUMBERS = 1000
"""Numbers of an object that are looked at: a report seldom has more."""


def looks_like_json(text: bytes) -> bool:
    """Tell whether text begins as JSON does."""
    return bool(re.match(rb'(\xef\xbb\xbf)?\s*(\{\s*("|\})|\[\s*(\{|\[|\]))', text[:4096]))


def read_json(data: bytes, source: Source, choices: Choices) -> Table:
    """Read JSON or JSON lines; every cell becomes text.

    Raises:
        EvalError: "not-json" with the line, or "no-table" where it holds no table.
    """
    text, encoding = to_utf8(data, choices.encoding)
    first, _, rest = text[: 1 << 20].lstrip().partition(b"\n")
    if first.startswith(b"{") and first.rstrip().endswith(b"}") and rest.lstrip()[:1] == b"{":
        records = [
            _loaded(line, at) for at, line in enumerate(text.split(b"\n"), 1) if line.strip()
        ]
        known = replace(source, format="json lines", encoding=encoding)
        return _table(records, known)
    return _table(_loaded(text, 1), replace(source, format="json", encoding=encoding))


def _loaded(text: bytes, line: int) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        if objects := _in_sequence(text.decode()):
            return objects
        at = line + error.lineno - 1
        message = f"Line {at} is not valid JSON. The file is perhaps cut off."
    except RecursionError:
        message = "The JSON is nested too deeply to be a table."
    except ValueError:
        most = sys.get_int_max_str_digits()
        message = f"The JSON holds a number of more than {most:,} digits. Write it as text."
    raise EvalError("not-json", message)


def _in_sequence(text: str) -> list[Any]:
    """Return the objects that follow each other in a text; nothing where there is anything else."""
    decoder, objects, at = json.JSONDecoder(), [], _after_space(text, 0)
    while at < len(text):
        try:
            found, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return []
        objects.append(found)
        at = _after_space(text, at)
    return objects if len(objects) > 1 and _are(dict, objects) else []


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return at if match is None else match.end()


def _table(found: Any, source: Source) -> Table:
    """Try the shapes in turn, the plainest first.

    Raises:
        EvalError: "finished-metrics" or "no-table": it holds no row per example.
    """
    if metrics := _summarised(found):
        raise EvalError(
            "finished-metrics",
            f"This is a summary of finished metrics ({listed(metrics, 6)}), not a row per example. "
            f"{ROWS_NEEDED}",
        )
    for fits, read in _SHAPES:
        if fits(found):
            return read(found, source)
    raise EvalError(
        "no-table",
        "The JSON holds no table: neither records, nor columns, nor {columns, data}. "
        "Write a list of objects, one for each row.",
    )


def _summarised(found: Any) -> list[str]:
    """Return the metrics among the numbers of an object that holds no rows or columns."""
    if not _is_object(found) or _inner(found) or _are_columns(found) or _is_split(found):
        return []
    if any(speaks_of_prediction(name) for name in _longest(found)):
        return []
    numbers = dict.fromkeys(islice(_names_of_numbers(found, depth=0), _MOST_NUMBERS))
    return [name for name in numbers if is_metric(name)]


def _names_of_numbers(found: Mapping[str, Any], depth: int) -> Iterator[str]:
    for name, value in found.items():
        if isinstance(value, dict) and depth < _DEEPEST:
            yield from _names_of_numbers(value, depth + 1)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield name


def _are(kind: type, values: Any) -> bool:
    return isinstance(values, list) and bool(values) and all(isinstance(v, kind) for v in values)


def _is_split(found: Any) -> bool:
    """Tell {"columns": [...], "data": [[...], ...]}, as MLflow, W&B and pandas write it."""
    return isinstance(found, dict) and _are(str, found.get("columns")) and _are_rows(found)


def _are_rows(found: Mapping[str, Any]) -> bool:
    rows, width = found.get("data"), len(found["columns"])
    return _are(list, rows) and all(len(row) == width for row in rows or [])


def _are_columns(found: Any) -> bool:
    lists = isinstance(found, dict) and len(found) > 1 and _are(list, list(found.values()))
    return lists and len({len(values) for values in found.values()}) == 1


def _longest(found: Any) -> Mapping[str, list[Any]]:
    """Return the lists of one length, the longest, of which an object holds several."""
    lists = {k: v for k, v in found.items() if isinstance(v, list)} if _is_object(found) else {}
    most = max(map(len, lists.values()), default=0)
    alike = {name: values for name, values in lists.items() if len(values) == most > 1}
    return alike if len(alike) > 1 else {}


def _is_object(found: Any) -> bool:
    return isinstance(found, dict) and bool(found)


def _read_longest(found: Mapping[str, Any], source: Source) -> Table:
    """Read {"y_true": [...], "y_pred": [...], "accuracy": 0.7}: what is no column is left out."""
    columns = _longest(found)
    others = listed([name for name in found if name not in columns], 4)
    notice = Notice("left-out", f"Left out, since they are no columns of the table: {others}.")
    return table_from_columns(list(columns), columns.values(), source, [notice])


def _are_indexed(found: Any) -> bool:
    """Tell {"p": {"0": 0.1, ...}}, as pandas writes columns, or {"0": {"p": 0.1}}, its rows."""
    return isinstance(found, dict) and len(found) > 1 and _are(dict, list(found.values()))


def _read_indexed(found: Mapping[str, Mapping[str, Any]], source: Source) -> Table:
    if all(key.lstrip("-").isdigit() for key in found):
        return table_from_records(list(found.values()), source)
    rows = dict.fromkeys(key for cells in found.values() for key in cells)
    columns = ([cells.get(row) for row in rows] for cells in found.values())
    return table_from_columns(list(found), columns, source)


def _inner(found: Any) -> Any:
    """Return the one list of records in an object such as {"predictions": [...]}."""
    lists = [v for v in found.values() if _are(dict, v)] if isinstance(found, dict) else []
    return lists[0] if len(lists) == 1 else None


def _read_lists(found: Sequence[Sequence[Any]], source: Source) -> Table:
    header = found[0] if _are(str, found[0]) else None
    names = header or [f"column {place + 1}" for place in range(len(found[0]))]
    rows = found[1:] if header else found
    for at, row in enumerate(rows, start=1):
        if len(row) != len(names):
            raise EvalError("ragged", f"Row {at} has {len(row)} values, the first {len(names)}.")
    return table_from_columns(names, ([row[k] for row in rows] for k in range(len(names))), source)


_SHAPES: tuple[tuple[Callable[[Any], bool], Callable[[Any, Source], Table]], ...] = (
    (lambda found: _are(dict, found), table_from_records),
    (
        _is_split,
        lambda found, source: table_from_columns(
            found["columns"], zip(*found["data"], strict=True), source
        ),
    ),
    (
        lambda found: _inner(found) is not None,
        lambda found, source: table_from_records(_inner(found), source),
    ),
    (
        _are_columns,
        lambda found, source: table_from_columns(list(found), found.values(), source),
    ),
    (_are_indexed, _read_indexed),
    (lambda found: bool(_longest(found)), _read_longest),
    (lambda found: _are(list, found) and bool(found[0]), _read_lists),
    (_is_object, lambda found, source: table_from_records([found], source)),
)


_MOST_FIELDS = 100
"""Fields of an object that become columns; the others stay in its cell."""

_LOOKED_AT = 100
"""Cells that show what a column holds."""


def plain_cells(table: Table) -> Table:
    """Spread what lists and objects hold, column by column; what is unclear stays as it is.

    So do columns whose role the file's tool has settled.
    """
    with_role = {*chosen_columns(table.hints), table.hints.model}
    free = [name for name in table.names if name not in with_role]
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
    objects = [cell for cell in cells if isinstance(cell, dict)]
    found = list(dict.fromkeys(chain.from_iterable(objects)))
    fields = found[:_MOST_FIELDS]
    plain = [f for f in fields if not any(isinstance(o.get(f), dict | list) for o in objects)]
    refuse_too_many_cells(table.n, len(plain))
    of_fields = {f"{name}.{f}": text([_field(cell, f) for cell in cells]) for f in plain}
    all_told = plain == found and len(objects) == table.n
    return with_columns(table, of_fields, drop=[name] if all_told else [])


def _field(cell: Any, key: str) -> str | None:
    value = cell.get(key) if isinstance(cell, dict) else None
    return value if value is None else str(value)


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
                return spread(table, name, other)
    return spread(table, name) if _numbered_classes(table, size) else table


def _numbered_classes(table: Table, size: int) -> bool:
    """Tell whether a column holds the classes 0, 1, ..., which lists of numbers are in order of."""
    numbers = {str(place) for place in range(size)}
    found = (profile(table, name) for name in table.names)
    return any(column.holds_only(numbers) and not column.constant for column in found)
