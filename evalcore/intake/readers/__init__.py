"""Readers: one per format, chosen by the content of the file first and by its name second."""

import hashlib

from evalcore.errors import EvalError
from evalcore.intake.model import NO_CHOICES, Choices, Source, Table
from evalcore.intake.readers.columnar import read_feather, read_parquet
from evalcore.intake.readers.delimited import read_delimited

MOST_BYTES = 500 * 1024 * 1024


def read_cells(name: str, data: bytes, choices: Choices = NO_CHOICES) -> Table:
    """Read the cells of one file.

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
    return _read(data, Source(name, "", hashlib.sha256(data).hexdigest(), 0), choices)


def _read(data: bytes, source: Source, choices: Choices) -> Table:
    if data.startswith(b"PAR1"):
        return read_parquet(data, source)
    if data.startswith(b"ARROW1"):
        return read_feather(data, source)
    return read_delimited(data, source, choices)
