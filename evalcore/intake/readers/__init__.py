"""Readers: one per format, chosen by the content of the file first and by its name second."""

import hashlib
import io
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from evalcore.errors import EvalError
from evalcore.intake.model import NO_CHOICES, Choices, Source, Table
from evalcore.intake.readers.archives import MOST_BYTES, is_arrays, is_workbook
from evalcore.intake.readers.arff import looks_like_arff, read_arff
from evalcore.intake.readers.arrays import read_npy, read_npz
from evalcore.intake.readers.columnar import read_feather, read_parquet
from evalcore.intake.readers.delimited import read_delimited
from evalcore.intake.readers.excel import read_excel
from evalcore.intake.readers.json_text import looks_like_json, read_json
from evalcore.intake.readers.orange import plain_orange


def read_cells(name: str, data: bytes, choices: Choices = NO_CHOICES) -> Table:
    """Read the cells of one file, which is no archive.

    Raises:
        EvalError: The file is empty, too large, damaged, or in no known format.
    """
    if not data:
        raise EvalError("empty", "The file is empty (0 bytes).")
    if len(data) > MOST_BYTES:
        raise EvalError(
            "too-large",
            f"The file has {len(data) / 1e6:,.0f} MB; at most {MOST_BYTES / 1e6:,.0f} MB are read. "
            "Keep only the columns with the truth and the predictions, or save it as Parquet.",
        )
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
