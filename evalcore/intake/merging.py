"""The columns of several tables side by side, after their rows were matched."""

from collections import Counter
from collections.abc import Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from evalcore.errors import EvalError
from evalcore.intake.joinedhints import Member, predicted_columns
from evalcore.intake.modelnames import BETWEEN
from evalcore.intake.rows import row_list, row_numbers
from evalcore.intake.words import TRUTH, plain


def merged(
    members: Sequence[Member], key: str | None, target: str | None = None
) -> tuple[dict[str, pa.ChunkedArray], list[dict[str, str]]]:
    """Put the columns side by side; the same ones once, alike named ones under their table.

    The first table keeps the name of its truth: one of `TRUTH`, or `target`.
    Returns the columns, and for each table what its columns are called now.
    """
    own = _own_columns(members, key, target)
    _refuse_other_truth(members, own, key)
    counts = Counter(name for columns in own for name in columns)
    together: dict[str, pa.ChunkedArray] = {}
    renamed: list[dict[str, str]] = []
    for place, (member, columns) in enumerate(zip(members, own, strict=True)):
        clash = any(counts[name] > 1 for name in columns)
        called = {name: name for name in member.table.names}
        for name, column in columns.items():
            keep = (
                not clash if place else counts[name] == 1 or name == target or plain(name) in TRUTH
            )
            called[name] = name if keep else f"{member.name}{BETWEEN}{name}"
            together[called[name]] = column
        renamed.append(called)
    return together, renamed


def _own_columns(
    members: Sequence[Member], key: str | None, target: str | None
) -> list[dict[str, pa.ChunkedArray]]:
    """Return what each table adds: neither the id nor what the first has too."""
    own = [dict(member.table.columns) for member in members]
    for member, columns in zip(members[1:], own[1:], strict=True):
        said = predicted_columns(member.table) | {target}
        for name in list(columns):
            if name == key or (name not in said and _same(columns[name], own[0].get(name))):
                del columns[name]
    return own


def _same(column: pa.ChunkedArray, lead: pa.ChunkedArray | None) -> bool:
    """Tell whether two columns hold the same wherever both hold something."""
    if lead is None:
        return False
    if column.type != lead.type:
        column, lead = column.cast(pa.string()), lead.cast(pa.string())
    return pc.all(pc.equal(column, lead), min_count=0).as_py() is not False


def _refuse_other_truth(
    members: Sequence[Member], own: Sequence[Mapping[str, pa.ChunkedArray]], key: str | None
) -> None:
    """Refuse files that disagree on the truth; a lone column beside the id is a prediction."""
    for member, columns in zip(members[1:], own[1:], strict=True):
        for name in columns:
            lead = own[0].get(name)
            alone = len([n for n in member.table.names if n != key]) == 1
            predicted = alone or name in predicted_columns(member.table)
            if lead is None or plain(name) not in TRUTH or predicted:
                continue
            same = pc.equal(columns[name].cast(pa.string()), lead.cast(pa.string()))
            wrong = ~pc.fill_null(same, True).to_numpy()
            raise EvalError(
                "truth-differs",
                f'The files disagree on "{name}" in {int(wrong.sum()):,} of {len(wrong):,} rows '
                f"({row_list(wrong)}). They do not tell of the same rows in the same order.",
                rows=row_numbers(wrong),
                column=name,
            )
