"""Parquet files too large to hold in memory, some rows at a time."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pyarrow as pa
import pyarrow.compute as pc

from evalcore.intake.labels import MOST_LABELS
from evalcore.intake.model import Source, Table
from evalcore.intake.readers.naming import unique_names

LARGE_ROWS = 10_000_000
"""Files of more rows are read in batches."""

BATCH_ROWS = 1 << 20
_SAMPLED_ROWS = 10_000
_BUFFER = 1 << 20
_MAGIC = b"PAR1"


@dataclass(frozen=True, eq=False)
class LargeParquet:
    """A Parquet file of more than `LARGE_ROWS` rows, whose column names are unique."""

    path: Path
    names: tuple[str, ...]
    rows: int

    @classmethod
    def open(cls, path: Path) -> Self | None:
        """Return the file; None if it is not Parquet, not large, or cannot be read."""
        try:
            with path.open("rb") as file:
                if file.read(len(_MAGIC)) != _MAGIC:
                    return None
            opened = _opened(path)
        except (pa.ArrowException, OSError, ValueError):
            return None
        schema = opened.schema_arrow
        nested = any(pa.types.is_nested(kind) for kind in schema.types)
        names, _ = unique_names(schema.names)
        if nested or list(names) != schema.names or opened.metadata.num_rows <= LARGE_ROWS:
            return None
        return cls(path, names, opened.metadata.num_rows)

    def digest(self) -> str:
        """Return the SHA-256 of the file's bytes."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def sample(self) -> Table:
        """Return rows from the head, the middle and the end, with the source of the whole file."""
        opened = _opened(self.path)
        groups = dict.fromkeys((0, opened.num_row_groups // 2, max(opened.num_row_groups - 1, 0)))
        heads = [
            next(opened.iter_batches(_SAMPLED_ROWS, row_groups=[group]))
            for group in groups
            if opened.metadata.row_group(group).num_rows
        ]
        table = pa.Table.from_batches(heads)
        source = Source(self.path.name, "parquet", self.digest(), table.num_rows)
        return Table(dict(zip(self.names, table.columns, strict=True)), source)

    def distinct(self, columns: Sequence[str]) -> Mapping[str, pa.Array]:
        """Return the distinct cells of some columns, blank ones left out.

        Where there are more than labels may have, some are returned, too many to be labels.
        """
        found: dict[str, pa.ChunkedArray] = {}
        for batch in self._batches(columns):
            for name, cells in batch.items():
                known = found.get(name)
                if known is not None and len(known) > MOST_LABELS:
                    continue
                chunks = [cells.unique(), *(known.chunks if known is not None else ())]
                found[name] = pa.chunked_array([pa.chunked_array(chunks).unique()])
        return {name: cells.combine_chunks().drop_null() for name, cells in found.items()}

    def tables(self, columns: Sequence[str], labels: Mapping[str, pa.Array]) -> Iterator[Table]:
        """Yield the rows in order; columns of labels as codes into all labels of the file."""
        for batch in self._batches(columns):
            cells = {name: _coded(c, labels.get(name)) for name, c in batch.items()}
            rows = len(next(iter(cells.values())))
            yield Table(cells, Source(self.path.name, "parquet", "", rows))

    def _batches(self, columns: Sequence[str]) -> Iterator[dict[str, pa.ChunkedArray]]:
        batches = _opened(self.path).iter_batches(BATCH_ROWS, columns=list(columns))
        for batch in batches:
            named = zip(batch.schema.names, batch.columns, strict=True)
            yield {name: pa.chunked_array([_plain(cells)]) for name, cells in named}


def coded(table: Table, labels: Mapping[str, pa.Array]) -> Mapping[str, pa.ChunkedArray]:
    """Return a table's columns, those of labels as codes into all labels of the file."""
    return {name: _coded(cells, labels.get(name)) for name, cells in table.columns.items()}


def _opened(path: Path) -> Any:
    import pyarrow.parquet as parquet

    # Buffered, so that a row group need not fit into memory.
    return parquet.ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False)


def _plain(cells: pa.Array) -> pa.Array:
    return cells.dictionary_decode() if pa.types.is_dictionary(cells.type) else cells


def _coded(cells: pa.ChunkedArray, labels: pa.Array | None) -> pa.ChunkedArray:
    if labels is None:
        return cells
    plain = cells.cast(labels.type)
    chunks = [
        pa.DictionaryArray.from_arrays(pc.index_in(chunk, value_set=labels), labels)
        for chunk in plain.chunks
    ]
    return pa.chunked_array(chunks, pa.dictionary(pa.int32(), labels.type))
