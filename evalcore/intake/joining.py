"""Several tables about the same rows as one: matched on their id, with an audit of what did not."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

import pyarrow as pa

from evalcore.errors import EvalError, Notice
from evalcore.intake.answersheets import (
    NAMED_FILES,
    is_solution,
    is_submission,
    shared_columns,
    sole_target,
    target_hints,
    with_one_truth,
)
from evalcore.intake.joinedhints import Member, joined_hints
from evalcore.intake.matching import match, taken
from evalcore.intake.merging import merged
from evalcore.intake.model import Source, Table
from evalcore.intake.numbers import as_numbers
from evalcore.intake.onehot import is_one_hot
from evalcore.intake.profile import profiles
from evalcore.intake.signatures import overlay
from evalcore.intake.words import ID, TRUTH, plain


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
    plain_ones = [Member(m.name, _plain_marks(m.table)) for m in members]
    key = _key(plain_ones, key)
    lead, *others = with_one_truth(_lead_first(plain_ones, key), key)
    aligned, told = [lead], []
    for other in others:
        rows, notices = match(lead.table, other, key)
        aligned.append(Member(other.name, taken(other.table, rows)))
        told.extend(notices)
    target = sole_target(aligned, key)
    columns, renamed = merged(aligned, key, target)
    source = _source([member.table.source for member in members], lead.table)
    kept = [notice for member in (lead, *others) for notice in member.table.notices]
    all_told = tuple(dict.fromkeys((*kept, *told)))
    cuts = {m.table.threshold for m in members if m.table.threshold is not None}
    cut = cuts.pop() if len(cuts) == 1 else None
    joined = Table(columns, source, all_told, joined_hints(aligned, renamed), cut)
    return joined if target is None else _led(joined, aligned, target, renamed)


def _led(
    joined: Table, members: Sequence[Member], target: str, renamed: Sequence[Mapping[str, str]]
) -> Table:
    """Return the joined table with the first one's target as the truth, and say so."""
    hints = overlay(target_hints(joined, members, target, renamed), joined.hints)
    message = (
        f'All files have a column "{target}": that of "{members[0].table.source.name}" was taken '
        "for the truth, by the names of the files, and the others for predictions."
    )
    told = Notice(NAMED_FILES, message, column=target)
    return replace(joined, hints=hints, notices=(*joined.notices, told))


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


def _lead_first(members: Sequence[Member], key: str | None) -> list[Member]:
    """Put the table with the truth first: by its name, its truth column, or its few values."""
    classes = shared_columns(members, key)

    def rank(member: Member) -> tuple[bool, ...]:
        named = [name for name in member.table.names if plain(name) in TRUTH]
        like_scores = bool(named) and profiles(member.table)[named[0]].continuous
        hot = len(classes) > 1 and is_one_hot(member.table, classes)
        return (not is_solution(member), is_submission(member), not hot, not named, like_scores)

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
