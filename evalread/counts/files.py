"""Files of counts: Parquet, or CSV below a line that says what it holds; checked when read."""

import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

import evalcore
from evalread.counts.blocks import COUNT, COUNTS_KEY, SCHEMA, Block, Counts, keys_of, stacked
from evalread.dataset import Roles
from evalread.notices import refusal
from evalread.readers.tables import on_damage
from evalread.writing import written

_FAMILY = SCHEMA.rpartition("/")[0] + "/"
_LINE = b'# {"schema": "' + _FAMILY.encode()
"""How a CSV file of counts begins."""

_TYPES = {"bool": pa.bool_(), "int64": pa.int64(), "double": pa.float64(), "string": pa.string()}


def is_counts(data: bytes) -> bool:
    """Return whether a file says that it holds counts, of whichever version."""
    if data.startswith(b"PAR1"):
        footer = int.from_bytes(data[-8:-4], "little")
        return COUNTS_KEY in data[-8 - footer :]
    return data.startswith(_LINE)


def write(counts: Counts, path: str | Path) -> None:
    """Write counts to a file, as CSV where its name ends so, else as Parquet; all of it or nothing.

    Raises:
        EvalError: "unwritable-file": the folder is not there, or may not be written to.
    """
    target = Path(path)
    kind = "csv" if target.suffix.lower() == ".csv" else "parquet"
    written(target, as_bytes(counts, kind))


def as_bytes(counts: Counts, kind: str = "parquet") -> bytes:
    """Return a file of counts, "parquet" or "csv"."""
    table, about = _together(counts), _about(counts)
    about["checksum"] = _checksum(table, about)
    line = json.dumps(about, ensure_ascii=True)
    held = io.BytesIO()
    if kind == "csv":
        held.write(b"# " + line.encode() + b"\n")
        csv.write_csv(table, held)
    else:
        kept = {**(table.schema.metadata or {}), COUNTS_KEY: line.encode()}
        from pyarrow import parquet  # only these files need it

        parquet.write_table(table.replace_schema_metadata(kept), held, compression="zstd")
    return held.getvalue()


def _together(counts: Counts) -> pa.Table:
    """Return all blocks one after another, with the number of each, and null where a key is none.

    The number comes first and the count last.
    """
    keys = list(dict.fromkeys(name for block in counts.blocks for name in block.keys))
    number = _number_column(keys)
    parts = []
    for place, block in enumerate(counts.blocks):
        numbers = pa.array(np.full(block.cells, place))
        own = {name: block.table[name] for name in block.keys}
        parts.append(pa.table({number: numbers, **own, COUNT: block.table[COUNT]}))
    return stacked(parts).select([number, *keys, COUNT]).combine_chunks()


def _number_column(keys: Sequence[str]) -> str:
    name = "block"
    while name in keys:
        name += "'"
    return name


def _about(counts: Counts) -> dict[str, Any]:
    blocks = [
        {
            "models": list(block.models),
            "digits": dict(block.digits),
            "columns": {name: str(block.table[name].type) for name in block.table.column_names},
            "cells": block.cells,
            "rows": block.rows,
        }
        for block in counts.blocks
    ]
    return {
        "schema": SCHEMA,
        "version": evalcore.__version__,
        "task": counts.roles.task.value,
        "rows": counts.rows,
        "source": {"name": counts.source, "digest": counts.digest},
        "by": list(counts.by),
        "weight": counts.weight,
        "blocks": blocks,
        "roles": _plain(counts.roles),
    }


def _checksum(table: pa.Table, about: Mapping[str, Any]) -> str:
    """Return the SHA-256 of all cells and of what is said about them."""
    found = hashlib.sha256()
    said = {name: value for name, value in about.items() if name != "checksum"}
    found.update(json.dumps(said, ensure_ascii=True, sort_keys=True).encode())
    for name in table.column_names:
        found.update(name.encode("utf-8", "surrogatepass"))
        for part in _bytes_of(table[name].combine_chunks()):
            found.update(part)
    return found.hexdigest()


def _bytes_of(column: pa.Array) -> Iterator[bytes]:
    """Return the cells of a column as bytes that do not depend on how they are stored."""
    yield np.packbits(column.is_valid().to_numpy(zero_copy_only=False)).tobytes()
    if pa.types.is_string(column.type):
        encoded = pc.dictionary_encode(column)
        yield json.dumps(encoded.dictionary.to_pylist()).encode()
        column = encoded.indices
    elif pa.types.is_boolean(column.type):
        column = column.cast(pa.int8())
    values = pc.fill_null(column, 0).to_numpy(zero_copy_only=False)
    if np.issubdtype(values.dtype, np.floating):
        values = np.where(np.isnan(values), np.nan, values)  # NaN is written in one way
    yield np.ascontiguousarray(values).tobytes()


def read(data: bytes) -> Counts:
    """Return what a file of counts holds, once every check is passed.

    Raises:
        EvalError: "counts-version", "counts-damaged", "counts-cut-off", "counts-cells",
            "counts-totals", "counts-changed" or "counts-roles", and what is wrong.
    """
    table, about = _read(data)
    if about.get("schema") != SCHEMA:
        raise refusal("counts-version", said=about.get("schema"), known=SCHEMA)
    try:
        return _checked(table, about)
    except (KeyError, TypeError, ValueError, AttributeError, pa.ArrowException):
        raise refusal("counts-damaged") from None


def _read(data: bytes) -> tuple[pa.Table, dict[str, Any]]:
    """Return all cells, and what the file says of itself."""
    if data.startswith(b"PAR1"):
        with on_damage("unreadable/arrow", format="Parquet"):
            from pyarrow import parquet  # only these files need it

            table = parquet.ParquetFile(io.BytesIO(data)).read()  # `read_table` imports pandas
            line = (table.schema.metadata or {})[COUNTS_KEY]
        return table.replace_schema_metadata(None), _object(line)
    line, _, cells = data.partition(b"\n")
    about = _object(line[2:])
    columns: dict[str, str] = {}
    with suppress(TypeError, KeyError, AttributeError):
        for block in about["blocks"]:
            columns |= block["columns"]
    types = {name: _TYPES.get(kind, pa.string()) for name, kind in columns.items()}
    try:
        table = csv.read_csv(
            io.BytesIO(cells),
            parse_options=csv.ParseOptions(newlines_in_values=True),
            convert_options=csv.ConvertOptions(
                column_types=types,
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
                null_values=[""],
                true_values=["true"],
                false_values=["false"],
            ),
        )
    except (pa.ArrowException, ValueError):
        raise refusal("counts-damaged") from None
    return table, about


def _object(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise refusal("counts-damaged") from None
    if not isinstance(found, dict):
        raise refusal("counts-damaged")
    return found


def _checked(table: pa.Table, about: Mapping[str, Any]) -> Counts:
    """Return counts of all cells and of what is said about them, or refuse them."""
    said = about["blocks"]
    told = sum(int(one["cells"]) for one in said)
    if table.num_rows != told:
        raise refusal("counts-cut-off", cells=table.num_rows, told=told)
    number, count = table.column_names[0], table.column_names[-1]
    if count != COUNT or not said:
        raise refusal("counts-damaged")
    values = table[COUNT].cast(pa.float64()).to_numpy()
    bad = ~(np.isfinite(values) & (values >= 0))
    if bad.any():
        raise refusal("counts-cells", rows=bad)
    numbers = table[number].to_numpy()
    places = np.searchsorted(numbers, np.arange(len(said) + 1))
    if (np.diff(numbers) < 0).any() or places[0] != 0 or places[-1] != table.num_rows:
        raise refusal("counts-damaged")
    blocks = tuple(
        _block(table.slice(start, end - start), one)
        for start, end, one in zip(places[:-1], places[1:], said, strict=True)
    )
    totals = [block.rows for block in blocks]
    if not np.allclose(totals, float(about["rows"]), rtol=1e-12, atol=0):
        raise refusal("counts-totals", totals=[f"{total:,.10g}" for total in totals])
    if about.get("checksum") != _checksum(table, about):
        raise refusal("counts-changed")
    roles = _built(Roles, about["roles"])
    source = about["source"]
    named = str(source["name"]), str(source["digest"]), str(about.get("weight", ""))
    counts = Counts(roles, blocks, tuple(about["by"]), *named)
    _check_blocks(counts)
    return counts


def _block(table: pa.Table, about: Mapping[str, Any]) -> Block:
    columns = {name: table[name].cast(_TYPES[kind]) for name, kind in about["columns"].items()}
    if int(about["cells"]) != table.num_rows:
        raise refusal("counts-damaged")
    digits = {str(name): int(kept) for name, kept in about["digits"].items()}
    return Block(tuple(map(str, about["models"])), pa.table(columns), digits)


def _check_blocks(counts: Counts) -> None:
    """Refuse blocks that do not hold the models and columns that the roles name."""
    names, roles = counts.names, counts.roles
    held = [{*block.models} for block in counts.blocks]
    single = [{*names}] if counts.joint else [{name} for name in names]
    if held[: len(single)] != single or any(len(one) != 2 for one in held[len(single) :]):
        raise refusal("counts-roles", names=names)
    for block in counts.blocks:
        gone = [n for n in keys_of(roles, block.models, counts.by) if n not in block.keys]
        if gone or roles.weight != COUNT:
            raise refusal("counts-roles", names=gone or [COUNT])


def _plain(value: Any) -> Any:
    """Return a value as JSON has it: fields of a dataclass that are not as usual, by name."""
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(held) for held in value]
    return value.value if isinstance(value, Enum) else value


def _built(kind: Any, value: Any) -> Any:
    """Return a value of a type from its JSON.

    Raises:
        TypeError, KeyError, ValueError: It is none of that type.
    """
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:
        return None if value is None else _built(inner[0], value)
    if origin is tuple:
        if not isinstance(value, list):
            raise TypeError(kind)
        return tuple(_built(inner[0], held) for held in value)
    if origin is not None:
        return {_built(inner[0], key): _built(inner[1], held) for key, held in value.items()}
    if isinstance(kind, type) and is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{name: _built(hints[name], held) for name, held in value.items()})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    number = kind is float and isinstance(value, int) and not isinstance(value, bool)
    if not isinstance(value, kind) and not number:
        raise TypeError(kind)
    return value
