"""Parquet and Feather: typed columns, kept as they are."""

from collections.abc import Callable

import pyarrow as pa

from evalcore.errors import EvalError
from evalcore.intake.model import Source, Table
from evalcore.intake.readers.delimited import header_only
from evalcore.intake.readers.naming import unique_names


def read_parquet(data: bytes, source: Source) -> Table:
    """Read a Parquet file.

    Raises:
        EvalError: "unreadable" for a damaged file, "header-only" for one without rows.
    """
    import pyarrow.parquet as parquet

    return _read(data, source, "parquet", lambda reader: parquet.ParquetFile(reader).read())


def read_feather(data: bytes, source: Source) -> Table:
    """Read an Arrow IPC (Feather version 2) file.

    Raises:
        EvalError: "unreadable" for a damaged file, "header-only" for one without rows.
    """
    return _read(data, source, "feather", lambda reader: pa.ipc.open_file(reader).read_all())


def _read(
    data: bytes, source: Source, kind: str, opened: Callable[[pa.BufferReader], pa.Table]
) -> Table:
    try:
        table = opened(pa.BufferReader(data))
        table.validate(full=True)
    except (pa.ArrowException, OSError, ValueError):
        raise EvalError(
            "unreadable",
            f"The {kind.capitalize()} file is damaged or cut off. Copy or export it again.",
        ) from None
    names, notices = unique_names(table.column_names)
    if table.num_rows == 0:
        raise header_only(len(names))
    return Table(
        columns={name: _plain(table.column(k)) for k, name in enumerate(names)},
        source=Source(source.name, kind, source.digest, table.num_rows),
        notices=notices,
    )


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Unpack the types that carry the same text or numbers in another layout."""
    kind = column.type
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return column.cast(pa.string()) if column.nbytes < 1 << 31 else column
    return column
