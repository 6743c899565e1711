"""NumPy's .npy and .npz: arrays of numbers or text, never pickled objects."""

import ast
import io
import math
import operator
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.errors import EvalError, Notice
from evalcore.intake.model import Source, Table
from evalcore.intake.readers.delimited import header_only
from evalcore.intake.readers.naming import unique_names

Arrays = Mapping[str, NDArray[Any]]

_CLASSES = ("classes", "class_names", "labels_order", "target_names")
_TRUTH = ("y_true", "y_test", "truth", "target", "y", "labels")
_UNREADABLE = (
    ValueError, OSError, EOFError, KeyError, IndexError, MemoryError, SyntaxError, TypeError,
    RecursionError, AttributeError,
)  # fmt: skip


def read_npy(data: bytes, source: Source) -> Table:
    """Read one array, called like its file: a column, or a column per class.

    Raises:
        EvalError: "pickled" or "unreadable".
    """
    stem = PurePosixPath(source.name).name.split(".")[0] or "column"
    return _table({stem: _loaded(data)}, replace(source, format="npy"))


def read_npz(data: bytes, source: Source) -> Table:
    """Read named arrays of the same length; `classes` names the columns of (n, K) arrays.

    Raises:
        EvalError: "pickled", "unreadable" or "wrong-shape".
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            found = {name.removesuffix(".npy"): archive.read(name) for name in archive.namelist()}
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, *_UNREADABLE):
        raise _unreadable() from None
    return _table({n: _loaded(part) for n, part in found.items()}, replace(source, format="npz"))


def _loaded(data: bytes) -> NDArray[Any]:
    """Read the bytes of an array, checking its header against them before anything is made."""
    wide = data[6:7] != b"\x01"
    size = int.from_bytes(data[8:12] if wide else data[8:10], "little")
    start = (12 if wide else 10) + size
    try:
        header = (
            ast.literal_eval(data[12 if wide else 10 : start].decode()) if size < 10_000 else {}
        )
        dtype = np.lib.format.descr_to_dtype(header["descr"])
        shape = tuple(map(operator.index, header["shape"]))
        order: Literal["C", "F"] = "F" if header["fortran_order"] else "C"
    except _UNREADABLE:
        raise _unreadable() from None
    if dtype.hasobject:
        raise EvalError(
            "pickled",
            "The array holds pickled objects, which are never loaded. Save numbers or text: "
            "np.save(path, array.astype(str)).",
        )
    if not dtype.itemsize or min(shape, default=0) < 0:
        raise _unreadable()
    if math.prod(shape) * dtype.itemsize != len(data) - start:
        raise _unreadable()
    flat: NDArray[Any] = np.frombuffer(data, dtype, count=math.prod(shape), offset=start)
    return flat.reshape(shape, order=order)


def _unreadable() -> EvalError:
    return EvalError("unreadable", "The NumPy file is damaged or cut off. Save it again.")


def _table(arrays: Arrays, source: Source) -> Table:
    classes = next((a for n, a in arrays.items() if n.lower() in _CLASSES), None)
    data = {name: array for name, array in arrays.items() if array is not classes and array.ndim}
    if not data:
        raise EvalError("no-table", "The file holds no array with rows.")
    lengths = {name: len(array) for name, array in data.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f'"{name}" {count:,}' for name, count in list(lengths.items())[:8])
        raise EvalError("wrong-shape", f"The arrays have different numbers of rows: {told}.")
    if not next(iter(lengths.values())):
        raise header_only(len(data))
    names, notices = _class_names(classes, data)
    columns: dict[str, Any] = {}
    for name, array in data.items():
        columns |= _columns(name, array, names, notices)
    unique, told_names = unique_names(list(columns))
    cells = [_cells(values) for values in columns.values()]
    return Table(
        columns=dict(zip(unique, cells, strict=True)),
        source=replace(source, rows=next(iter(lengths.values()))),
        notices=(*told_names, *notices),
    )


def _class_names(classes: NDArray[Any] | None, data: Arrays) -> tuple[list[str], list[Notice]]:
    """Return what the columns of (n, K) arrays are called, and what was assumed for it."""
    if classes is not None and classes.ndim == 1:
        return [_name(value) for value in classes.tolist()], []
    widths = {array.shape[1] for array in data.values() if array.ndim == 2 and array.shape[1] > 1}
    truth = next((a for n, a in data.items() if n.lower() in _TRUTH and a.ndim == 1), None)
    if truth is None or len(widths) != 1:
        return [], []
    found = np.unique(truth)
    if len(found) != widths.pop():
        return [], []
    message = "The columns of each array were taken for the classes in sorted order."
    return [_name(value) for value in found.tolist()], [Notice("class-order", message, "warning")]


def _name(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _columns(
    name: str, array: NDArray[Any], classes: list[str], notices: list[Notice]
) -> Mapping[str, NDArray[Any]]:
    if array.dtype.names:
        return {field: array[field] for field in array.dtype.names}
    flat = array.reshape(len(array), -1) if array.ndim != 2 else array
    width = flat.shape[1]
    if width == 1:
        return {name: flat[:, 0]}
    if name.lower() in _TRUTH and _one_hot(flat):
        notices.append(Notice("one-hot", f'"{name}" is one-hot; it was turned into labels.'))
        named = np.array(classes if len(classes) == width else [str(k) for k in range(width)])
        return {name: named[flat.argmax(axis=1)]}
    called = classes if len(classes) == width else [str(k) for k in range(width)]
    return {f"{name}_{of}": flat[:, k] for k, of in enumerate(called)}


def _one_hot(array: NDArray[Any]) -> bool:
    if array.dtype.kind not in "biuf":
        return False
    return bool(((array == 0) | (array == 1)).all() and (array.sum(axis=1) == 1).all())


def _cells(values: NDArray[Any]) -> pa.ChunkedArray:
    if values.dtype.kind == "S":
        values = np.char.decode(values, "utf-8", "backslashreplace")
    if values.dtype.kind not in "biufU" or values.ndim != 1:
        raise EvalError("unreadable", f"An array holds {values.dtype}, not numbers or text.")
    if values.dtype.kind == "f" and values.dtype.itemsize not in (2, 4, 8):
        values = values.astype(np.float64)
    native = values.astype(values.dtype.newbyteorder("="))
    return pa.chunked_array([pa.array(native.tolist() if native.dtype.kind == "U" else native)])
