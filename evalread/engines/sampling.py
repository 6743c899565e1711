"""Which column is what, from a sample of the rows where they lie and all labels of the rest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from evalcore.errors import EvalError
from evalcore.work import NO_PROGRESS, Progress
from evalread.checks import ways_out
from evalread.columns import MOST_LABELS
from evalread.dataset import NO_CHOICES, Choices, Roles, Source, Table, Task
from evalread.detection.profile import WORDS, plain
from evalread.detection.roles import detect
from evalread.engines.connecting import Opened
from evalread.loading import ignoring, refuse_unknown
from evalread.notices import refusal
from evalread.readers.columnar import coded
from evalread.readers.tables import table_of
from evalread.rewriting import overlay
from evalread.tools import recognise

SAMPLED_ROWS = 30_000
"""Rows of a sample, more or less: engines sample blocks of rows."""

_MOST_SAMPLED = 60_000

_SEEDED = ("duckdb", "psycopg", "snowflake.connector")
"""Drivers of engines that draw the same sample again from a seed."""


@dataclass(frozen=True, eq=False)
class Sampled:
    """What a look at a table tells.

    Attributes:
        table: Some of the rows, with the source of them all.
        roles: Which column plays which role.
        rows: Number of all rows.
    """

    table: Table
    roles: Roles
    rows: int


def sampled(
    opened: Opened, choices: Choices = NO_CHOICES, progress: Progress = NO_PROGRESS
) -> Sampled:
    """Look at some of the rows, and find out which column plays which role.

    Raises:
        EvalError: The table is empty, or of a kind that cannot be counted where it lies; else what
            `detect` raises.
    """
    rows = rows_of(opened, progress)
    table = recognised(opened, rows, progress)
    known = overlay(choices, opened.origin.choices)
    table = refuse_unknown(ignoring(table, known), known)
    long = not known.model and any(plain(name) in WORDS.model for name in table.names)
    if long or known.model_columns:
        raise refusal("source-rows/models", source=opened.origin.name)
    try:
        roles = detect(table, known)
        labels = _labels(opened, _label_columns(roles), progress)
        table = replace(table, columns=coded(table.columns, labels))
        roles = detect(table, known)
    except EvalError as problem:
        problem.offers = ways_out(problem, table, known)
        raise
    return Sampled(table, _countable(roles, opened), rows)


def rows_of(opened: Opened, progress: Progress) -> int:
    """Return the number of rows of a table."""
    counted = opened.ask(opened.table.aggregate(n=opened.table.count()), progress)
    return int(counted["n"][0].as_py())


def recognised(opened: Opened, rows: int, progress: Progress) -> Table:
    """Return a sample of the rows as a table, with what the tool tells that wrote it."""
    cells = _sample(opened, rows, progress)
    source = Source(opened.origin.name, opened.origin.scheme, "", cells.num_rows)
    if not rows:
        raise refusal("source-empty", source=opened.origin.name)
    table = table_of(cells.column_names, [_plain(one) for one in cells.columns], source)
    found = recognise(table)
    if table.names != tuple(cells.column_names) or found.names != table.names:
        raise refusal("source-rows/layout", source=opened.origin.name)
    return found


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column as a reader of files has it: decimals are numbers, not texts."""
    return column.cast(pa.float64()) if pa.types.is_decimal(column.type) else column


def _sample(opened: Opened, rows: int, progress: Progress) -> pa.Table:
    """Return blocks of rows from everywhere in a table; the first ones where it has no blocks."""
    table = opened.table
    if rows > _MOST_SAMPLED:
        seed = 1 if opened.origin.engine.package in _SEEDED else None
        blocks = table.sample(SAMPLED_ROWS / rows, method="block", seed=seed)
        try:
            found = opened.ask(blocks.limit(_MOST_SAMPLED), progress)
        except Exception:  # noqa: BLE001 (a view has no blocks, and engines differ in saying so)
            progress.check()
            found = None
        if found is not None and found.num_rows >= SAMPLED_ROWS // 10:
            return found
    return opened.ask(table.limit(_MOST_SAMPLED), progress)


def _label_columns(roles: Roles) -> list[str]:
    """Return the columns whose labels must all be known before roles are sure."""
    if roles.task not in (Task.BINARY, Task.MULTICLASS):
        return []
    labels = [model.label for model in roles.models.values()]
    return [*dict.fromkeys(filter(None, (roles.truth, *labels, roles.fold)))]


def _labels(opened: Opened, columns: Sequence[str], progress: Progress) -> Mapping[str, Any]:
    """Return the distinct cells of columns of labels, blank ones left out.

    Raises:
        EvalError: "too-many-labels".
    """
    found: dict[str, pa.Array] = {}
    for name in columns:
        few = opened.table.select(name).distinct().limit(MOST_LABELS + 1)
        cells = _plain(opened.ask(few, progress)[name]).combine_chunks().drop_null()
        if len(cells) > MOST_LABELS:
            raise refusal("too-many-labels/source", column=name, most=MOST_LABELS)
        found[name] = cells
    return found


def _countable(roles: Roles, opened: Opened) -> Roles:
    """Return the roles if groups of rows, without single ones, say all there is.

    Raises:
        EvalError: "source-rows": they do not.
    """
    source = opened.origin.name
    if roles.task is Task.FOLDS:
        raise refusal("source-rows/folds", source=source)
    if roles.features:
        raise refusal("source-rows/features", source=source)
    if roles.task is Task.CORRECT:
        raise refusal("source-rows/items", source=source)
    return roles
