"""Rows counted where they lie: one expression for every engine, the rule of `counts.blocks` in it.

Only groups and their sizes are fetched, and never more than a few million of them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any, Self

import numpy as np
import pyarrow as pa

from evalcore.work import NO_PROGRESS, Progress
from evalread.columns import LARGEST_TOTAL, MOST_LABELS, is_numeric, numbers_of
from evalread.counts.blocks import (
    COUNT,
    DIGITS,
    HIGHEST,
    LOWEST,
    PAIR_DIGITS,
    Block,
    Counts,
    condensed,
    counted_roles,
    keys_of,
    most_cells,
    numbers_among,
)
from evalread.counts.making import grouped, plain_cells, shortened
from evalread.dataset import Roles, Source, Table, WeightKind
from evalread.detection.predictions import no_such_column
from evalread.engines.connecting import Opened, fingerprint
from evalread.engines.sampling import Sampled
from evalread.notices import refusal

_FETCHED, _MOST_FETCHED = 4, 4_400_000
"""How many times as many cells are fetched as are kept, and how many at most: they are condensed
further here, which is quicker than to ask once more."""


def counted(
    opened: Opened,
    sample: Sampled,
    *,
    pairs: bool = False,
    by: Sequence[str] = (),
    most: int | None = None,
    progress: Progress = NO_PROGRESS,
) -> Counts:
    """Count the rows of a table where they lie.

    Args:
        opened: The table.
        sample: What a look at it told.
        pairs: Whether models are also counted in pairs, as paired comparisons need.
        by: Columns to slice by.
        most: Cells of a block, one of more being condensed; None for `most_cells`.
        progress: Who looks on.

    Raises:
        EvalError: There is no such column to slice by, weights are no counts, a column has too
            many different cells, the table changed meanwhile, or what `Opened.ask` raises.
    """
    opened, sample = _by_day(opened, sample)
    roles = sample.roles
    for name in by:
        if name not in sample.table.columns:
            raise no_such_column(name, sample.table.names)
    facts = _Facts.of(opened, roles, by, progress)
    if roles.group and facts.distinct[roles.group] > MOST_LABELS:
        about = {"n": facts.distinct[roles.group], "most": MOST_LABELS}
        raise refusal("too-many-groups", column=roles.group, **about)
    most = most_cells(roles) if most is None else most
    work = _Work(opened, sample, facts, tuple(by), most, progress)
    made = tuple(work.blocks(pairs=pairs))
    whole = all(np.isclose(block.rows, facts.total, rtol=1e-9) for block in made)
    if not whole or fingerprint(opened.origin) != opened.stamp:
        raise refusal("source-changed", source=opened.origin.name)
    name = opened.origin.name
    return Counts(counted_roles(roles), made, work.by, name, opened.stamp, roles.weight or "")


def _by_day(opened: Opened, sample: Sampled) -> tuple[Opened, Sampled]:
    """Return a table whose dates have no time of day: periods ask for days, which are few.

    Times that tell their zone stay as they are: engines differ in whose days they would be.
    """
    name = sample.roles.date or ""
    kind: Any = sample.table.columns[name].type if name else pa.null()
    if not pa.types.is_timestamp(kind) or kind.tz is not None:
        return opened, sample
    table = opened.table.mutate(**{name: opened.table[name].date()})
    days = sample.table.columns[name].cast(pa.date32(), safe=False)
    held = replace(sample.table, columns={**sample.table.columns, name: days})
    return replace(opened, table=table), replace(sample, table=held)


@dataclass(frozen=True, eq=False)
class _Facts:
    """What is known of all rows before they are counted.

    Attributes:
        rows: Number of rows.
        total: The same, each as often as its weight says.
        whole: Whether all weights are whole numbers.
        distinct: Column -> about how many distinct cells it has.
    """

    rows: int
    total: float
    whole: bool
    distinct: Mapping[str, int]

    @classmethod
    def of(cls, opened: Opened, roles: Roles, by: Sequence[str], progress: Progress) -> Self:
        """Ask for the facts.

        Raises:
            EvalError: "too-many-labels", "bad-weight", or "counts-weights".
        """
        table, keys = opened.table, keys_of(roles, by=by)
        if COUNT in keys and roles.weight != COUNT:
            raise refusal("counts-name", column=COUNT)
        asked = {f"d{k}": table[name].approx_nunique() for k, name in enumerate(keys)}
        if roles.weight:
            weight = table[roles.weight].cast("float64")
            bad = weight.isnull() | weight.isnan() | (weight < 0) | (weight > LARGEST_TOTAL)
            asked |= {"total": weight.sum(), "bad": bad.sum()}
            asked |= {"parts": (weight != weight.floor().cast("float64")).sum()}
        answer = opened.ask(table.aggregate(n=table.count(), **asked), progress).to_pylist()[0]
        if answer.get("bad"):
            raise refusal("bad-weight/source", column=roles.weight, n=answer["bad"])
        if answer.get("parts") and roles.weight_kind is not WeightKind.COUNTS:
            raise refusal("counts-weights", column=roles.weight)
        distinct = {name: int(answer[f"d{k}"]) for k, name in enumerate(keys)}
        rows = int(answer["n"])
        total = float(answer.get("total", rows))
        return cls(rows, total, not answer.get("parts"), distinct)


@dataclass
class _Work:
    """Blocks of a table, asked for one after another."""

    opened: Opened
    sample: Sampled
    facts: _Facts
    by: tuple[str, ...]
    most: int
    progress: Progress
    done: int = 0
    steps: int = 1

    @property
    def limit(self) -> int:
        """How many cells are fetched at most."""
        return min(self.most * _FETCHED, _MOST_FETCHED)

    def blocks(self, *, pairs: bool) -> Iterator[Block]:
        """Yield the block of all models where few combinations occur; else one for each."""
        roles = self.sample.roles
        names = (*roles.models, *roles.clusterings)
        if len(names) == 1:
            yield self._fitting(names, (None, *DIGITS))
            return
        joint = None if self._surely_more(names, None) else self._asked(names, None)
        if joint is not None and joint.cells <= self.most:
            yield joint
            return
        others = [*combinations(names, 2)] if pairs else []
        self.done, self.steps = 0, len(names) + len(others)
        for name in names:
            yield self._fitting((name,), (None, *DIGITS))
        for pair in others:
            yield self._fitting(pair, PAIR_DIGITS)

    def _fitting(self, models: Sequence[str], digits: Sequence[int | None]) -> Block:
        """Return the cells of some models with the first of some numbers of digits that fits.

        Raises:
            EvalError: "too-many-cells": not even the last one does.
        """
        for place, kept in enumerate(digits):
            if self._surely_more(models, kept) and kept != digits[-1]:
                continue
            if (found := self._asked(models, kept)) is not None:
                self.done += 1
                return self._shortened(found, digits[place + 1 :])
        keys = keys_of(self.sample.roles, models, self.by)
        numbers = numbers_among(self.sample.roles, models)
        labels = [name for name in keys if name not in numbers] or keys
        column = max(labels, key=lambda name: self.facts.distinct[name])
        about = {"n": self.facts.distinct[column], "most": self.limit}
        raise refusal("too-many-cells", column=column, **about)

    def _shortened(self, block: Block, digits: Sequence[int | None]) -> Block:
        """Condense a block further, until it is small enough."""
        for kept in digits:
            if block.cells <= self.most:
                break
            digits_of = dict.fromkeys(numbers_among(self.sample.roles, block.models), kept or 0)
            table = in_order(grouped(shortened(block, digits_of)))
            block = Block(block.models, table, digits_of)
        return block

    def _asked(self, models: Sequence[str], digits: int | None) -> Block | None:
        """Return the cells of some models; None where they are too many to be fetched."""
        roles = self.sample.roles
        keys = keys_of(roles, models, self.by)
        short = numbers_among(roles, models) if digits else ()
        asked = cells_of(self.opened.table, keys, short, digits or 0, roles.weight)
        found = self.opened.ask(asked.limit(self.limit + 1), self._step())
        if found.num_rows > self.limit:
            return None
        found = found.rename_columns([*keys, COUNT])
        held = Table(dict(zip(keys, found.columns, strict=False)), Source("", "", "", 0))
        count = found[COUNT].cast(pa.int64() if self.facts.whole else pa.float64())
        cells = {name: plain_cells(held, name) for name in keys}
        for name in short:
            cells[name] = _missing_as_null(cells[name])
        table = in_order(pa.table({**cells, COUNT: count}))
        return Block(tuple(models), table, dict.fromkeys(short, digits or 0))

    def _step(self) -> Progress:
        """Return who looks on, told how much of the whole is done."""
        if self.progress.progress is None:
            return self.progress
        done, steps = self.done, self.steps
        return Progress(
            lambda share: self.progress.report(min(done + share, steps) / steps),
            self.progress.cancel,
        )

    def _surely_more(self, models: Sequence[str], digits: int | None) -> bool:
        """Tell whether there are more cells than are kept, as far as a sample tells."""
        if self.facts.rows <= self.most:
            return False
        roles = self.sample.roles
        keys, short = keys_of(roles, models, self.by), numbers_among(roles, models)
        exact = keys if digits is None else [name for name in keys if name not in short]
        if max((self.facts.distinct[name] for name in exact), default=0) > 2 * self.most:
            return True
        held = replace(self.sample.table, source=replace(self.sample.table.source, decimal="."))
        columns = {
            name: _condensed(held, name, digits)
            if digits and name in short
            else plain_cells(held, name)
            for name in keys
        }
        ones = pa.array(np.ones(held.n, np.int64))
        sizes = grouped(pa.table({**columns, COUNT: ones}))[COUNT].to_numpy()
        return min(richness(sizes), self.facts.rows) > 2 * self.most


def _condensed(table: Table, name: str, digits: int | None) -> pa.ChunkedArray:
    values = condensed(numbers_of(table, name).values, digits or 0)
    return pa.chunked_array([pa.array(values, from_pandas=True)])


def _missing_as_null(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(column.to_numpy(), from_pandas=True)])


def in_order(cells: pa.Table) -> pa.Table:
    """Return cells in the order of their keys: engines give them in any, and seeds depend on it."""
    keys = [name for name in cells.column_names if name != COUNT]
    columns = [cells[name] for name in keys]
    if all(is_numeric(one.type) and not one.null_count for one in columns):
        # Several times as fast as Arrow's own.
        return cells.take(pa.array(np.lexsort([one.to_numpy() for one in columns[::-1]])))
    return cells.sort_by([(name, "ascending") for name in keys])


def richness(sizes: np.ndarray[Any, np.dtype[np.int64]]) -> float:
    """Return a number of kinds that there are at least, from how often each was met in a sample.

    That is Chao's lower bound (Scandinavian Journal of Statistics 11, 1984, in the form that holds
    without kinds met twice).

    >>> richness(np.array([1, 1, 1, 1, 2, 2, 5]))
    9.0
    """
    once, twice = int((sizes == 1).sum()), int((sizes == 2).sum())
    return len(sizes) + once * (once - 1) / (2 * (twice + 1))


def cells_of(
    table: Any, keys: Sequence[str], short: Sequence[str], digits: int, weight: str | None
) -> Any:
    """Return the expression of the cells: "k0", "k1" ... for the keys, and "n".

    Numbers in the columns `short` are condensed to so many digits, as `counts.blocks.condensed`
    does. `n` is the number of rows of a cell, or the sum of their weights.
    """
    places = {name: f"k{place}" for place, name in enumerate(keys)}
    columns = {called: _plain(table[name]) for name, called in places.items()}
    if weight:
        columns["w"] = table[weight].cast("float64")
    rows = table.select(**columns)
    if short:
        rows = _with_condensed(rows, [places[name] for name in short], digits)
    count = rows.w.sum() if weight else rows.count()
    return rows.group_by(list(places.values())).aggregate(n=count)


def _plain(column: Any) -> Any:
    """Return a column as one of numbers, text, true and false, or moments."""
    kind = column.type()
    if kind.is_decimal():
        return column.cast("float64")
    known = kind.is_numeric() or kind.is_string() or kind.is_boolean() or kind.is_temporal()
    return column if known or kind.is_nested() else column.cast("string")


def _with_condensed(rows: Any, names: Sequence[str], digits: int) -> Any:
    """Return the rows with some columns condensed to so many significant digits."""
    import ibis

    # Step by step in names of their own, so that no part of it is written out twice.
    within = float(f"1e{HIGHEST + 1}")
    steps: list[Callable[[Callable[[str], Any]], dict[str, Any]]] = [
        lambda of: {"whole": of("").cast("float64")},
        # Numbers that stay as they are, and those that are none, cannot be made whole.
        lambda of: {"x": ibis.ifelse(of("whole").abs() < within, of("whole"), 0.0)},
        lambda of: {
            "up": _power(of("x"), lambda m: max(digits - 1 - m, 0)),
            "down": _power(of("x"), lambda m: max(m - digits + 1, 0)),
        },
        lambda of: {"k": (of("x") * of("up") / of("down")).floor().cast("float64")},
        lambda of: {"k": of("k") + _one_if((of("k") + 1.0) / of("up") * of("down") <= of("x"))},
        lambda of: {"k": of("k") - _one_if(of("k") / of("up") * of("down") > of("x"))},
        lambda of: {"": ibis.ifelse(
            of("whole").abs() < within, of("k") / of("up") * of("down"), of("whole")
        )},
    ]  # fmt: skip
    for step in steps:
        made = [step(partial(_part, rows, name)) for name in names]
        rows = rows.mutate(
            **{
                part + name: value
                for name, parts in zip(names, made, strict=True)
                for part, value in parts.items()
            }
        )
    return rows


def _part(rows: Any, name: str, part: str) -> Any:
    return rows[part + name]


def _one_if(test: Any) -> Any:
    import ibis

    return ibis.ifelse(test, 1.0, 0.0)


def _power(x: Any, exponent: Callable[[int], int]) -> Any:
    """Return the power of ten for the magnitude of each number; the usual ones are asked first."""
    import ibis

    size = x.abs()

    def power(m: int) -> Any:
        return ibis.literal(float(f"1e{exponent(m)}"), "float64")

    above = [(size < float(f"1e{m + 1}"), power(m)) for m in range(HIGHEST)]
    below = [(size >= float(f"1e{m}"), power(m)) for m in range(-1, LOWEST, -1)]
    return ibis.ifelse(
        size >= 1.0,
        ibis.cases(*above, else_=power(HIGHEST)),
        ibis.cases(*below, else_=power(LOWEST)),
    )
