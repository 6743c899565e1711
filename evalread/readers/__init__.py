"""Readers: one per format, chosen by the content of the file first and by its name second."""

import gzip
import hashlib
import io
import zipfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import PurePosixPath

from evalcore.errors import EvalError
from evalread.columns import refuse_unpacked
from evalread.dataset import NO_CHOICES, Choices, Source, Table
from evalread.readers.columnar import read_feather, read_npy, read_npz, read_parquet
from evalread.readers.delimited import read_delimited
from evalread.readers.excel import read_excel
from evalread.readers.json_text import looks_like_json, read_json
from evalread.readers.layouts import looks_like_arff, plain_orange, read_arff

MOST_FILES = 50
"""Files that are read together: as many models are compared, or a folder was packed."""

_DAMAGED = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError,
    RuntimeError, KeyError,
)  # fmt: skip


def unpack(name: str, data: bytes) -> list[tuple[str, bytes]]:
    """Return the files inside a gzip or zip file; any other file as it is.

    An .xlsx or .npz file is a zip too, and is left as it is.

    Raises:
        EvalError: "too-large", "too-many-files" or "unreadable".
    """
    if data.startswith(b"\x1f\x8b"):
        return [(name.removesuffix(".gz"), _gunzipped(data))]
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _unzipped(name, data)
    return [(name, data)]


_MOST_TIMES = 300
"""How often larger than the archive its content may be: text of repeated rows is 100 times as
large, and a bomb 1000 times."""

_SMALL = 50_000_000
"""Bytes that are unpacked however small the archive is."""


def _refuse_bomb(size: int, packed: int) -> None:
    refuse_unpacked(size)
    if size > max(_SMALL, _MOST_TIMES * packed):
        raise EvalError(
            "too-large",
            f"Unpacked, the file has more than {_MOST_TIMES} times its size. Unpack it first.",
        )


def _gunzipped(data: bytes) -> bytes:
    parts, size = [], 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            while part := stream.read(1 << 24):
                parts.append(part)
                size += len(part)
                _refuse_bomb(size, len(data))
    except _DAMAGED:
        raise _damaged("gzip") from None
    return b"".join(parts)


def _unzipped(name: str, data: bytes) -> list[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            inside = [info for info in archive.infolist() if _counts(info)]
            # No more is unpacked of a file than it says here.
            size = sum(info.file_size for info in inside)
            names = archive.namelist()
            if is_arrays(names):  # zeros, as in one-hot classes, pack well: see there
                return [(name, data)]
            _refuse_bomb(size, len(data))
            if is_workbook(names):
                return [(name, data)]
            if not inside:
                raise EvalError("empty", "The zip file holds no file.")
            if len(inside) > MOST_FILES:
                raise EvalError(
                    "too-many-files",
                    f"The zip file holds {len(inside)} files; at most {MOST_FILES}. Pack fewer.",
                )
            return [(PurePosixPath(info.filename).name, archive.read(info)) for info in inside]
    except _DAMAGED:
        raise _damaged("zip") from None


def _counts(info: zipfile.ZipInfo) -> bool:
    path = PurePosixPath(info.filename)
    hidden = path.name.startswith(".") or "__MACOSX" in path.parts
    # Asking whether an entry without a name is a folder is an error of zipfile's.
    return bool(path.name) and not info.is_dir() and not hidden


def is_workbook(names: list[str]) -> bool:
    """Tell whether a zip file's names are those of an Excel workbook."""
    return "xl/workbook.xml" in names


def is_arrays(names: list[str]) -> bool:
    """Tell whether a zip file holds NumPy arrays and nothing else."""
    return bool(names) and all(name.endswith(".npy") for name in names)


def _damaged(kind: str) -> EvalError:
    return EvalError("unreadable", f"The {kind} file is damaged or locked. Pack it again.")


def read_cells(name: str, data: bytes, choices: Choices = NO_CHOICES) -> Table:
    """Read the cells of one file, which is no archive.

    Raises:
        EvalError: The file is empty, too large, damaged, or in no known format.
    """
    if not data:
        raise EvalError("empty", "The file is empty (0 bytes).")
    refuse_unpacked(len(data), "The file has")
    with ThreadPoolExecutor(1) as beside:
        digest = beside.submit(lambda: hashlib.sha256(data).hexdigest())
        table = _read(data, Source(name, "", "", 0), choices)
        return replace(table, source=replace(table.source, digest=digest.result()))


_OLD_EXCEL = b"\xd0\xcf\x11\xe0"
"""Begins the container of Excel before 2007, and of any workbook under a password."""


def _read(data: bytes, source: Source, choices: Choices) -> Table:
    if data.startswith(b"PAR1"):
        return read_parquet(data, source)
    if data.startswith(b"ARROW1"):
        return read_feather(data, source)
    if data.startswith(b"\x93NUMPY"):
        return read_npy(data, source)
    if data.startswith(b"PK\x03\x04"):
        return _read_zipped(data, source, choices)
    if data.startswith(_OLD_EXCEL):
        raise EvalError(
            "old-excel",
            "The file is in Excel's old format (.xls), or under a password. Save it as .xlsx "
            "without a password, or as CSV.",
        )
    if looks_like_json(data):
        return read_json(data, source, choices)
    if looks_like_arff(data[:65536]):
        return read_arff(data, source, choices)
    return plain_orange(read_delimited(data, source, choices))


def _read_zipped(data: bytes, source: Source, choices: Choices) -> Table:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        names = []
    if is_workbook(names):
        return read_excel(data, source, choices)
    if is_arrays(names):
        return read_npz(data, source)
    raise EvalError("nested", "The file is an archive inside an archive, or damaged. Unpack it.")
