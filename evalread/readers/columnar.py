"""Parquet, Feather, NumPy arrays and Excel: cells that have types."""

import io
import math
import struct
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, time
from pathlib import PurePosixPath
from typing import IO, Any
from xml.etree.ElementTree import iterparse

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evalcore.errors import Notice
from evalread.columns import SHORT
from evalread.dataset import Choices, Source, Table
from evalread.detection.profile import WORDS, pieces, plain
from evalread.notices import notice, refusal
from evalread.readers.tables import header_only, on_damage, table_from_columns, table_of
from evalread.rewriting import MOST_BYTES, refuse_too_many_cells, refuse_unpacked

_CELL = 8
"""Bytes that a cell becomes at least: every number is read as a double."""


def read_parquet(data: bytes, source: Source) -> Table:
    """Read a Parquet file.

    Raises:
        EvalError: "unreadable" for a damaged file, "header-only" for one without rows, "too-large".
    """
    import pyarrow.parquet as parquet

    def read() -> pa.Table:
        reader = pa.BufferReader(data)
        file = parquet.ParquetFile(reader)
        groups = map(file.metadata.row_group, range(file.num_row_groups))
        parts = [group.column(k) for group in groups for k in range(group.num_columns)]
        refuse_unpacked(sum(max(p.total_uncompressed_size, p.num_values * _CELL) for p in parts))
        texts = [
            p for p in parts if p.physical_type == "BYTE_ARRAY" and "." not in p.path_in_schema
        ]
        if sum(part.num_values * part.total_uncompressed_size for part in texts) <= MOST_BYTES:
            # To hand columns to threads takes longer than to read short ones.
            return file.read(use_threads=file.metadata.num_rows > SHORT)
        # A long text may stand in every row, and once in the file: it is counted before it is held.
        names = list(dict.fromkeys(part.path_in_schema for part in texts))
        table = parquet.ParquetFile(reader, read_dictionary=names).read()
        refuse_unpacked(sum(map(_letters_of, table.columns)))
        return table.cast(file.schema_arrow)

    return _read(read, replace(source, format="parquet"))


def read_feather(data: bytes, source: Source) -> Table:
    """Read an Arrow IPC (Feather version 2) file.

    Raises:
        EvalError: "unreadable" for a damaged file, "header-only" for one without rows, "too-large".
    """

    def read() -> pa.Table:
        # A file is a stream behind eight bytes; read as one, it holds no part that was not asked.
        stream = pa.py_buffer(data).slice(8)
        refuse_unpacked(sum(map(_becomes, pa.ipc.MessageReader.open_stream(stream))))
        return pa.ipc.open_stream(stream).read_all()

    return _read(read, replace(source, format="feather"))


def _becomes(message: pa.ipc.Message) -> int:
    """Return how many bytes a message says that its buffers, or the cells of its rows, take."""
    data = memoryview(message.metadata)

    def number(at: int, kind: str) -> int:
        return int(struct.unpack_from("<" + kind, data, at)[0])

    def part(table: int, place: int) -> int:
        layout = table - number(table, "i")
        at = number(layout + 4 + 2 * place, "H") if number(layout, "H") > 4 + 2 * place else 0
        return table + at if at else 0

    def followed(at: int) -> int:
        return at + number(at, "I")

    if message.type == "schema":
        return 0
    batch = followed(part(followed(0), 2))
    if message.type == "dictionary":
        batch = followed(part(batch, 1))
    rows, nodes, buffers = part(batch, 0), followed(part(batch, 1)), followed(part(batch, 2))
    cells = (number(rows, "q") if rows else 0) * number(nodes, "I") * _CELL
    if not part(batch, 3):
        return max(cells, len(message.body))
    places = (nth * 16 + 4 + buffers for nth in range(number(buffers, "I")))
    packed = [number(at, "q") for at in places if number(at + 8, "q") >= 8]
    sizes = (struct.unpack_from("<q", message.body, at)[0] for at in packed)
    return max(cells, sum(int(max(size, 0)) for size in sizes))


def _read(read: Callable[[], pa.Table], source: Source) -> Table:
    with on_damage("unreadable/arrow", format=source.format.capitalize()):
        table = read()
        table.validate(full=True)
        return table_of(table.column_names, [_plain(column) for column in table.columns], source)


def _letters_of(column: pa.ChunkedArray) -> int:
    """Return the bytes that words take where each is written out; 0 for other columns."""
    kind = column.type
    if not pa.types.is_dictionary(kind) or not pa.types.is_string(kind.value_type):
        return 0
    lengths = [pc.take(pc.binary_length(c.dictionary), c.indices) for c in column.chunks]
    return sum(pc.sum(each.cast(pa.int64())).as_py() or 0 for each in lengths)


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Unpack the types that carry the same text or numbers in another layout."""
    refuse_unpacked(_letters_of(column))
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return _plain(pa.chunked_array([c.storage for c in column.chunks], kind.storage_type))
    if pa.types.is_run_end_encoded(kind):
        values = [pc.run_end_decode(chunk) for chunk in column.chunks]
        return pa.chunked_array(values, kind.value_type)
    of_nested = pa.types.is_dictionary(kind) and pa.types.is_nested(kind.value_type)
    if of_nested or pa.types.is_union(kind):
        raise refusal("unreadable/type", what="A column", type=kind)
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return column.cast(pa.string()) if column.nbytes < 1 << 31 else column
    return (
        _plain_moments(column) if pa.types.is_date(kind) or pa.types.is_timestamp(kind) else column
    )


def _plain_moments(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Turn into text what Python has no date for: years beyond 1 to 9999, and unknown zones."""
    try:
        pc.min_max(column).as_py()
    except OverflowError:
        return column.cast(pa.string())
    except pa.ArrowInvalid:  # the moment is known, though not what the clock showed
        return column.cast(pa.timestamp(column.type.unit, "UTC")).cast(pa.string())
    return column


def coded(
    columns: Mapping[str, pa.ChunkedArray], labels: Mapping[str, pa.Array]
) -> Mapping[str, pa.ChunkedArray]:
    """Return columns, those of labels as codes into all labels of the file."""
    found = dict(columns)
    for name in labels.keys() & columns.keys():
        known = labels[name]
        codes = pc.index_in(columns[name].cast(known.type), value_set=known)
        chunks = [pa.DictionaryArray.from_arrays(chunk, known) for chunk in codes.chunks]
        found[name] = pa.chunked_array(chunks, pa.dictionary(pa.int32(), known.type))
    return found


Arrays = Mapping[str, NDArray[Any]]

_CLASSES = ("classes", "class_names", "labels_order", "target_names")
_TRUTH = ("y_true", "y_test", "truth", "target", "y", "labels")
_MOST_HEADER = 1 << 14
"""Bytes of an array that hold its header: NumPy refuses to read a longer one."""


def read_npy(data: bytes, source: Source) -> Table:
    """Read one array, called like its file: a column, or a column per class.

    Raises:
        EvalError: "pickled", "unreadable" or "too-large".
    """
    stem = PurePosixPath(source.name).name.split(".")[0] or "column"
    with on_damage("unreadable/numpy"):
        return _table({stem: _loaded(data)}, replace(source, format="npy"))


def read_npz(data: bytes, source: Source) -> Table:
    """Read named arrays of the same length; `classes` names the columns of (n, K) arrays.

    Raises:
        EvalError: "pickled", "unreadable", "too-large" or "wrong-shape".
    """
    with on_damage("unreadable/numpy"), zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        heads = [archive.open(name).read(_MOST_HEADER) for name in names]
        refuse_unpacked(sum(math.prod(_header(head)[0]) for head in heads) * _CELL)
        arrays = {name.removesuffix(".npy"): _loaded(archive.read(name)) for name in names}
        return _table(arrays, replace(source, format="npz"))


def _header(data: bytes) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return an array's shape and type; refuse one whose cells would take too much."""
    stream = io.BytesIO(data[:_MOST_HEADER])
    first = np.lib.format.read_magic(stream) == (1, 0)
    read = np.lib.format.read_array_header_1_0 if first else np.lib.format.read_array_header_2_0
    shape, _, dtype = read(stream)
    if min(shape, default=0) < 0:
        raise ValueError
    refuse_unpacked(len(shape) and max(math.prod(shape), shape[0]) * _CELL)
    return shape, dtype


def _loaded(data: bytes) -> NDArray[Any]:
    """Read the bytes of an array, checking its header before anything is made."""
    shape, dtype = _header(data)
    if dtype.hasobject:
        raise refusal("pickled")
    if math.prod(shape) * dtype.itemsize > len(data):
        raise ValueError
    array: NDArray[Any] = np.load(io.BytesIO(data), allow_pickle=False)
    return array


def _table(arrays: Arrays, source: Source) -> Table:
    classes = next((a for n, a in arrays.items() if n.lower() in _CLASSES), None)
    lengths = {n: len(a) for n, a in arrays.items() if a is not classes and a.ndim}
    if not lengths:
        raise refusal("no-table/arrays")
    if len(set(lengths.values())) > 1:
        sizes = ", ".join(f'"{name}" {count:,}' for name, count in list(lengths.items())[:8])
        raise refusal("wrong-shape", sizes=sizes)
    data = {name: arrays[name] for name in lengths if arrays[name].size}
    if not data:
        raise header_only(len(lengths))
    names, notices = _class_names(classes, data)
    columns: dict[str, Any] = {}
    for name, array in data.items():
        columns |= _columns(name, array, names)
    return table_of(list(columns), [_cells(one) for one in columns.values()], source, notices)


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
    return [_name(value) for value in found.tolist()], [notice("class-order/arrays")]


def _name(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _columns(name: str, array: NDArray[Any], classes: list[str]) -> Mapping[str, NDArray[Any]]:
    if array.dtype.names:
        return {field: array[field] for field in array.dtype.names}
    flat = array.reshape(len(array), -1) if array.ndim != 2 else array
    width = flat.shape[1]
    if width == 1:
        return {name: flat[:, 0]}
    called = classes if len(classes) == width else [str(k) for k in range(width)]
    return {f"{name}_{of}": flat[:, k] for k, of in enumerate(called)}


def _cells(values: NDArray[Any]) -> pa.ChunkedArray:
    if values.dtype.kind == "S":
        values = np.char.decode(values, "utf-8", "backslashreplace")
    if values.dtype.kind not in "biufU" or values.ndim != 1:
        raise refusal("unreadable/type", what="An array", type=values.dtype)
    # Half-precision numbers are exact as doubles, and not every Arrow can encode them.
    if values.dtype.kind == "f" and values.dtype.itemsize not in (4, 8):
        values = values.astype(np.float64)
    native = values.astype(values.dtype.newbyteorder("="))
    if native.dtype.kind != "U":
        return pa.chunked_array([pa.array(native)])
    text = pa.chunked_array([pa.array(native.tolist(), pa.string())])
    text.validate(full=True)
    return text


@dataclass(frozen=True)
class _Sheet:
    name: str
    rows: tuple[tuple[Any, ...], ...]
    first_row: int  # where the rows begin in the sheet, 1 being the first
    first_column: int


def read_excel(data: bytes, source: Source, choices: Choices) -> Table:
    """Read the chosen sheet, or the first whose header speaks of truth or predictions.

    Raises:
        EvalError: "unreadable", "no-such-sheet", "empty", "too-large", or "dates" for labels turned
            to dates.
    """
    sheets = _sheets(data)
    likely = next((sheet for sheet in sheets if _is_likely(sheet.rows[0])), sheets[0])
    named = {sheet.name: sheet for sheet in sheets}
    sheet = named.get(choices.sheet) if choices.sheet else likely
    if sheet is None:
        raise refusal("no-such-sheet", sheet=choices.sheet, names=list(named))
    header = ["" if cell is None else str(cell) for cell in sheet.rows[0]]
    columns = list(zip(*sheet.rows[1:], strict=True)) or [()] * len(header)
    for place, cells in enumerate(columns):
        _refuse_dates(sheet, place, cells)
    notices = []
    if others := [name for name in named if name != sheet.name]:
        notices.append(notice("sheet", sheet=sheet.name, others=others))
    known = replace(source, format="xlsx", sheet=sheet.name, sheets=tuple(named))
    return table_from_columns(header, columns, known, notices)


def _is_likely(header: Sequence[Any]) -> bool:
    """Return whether a header speaks of truth or predictions."""
    names = [str(cell) for cell in header if cell is not None]
    words = {piece.lower() for name in names for piece in pieces(name)}
    return any(plain(name) in WORDS.truth for name in names) or bool(words & WORDS.spoken)


def _sheets(data: bytes) -> list[_Sheet]:
    from openpyxl.reader.excel import ExcelReader
    from openpyxl.xml.constants import SHARED_STRINGS

    class Reader(ExcelReader):  # type: ignore[misc]
        """Openpyxl's, but for texts that cells share: it takes ten times as long for them."""

        def read_strings(self) -> None:
            part = self.package.find(SHARED_STRINGS)
            if part is not None:
                with self.archive.open(part.PartName[1:]) as stream:
                    self.shared_strings = _shared_texts(stream)

    with on_damage("unreadable/excel"):
        _refuse_parts(zipfile.ZipFile(io.BytesIO(data)))
        reader = Reader(io.BytesIO(data), read_only=True, data_only=True)
        reader.read()
        cells = {sheet.title: _sheet_cells(sheet) for sheet in reader.wb.worksheets}
        reader.wb.close()
    found = [_trimmed(name, rows) for name, rows in cells.items()]
    sheets = [sheet for sheet in found if sheet is not None]
    if not sheets:
        raise refusal("empty/excel")
    return sheets


_MOST_PART = 10_000_000
"""Bytes of a part that holds neither cells nor texts: 65,490 formats, Excel's most, take less."""

_MOST_ROWS = 1 << 20
"""Rows of a sheet: Excel has no more."""


def _refuse_parts(book: zipfile.ZipFile) -> None:
    """Refuse a workbook that says that it becomes too large."""
    for part in book.infolist():
        cells = part.filename.startswith(("xl/worksheets/", "xl/sharedStrings"))
        if part.file_size > _MOST_PART and not cells and part.filename.endswith((".xml", ".rels")):
            name, size = PurePosixPath(part.filename).name, part.file_size / 1e6
            raise refusal("too-large/formats", part=name, size=size, most=_MOST_PART / 1e6)


def _shared_texts(stream: IO[bytes]) -> list[str]:
    """Return the texts of cells, without how they are pronounced."""
    found: list[str] = []
    for _, element in iterparse(stream):
        name = element.tag.rpartition("}")[2]
        if name == "si":
            parts = (one.text or "" for one in element.iter() if one.tag.rpartition("}")[2] == "t")
            found.append("".join(parts).replace("x005F_", ""))
        if name in ("si", "rPh"):
            element.clear()
    return found


def _sheet_cells(sheet: Any) -> list[tuple[Any, ...]]:
    sheet.reset_dimensions()
    rows: list[tuple[Any, ...]] = []
    widest = 0
    for row in sheet.iter_rows(values_only=True):
        widest = max(widest, len(row))
        refuse_too_many_cells(len(rows) + 1, widest)
        rows.append(row)
        if len(rows) > _MOST_ROWS:
            raise refusal("too-large/rows", sheet=sheet.title, most=_MOST_ROWS)
    return rows


def _trimmed(name: str, rows: Sequence[tuple[Any, ...]]) -> _Sheet | None:
    """Cut off blank rows and columns, and titles of one cell above the header."""
    filled = [[k for k, cell in enumerate(row) if _is_filled(cell)] for row in rows]
    used = [k for k, places in enumerate(filled) if places]
    if not used:
        return None
    first, last = next((k for k in used if len(filled[k]) > 1), used[0]), used[-1] + 1
    low = min(places[0] for places in filled[first:last] if places)
    high = max(places[-1] for places in filled[first:last] if places) + 1
    refuse_too_many_cells(last - first, high - low)
    cut = tuple((*row, *[None] * (high - len(row)))[low:high] for row in rows[first:last])
    return _Sheet(name, cut, first + 1, low + 1)


def _is_filled(cell: Any) -> bool:
    return cell is not None and str(cell).strip() != ""


def _refuse_dates(sheet: _Sheet, place: int, cells: Sequence[Any]) -> None:
    """Refuse a column in which some cells are dates and others are not: labels such as "1-2"."""
    dates = [k for k, cell in enumerate(cells) if isinstance(cell, date | time)]
    if not dates or len(dates) == sum(map(_is_filled, cells)):
        return
    from openpyxl.utils import get_column_letter

    letter = get_column_letter(sheet.first_column + place)
    named = [f"{letter}{sheet.first_row + 1 + k}" for k in dates]
    raise refusal(
        "dates",
        column=str(sheet.rows[0][place]),
        rows=[k + 1 for k in dates],
        cells=len(dates),
        sheet=sheet.name,
        places=", ".join(named[:8]) + (", …" if len(named) > 8 else ""),
    )
