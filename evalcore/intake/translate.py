"""Cells that only one tool writes, rewritten as plain columns of labels and probabilities."""

import ast
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from evalcore.errors import EvalError, Notice
from evalcore.intake.labels import as_labels
from evalcore.intake.model import Table
from evalcore.intake.readers.naming import refuse_too_many_cells

_MOST_CLASSES = 10_000
_MOST_FIELDS = 1000
_QUOTED = re.compile(r"\s*[\[{][\s\[{]*'[^\\]{1,20000}$", re.DOTALL)
_SPARSE = re.compile(
    r"\((?P<size>\d{1,9}),\s*\[(?P<indices>[\d,\s]*)\],\s*\[(?P<values>[-+.\deE,\s]*)\]\)"
)


def with_columns(
    table: Table, changed: Mapping[str, pa.ChunkedArray], drop: Sequence[str] = ()
) -> Table:
    """Return the table with columns changed or added, and others left out."""
    columns = {name: c for name, c in table.columns.items() if name not in drop}
    return replace(table, columns=columns | dict(changed))


def text(values: Sequence[str | None]) -> pa.ChunkedArray:
    """Return a column of text cells."""
    return pa.chunked_array([pa.array(values, pa.string())])


def said(table: Table, notice: Notice) -> Table:
    """Return the table with a further notice."""
    return replace(table, notices=(*table.notices, notice))


def rewrite(column: pa.ChunkedArray, name: str, rule: Callable[[str], str]) -> pa.ChunkedArray:
    """Rewrite each distinct cell of a column of labels; missing cells stay missing."""
    labels = as_labels(column, name)
    renamed = pa.array([rule(label) for label in labels.names], pa.string())
    codes = pa.array(labels.codes, mask=labels.codes < 0)
    return pa.chunked_array([renamed.take(codes)])


def vectors(name: str) -> Callable[[Table], Table]:
    """Return a translation of vectors such as "[0.45,0.55]" into one column per place."""

    def translate(table: Table) -> Table:
        cells = []
        for cell in table.columns[name].to_pylist():
            cells.append(_vector(cell))
            refuse_too_many_cells(table.n, len(cells[-1] or ()))
        return _spread(table, name, cells, lambda place: f"{name}_{place}")

    return translate


def _vector(cell: Any) -> list[Any] | None:
    """Read a vector as Spark writes it: a list, {"type": 1, "values": [...]}, or sparse."""
    found = _sparse(cell) if isinstance(cell, str) else None
    found = found or parsed(cell)
    if isinstance(found, dict):
        values, size, indices = found.get("values"), found.get("size"), found.get("indices")
        if isinstance(indices, list) and isinstance(values, list) and isinstance(size, int):
            at = dict(zip(indices, values, strict=False))
            return [at.get(place, 0.0) for place in range(min(size, _MOST_CLASSES))]
        found = values
    return found if isinstance(found, list) else None


def _sparse(cell: str) -> dict[str, Any] | None:
    """Read a sparse vector as Spark prints it: "(2,[1],[1.0])"."""
    match = _SPARSE.fullmatch(cell.strip())
    if not match:
        return None
    indices = [int(place) for place in match["indices"].split(",") if place.strip()]
    values = [value for value in match["values"].split(",") if value.strip()]
    return {"size": int(match["size"]), "indices": indices, "values": values}


def parsed(cell: Any) -> Any:
    """Return what a cell holds that JSON, Python or NumPy has printed; None if none of them has."""
    if not isinstance(cell, str):
        return cell
    try:
        # Python prints text in single quotes.
        return ast.literal_eval(cell.strip()) if _QUOTED.match(cell) else json.loads(cell)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        numbers = re.findall(r"[-+.\deE]+", cell)
        return numbers if numbers and re.fullmatch(r"\s*[\[(].*[\])]\s*", cell) else None


def _spread(
    table: Table, name: str, cells: Sequence[list[Any] | None], called: Callable[[int], str]
) -> Table:
    sizes = {len(cell) for cell in cells if cell is not None}
    if len(sizes) != 1:
        raise EvalError(
            "list-cells",
            f'Column "{name}" should hold lists of one length; it holds lengths '
            f"{', '.join(map(str, sorted(sizes))) or 'of none'}.",
            column=name,
        )
    width = sizes.pop()
    changed = {
        called(place): text([None if cell is None else str(cell[place]) for cell in cells])
        for place in range(width)
    }
    return with_columns(table, changed, drop=[name])


def by_label(name: str, label: str, share: str) -> Callable[[Table], Table]:
    """Return a translation of [{label: "a", share: 0.7}, ...] cells, matched by label."""

    def pairs(cell: Any) -> dict[str, Any]:
        found = parsed(cell)
        items = found if isinstance(found, list) else []
        return {str(item[label]): item[share] for item in items if _has(item, label, share)}

    return lambda table: _by_name(table, name, [pairs(c) for c in table.columns[name].to_pylist()])


def by_pairs(name: str, labels: str | None = None) -> Callable[[Table], Table]:
    """Return a translation of {"a": 0.7, ...} cells, or of lists beside lists of labels."""

    def pairs(cell: Any, names: Any) -> dict[str, Any]:
        found = parsed(cell)
        if labels is None:
            return found if isinstance(found, dict) else {}
        told = parsed(names)
        lists = isinstance(found, list) and isinstance(told, list)
        return {str(k): v for k, v in zip(told, found, strict=False)} if lists else {}

    def translate(table: Table) -> Table:
        beside = table.columns[labels].to_pylist() if labels else [None] * table.n
        cells = zip(table.columns[name].to_pylist(), beside, strict=True)
        return _by_name(table, name, [pairs(cell, names) for cell, names in cells])

    return translate


def by_lists(name: str, labels: str, shares: str) -> Callable[[Table], Table]:
    """Return a translation of {labels: ["a", ...], shares: [0.7, ...]} cells, matched by label."""

    def pairs(cell: Any) -> dict[str, Any]:
        found = parsed(cell)
        if not _has(found, labels, shares):
            return {}
        return {str(k): v for k, v in zip(found[labels], found[shares], strict=False)}

    return lambda table: _by_name(table, name, [pairs(c) for c in table.columns[name].to_pylist()])


def _has(item: Any, *keys: str) -> bool:
    return isinstance(item, dict) and all(key in item for key in keys)


def _by_name(table: Table, name: str, cells: Sequence[Mapping[str, Any]]) -> Table:
    names = list(dict.fromkeys(label for cell in cells for label in cell))
    if not names or len(names) > _MOST_CLASSES:
        raise EvalError(
            "list-cells",
            f'Column "{name}" does not hold a probability for each label.',
            column=name,
        )
    refuse_too_many_cells(table.n, len(names))
    changed = {
        f"{name} of {label}": text([None if label not in c else str(c[label]) for c in cells])
        for label in names
    }
    return with_columns(table, changed, drop=[name])


def spread_objects(table: Table, name: str) -> Table:
    """Put the fields of {"a": 1, ...} cells into columns of their own."""
    cells = [parsed(cell) for cell in table.columns[name].to_pylist()]
    fields = dict.fromkeys(key for cell in cells if isinstance(cell, dict) for key in cell)
    refuse_too_many_cells(table.n, min(len(fields), _MOST_FIELDS))
    changed = {
        key: text([_field(cell, key) for cell in cells])
        for key in list(fields)[:_MOST_FIELDS]
        if key not in table.columns
    }
    return with_columns(table, changed, drop=[name])


def _field(cell: Any, key: str) -> str | None:
    value = cell.get(key) if isinstance(cell, dict) else None
    return value if value is None or isinstance(value, str) else json.dumps(value)


def in_classes(table: Table) -> Table:
    """Call nameless columns after the classes 0, 1, ... that a booster numbers them by."""
    places = {name: f"probability_{place}" for place, name in enumerate(table.names)}
    return replace(table, columns={places[n]: c for n, c in table.columns.items()})


def label_numbers(table: Table) -> Table:
    """Read "LABEL_1" as the class 1."""
    names = as_labels(table.columns["label"], "label").names
    if not all(re.fullmatch(r"LABEL_\d+", name) for name in names):
        return table
    column = rewrite(table.columns["label"], "label", lambda name: name.removeprefix("LABEL_"))
    notice = Notice("label-numbers", 'Labels such as "LABEL_1" were read as the class 1.')
    return said(with_columns(table, {"label": column}), notice)


def rows_sum_to_one(table: Table, names: Sequence[str]) -> bool:
    """Tell whether at least two columns of numbers in [0, 1] sum to about 1 in each early row."""
    if len(names) < 2:
        return False
    try:
        heads = [table.columns[name].slice(0, 100).cast(pa.float64()).to_numpy() for name in names]
    except pa.ArrowException:
        return False
    head = np.column_stack(heads)
    return bool(((head >= 0) & (head <= 1)).all() and (abs(head.sum(axis=1) - 1) < 0.02).all())
