"""Long tables, with a row per model and example, turned into wide ones."""

from dataclasses import replace

import numpy as np
import pyarrow as pa

from evalcore.errors import EvalError, Notice
from evalcore.intake.distinct import places_of
from evalcore.intake.joinedhints import Member
from evalcore.intake.joining import join
from evalcore.intake.labels import Labels, as_labels
from evalcore.intake.model import Choices, Table
from evalcore.intake.wording import listed
from evalcore.intake.words import FOLD, ID, MODEL, TRUTH, plain

_MOST_MODELS = 200


def widen(table: Table, choices: Choices) -> Table:
    """Turn a long table into a wide one, if a column names the model of each row.

    Raises:
        EvalError: The chosen model column cannot be used; see `join`.
    """
    if choices.model == "":
        return table
    column = choices.model or table.hints.model or _model_column(table)
    if column is None:
        return table
    if column not in table.columns:
        message = (
            f'There is no column "{column}", which would name the model of each row. The columns '
            f"are: {listed(table.names)}."
        )
        raise EvalError("no-such-column", message, column=column)
    models = as_labels(table.columns[column], column)
    if not 1 < len(models.names) <= _MOST_MODELS:
        raise EvalError(
            "bad-model-column",
            f'"{column}" names {len(models.names):,} models; 2 to {_MOST_MODELS} can be compared.',
            column=column,
        )
    members = [_member(table, models, code, column) for code in range(len(models.names))]
    wide = join(members, choices.id or table.hints.id or _id(table, models, column))
    told = Notice(
        "long",
        f'The column "{column}" names {len(models.names)} models; each row now holds what all of '
        "them say about one example.",
        column=column,
    )
    by_place = [notice for notice in wide.notices if notice.code == "matched-by-position"]
    kept = [notice for notice in wide.notices if notice not in by_place]
    return replace(wide, notices=(*kept, told))


def _member(table: Table, models: Labels, code: int, column: str) -> Member:
    rows = pa.array(np.flatnonzero(models.codes == code))
    cells = {n: c.take(rows) for n, c in table.columns.items() if n != column}
    source = replace(table.source, rows=len(rows))
    return Member(models.names[code], replace(table, columns=cells, source=source))


def _model_column(table: Table) -> str | None:
    """Find a column named like a model under which the same examples stand for each value."""
    if not any(plain(name) in TRUTH for name in table.names):
        return None
    for name in table.names:
        if plain(name) in MODEL and _same_examples(table, name):
            return name
    return None


def _same_examples(table: Table, column: str) -> bool:
    """Tell whether every model has the same truth, in order or by id."""
    try:
        models = as_labels(table.columns[column], column)
    except EvalError:
        return False
    if not 1 < len(models.names) <= _MOST_MODELS:
        return False
    counts = set(models.counts.values())
    if keys := _ids(table, column):
        return any(_once_each(table.columns[key], models) for key in keys)
    truth = places_of(table.columns[next(n for n in table.names if plain(n) in TRUTH)])
    blocks = [truth[models.codes == code] for code in range(len(models.names))]
    return len(counts) == 1 and all(np.array_equal(blocks[0], block) for block in blocks[1:])


def _once_each(column: pa.ChunkedArray, models: Labels) -> bool:
    """Tell whether each model has each id once at most, and models share ids."""
    ids = places_of(column)
    pairs = ids * len(models.names) + models.codes
    return len(np.unique(pairs)) == len(pairs) > len(np.unique(ids))


def _ids(table: Table, model: str) -> list[str]:
    """Return the columns that may tell examples apart: named like an id, and not a fold."""
    named = [n for n in table.names if plain(n) in ID or plain(n).endswith("_id")]
    return [name for name in named if plain(name) not in FOLD and name != model]


def _id(table: Table, models: Labels, model: str) -> str | None:
    """Return the id that each model has once; else the first column that is called like one."""
    keys = _ids(table, model)
    return next((key for key in keys if _once_each(table.columns[key], models)), (*keys, None)[0])
