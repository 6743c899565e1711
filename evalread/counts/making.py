"""From rows to counts, and from two files of counts to one that holds the rows of both."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa

from evalcore.errors import EvalError, Notice
from evalcore.outcomes import CorrectOutcomes, Floats, Rows
from evalread.checks import are_counts
from evalread.columns import is_numeric, is_text, labels_of, numbers_of, places_of
from evalread.counts.blocks import (
    COUNT,
    DIGITS,
    MOST_DIGITS,
    PAIR_DIGITS,
    Block,
    Counts,
    condensed,
    counted_roles,
    keys_of,
    most_cells,
    numbers_among,
    stacked,
)
from evalread.counts.judged import table_of
from evalread.dataset import NO_CHOICES, Dataset, Roles, Scale, Source, Table, Task
from evalread.detection.layout import together
from evalread.detection.predictions import no_such_column
from evalread.loading import bound
from evalread.notices import notice, refusal
from evalread.rewriting import text


def counts_of(dataset: Dataset, by: Sequence[str] = (), *, most: int | None = None) -> Counts:
    """Return the counts of a data set, with the columns `by` which its rows may be sliced.

    What was read of counts stays as it is. A block of more than `most` cells (`most_cells` where
    none is said) is condensed.

    Raises:
        EvalError: Its rows do not add up to counts, or there is no such column.
    """
    table, roles = dataset.table, dataset.roles
    _refuse_uncountable(dataset, by)
    if table.counted is not None:
        return replace(table.counted, roles=roles) if table.counted.joint else table.counted
    source = {"source": table.source.name, "digest": table.source.digest}
    made: dict[str, Any] = {
        "roles": _with_scale(table, counted_roles(roles)),
        "by": tuple(by),
        "weight": roles.weight or "",
        **source,
    }
    if roles.task is Task.CORRECT and roles.id:
        made["roles"] = replace(made["roles"], id=roles.id)
        return Counts(blocks=(_of_items(dataset, by),), **made)
    weight = numbers_of(table, roles.weight).values if roles.weight else np.ones(table.n)
    rows = _Rows(table, roles, weight, tuple(by))
    names = (*roles.models, *roles.clusterings)
    most = most_cells(roles) if most is None else most
    whole = rows.block(names)
    if whole.cells <= most or roles.model or len(names) == 1:
        found = whole if whole.cells <= most else rows.condensed(names, DIGITS, most)
        return Counts(blocks=(found,), **made)
    rows = replace(rows, floats=True)
    single = [rows.condensed((name,), (None, *DIGITS), most) for name in names]
    pairs = [rows.condensed(pair, PAIR_DIGITS, most) for pair in combinations(names, 2)]
    return Counts(blocks=(*single, *pairs), **made)


def given_away(counts: Counts) -> tuple[Notice, ...]:
    """Return what the cells of counts tell of single rows, if it is much, and how to tell less."""
    roles, largest = counts.roles, max(counts.blocks, key=lambda block: block.single)
    found = []
    if 2 * largest.single > largest.cells:
        single, names = largest.single, largest.keys
        found.append(notice("counts-single", single=single, cells=largest.cells, names=names))
    if roles.group:
        found.append(notice("counts-single/group", column=roles.group))
    return tuple(found)


def _refuse_uncountable(dataset: Dataset, by: Sequence[str]) -> None:
    table, roles = dataset.table, dataset.roles
    if roles.task is Task.FOLDS:
        raise refusal("counts-folds")
    if roles.weight and not are_counts(numbers_of(table, roles.weight).values, roles):
        raise refusal("counts-weights", column=roles.weight)
    for name in by:
        if name not in table.columns:
            raise no_such_column(name, table.names)
    if COUNT in keys_of(roles, by=by) and roles.weight != COUNT:
        raise refusal("counts-name", column=COUNT)


def _with_scale(table: Table, roles: Roles) -> Roles:
    """Return the roles with the scale of scores that only a sign in their cells tells."""
    scores = [name for name in numbers_among(roles, roles.models) if name != roles.truth]
    told = roles.scale is None and roles.task is not Task.REGRESSION and scores
    percent = told and all(numbers_of(table, name).percent for name in scores)
    return replace(roles, scale=Scale.PERCENT) if percent else roles


@dataclass(frozen=True, eq=False)
class _Rows:
    """The rows of a data set as they are grouped.

    Where `floats`, numbers that a file holds as text are numbers, as they are in condensed blocks.
    """

    table: Table
    roles: Roles
    weight: Floats
    by: tuple[str, ...]
    floats: bool = False

    def block(self, models: Sequence[str], digits: int | None = None) -> Block:
        """Return the cells of some models, their numbers condensed to so many digits."""
        keys = keys_of(self.roles, models, self.by)
        numbers = {*numbers_among(self.roles, models), *self.by}
        columns = {name: self._cells(name, numeric=name in numbers) for name in keys}
        short = numbers_among(self.roles, models) if digits else ()
        for name in short:
            values = condensed(numbers_of(self.table, name).values, digits or 0)
            columns[name] = pa.chunked_array([pa.array(values, from_pandas=True)])
        table = grouped(pa.table({**columns, COUNT: _counted(self.weight)}))
        return Block(tuple(models), table, dict.fromkeys(short, digits or 0))

    def _cells(self, name: str, *, numeric: bool) -> pa.ChunkedArray:
        """Return the cells of a column; numbers without the marks that only its file tells."""
        source = self.table.source
        marks = (source.decimal or ".") != "." or source.thousands
        if numeric and (marks or self.floats):
            with suppress(EvalError):
                values = numbers_of(self.table, name).values
                return pa.chunked_array([pa.array(values, from_pandas=True)])
        return plain_cells(self.table, name)

    def condensed(self, models: Sequence[str], digits: Iterable[int | None], most: int) -> Block:
        """Return the cells with the first of some numbers of digits that makes few enough."""
        for kept in digits:
            found = self.block(models, kept)
            if found.cells <= most:
                break
        return found


def _counted(weight: Floats) -> pa.Array:
    """Return counts: int64 where all are whole."""
    return pa.array(weight.astype(np.int64) if (weight == np.floor(weight)).all() else weight)


def grouped(table: pa.Table) -> pa.Table:
    """Return each combination of keys once, as they appear, with the sum of its counts.

    In the order of the rows, since what is drawn with a seed depends on it.
    """
    keys = [name for name in table.column_names if name != COUNT]
    cell = together(places_of(table[name]) for name in keys)
    _, first, cell = np.unique(cell, return_index=True, return_inverse=True)
    order = np.argsort(first)
    counts = np.bincount(cell, table[COUNT].to_numpy(), len(first))[order]
    found = table.take(pa.array(first[order]))
    column = pa.array(counts).cast(table[COUNT].type)
    return found.set_column(len(keys), COUNT, column)


def plain_cells(table: Table, name: str) -> pa.ChunkedArray:
    """Return a column as true and false, int64, float64 or text, which mean the same.

    Raises:
        EvalError: "list-cells": its cells are lists.
    """
    column = table.columns[name]
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if pa.types.is_boolean(kind) or kind in (pa.int64(), pa.float64(), pa.string()):
        return column
    if pa.types.is_nested(kind):
        raise refusal("list-cells/labels", column=name)
    if pa.types.is_floating(kind):
        return column.cast(pa.float64())
    if pa.types.is_temporal(kind) and not pa.types.is_date(kind):
        return column.cast(pa.timestamp("s"), safe=False).cast(pa.string())
    if is_numeric(kind) and pa.types.is_integer(kind):
        try:
            return column.cast(pa.int64())
        except pa.ArrowInvalid:  # beyond 2**63
            return column.cast(pa.string())
    if is_text(kind) or pa.types.is_date(kind) or pa.types.is_decimal(kind):
        return column.cast(pa.string())
    labels = labels_of(table, name)
    return text([labels.names[code] if code >= 0 else None for code in labels.codes.tolist()])


def _of_items(dataset: Dataset, by: Sequence[str]) -> Block:
    """Return the cells of items that models tried: how often each was right, of how many tries.

    A cell takes a row for each try, all with the number of the cell as the item's id; the first of
    them holds the count, others 0.
    """
    table, roles = dataset.table, dataset.roles
    tried = {name: one for name, one in dataset.models.items() if isinstance(one, CorrectOutcomes)}
    items = np.unique(np.concatenate([_rows_of(one) for one in tried.values()]))
    keys = [name for name in (roles.fold, roles.group, roles.date, *by) if name]
    weight = np.ones(len(items))
    cells: dict[str, pa.ChunkedArray] = {
        name: plain_cells(table, name).take(pa.array(items - 1)) for name in dict.fromkeys(keys)
    }
    for place, one in enumerate(tried.values()):
        at = np.searchsorted(items, _rows_of(one))
        counts = {"right": one.right, "tries": np.ones(one.n) if one.tries is None else one.tries}
        for what, values in counts.items():
            whole = np.zeros(len(items), np.int64)
            whole[at] = values
            cells[f"{place} {what}"] = pa.chunked_array([whole])
        if one.weight is not None:
            weight[at] = one.weight
    found = grouped(pa.table({**cells, COUNT: _counted(weight)}))
    return Block(tuple(tried), _as_tries(found, roles, tuple(tried), tuple(dict.fromkeys(keys))))


def _rows_of(items: CorrectOutcomes) -> Rows:
    return np.arange(1, items.n + 1) if items.rows is None else items.rows


def _as_tries(
    cells: pa.Table, roles: Roles, models: Sequence[str], keys: Sequence[str]
) -> pa.Table:
    """Return cells of right and all tries as rows of single tries."""
    shared = roles.model is not None
    parts: list[tuple[Rows, dict[str, pa.Array]]] = []
    each = [tuple(cells[f"{k} {what}"].to_numpy() for what in ("right", "tries"))
            for k in range(len(models))]  # fmt: skip
    if shared:
        for name, (right, tries) in zip(models, each, strict=True):
            model = roles.models[name]
            cell, place = _spread(tries)
            mark = pa.array((place < right[cell]).astype(np.int64))
            named = pa.array([model.of] * len(cell), pa.string())
            parts.append((cell, {model.correct or "": mark, roles.model or "": named}))
    else:
        cell, place = _spread(np.max([tries for _, tries in each], axis=0))
        marks = {}
        for name, (right, tries) in zip(models, each, strict=True):
            mark = (place < right[cell]).astype(np.int64)
            marks[roles.models[name].correct or ""] = pa.array(mark, mask=place >= tries[cell])
        parts.append((cell, marks))
    columns = dict.fromkeys(name for _, own in parts for name in own)
    cell = np.concatenate([cell for cell, _ in parts])
    made = {roles.id or "": pa.array(cell)}
    made |= {name: pa.concat_arrays([own[name] for _, own in parts]) for name in columns}
    made |= {name: cells[name].take(pa.array(cell)) for name in keys}
    first = np.zeros(len(cell), np.bool_)
    first[np.unique(cell, return_index=True)[1]] = True
    count = cells[COUNT].to_numpy()
    return pa.table({**made, COUNT: np.where(first, count[cell], 0).astype(count.dtype)})


def _spread(tries: Rows) -> tuple[Rows, Rows]:
    """Return for each try its cell, and which of the cell's tries it is, from 0 on."""
    cell = np.repeat(np.arange(len(tries)), tries)
    start = np.cumsum(tries) - tries
    return cell, np.arange(len(cell)) - start[cell]


def to_dataset(counts: Counts) -> Dataset:
    """Return the data set that counts are of: evaluated and compared as its rows would be.

    Raises:
        EvalError: The columns cannot be used.
    """
    name = counts.source or "counts"
    return bound(table_of(counts, Source(name, "counts", counts.digest, 0)), NO_CHOICES)


def add(*parts: Counts) -> Counts:
    """Return the counts of all rows of which several hold some; numbers to the fewest digits.

    Raises:
        EvalError: "counts-differ": columns play other roles in one of them.
    """
    first = parts[0]
    for other in parts[1:]:
        _refuse_others(first, other)
    blocks = tuple(
        _added([part.block(*block.models) or block for part in parts], first.roles.id)
        for block in first.blocks
    )
    source, digest = (
        " + ".join(dict.fromkeys(getattr(part, name) for part in parts))
        for name in ("source", "digest")
    )
    return replace(first, blocks=blocks, source=source, digest=digest)


def _refuse_others(first: Counts, other: Counts) -> None:
    """Refuse counts that do not add up with the first."""
    said = [_what_adds_up(one) for one in (first, other)]
    for what, here in said[0].items():
        if here != said[1][what]:
            about = {"first": first.source or "the first", "other": other.source or "another"}
            raise refusal("counts-differ", what=what, **about)


def _what_adds_up(counts: Counts) -> Mapping[str, Any]:
    """Return what must be the same in counts that add up, by what it is called."""
    roles = counts.roles
    models = [(name, *one.columns) for name, one in roles.models.items()]
    blank = replace(roles, models={}, reasons={}, positive_reason=None, clusterings={})
    return {
        "the task": roles.task,
        "the truth": roles.truth,
        "the models and their columns": (models, [*roles.clusterings.items()]),
        "the columns to slice by": counts.by,
        "the role of a column, or the positive class": blank,
        "whether all models stand in one block": {block.models for block in counts.blocks},
        "the columns of a block": [block.keys for block in counts.blocks],
    }


def _added(blocks: Sequence[Block], item: str | None) -> Block:
    """Return the block of the rows of several, with the fewest digits of any of them.

    Tries of an `item` are rows of their own: they are not grouped, and the items of each part get
    numbers that no other part has.
    """
    kept = {name: digits for block in blocks for name, digits in block.digits.items()}
    for name in kept:
        kept[name] = min(block.digits.get(name, MOST_DIGITS) for block in blocks)
    parts = [shortened(block, kept) for block in blocks]
    if item is not None:
        parts = _renumbered(parts, item)
    whole = stacked(parts)
    return Block(blocks[0].models, whole if item is not None else grouped(whole), kept)


def _renumbered(parts: Sequence[pa.Table], item: str) -> list[pa.Table]:
    """Return tables whose items, numbered from 0 in each, are numbered on from table to table."""
    made, before = [], 0
    for part in parts:
        numbers = part[item].to_numpy() + before
        before = int(numbers.max(initial=before - 1)) + 1
        made.append(part.set_column(part.column_names.index(item), item, pa.array(numbers)))
    return made


def shortened(block: Block, digits: Mapping[str, int]) -> pa.Table:
    """Return the cells of a block with numbers condensed to so many digits."""
    table = block.table
    for name, kept in digits.items():
        if block.digits.get(name) != kept:
            values = table[name].cast(pa.float64()).to_numpy()
            column = pa.array(condensed(values, kept), from_pandas=True)
            table = table.set_column(table.column_names.index(name), name, column)
    return table
