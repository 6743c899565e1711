"""Several tables as one: of the same rows, joined on their id; of other rows, one after another."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.errors import EvalError, Notice
from evalcore.outcomes import Rows
from evalread.columns import as_numbers, places_of
from evalread.dataset import Choices, Source, Table
from evalread.detection.predictions import chosen_predictions
from evalread.detection.profile import (
    BETWEEN,
    WORDS,
    lowered,
    plain,
    profile,
    profiles,
    speaks_of_prediction,
)
from evalread.notices import notice, refusal
from evalread.rewriting import PREDICTIONS, decoded, is_one_hot, with_notice


@dataclass(frozen=True, eq=False)
class Member:
    """One of several tables, and the name its predictions are called by."""

    name: str
    table: Table


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
    plain_ones = [Member(m.name, plain_marks(m.table)) for m in members]
    key = _key(plain_ones, key)
    ordered = _with_target(_lead_first(plain_ones, key), key)
    aligned, audit = _aligned(ordered, key)
    columns, renamed = _merged(aligned, key)
    cuts = {m.table.threshold for m in members if m.table.threshold is not None}
    return Table(
        columns,
        _source([member.table.source for member in members], aligned[0].table.n),
        tuple(dict.fromkeys([*(n for m in ordered for n in m.table.notices), *audit])),
        _joined_hints(aligned, renamed),
        cuts.pop() if len(cuts) == 1 else None,
    )


def _predicted(table: Table) -> set[str]:
    """Return the columns that hold predictions, by their names or by the tool that wrote them."""
    hinted = {one.column for one in chosen_predictions(table.hints)}
    return hinted | {name for name in table.names if speaks_of_prediction(name)}


def _called_truth(table: Table) -> str | None:
    return next((name for name in table.names if plain(name) in WORDS.truth), None)


def _joined_hints(members: Sequence[Member], renamed: Sequence[Mapping[str, str]]) -> Choices:
    """Return the roles known in each table, under the names that its columns have now.

    Where a table beside the first is of no known tool, its predictions are left to detection,
    and so are those of all others. Models are called after their table if there are several.
    """
    hints = [member.table.hints for member in members]
    known = [any(getattr(own, role) for role in PREDICTIONS) for own in hints]
    joined: dict[str, Any] = {}
    for role in ("truth", "fold", "weight", "group", "id", "scale", "positive"):
        column = role not in {"scale", "positive"}
        said = [(getattr(own, role), now) for own, now in zip(hints, renamed, strict=True)]
        if column or all(known[1:]):
            found = (now.get(v, v) if column else v for v, now in said if v is not None)
            joined[role] = next(found, None)
    for member, own, now in zip(members, hints, renamed, strict=True) if all(known[1:]) else ():
        for role in PREDICTIONS:
            for model, said in (getattr(own, role) or {}).items():
                name = f"{member.name} {model}".strip() if sum(known) > 1 else model
                joined.setdefault(role, {})[name] = (
                    now[said] if isinstance(said, str) else {of: now[c] for of, c in said.items()}
                )
    return Choices(**joined)


def _aligned(members: Sequence[Member], key: str | None) -> tuple[list[Member], list[Notice]]:
    """Return the tables with their rows in the order of the first one's, and what was not so.

    Where each table holds the truth and predictions, rows that only a later one has are added.
    """
    lead, *others = members
    if key is None:
        names = (other.table.source.name for other in others)
        return list(members), [notice("matched-by-position", file=name) for name in names]
    truth = _called_truth(lead.table)
    of_all = all(truth in o.table.columns and _predicted(o.table) for o in others)
    ids = [_ids(lead.table, key)]
    rows, added = ids[0], []
    for table in (other.table for other in others):
        ids.append(own := _ids(table, key))
        new = pc.invert(pc.is_in(own, value_set=rows.combine_chunks()))
        name, count = table.source.name, pc.sum(new, min_count=0).as_py()
        if count == table.n:
            raise refusal("no-match", column=key, file=name, lead=lead.table.source.name)
        if of_all and count:
            added.append(notice("rows-of-one", column=key, count=count, file=name))
            rows = pa.chunked_array([*rows.chunks, *own.filter(new).chunks])
    aligned: list[Member] = []
    notices: list[Notice] = []
    for member, own in zip(members, ids, strict=True):
        found = pc.fill_null(pc.index_in(rows, value_set=own.combine_chunks()), -1)
        places = found.to_numpy().astype(np.int64)
        if member is not lead:
            notices += _audit(places, member.table, key)
        aligned.append(replace(member, table=_rows_at(member.table, places)))
    if added:
        first = aligned[0].table
        columns = {**first.columns, key: rows}
        aligned[0] = replace(aligned[0], table=replace(first, columns=columns))
    return aligned, [*added, *notices]


def _ids(table: Table, key: str) -> pa.ChunkedArray:
    """Return the ids of the rows; refuse those that repeat."""
    keys = table.columns[key].cast(pa.string())
    places = places_of(keys)
    counts = np.bincount(places[places >= 0], minlength=1)
    repeated = (places >= 0) & (counts > 1)[places]
    if repeated.any():
        about: dict[str, Any] = {"rows": repeated, "column": key, "file": table.source.name}
        raise refusal("duplicate-id", ids=int((counts > 1).sum()), **about)
    return keys


def _audit(places: Rows, table: Table, key: str) -> Iterator[Notice]:
    """Yield what is to be known of a table whose rows were found at these places (-1: none)."""
    about: dict[str, Any] = {"column": key, "file": table.source.name}
    lost = places < 0
    if lost.any():
        yield notice("unmatched", rows=lost, all=len(places), **about)
    found = places[~lost]
    if surplus := table.n - len(found):
        yield notice("surplus", count=surplus, **about)
    if (np.diff(found) < 0).any():
        yield notice("reordered", **about)


def _rows_at(table: Table, places: Rows) -> Table:
    """Return the table's rows at these places, blank where there is none."""
    if np.array_equal(places, np.arange(table.n)):
        return table
    indices = pa.array(places, mask=places < 0)
    return table.cut({name: column.take(indices) for name, column in table.columns.items()})


_SOLUTION = frozenset({"solution", "truth", "gold", "answers", "labels", "actual", "reference"})
_SUBMISSION = frozenset({"submission", "submissions"})

NAMED_FILES = "truth-file"
"""Code of the notice that the names of the files told which has the truth."""


def _is_solution(member: Member) -> bool:
    """Return whether a table is called like the truth."""
    return bool({*lowered(member.name)} & _SOLUTION) or plain(member.name) in WORDS.truth


def _is_submission(member: Member) -> bool:
    """Return whether a table is called like predictions."""
    return bool({*lowered(member.name)} & _SUBMISSION) or speaks_of_prediction(member.name)


def _shared_columns(members: Sequence[Member], key: str | None = None) -> list[str]:
    """Return the columns that every table has, beside the id."""
    names = (name for name in members[0].table.names if name != key)
    return [name for name in names if all(name in m.table.columns for m in members)]


def _lead_first(members: Sequence[Member], key: str | None) -> list[Member]:
    """Return the table with the truth first: by its name, its truth column, or its few values.

    One-hot columns that all tables have are decoded in it.
    """
    classes = _shared_columns(members, key)

    def one_hot(member: Member) -> bool:
        return len(classes) > 1 and is_one_hot(member.table, classes)

    def rank(member: Member) -> tuple[bool, ...]:
        named = _called_truth(member.table)
        like_scores = named is not None and profiles(member.table)[named].continuous
        named_file = (not _is_solution(member), _is_submission(member))
        return (*named_file, not one_hot(member), named is None, like_scores)

    lead, *others = sorted(members, key=rank)
    if one_hot(lead) and "truth" not in lead.table.columns:
        columns = dict(zip(classes, classes, strict=True))
        lead = replace(lead, table=decoded(lead.table, "truth", columns))
    return [lead, *others]


def _with_target(members: Sequence[Member], key: str | None) -> list[Member]:
    """Return the tables with the roles of the one column that all share, if that is their target.

    It is where the first table alone is called the truth: there the truth, predicted in others.
    """
    lead, *others = members
    by_solution = _is_solution(lead) and not any(map(_is_solution, others))
    by_submission = not _is_submission(lead) and all(map(_is_submission, others))
    target, *more = [*_shared_columns(members, key), None]
    known = plain(target or "") in WORDS.truth or any(_predicted(m.table) for m in members)
    if known or target is None or more != [None] or not (by_solution or by_submission):
        return list(members)
    said_of = notice(NAMED_FILES, column=target, file=lead.table.source.name)
    lead_hints = replace(lead.table.hints, truth=target)
    table = with_notice(lead.table, said_of)
    found = [replace(lead, table=replace(table, hints=lead_hints))]
    for other in others:
        name = "" if len(others) > 1 else other.name
        role = "labels"
        if profile(lead.table, target).continuous:
            role = "predictions"
        elif profile(other.table, target).continuous:
            role = "scores"
        said: dict[str, Any] = {role: {name: target}}
        hints = replace(other.table.hints, **said)
        found.append(replace(other, table=replace(other.table, hints=hints)))
    return found


def _merged(
    members: Sequence[Member], key: str | None
) -> tuple[dict[str, pa.ChunkedArray], list[dict[str, str]]]:
    """Return all columns side by side, copies once, and what each table's are called now.

    The first table keeps the name of its truth.
    """
    own = _own_columns(members, key)
    counts = Counter(name for columns in own for name in columns)
    together: dict[str, pa.ChunkedArray] = {}
    renamed: list[dict[str, str]] = []
    for place, (member, columns) in enumerate(zip(members, own, strict=True)):
        clash = any(counts[name] > 1 for name in columns)
        called = {name: name for name in member.table.names}
        for name, column in columns.items():
            named = name == member.table.hints.truth or plain(name) in WORDS.truth
            keep = not clash if place else counts[name] == 1 or named
            called[name] = name if keep else f"{member.name}{BETWEEN}{name}"
            together[called[name]] = column
        renamed.append(called)
    return together, renamed


def _own_columns(members: Sequence[Member], key: str | None) -> list[dict[str, pa.ChunkedArray]]:
    """Return each table's own columns: neither the id nor copies of the first table's.

    What the first one's lack is filled with the copies.

    Raises:
        OtherTruthError: Tables disagree on the truth; a lone column beside the id is a prediction.
    """
    first = dict(members[0].table.columns)
    own = [first]
    for table in (member.table for member in members[1:]):
        predicted, columns = _predicted(table), dict(table.columns)
        if len(table.names) - (key in table.columns) == 1:
            predicted = {*table.names}
        for name, column in table.columns.items():
            lead = first.get(name)
            if name == key:
                del columns[name]
            elif lead is not None and name not in _predicted(table) and _same(column, lead):
                if lead.null_count:
                    first[name] = pc.coalesce(*_of_one_type([lead, column]))
                del columns[name]
            elif name not in predicted:
                _refuse_other_truth(name, column, first, key)
        own.append(columns)
    return own


def _refuse_other_truth(
    name: str, column: pa.ChunkedArray, first: Mapping[str, pa.ChunkedArray], key: str | None
) -> None:
    lead = first.get(name)
    if lead is None and key is None and plain(name) not in WORDS.faint_truth:
        # Nothing but the truth proves that rows at the same place are the same.
        lead = next((first[n] for n in first if plain(n) in WORDS.sure_truth), None)
        if lead is not None and _same(column, lead):
            return
    if lead is not None and plain(name) in WORDS.truth:
        raise OtherTruthError(name, lead, column, key)


def _same(column: pa.ChunkedArray, lead: pa.ChunkedArray) -> bool:
    """Return whether two columns hold the same wherever both hold something."""
    return pc.all(pc.equal(*_of_one_type([column, lead])), min_count=0).as_py() is not False


def _of_one_type(columns: Sequence[pa.ChunkedArray]) -> list[pa.ChunkedArray]:
    """Return columns as they are if they have one type, else as text."""
    kinds = {column.type for column in columns if not pa.types.is_null(column.type)}
    kind = kinds.pop() if len(kinds) == 1 else pa.string()
    return [column.cast(kind) for column in columns]


class OtherTruthError(EvalError):
    """Tables matched by `key`, or by position, have different truths; perhaps `alike` ones."""

    def __init__(
        self, column: str, first: pa.ChunkedArray, second: pa.ChunkedArray, key: str | None
    ) -> None:
        cells = [one.cast(pa.string()) for one in (first, second)]
        same = pc.fill_null(pc.equal(*cells), True).to_numpy()
        said = notice("truth-differs", rows=~same, column=column, all=len(same))
        super().__init__(said.code, said.message, rows=said.rows, column=column)
        self.key = key
        self.alike = _agreement(*cells) > _OF_THE_SAME_ROWS


_OF_THE_SAME_ROWS = 0.3
"""Agreement of two truths of the same rows, some of them written otherwise or mended; that of other
rows is 0, give or take 0.1 with 100 of them."""


def _agreement(first: pa.ChunkedArray, second: pa.ChunkedArray) -> float:
    """Return the correlation of two columns of numbers, or of the places of labels in one list."""
    try:
        plain_numbers = Source("", "", "", len(first))
        x, y = (as_numbers(one, "", plain_numbers).values for one in (first, second))
    except EvalError:
        places = places_of(pa.chunked_array([*first.chunks, *second.chunks]))
        x, y = np.split(np.where(places < 0, np.nan, places), 2)
    known = np.isfinite(x) & np.isfinite(y)
    if not (known.any() and np.ptp(x[known]) and np.ptp(y[known])):
        return 0.0
    return float(np.corrcoef(x[known], y[known])[0, 1])


def stacked(tables: Sequence[Table]) -> Table:
    """Return the rows of several tables one after the other, blank where a column is missing."""
    columns = {}
    for name in dict.fromkeys(name for table in tables for name in table.names):
        parts = [t.columns.get(name, pa.chunked_array([pa.nulls(t.n)])) for t in tables]
        chunks = [chunk for part in _of_one_type(parts) for chunk in part.chunks]
        columns[name] = pa.chunked_array(chunks)
    source = _source([table.source for table in tables], sum(table.n for table in tables))
    return replace(tables[0], columns=columns, source=source)


def named_by_file(tables: Sequence[Table]) -> list[Member]:
    """Name each table after its file; equal names are numbered."""
    stems = [PurePosixPath(table.source.name).name.split(".")[0] or "file" for table in tables]
    seen: Counter[str] = Counter()
    members = []
    for stem, table in zip(stems, tables, strict=True):
        seen[stem] += 1
        name = f"{stem} {seen[stem]}" if stems.count(stem) > 1 else stem
        members.append(Member(name, table))
    return members


def _key(members: Sequence[Member], chosen: str | None) -> str | None:
    """Find the column on which rows are matched: shared by all, named like an id, or unique."""
    common = _shared_columns(members)
    if chosen:
        if chosen not in common:
            raise refusal("no-key/chosen", id=chosen)
        return chosen
    for name in common:
        if plain(name) in WORDS.id or plain(name).endswith("_id"):
            return name
    unique = [name for name in common if all(_is_key(member.table, name) for member in members)]
    if unique:
        return unique[0]
    rows = [member.table.n for member in members]
    if len(set(rows)) > 1:
        sizes = ", ".join(f'"{m.table.source.name}" {m.table.n:,}' for m in members)
        raise refusal("no-key", sizes=sizes)
    return None


def _is_key(table: Table, name: str) -> bool:
    """Return whether a column has another value in each row, and is not measured nor predicted."""
    column, looks = table.columns[name], profile(table, name)
    measured = pa.types.is_floating(column.type) or (looks.numeric and not looks.whole)
    judged = plain(name) in WORDS.truth or name in _predicted(table)
    return not (measured or judged) and len(column) > 1 and len(column.unique()) == len(column)


def plain_marks(table: Table) -> Table:
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


def _source(sources: Sequence[Source], rows: int) -> Source:
    """Return what several sources have in common; the digest is of all of theirs."""
    digests = [source.digest for source in sources]
    together = hashlib.sha256("".join(digests).encode()).hexdigest()
    common: dict[str, Any] = {}
    for field in ("format", "tool", "encoding", "separator", "sheet"):
        found = {getattr(source, field) for source in sources} - {None if field == "tool" else ""}
        common[field] = found.pop() if len(found) == 1 else None
    common["format"] = common["format"] or "several"
    return Source(
        name=" + ".join(dict.fromkeys(source.name for source in sources)),
        digest=together if len({*digests}) > 1 else digests[0],
        rows=rows,
        **common,
    )
