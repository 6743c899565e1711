"""Cells that only one tool writes, rewritten as plain columns of labels and probabilities."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.errors import EvalError, Notice
from evalcore.intake.labels import as_labels
from evalcore.intake.model import Choices, Table


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


def weka(table: Table) -> Table:
    """Split "1:yes" at the first colon, read "?" as missing, name the distribution's columns."""

    def label(cell: str) -> str:
        name = cell.partition(":")[2] if ":" in cell else cell
        return "" if name == "?" else name.strip("'")

    numbered: dict[str, str] = {}
    changed: dict[str, pa.ChunkedArray] = {}
    for name in ("actual", "predicted"):
        cells = as_labels(table.columns[name], name).names
        pairs = [cell.partition(":")[::2] for cell in cells if ":" in cell]
        numbered |= {place: label(f":{told}") for place, told in pairs}
        changed[name] = rewrite(table.columns[name], name, label)
    if "distribution" not in table.columns:
        return with_columns(table, changed)
    start = table.names.index("distribution")
    shares = [table.names[start], *(n for n in table.names[start + 1 :] if n.startswith("column "))]
    for place, name in enumerate(shares, start=1):
        of = numbered.get(str(place)) or f"class {place}"
        changed[f"distribution of {of}"] = pc.replace_substring(table.columns[name], "*", "")
    return with_columns(table, changed, drop=shares)


def vectors(name: str) -> Callable[[Table], Table]:
    """Return a translation of vectors such as "[0.45,0.55]" into one column per place."""

    def translate(table: Table) -> Table:
        cells = [_vector(cell) for cell in table.columns[name].to_pylist()]
        return _spread(table, name, cells, lambda place: f"{name}_{place}")

    return translate


def _vector(cell: Any) -> list[Any] | None:
    """Read a vector as Spark writes it: a list, or {"type": 1, "values": [...]}."""
    found = parsed(cell)
    if isinstance(found, dict):
        values, size, indices = found.get("values"), found.get("size"), found.get("indices")
        if isinstance(indices, list) and isinstance(values, list) and isinstance(size, int):
            at = dict(zip(indices, values, strict=False))
            return [at.get(place, 0.0) for place in range(min(size, 10_000))]
        found = values
    return found if isinstance(found, list) else None


def parsed(cell: Any) -> Any:
    """Return what a cell of JSON, or of a printed vector, holds; None if it is neither."""
    if not isinstance(cell, str):
        return cell
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
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
    if not names or len(names) > 10_000:
        raise EvalError(
            "list-cells",
            f'Column "{name}" does not hold a probability for each label.',
            column=name,
        )
    changed = {
        f"{name} of {label}": text([None if label not in c else str(c[label]) for c in cells])
        for label in names
    }
    return with_columns(table, changed, drop=[name])


def spread_objects(table: Table, name: str) -> Table:
    """Put the fields of {"a": 1, ...} cells into columns of their own."""
    cells = [parsed(cell) for cell in table.columns[name].to_pylist()]
    fields = dict.fromkeys(key for cell in cells if isinstance(cell, dict) for key in cell)
    changed = {
        key: text([_field(cell, key) for cell in cells])
        for key in list(fields)[:1000]
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
    several = [n for n in settings if len(table.columns[n].unique()) > 1]
    if not several or not rows:
        return table
    parts = [pc.binary_join_element_wise(shown(n), _cells(table, n), "") for n in several]
    model = pc.binary_join_element_wise(*parts, ", ") if len(parts) > 1 else parts[0]
    keys = [_cells(table, name) for name in rows]
    key = pc.binary_join_element_wise(*keys, " ") if len(keys) > 1 else keys[0]
    hints = Choices(model="setting", id="example")
    return replace(with_columns(table, {"setting": model, "example": key}), hints=hints)


def _cells(table: Table, name: str) -> pa.ChunkedArray:
    return pc.fill_null(table.columns[name].cast(pa.string()), "")
