"""Readers: one per format, chosen by the content of the file first and by its name second."""

import gzip
import hashlib
import io
import zipfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path, PurePosixPath

from evalread.dataset import NO_CHOICES, Choices, Source, Table
from evalread.notices import refusal
from evalread.readers.columnar import read_excel, read_feather, read_npy, read_npz, read_parquet
from evalread.readers.delimited import HEAD, read_delimited, refuse_binary
from evalread.readers.json_text import looks_like_json, read_json
from evalread.readers.layouts import looks_like_arff, plain_orange, read_arff
from evalread.readers.tables import on_damage
from evalread.rewriting import refuse_unpacked

MOST_FILES = 50
"""Files that are read together: as many models are compared, or a folder was packed."""

_MOST_TIMES = 300
"""How often larger than the archive its content may be: text of repeated rows is 100 times as
large, and a bomb 1000 times."""

_SMALL = 50_000_000
"""Bytes that are unpacked however small the archive is."""


_GZIP, _ZIP = (b"\x1f\x8b",), (b"PK\x03\x04", b"PK\x05\x06")
"""What archives begin with; an empty zip file otherwise than others."""


def unpack(name: str, data: bytes) -> list[tuple[str, bytes]]:
    """Return the files inside a gzip or zip file; any other file as it is.

    An .xlsx or .npz file is a zip too, and is left as it is.

    Raises:
        EvalError: "too-large", "too-many-files" or "unreadable".
    """
    if data.startswith(_GZIP):
        with on_damage("unreadable/gzip"):
            return [(name.removesuffix(".gz"), _gunzipped(data))]
    if data.startswith(_ZIP):
        with on_damage("unreadable/zip"):
            return _unzipped(name, data)
    return [(name, data)]


def _gunzipped(data: bytes) -> bytes:
    parts, size = [], 0
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
        while part := stream.read(1 << 24):
            parts.append(part)
            size += len(part)
            _refuse_bomb(size, len(data))
    return b"".join(parts)


def _unzipped(name: str, data: bytes) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        inside = [info for info in archive.infolist() if _counts(info)]
        names = archive.namelist()
        if _are_arrays(names):  # zeros, as in one-hot classes, pack well: see there
            return [(name, data)]
        # No more is unpacked of a file than it says here.
        _refuse_bomb(sum(info.file_size for info in inside), len(data))
        if _WORKBOOK in names:
            return [(name, data)]
        if not inside:
            raise refusal("empty/zip")
        if len(inside) > MOST_FILES:
            raise refusal("too-many-files/zip", files=len(inside), most=MOST_FILES)
        return [(PurePosixPath(info.filename).name, archive.read(info)) for info in inside]


def _refuse_bomb(size: int, packed: int) -> None:
    refuse_unpacked(size)
    if size > max(_SMALL, _MOST_TIMES * packed):
        raise refusal("too-large/times", most=_MOST_TIMES)


def _counts(info: zipfile.ZipInfo) -> bool:
    path = PurePosixPath(info.filename)
    hidden = path.name.startswith(".") or "__MACOSX" in path.parts
    # Asking whether an entry without a name is a folder is an error of zipfile's.
    return bool(path.name) and not info.is_dir() and not hidden


_WORKBOOK = "xl/workbook.xml"
"""What a zip file holds that is an Excel workbook."""


def _are_arrays(names: Sequence[str]) -> bool:
    """Return whether a zip file holds NumPy arrays and nothing else."""
    return bool(names) and all(name.endswith(".npy") for name in names)


def read_cells(name: str, data: bytes, choices: Choices = NO_CHOICES) -> Table:
    """Read the cells of one file, which is no archive.

    Raises:
        EvalError: The file is empty, too large, damaged, or in no known format.
    """
    if not data:
        raise refusal("empty")
    refuse_unpacked(len(data), "The file has")
    with ThreadPoolExecutor(1) as beside:
        digest = beside.submit(lambda: hashlib.sha256(data).hexdigest())
        table = _read(data, Source(name, "", "", 0), choices)
        return replace(table, source=replace(table.source, digest=digest.result()))


_TYPED = {b"PAR1": read_parquet, b"ARROW1": read_feather, b"\x93NUMPY": read_npy}
"""Formats by the bytes that their files begin with."""

_OLD_EXCEL = b"\xd0\xcf\x11\xe0"
"""Begins the container of Excel before 2007, and of any workbook under a password."""


def refuse_at_a_glance(files: Iterable[Path], encoding: str | None = None) -> None:
    """Refuse files whose first bytes show that they cannot be read, with the words of reading them.

    Only these are looked at, so that it is quick however large a file is. With an `encoding` that
    is chosen, what is text is left to reading. A pipe is left alone: what is read of it is gone.

    Raises:
        EvalError: "empty", "old-excel" or "not-text".
    """
    for file in files:
        if not file.is_file():
            continue
        with file.open("rb") as opened:
            head = opened.read(HEAD)
        if not head:
            raise refusal("empty")
        if head.startswith(_OLD_EXCEL):
            raise refusal("old-excel")
        if encoding is None and not head.startswith((*_TYPED, *_GZIP, *_ZIP)):
            refuse_binary(head)


def _read(data: bytes, source: Source, choices: Choices) -> Table:
    for start, read in _TYPED.items():
        if data.startswith(start):
            return read(data, source)
    if data.startswith(b"PK\x03\x04"):
        return _read_zipped(data, source, choices)
    if data.startswith(_OLD_EXCEL):
        raise refusal("old-excel")
    if looks_like_json(data):
        return read_json(data, source, choices)
    if looks_like_arff(data[:65536]):
        return read_arff(data, source, choices)
    return plain_orange(read_delimited(data, source, choices))


def _read_zipped(data: bytes, source: Source, choices: Choices) -> Table:
    with on_damage("unreadable/zip"):
        names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    if _WORKBOOK in names:
        return read_excel(data, source, choices)
    if _are_arrays(names):
        return read_npz(data, source)
    raise refusal("nested")
