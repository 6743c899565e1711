"""From a file of counts to a table whose rows are cells, its roles, and its pairs of models."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from evalcore.errors import Notice
from evalcore.predictions import Predictions
from evalcore.work import OnDemand
from evalread.counts.blocks import COUNT, OF_FILE, Block, Counts, stacked
from evalread.counts.files import read
from evalread.dataset import SCHEMA, Choices, Roles, Source, Table, Task, WeightKind, with_models
from evalread.notices import notice, refusal
from evalread.rewriting import PREDICTIONS

Detect = Callable[[Table, Choices], Roles]
Bind = Callable[[Table, Roles], Predictions]


def read_counts(name: str, data: bytes, digest: str) -> Table:
    """Return the cells of a file of counts.

    Raises:
        EvalError: It is damaged, cut off or changed; the message says what is wrong.
    """
    kind = "parquet" if data.startswith(b"PAR1") else "csv"
    return table_of(read(data), Source(name, kind, digest, 0))


def table_of(counts: Counts, source: Source) -> Table:
    """Return the cells of counts as the rows of a table; models on cells of their own are named."""
    if counts.joint:
        cells, roles = counts.blocks[0].table, counts.roles
    else:
        cells, roles = _stacked(counts)
    columns = {name: cells[name] for name in cells.column_names}
    return Table(
        columns,
        replace(source, rows=cells.num_rows),
        tuple(_told(counts)),
        threshold=roles.threshold,
        counted=replace(counts, roles=roles),
    )


def _stacked(counts: Counts) -> tuple[pa.Table, Roles]:
    """Return the blocks of single models one below the other, and roles that tell them apart."""
    column = "model"
    while any(column in block.keys for block in counts.blocks):
        column += "'"
    parts, models = [], {}
    for name, own in counts.roles.models.items():
        block = counts.block(name)
        assert block is not None
        named = pa.array([name] * block.cells, pa.string()).dictionary_encode()
        parts.append(block.table.append_column(column, named))
        models[name] = replace(own, of=name)
    reasons = {**counts.roles.reasons, column: OF_FILE}
    roles = replace(counts.roles, model=column, models=models, reasons=reasons)
    return stacked(parts), roles


def _told(counts: Counts) -> Iterator[Notice]:
    """Say what the cells are of, and which numbers are not what they were."""
    single = counts.blocks if counts.joint else [b for b in counts.blocks if len(b.models) == 1]
    cells = sum(block.cells for block in single)
    of = f' of "{counts.source}"' if counts.source else ""
    rounded = any(block.digits for block in single)
    key = "counts/rounded" if rounded else "counts"
    yield notice(key, total=counts.rows, of=of, cells=cells)
    if counts.weight:
        yield notice("counts-weighted", column=counts.weight)
    for block in single:
        if block.digits:
            yield _condensed(counts.roles, block)
    if not counts.joint:
        pairs = [block for block in counts.blocks if len(block.models) == 2]
        digits = min((kept for block in pairs for kept in block.digits.values()), default=0)
        if pairs:
            yield notice("counts-pairs", digits=digits)


def _condensed(roles: Roles, block: Block) -> Notice:
    names, digits = list(block.digits), min(block.digits.values())
    if roles.task is not Task.REGRESSION:
        return notice("counts-condensed", names=names, digits=digits)
    largest = max(
        max(abs(float(bound or 0)) for bound in pc.min_max(block.table[name]).as_py().values())
        for name in names
    )
    return notice(
        "counts-condensed/numbers", names=names, digits=digits, step=step(largest, digits)
    )


def step(largest: float, digits: int) -> float:
    """Return how far condensed numbers up to the largest may be from what they were.

    >>> step(950.0, 3), step(0.2, 2)
    (1.0, 0.01)
    """
    power = -7
    while power < 15 and largest >= float(f"1e{power + 1}"):
        power += 1
    return float(f"1e{power - digits + 1}")


def roles_in(table: Table, choices: Choices, detect: Detect) -> Roles:
    """Return the roles that a file of counts says, changed by what is chosen.

    Raises:
        EvalError: "counts-choice": what is chosen would need the rows.
    """
    counts = table.counted
    assert counts is not None
    roles = counts.roles
    chosen = [one for one in SCHEMA if getattr(choices, one.field) not in (None, False)]
    chosen = [one for one in chosen if one.about != "file" and one.field != "ignore"]
    if not chosen:
        return roles
    fixed = {"id", "model", "model_columns", "own_rows", "features", "feature_kind"}
    fixed |= {"weight"} if choices.weight != COUNT else set()
    fixed |= {"weight_kind"} if choices.weight_kind is not WeightKind.COUNTS else set()
    if not counts.joint:
        fixed |= {*PREDICTIONS, "truth", "task"}
    if refused := [one.option for one in chosen if one.field in fixed]:
        raise refusal("counts-choice", said=f"--{refused[0]}")
    kept = {name: column for name, column in table.columns.items() if name != roles.model}
    alone = replace(table, columns=kept, hints=_as_choices(roles), counted=None, notices=())
    found = detect(alone, choices)
    reasons = dict(found.reasons)
    for name in (roles.group, roles.weight):
        if name in reasons and choices.group is None and name in roles.reasons:
            reasons[name] = roles.reasons[name]
    if roles.model is None:
        return replace(found, reasons=reasons)
    models = {name: replace(own, of=name) for name, own in found.models.items()}
    reasons[roles.model] = OF_FILE
    return replace(found, model=roles.model, models=models, reasons=reasons)


def _as_choices(roles: Roles) -> Choices:
    """Return roles as if each had been chosen."""
    same = {name: getattr(roles, name) for name in Choices.__dataclass_fields__
            if name in Roles.__dataclass_fields__}  # fmt: skip
    kept: Any = {name: value or None for name, value in same.items()}
    kept |= {"features": None, "feature_kind": None, "model": None, "reverse": roles.reverse}
    kept |= {"merge_spellings": roles.merge_spellings, "independent_rows": roles.independent_rows}
    return with_models(Choices(**kept), roles.chosen_models)


def pairs_of(table: Table, roles: Roles, bind: Bind) -> Mapping[tuple[str, str], Predictions]:
    """Return what two models said on the same rows, by their names, bound when it is asked for."""
    counts = table.counted
    if counts is None or counts.joint:
        return {}
    pairs = [block.models for block in counts.blocks if len(block.models) == 2]
    known = ((a, b) for a, b in pairs if {a, b} <= roles.models.keys())
    return OnDemand({pair: partial(_of_pair, table, roles, pair, bind) for pair in known})


def _of_pair(table: Table, roles: Roles, pair: tuple[str, str], bind: Bind) -> Predictions:
    assert table.counted is not None
    block = table.counted.block(*pair)
    assert block is not None
    columns = {name: block.table[name] for name in block.table.column_names}
    source = replace(table.source, rows=block.cells)
    models = {name: replace(roles.models[name], of=None) for name in pair}
    return bind(Table(columns, source), replace(roles, model=None, models=models))
