"""Several tables about the same rows as one: matched on their id, with an audit of what did not."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.errors import EvalError, Notice
from evalcore.intake.joinedhints import Member, joined_hints, predicted_columns
from evalcore.intake.model import Source, Table
from evalcore.intake.modelnames import BETWEEN
from evalcore.intake.numbers import as_numbers
from evalcore.intake.profile import profiles
from evalcore.intake.rows import row_list, row_numbers
from evalcore.intake.wording import counted, have
from evalcore.intake.words import ID, TRUTH, pieces, plain
from evalcore.outcomes import Rows

_SOLUTION = frozenset({"solution", "truth", "gold", "answers", "labels", "actual", "reference"})


def join(members: Sequence[Member], key: str | None = None) -> Table:
    """Match the rows of several tables; the first that holds a truth leads.

    Columns that are the same in all are kept once. Where others have the same name, they are
    called "rf: score" after their table.

    Args:
        members: At least two.
        key: The id column; None to find it, or to match by position if there is none.

    Raises:
        EvalError: "no-key", "duplicate-id", "no-match" or "truth-differs".
    """
    lead, *others = _lead_first([Member(m.name, _plain_marks(m.table)) for m in members])
    key = _key([lead, *others], key)
    aligned, told = [lead], []
    for other in others:
        rows, notices = _match(lead.table, other, key)
        aligned.append(Member(other.name, _taken(other.table, rows)))
        told.extend(notices)
    columns, renamed = _merged(aligned, key)
    source = _source([member.table.source for member in members], lead.table)
    kept = [notice for member in members for notice in member.table.notices]
    all_told = tuple(dict.fromkeys((*kept, *told)))
    cuts = {m.table.threshold for m in members if m.table.threshold is not None}
    cut = cuts.pop() if len(cuts) == 1 else None
    return Table(columns, source, all_told, joined_hints(aligned, renamed), cut)


def by_file(tables: Sequence[Table]) -> list[Member]:
    """Name each table after its file; equal names are numbered."""
    stems = [PurePosixPath(table.source.name).name.split(".")[0] or "file" for table in tables]
    seen: Counter[str] = Counter()
    members = []
    for stem, table in zip(stems, tables, strict=True):
        seen[stem] += 1
        name = f"{stem} {seen[stem]}" if stems.count(stem) > 1 else stem
        members.append(Member(name, table))
    return members


def _lead_first(members: Sequence[Member]) -> list[Member]:
    """Put the table with the truth first: by its name, its truth column, or its few values."""

    def rank(member: Member) -> tuple[bool, bool, bool]:
        solution = bool({p.lower() for p in pieces(member.name)} & _SOLUTION)
        named = [name for name in member.table.names if plain(name) in TRUTH]
        like_scores = bool(named) and profiles(member.table)[named[0]].continuous
        return (not solution, not named, like_scores)

    return sorted(members, key=rank)


def _key(members: Sequence[Member], chosen: str | None) -> str | None:
    """Find the column on which rows are matched: shared by all, named like an id, or unique."""
    common = [n for n in members[0].table.names if all(n in m.table.columns for m in members)]
    if chosen:
        if chosen not in common:
            raise EvalError("no-key", f'Not every file has the id column "{chosen}".')
        return chosen
    for name in common:
        if plain(name) in ID or plain(name).endswith("_id"):
            return name
    unique = [n for n in common if all(_is_key(m.table.columns[n]) for m in members)]
    if unique:
        return unique[0]
    rows = [member.table.n for member in members]
    if len(set(rows)) > 1:
        told = ", ".join(f'"{m.table.source.name}" {m.table.n:,}' for m in members)
        raise EvalError(
            "no-key",
            f"The files share no id column, and have different numbers of rows ({told}). "
            "Add a column with the same ids to each.",
        )
    return None


def _is_key(column: pa.ChunkedArray) -> bool:
    floats = pa.types.is_floating(column.type)
    return not floats and len(column) > 1 and len(column.unique()) == len(column)


def _match(lead: Table, other: Member, key: str | None) -> tuple[Rows, list[Notice]]:
    """Return for each row of the lead its place in the other table (-1: none), and the audit."""
    name = other.table.source.name
    if key is None:
        message = (
            f'The rows of "{name}" were matched by their position: the files share no id column. '
            "If their order differs, every number is wrong."
        )
        return np.arange(lead.n), [Notice("matched-by-position", message, "warning")]
    keys = []
    for table in (lead, other.table):
        keys.append(table.columns[key].cast(pa.string()))
        _refuse_duplicates(keys[-1], key, table.source.name)
    found = pc.fill_null(pc.index_in(keys[0], value_set=keys[1].combine_chunks()), -1)
    places: Rows = found.to_numpy().astype(np.int64)
    if not (places >= 0).any():
        raise EvalError(
            "no-match", f'No value of "{key}" in "{name}" is in "{lead.source.name}".', column=key
        )
    return places, _audit(places, other, key)


def _refuse_duplicates(keys: pa.ChunkedArray, key: str, name: str) -> None:
    codes = pc.dictionary_encode(keys).unify_dictionaries()
    places = np.concatenate([pc.fill_null(c.indices, -1).to_numpy() for c in codes.chunks])
    counts = np.bincount(places[places >= 0], minlength=1)
    repeated = (places >= 0) & (counts > 1)[places]
    if repeated.any():
        raise EvalError(
            "duplicate-id",
            f'"{name}" has {counted(int((counts > 1).sum()), "id")} in "{key}" more than once '
            f"({row_list(repeated)}); rows cannot be matched.",
            rows=row_numbers(repeated),
            column=key,
        )


def _audit(places: Rows, other: Member, key: str) -> list[Notice]:
    name, notices = other.table.source.name, []
    lost = places < 0
    if lost.any():
        count = int(lost.sum())
        message = f'{count:,} of {len(places):,} rows {have(count)} no match in "{name}".'
        notices.append(Notice("unmatched", message, "warning", rows=row_numbers(lost), column=key))
    found = places[~lost]
    surplus = other.table.n - len(found)
    if surplus:
        rows = f"{counted(surplus, 'row')} of"
        message = f'{rows} "{name}" {have(surplus)} an id that no other row has; left out.'
        notices.append(Notice("surplus", message, "warning", column=key))
    if (np.diff(found) < 0).any():
        message = f'"{name}" is in another order; its rows were matched by "{key}".'
        notices.append(Notice("reordered", message, column=key))
    return notices


def _taken(table: Table, places: Rows) -> Table:
    """Return the table's rows at these places, blank where there is none."""
    if np.array_equal(places, np.arange(table.n)):
        return table
    indices = pa.array(places, mask=places < 0)
    columns = {name: column.take(indices) for name, column in table.columns.items()}
    return replace(table, columns=columns, source=replace(table.source, rows=len(places)))


def _merged(
    members: Sequence[Member], key: str | None
) -> tuple[dict[str, pa.ChunkedArray], list[dict[str, str]]]:
    """Put the columns side by side; the same ones once, alike named ones under their table.

    Returns the columns, and for each table what its columns are called now.
    """
    own = [dict(member.table.columns) for member in members]
    for member, columns in zip(members[1:], own[1:], strict=True):
        said = predicted_columns(member.table)
        for name in list(columns):
            if name == key or (name not in said and _same(columns[name], own[0].get(name))):
                del columns[name]
    _refuse_other_truth(members, own, key)
    counts = Counter(name for columns in own for name in columns)
    merged: dict[str, pa.ChunkedArray] = {}
    renamed: list[dict[str, str]] = []
    for place, (member, columns) in enumerate(zip(members, own, strict=True)):
        clash = any(counts[name] > 1 for name in columns)
        called = {name: name for name in member.table.names}
        for name, column in columns.items():
            keep = not clash if place else counts[name] == 1 or plain(name) in TRUTH
            called[name] = name if keep else f"{member.name}{BETWEEN}{name}"
            merged[called[name]] = column
        renamed.append(called)
    return merged, renamed


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


def _plain_marks(table: Table) -> Table:
    """Turn columns of numbers with marks of their own into plain numbers, to sit beside others."""
    if (table.source.decimal or ".") == "." and not table.source.thousands:
        return table
    columns = {}
    for name, column in table.columns.items():
        try:
            columns[name] = pa.chunked_array([as_numbers(column, name, table.source).values])
        except EvalError:
            columns[name] = column
    return replace(table, columns=columns)


def _source(sources: Sequence[Source], lead: Table) -> Source:
    digest = hashlib.sha256("".join(source.digest for source in sources).encode()).hexdigest()
    first = sources[0]
    return Source(
        name=" + ".join(dict.fromkeys(source.name for source in sources)),
        format=_common(source.format for source in sources) or "several",
        digest=digest if len({s.digest for s in sources}) > 1 else first.digest,
        rows=lead.n,
        tool=_common(source.tool for source in sources if source.tool),
        encoding=_common(source.encoding for source in sources),
        separator=_common(source.separator for source in sources),
        sheet=_common(source.sheet for source in sources),
    )


def _common(values: Iterable[str | None]) -> str | None:
    distinct = set(values)
    return distinct.pop() if len(distinct) == 1 else None
