"""From files to a table, a data set, or a preview of what an answer to a question leads to."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalcore.errors import EvalError, Offer
from evalcore.inputs import label_text
from evalread.binding import bind
from evalread.checks import ways_out
from evalread.columns import places_of
from evalread.counts.files import is_counts
from evalread.counts.judged import read_counts
from evalread.dataset import (
    NO_CHOICES,
    SCHEMA,
    Choice,
    Choices,
    Confidence,
    Dataset,
    Kind,
    Roles,
    Table,
    without_ignored,
)
from evalread.detection.folds import fold_table
from evalread.detection.layout import counts_of_matrix, holds_counts, with_counts, without_total
from evalread.detection.longform import (
    OTHER_ROWS,
    apart,
    asking,
    held,
    same_values,
    widen,
    with_one_model_column,
)
from evalread.detection.predictions import chosen_columns, no_such_column
from evalread.detection.profile import pieces, profile
from evalread.detection.roles import detect
from evalread.joining import Member, OtherTruthError, join, named_by_file, plain_marks, stacked
from evalread.notices import notice, refusal
from evalread.readers import MOST_FILES, read_cells, unpack
from evalread.readers.json_text import plain_cells
from evalread.readers.layouts import plain_text
from evalread.rewriting import one_truth, overlay, text
from evalread.tools import recognise
from evalread.worker.limits import content

if TYPE_CHECKING:
    import pandas as pd


def read(name: str, data: bytes, choices: Choices = NO_CHOICES) -> Table:
    """Read one file, or all that are in an archive.

    What only one tool writes becomes plain columns; a table with a row per model and example
    becomes a wide one.

    Raises:
        EvalError: The file is empty, too large, damaged, or in no known format.
    """
    parts = unpack(name, data)
    alone = choices if len(parts) == 1 else replace(choices, own_rows=False)
    return _as_one([_read(inner, content, alone) for inner, content in parts], choices)


def _as_one(tables: Sequence[Table], choices: Choices) -> Table:
    """Return the only table, or several of the same rows joined, of other rows one after another.

    Raises:
        EvalError: Tables can neither be matched, nor judged each by itself.
    """
    if len(tables) == 1:
        return tables[0]
    if any(table.counted is not None for table in tables):
        raise refusal("counts-several")
    members = named_by_file(tables)
    try:
        if not (choices.own_rows or any(map(holds_counts, tables))):
            return join(members, choices.id)
        problem = refusal("no-match/own-rows")
    except EvalError as refused:
        problem = refused
    return _one_after_another(members, choices, problem)


_PARTS = frozenset({"fold", "part", "split", "chunk", "cv", "batch", "shard"})
"""Words in the names of files that are parts of one test."""


def _one_after_another(members: Sequence[Member], choices: Choices, problem: EvalError) -> Table:
    """Return the rows of files that each hold a test of its own; else raise the problem."""
    tables = [plain_marks(member.table) for member in members]
    roles = [_roles(table, choices) for table in tables] if problem.code in OTHER_ROWS else []
    lead, *others = [None if one is None else _kind_and_columns(one) for one in roles] or [None]
    if lead is None or any(other is None or other[0] != lead[0] for other in others):
        raise problem
    column = "file" if all("file" not in table.names for table in tables) else "name of the file"
    renamed = []
    for member, table, other in zip(members, tables, [lead, *others], strict=True):
        pairs = zip(other[1] if other else (), lead[1], strict=True)
        called = {own: first for own, first in pairs if own and first}
        kept = (n for n in table.names if n in called or n not in called.values())
        columns = {called.get(name, name): table.columns[name] for name in kept}
        renamed.append(table.cut({**columns, column: text([member.name] * table.n)}))
    whole = stacked(renamed)
    undo = Offer("The files are parts of one test", "model", "")
    if choices.model == "":
        return whole
    parts = any({word.lower() for word in pieces(m.name)} & _PARTS for m in members)
    perhaps = False
    if (truth := lead[1][0]) and not holds_counts(whole):  # none where models are right or wrong
        perhaps = same_values(
            held(places_of(whole.columns[truth]), places_of(whole.columns[column]))
        )
    if choices.own_rows or not (parts or perhaps or _perhaps_matched(tables, problem)):
        return apart(whole, column, undo)
    return asking(whole, column, problem, undo)


def _perhaps_matched(tables: Sequence[Table], problem: EvalError) -> bool:
    """Return whether rows may be the same though they cannot be matched as they are."""
    if not isinstance(problem, OtherTruthError):
        return problem.code == "duplicate-id"
    key = problem.key
    return problem.alike or (key is not None and not all(profile(t, key).counting for t in tables))


def _roles(table: Table, choices: Choices) -> Roles | None:
    """Return the roles in a table of one test; None where they, or the truth, are not sure."""
    known = replace(choices, own_rows=False, model=None)
    named = all(column in table.columns for column in chosen_columns(known))
    try:
        roles = detect(table, known if named else NO_CHOICES)
    except EvalError as question:
        if question.code == "confusion-matrix":
            raise
        return None
    guessed = roles.truth and roles.reasons[roles.truth].confidence is Confidence.GUESS
    return roles if roles.models and not guessed else None


def _kind_and_columns(roles: Roles) -> tuple[Any, list[str]]:
    """Return what is the same in tables that can be judged alike, and the columns in one order."""
    parts: list[tuple[str, str | None]] = []
    for model in roles.models.values():
        single = ("label", "score", "prediction", "correct")
        parts += [(part, getattr(model, part)) for part in single]
        parts += sorted(model.probabilities.items())
    given = [(part, column is not None) for part, column in parts]
    names = tuple(roles.models) if len(roles.models) > 1 else ()
    beside = (roles.fold, roles.weight, roles.group, roles.id)
    columns = [roles.truth, *(column or "" for _, column in parts), *(one or "" for one in beside)]
    return (roles.task, names, given), columns


def _read(name: str, data: bytes, choices: Choices) -> Table:
    if is_counts(data):
        return ignoring(read_counts(name, data, hashlib.sha256(data).hexdigest()), choices)
    plain, notices = plain_text(data)
    table = without_total(_as_given(read_cells(name, plain, choices), data, plain))
    table = ignoring(replace(table, notices=(*notices, *table.notices)), choices)
    table = one_truth(plain_cells(recognise(table)))
    table = with_one_model_column(ignoring(table, choices), choices.model_columns or ())
    table = counts_of_matrix(table, choices.model)
    folds = fold_table(table, overlay(choices, table.hints))
    return folds or widen(with_counts(table), choices, partial(_truth_of, choices=choices))


def _truth_of(table: Table, choices: Choices) -> str | None:
    """Return the column of the truth in a table of one model; None where that is a guess."""
    roles = _roles(replace(table, hints=replace(table.hints, model=None)), choices)
    return (roles.truth or None) if roles else None


IGNORED = "ignored-column"


def ignoring(table: Table, choices: Choices) -> Table:
    """Leave out the columns that are to play no role, and say so."""
    gone = [name for name in choices.ignore or () if name in table.columns]
    left = {name: column for name, column in table.columns.items() if name not in gone}
    if gone and not left:
        raise refusal("no-columns")
    if not gone:
        return table
    hints = without_ignored(replace(table.hints, ignore=tuple(gone)))
    said = (*table.notices, *(notice(IGNORED, column=name) for name in gone))
    return replace(table, columns=left, hints=replace(hints, ignore=None), notices=said)


def refuse_unknown(table: Table, choices: Choices) -> Table:
    """Refuse columns to be ignored that no file has."""
    gone = {notice.column for notice in table.notices if notice.code == IGNORED}
    for name in choices.ignore or ():
        if name not in gone:
            raise no_such_column(name, table.names)
    return table


def _as_given(table: Table, data: bytes, read: bytes) -> Table:
    """Return the table with the digest of the bytes that were given, where others were read."""
    if read is data:
        return table
    return replace(table, source=replace(table.source, digest=hashlib.sha256(data).hexdigest()))


def load(files: Sequence[tuple[str, bytes]], choices: Choices = NO_CHOICES) -> Dataset:
    r"""Read, detect and bind: the whole way from (name, bytes) pairs to checked outcomes.

    Raises:
        EvalError: The files cannot be used; the message says what is wrong and what to do.

    >>> data = load([("p.csv", b"truth,score\n1,0.9\n0,0.2\n1,0.7\n")])
    >>> data.roles.truth, data.roles.positive, list(data.models)
    ('truth', '1', ['score'])
    """
    return bound(read_all(files, choices), choices)


def bound(table: Table, choices: Choices) -> Dataset:
    """Return the checked outcomes of a table.

    Raises:
        EvalError: The columns cannot be used; its offers are what may be chosen instead.
    """
    used = ignoring(table, choices)
    try:
        roles = detect(used, choices)
        dataset = bind(used, roles)
    except EvalError as problem:
        problem.offers = ways_out(problem, used, choices)
        if used.counted is not None and problem.rows:
            problem.rows = ()
            problem.message += " Rows are those of the counts."
        raise
    if not (left := _left_by_choice(used, choices, roles)):
        return dataset
    said = notice("only-chosen", names=left)
    return replace(dataset, notices=(*dataset.notices, said))


_MOST_LOOKED_AT = 1000
"""Of wider tables it is not asked what a choice leaves: to look twice would take too long."""


def _left_by_choice(table: Table, choices: Choices, roles: Roles) -> list[str]:
    """Return columns that would be predictions had none been chosen, which settles them all."""
    if not any(getattr(choices, one) for one in _ANSWERS) or len(table.names) > _MOST_LOOKED_AT:
        return []
    unsaid = replace(
        choices, truth=roles.truth, labels=None, scores=None, predictions=None, probabilities=None
    )
    try:
        found = detect(table, unsaid)
    except EvalError:
        return []
    if found.task is not roles.task:
        return []
    used = {column for model in roles.models.values() for column in model.columns}
    others = (column for model in found.models.values() for column in model.columns)
    sure = (one for one in others if found.reasons[one].confidence is not Confidence.GUESS)
    return [column for column in dict.fromkeys(sure) if column not in used]


_ANSWERS = ("labels", "scores", "predictions", "probabilities")
"""What is chosen of models that are judged by rows."""


def read_all(files: Sequence[tuple[str, bytes]], choices: Choices = NO_CHOICES) -> Table:
    """Read one file, or several joined on their id, to a table ready for detection.

    Raises:
        EvalError: A file cannot be read, or the files cannot be joined.
    """
    if not files:
        raise refusal("no-files")
    if len(files) > MOST_FILES:
        raise refusal("too-many-files", most=MOST_FILES)
    alone = choices if len(files) == 1 else replace(choices, own_rows=False)
    whole = _as_one([read(name, data, alone) for name, data in files], choices)
    return refuse_unknown(whole, choices)


def load_any(source: Any, roles: Mapping[str, Any]) -> Dataset:
    """Return the data set in a path or several, bytes, an open binary file or a data frame.

    `roles` are called as options of the command line, such as "truth", "score" or "positive".

    Raises:
        EvalError: The source or a role cannot be used; the message says what is wrong.
    """
    return load(files_of(source), choices_from(roles))


def files_of(source: Any) -> list[tuple[str, bytes]]:
    """Return the (name, bytes) pairs of what `load_any` takes; a data frame becomes one file.

    Raises:
        EvalError: A path cannot be read, or the source is none that can be.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        return [("data", bytes(source))]
    paths = source if isinstance(source, list | tuple) else [source]
    if all(isinstance(one, str | Path) for one in paths):
        return [_named_bytes(path) for path in paths]
    if hasattr(source, "read"):
        name = Path(str(getattr(source, "name", "data"))).name
        content = source.read()
        return [(name, content.encode() if isinstance(content, str) else content)]
    if hasattr(source, "columns") and hasattr(source, "dtypes"):
        return [_written(source.to_pandas() if hasattr(source, "to_pandas") else source)]
    raise refusal("no-source", kind=type(source).__name__)


def _named_bytes(path: str | Path) -> tuple[str, bytes]:
    """Return the name of a file and its bytes.

    Raises:
        EvalError: "no-file": it cannot be read; "too-large".
    """
    try:
        return Path(path).name, content(path)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise refusal("no-file", path=path, why=why) from error


def load_frame(frame: pd.DataFrame, choices: Choices = NO_CHOICES) -> Dataset:
    """Return the data set in a data frame of predictions, as if it had been a file.

    The index is left out. Columns are recognised by name and by value; `choices` settle what is.

    Raises:
        EvalError: The columns cannot be used; the message says what is wrong and what to do.

    >>> import pandas as pd
    >>> data = load_frame(pd.DataFrame({"truth": [0, 1, 1], "score": [0.2, 0.9, 0.7]}))
    >>> data.roles.truth, data.classes, list(data.models)
    ('truth', ('0', '1'), ['score'])
    """
    return load([_written(frame)], choices)


def _written(frame: pd.DataFrame) -> tuple[str, bytes]:
    """Return a data frame as a file."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        table = pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, ValueError) as error:
        raise refusal("frame", why=". ".join(map(str, error.args))) from error
    held = BytesIO()
    parquet.write_table(table, held)
    return "frame.parquet", held.getvalue()


def choices_from(roles: Mapping[str, Any]) -> Choices:
    """Return what is settled by roles called as the options of the command line.

    Raises:
        EvalError: There is no such role, or a value of it is none that can be chosen.

    >>> choices_from({"truth": "y", "score": "p", "positive": 1}).scores
    {'': 'p'}
    """
    known = {one.option.replace("-", "_"): one for one in SCHEMA}
    given: dict[str, Any] = {}
    for name, value in roles.items():
        if name not in known:
            raise refusal("unknown-role", said=name, roles=", ".join(sorted(known)))
        given[known[name].field] = None if value is None else _settled(known[name], value)
    return Choices(**given)


def _settled(one: Choice, value: Any) -> Any:
    """Return a value as the choice holds it.

    Several columns without a model are each called like themselves; of one model the classes alone
    may be given.
    """
    match one.kind, value:
        case Kind.TEXT, _:
            return label_text(value)
        case Kind.FLAG, _:
            return bool(value)
        case Kind.TEXTS, _:
            return tuple(map(label_text, [value] if isinstance(value, str) else value))
        case Kind.BY_MODEL, Mapping():
            return dict(value)
        case Kind.BY_MODEL, str():
            return {"": value}
        case Kind.BY_MODEL, _:
            columns = list(value)
            return {column if len(columns) > 1 else "": column for column in columns}
        case Kind.BY_CLASS, _:
            named = all(isinstance(part, Mapping) for part in value.values())
            models = value if named else {"": value}
            return {str(model): dict(of) for model, of in models.items()}
    try:
        return one.words(value) if one.words else value
    except ValueError as error:
        words = ", ".join(word.value for word in one.words or ())
        raise refusal("bad-role", said=str(value), option=one.option, words=words) from error
