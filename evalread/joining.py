"""Several tables as one: of the same rows, joined on their id; of other rows, one after another."""

import contextlib
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.errors import EvalError, Notice
from evalcore.outcomes import Rows
from evalcore.text import counted, have
from evalread.columns import as_numbers, places_of
from evalread.dataset import NO_CHOICES, Choices, Source, Table
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
from evalread.rewriting import PREDICTIONS, decoded, is_one_hot, overlay
from evalread.rows import Mask, row_list, row_numbers


@dataclass(frozen=True, eq=False)
class Member:
    """One of several tables, and the name its predictions are called by."""

    name: str
    table: Table


def predicted_columns(table: Table) -> set[str]:
    """Return the columns that hold predictions, by their names or by the tool that wrote them."""
    hinted = {one.column for one in chosen_predictions(table.hints)}
    return hinted | {name for name in table.names if speaks_of_prediction(name)}


def joined_hints(members: Sequence[Member], renamed: Sequence[Mapping[str, str]]) -> Choices:
    """Return the roles known in each table, under the names that its columns have now.

    Where a table beside the first is of no known tool, its predictions are left to detection,
    and so are those of all others.
    """
    known = [bool(_predictions(member.table.hints)) for member in members]
    several = sum(known) > 1
    joined = NO_CHOICES
    for member, called in zip(members, renamed, strict=True):
        hints = member.table.hints
        one = {
            role: called.get(getattr(hints, role) or "", getattr(hints, role))
            for role in ("truth", "fold", "weight", "group", "id")
            if getattr(joined, role) is None
        }
        joined = replace(joined, **one)
        if all(known[1:]):
            joined = _with_models(joined, member, called, several=several)
    return joined


def _predictions(hints: Choices) -> list[str]:
    return [role for role in PREDICTIONS if getattr(hints, role)]


def _with_models(
    joined: Choices, member: Member, called: Mapping[str, str], *, several: bool
) -> Choices:
    """Add a table's models, called after the table if there are several."""
    hints = member.table.hints

    def name(model: str) -> str:
        return " ".join(filter(None, (member.name, model))) if several else model

    added: dict[str, Any] = {}
    for role in _predictions(hints):
        mapping = getattr(hints, role)
        own = {
            name(model): {of: called[c] for of, c in columns.items()}
            if role == "probabilities"
            else called[columns]
            for model, columns in mapping.items()
        }
        added[role] = {**(getattr(joined, role) or {}), **own}
    scale = hints.scale if joined.scale in (None, hints.scale) else None
    return replace(
        joined, **added, scale=scale or joined.scale, positive=joined.positive or hints.positive
    )


def match_rows(lead: Table, other: Member, key: str | None) -> tuple[Rows, list[Notice]]:
    """Return for each row of the lead its place in the other table (-1: none), and notices."""
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
    places = places_of(keys)
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


def rows_at(table: Table, places: Rows) -> Table:
    """Return the table's rows at these places, blank where there is none."""
    if np.array_equal(places, np.arange(table.n)):
        return table
    indices = pa.array(places, mask=places < 0)
    columns = {name: column.take(indices) for name, column in table.columns.items()}
    return replace(table, columns=columns, source=replace(table.source, rows=len(places)))


_SOLUTION = frozenset({"solution", "truth", "gold", "answers", "labels", "actual", "reference"})
NAMED_FILES = "truth-file"
"""Code of the notice that the names of the files told which has the truth."""

_SUBMISSION = frozenset({"submission", "submissions"})


def is_solution(member: Member) -> bool:
    """Tell whether a table is called like the truth."""
    words = set(lowered(member.name))
    return bool(words & _SOLUTION) or plain(member.name) in WORDS.truth


def is_submission(member: Member) -> bool:
    """Tell whether a table is called like predictions."""
    words = set(lowered(member.name))
    return bool(words & _SUBMISSION) or speaks_of_prediction(member.name)


def shared_columns(members: Sequence[Member], key: str | None) -> list[str]:
    """Return the columns that every table has, beside the id."""
    first, *others = members
    names = (name for name in first.table.names if name != key)
    return [name for name in names if all(name in other.table.columns for other in others)]


def with_one_truth(members: Sequence[Member], key: str | None) -> list[Member]:
    """Return the tables, one-hot columns that all of them have decoded in the first."""
    lead, *others = members
    classes = shared_columns(members, key)
    if len(classes) < 2 or "truth" in lead.table.columns or not is_one_hot(lead.table, classes):
        return list(members)
    columns = dict(zip(classes, classes, strict=True))
    return [Member(lead.name, decoded(lead.table, "truth", columns)), *others]


def sole_target(members: Sequence[Member], key: str | None) -> str | None:
    """Return the one column that all tables share where the first alone is called the truth."""
    lead, *others = members
    by_solution = is_solution(lead) and not any(map(is_solution, others))
    by_submission = not is_submission(lead) and all(map(is_submission, others))
    shared = shared_columns(members, key)
    if not (by_solution or by_submission) or len(shared) != 1:
        return None
    known = any(predicted_columns(member.table) for member in members)
    return None if known or plain(shared[0]) in WORDS.truth else shared[0]


def target_hints(
    table: Table, members: Sequence[Member], target: str, renamed: Sequence[Mapping[str, str]]
) -> Choices:
    """Return the roles of a target that the first table knows and the others predict."""
    truth = profile(table, target)
    named = zip(members[1:], renamed[1:], strict=True)
    predicted = {member.name: called[target] for member, called in named}
    if truth.continuous:
        return replace(NO_CHOICES, truth=target, predictions=predicted)
    scores = {m: c for m, c in predicted.items() if profile(table, c).continuous}
    labels = {m: c for m, c in predicted.items() if m not in scores}
    return replace(NO_CHOICES, truth=target, labels=labels or None, scores=scores or None)


def merged(
    members: Sequence[Member], key: str | None, target: str | None = None
) -> tuple[dict[str, pa.ChunkedArray], list[dict[str, str]]]:
    """Return all columns side by side, copies once, and what each table's are called now.

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
            named = name == target or plain(name) in WORDS.truth
            keep = not clash if place else counts[name] == 1 or named
            called[name] = name if keep else f"{member.name}{BETWEEN}{name}"
            together[called[name]] = column
        renamed.append(called)
    return together, renamed


def _own_columns(
    members: Sequence[Member], key: str | None, target: str | None
) -> list[dict[str, pa.ChunkedArray]]:
    """Return each table's own columns: neither the id nor copies of the first table's."""
    columns_of = [dict(member.table.columns) for member in members]
    for member, columns in zip(members[1:], columns_of[1:], strict=True):
        predicted = predicted_columns(member.table) | {target}
        for name in list(columns):
            if name == key or (
                name not in predicted and _same(columns[name], columns_of[0].get(name))
            ):
                del columns[name]
    return columns_of


def _same(column: pa.ChunkedArray, lead: pa.ChunkedArray | None) -> bool:
    """Tell whether two columns hold the same wherever both hold something."""
    if lead is None:
        return False
    if column.type != lead.type:
        column, lead = column.cast(pa.string()), lead.cast(pa.string())
    return pc.all(pc.equal(column, lead), min_count=0).as_py() is not False


class OtherTruthError(EvalError):
    """Tables matched by `key`, or by position, have different truths; perhaps `alike` ones."""

    def __init__(
        self, column: str, first: pa.ChunkedArray, second: pa.ChunkedArray, key: str | None
    ) -> None:
        cells = [one.cast(pa.string()) for one in (first, second)]
        same = pc.fill_null(pc.equal(*cells), True).to_numpy()
        super().__init__(
            "truth-differs",
            f'Truths disagree: "{column}" differs in {int((~same).sum()):,} of {len(same):,} rows '
            f"({row_list(~same)}). They do not tell of the same rows in the same order.",
            rows=row_numbers(~same),
            column=column,
        )
        self.key = key
        self.alike = _agreement(cells[0], cells[1], same) > _OF_THE_SAME_ROWS


_OF_THE_SAME_ROWS = 0.3
"""Agreement of two truths of the same rows, some of them written otherwise or mended; that of other
rows is 0, give or take 0.1 with 100 of them."""


def _agreement(first: pa.ChunkedArray, second: pa.ChunkedArray, same: Mask) -> float:
    """Return the correlation of two columns of numbers, Cohen's kappa of others."""
    with contextlib.suppress(EvalError):
        plain_numbers = Source("", "", "", len(same))
        x, y = (as_numbers(one, "", plain_numbers).values for one in (first, second))
        known = np.isfinite(x) & np.isfinite(y)
        if known.any() and np.ptp(x[known]) and np.ptp(y[known]):
            return float(np.corrcoef(x[known], y[known])[0, 1])
    one, other = np.split(places_of(pa.chunked_array([*first.chunks, *second.chunks])), 2)
    known = (one >= 0) & (other >= 0)
    size = int(max(one.max(), other.max())) + 1
    shares = [np.bincount(own[known], minlength=size) / known.sum() for own in (one, other)]
    chance = float(shares[0] @ shares[1])
    return 1.0 if chance == 1 else (float(same[known].mean()) - chance) / (1 - chance)


def _refuse_other_truth(
    members: Sequence[Member], own: Sequence[Mapping[str, pa.ChunkedArray]], key: str | None
) -> None:
    """Refuse files that disagree on the truth; a lone column beside the id is a prediction."""
    for member, columns in zip(members[1:], own[1:], strict=True):
        for name in columns:
            lead = own[0].get(name)
            alone = len([n for n in member.table.names if n != key]) == 1
            predicted = alone or name in predicted_columns(member.table)
            if lead is None and key is None and plain(name) not in WORDS.faint_truth:
                # Nothing but the truth proves that rows at the same place are the same.
                lead = next((own[0][n] for n in own[0] if plain(n) in WORDS.sure_truth), None)
                if lead is not None and _same(columns[name], lead):
                    continue
            if lead is not None and plain(name) in WORDS.truth and not predicted:
                raise OtherTruthError(name, lead, columns[name], key)


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
    lead, *others = with_one_truth(_lead_first(plain_ones, key), key)
    lead, audit = _with_rows_of_all(lead, others, key)
    aligned = [lead]
    for other in others:
        rows, notices = match_rows(lead.table, other, key)
        aligned.append(Member(other.name, rows_at(other.table, rows)))
        audit.extend(notices)
    target = sole_target(aligned, key)
    columns, renamed = merged(aligned, key, target)
    source = _source([member.table.source for member in members], lead.table)
    own = [notice for member in (lead, *others) for notice in member.table.notices]
    notices_of_all = tuple(dict.fromkeys((*own, *audit)))
    cuts = {m.table.threshold for m in members if m.table.threshold is not None}
    cut = cuts.pop() if len(cuts) == 1 else None
    joined = Table(columns, source, notices_of_all, joined_hints(aligned, renamed), cut)
    return joined if target is None else _with_target(joined, aligned, target, renamed)


def _with_target(
    joined: Table, members: Sequence[Member], target: str, renamed: Sequence[Mapping[str, str]]
) -> Table:
    """Return the joined table with the first one's target as the truth, and say so."""
    hints = overlay(target_hints(joined, members, target, renamed), joined.hints)
    message = (
        f'All files have a column "{target}": that of "{members[0].table.source.name}" was taken '
        "for the truth, by the names of the files, and the others for predictions."
    )
    notice = Notice(NAMED_FILES, message, column=target)
    return replace(joined, hints=hints, notices=(*joined.notices, notice))


def _with_rows_of_all(
    lead: Member, others: Sequence[Member], key: str | None
) -> tuple[Member, list[Notice]]:
    """Return the first table with the rows that only others have, where all hold the truth."""
    truth = next((name for name in lead.table.names if plain(name) in WORDS.truth), None)
    tests = (o.table for o in others if truth in o.table.columns and predicted_columns(o.table))
    if key is None or len([*tests]) < len(others):
        return lead, []
    ids = [one.table.columns[key].cast(pa.string()) for one in (lead, *others)]
    if len(pc.unique(_chained(ids))) == sum(map(len, ids)):
        return lead, []  # as no id is shared, rows of others are none of these
    notices = []
    for other, own in zip(others, ids[1:], strict=True):
        lead_ids = lead.table.columns[key].cast(pa.string())
        new = pc.invert(pc.is_in(own, value_set=lead_ids.combine_chunks()))
        if not (count := pc.sum(new).as_py()):
            continue
        common = rows_at(other.table, match_rows(lead.table, other, key)[0])
        copies = {
            name
            for name in set(lead.table.names) - predicted_columns(lead.table)
            if name in common.columns and _same(common.columns[name], lead.table.columns[name])
        }
        added = {
            name: column.filter(new)
            for name, column in other.table.columns.items()
            if name in copies | {key, truth}
        }
        lead = replace(lead, table=stacked([lead.table, lead.table.cut(added)]))
        message = (
            f'{counted(count, "row")} of "{other.name}" {have(count)} an id that stands nowhere '
            "before; each model is judged on its own rows."
        )
        notices.append(Notice("rows-of-one", message, column=key))
    return lead, notices


def stacked(tables: Sequence[Table]) -> Table:
    """Return the rows of several tables one after the other, blank where a column is missing."""
    names = dict.fromkeys(name for table in tables for name in table.names)
    columns = {
        name: _chained(
            [
                t.columns[name] if name in t.columns else pa.chunked_array([pa.nulls(t.n)])
                for t in tables
            ]
        )
        for name in names
    }
    source = _source([table.source for table in tables], tables[0])
    return replace(
        tables[0], columns=columns, source=replace(source, rows=sum(t.n for t in tables))
    )


def _chained(columns: Sequence[pa.ChunkedArray]) -> pa.ChunkedArray:
    """Return several columns as one, as text if their types differ."""
    kinds = {column.type for column in columns if not pa.types.is_null(column.type)}
    kind = kinds.pop() if len(kinds) == 1 else pa.string()
    return pa.chunked_array(
        [chunk for column in columns for chunk in column.cast(kind).chunks], kind
    )


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


def _lead_first(members: Sequence[Member], key: str | None) -> list[Member]:
    """Put the table with the truth first: by its name, its truth column, or its few values."""
    classes = shared_columns(members, key)

    def rank(member: Member) -> tuple[bool, ...]:
        named = [name for name in member.table.names if plain(name) in WORDS.truth]
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
        if plain(name) in WORDS.id or plain(name).endswith("_id"):
            return name
    unique = [name for name in common if all(_is_key(member.table, name) for member in members)]
    if unique:
        return unique[0]
    rows = [member.table.n for member in members]
    if len(set(rows)) > 1:
        sizes = ", ".join(f'"{m.table.source.name}" {m.table.n:,}' for m in members)
        raise EvalError(
            "no-key",
            f"The files share no id column, and have different numbers of rows ({sizes}). "
            "Add a column with the same ids to each.",
        )
    return None


def _is_key(table: Table, name: str) -> bool:
    """Tell whether a column has another value in each row, and is not measured nor predicted."""
    column, looks = table.columns[name], profile(table, name)
    measured = pa.types.is_floating(column.type) or (looks.numeric and not looks.whole)
    judged = plain(name) in WORDS.truth or name in predicted_columns(table)
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
    different = set(values)
    return different.pop() if len(different) == 1 else None
