"""The same rows where different engines have them, and as a file that is read as ever."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

import duckdb
import numpy as np
import psycopg
import pyarrow as pa
from pyarrow import parquet

from evalread.counts.blocks import Block, Counts
from evalread.counts.making import counts_of
from evalread.dataset import NO_CHOICES, Choices
from evalread.engines.condensing import counted
from evalread.engines.connecting import opened
from evalread.engines.sampling import sampled
from evalread.engines.sources import Origin, origin
from evalread.loading import load

TYPES = {pa.int64(): "bigint", pa.float64(): "double precision", pa.float32(): "real",
         pa.string(): "text", pa.bool_(): "boolean", pa.date32(): "date"}  # fmt: skip


@dataclass(frozen=True)
class Cluster:
    """A PostgreSQL cluster that listens on a socket in a folder."""

    folder: Path

    def run(self, *statements: str, user: str = "owner") -> list[tuple[Any, ...]]:
        """Run statements, and return the rows of the last."""
        with psycopg.connect(host=str(self.folder), user=user, dbname="postgres") as connection:
            for statement in statements:
                answer = connection.execute(statement.encode())
            return answer.fetchall() if answer.description else []

    def put(self, table: pa.Table, name: str = "scores") -> str:
        """Make a table, and return its address."""
        columns = [f'"{one.name}" {TYPES[one.type]}' for one in table.schema]
        self.run(
            f"drop table if exists {name} cascade", f"create table {name} ({', '.join(columns)})"
        )
        with (
            psycopg.connect(host=str(self.folder), user="owner", dbname="postgres") as connection,
            connection.cursor().copy(f"copy {name} from stdin") as copy,
        ):
            for row in zip(*table.to_pydict().values(), strict=True):
                copy.write_row(row)
        self.run(f"grant select on {name} to public")
        return self.address(name)

    def address(self, name: str, user: str = "owner", database: str = "postgres") -> str:
        """Return the address of a table."""
        return f"postgres://{user}@/{database}?host={quote(str(self.folder))}&table={name}"


def as_folder(table: pa.Table, folder: Path, parts: int = 3) -> str:
    """Write a folder of Parquet files, and return the address of all of them."""
    folder.mkdir(exist_ok=True)
    edges = np.linspace(0, table.num_rows, parts + 1).astype(int)
    for place, (start, end) in enumerate(pairwise(edges)):
        parquet.write_table(table.slice(start, end - start), folder / f"part {place}.parquet")
    return f"parquet://{folder}/*.parquet"


def as_database(table: pa.Table, folder: Path, name: str = "scores") -> str:
    """Write a table of a DuckDB database, and return its address."""
    path = folder / "data.db"
    with duckdb.connect(str(path)) as connection:
        connection.register("given", table)
        connection.execute(f'create or replace table "{name}" as select * from given')
    return f"duckdb://{path}?table={name}"


def as_csv(table: pa.Table, folder: Path) -> str:
    """Write a CSV file, and return its address."""
    from pyarrow import csv

    csv.write_csv(table, folder / "data.csv")
    return f"csv://{folder}/data.csv"


def as_bytes(table: pa.Table) -> bytes:
    """Return a table as the bytes of a Parquet file."""
    held = BytesIO()
    parquet.write_table(table, held)
    return held.getvalue()


def counted_there(
    place: str | Origin,
    choices: Choices = NO_CHOICES,
    *,
    pairs: bool = True,
    most: int | None = None,
) -> Counts:
    """Return the counts that an engine makes of an address."""
    with opened(origin(place) if isinstance(place, str) else place) as table:
        return counted(table, sampled(table, choices), pairs=pairs, most=most)


def counted_here(
    table: pa.Table, choices: Choices = NO_CHOICES, *, most: int | None = None
) -> Counts:
    """Return the counts of a table that is read as a file, by numpy and pyarrow."""
    return counts_of(load([("data.parquet", as_bytes(table))], choices), most=most)


def same(first: Counts, second: Counts) -> None:
    """Assert that two counts hold the same cells, in any order, and the same roles."""
    assert first.roles.models == second.roles.models
    assert first.roles.truth == second.roles.truth
    assert first.roles.positive == second.roles.positive
    assert [one.models for one in first.blocks] == [one.models for one in second.blocks]
    for one, other in zip(first.blocks, second.blocks, strict=True):
        assert one.digits == other.digits
        assert one.table.column_names == other.table.column_names
        assert cells(one) == cells(other)


def cells(block: Block) -> list[tuple[str, ...]]:
    """Return the cells of a block as they are written, in an order of their own."""
    columns = block.table.to_pydict().values()
    return sorted(tuple(map(repr, cell)) for cell in zip(*columns, strict=True))


def models(rows: int = 3000, names: Sequence[str] = ("a", "b"), seed: int = 0) -> pa.Table:
    """Return scores of models for two classes, with labels of the first, folds, and blanks."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, rows)
    columns: dict[str, Any] = {"truth": truth}
    for name in names:
        score = 1 / (1 + np.exp(-rng.normal(truth * 1.5 - 0.7, 1.2)))
        columns[f"score_{name}"] = pa.array(score, mask=rng.random(rows) < 0.01)
    columns["fold"] = rng.integers(1, 4, rows)
    return pa.table(columns)
