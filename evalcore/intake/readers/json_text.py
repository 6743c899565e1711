"""JSON in the shapes that tools write tables in, and JSON lines."""

import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from evalcore.errors import EvalError, Notice
from evalcore.intake.model import Choices, Source, Table
from evalcore.intake.readers.cells import table_from_columns, table_from_records
from evalcore.intake.readers.encoding import to_utf8
from evalcore.intake.wording import listed

_LINES = re.compile(rb"\s*\{[^\n]*\}\s*\n\s*\{")


def looks_like_json(text: bytes) -> bool:
    """Tell whether text begins as JSON does."""
    return bool(re.match(rb'(\xef\xbb\xbf)?\s*(\{\s*("|\})|\[\s*(\{|\[|\]))', text[:4096]))


def read_json(data: bytes, source: Source, choices: Choices) -> Table:
    """Read JSON or JSON lines; every cell becomes text.

    Raises:
        EvalError: "not-json" with the line, or "no-table" where it holds no table.
    """
    decoded = to_utf8(data, choices.encoding)
    text, encoding = decoded.text, decoded.encoding
    if _LINES.match(text[: 1 << 20]):
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
        at = line + error.lineno - 1
        message = f"Line {at} is not valid JSON. The file is perhaps cut off."
    except RecursionError:
        message = "The JSON is nested too deeply to be a table."
    except ValueError:
        most = sys.get_int_max_str_digits()
        message = f"The JSON holds a number of more than {most:,} digits. Write it as text."
    raise EvalError("not-json", message)


def _table(found: Any, source: Source) -> Table:
    """Try the shapes in turn, the plainest first."""
    for fits, read in _SHAPES:
        if fits(found):
            return read(found, source)
    raise EvalError(
        "no-table",
        "The JSON holds no table: neither records, nor columns, nor {columns, data}.",
    )


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
