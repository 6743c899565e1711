"""From files to a table, or to a data set, in one call."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from evalcore.dataset import NO_CHOICES, Choices, Dataset, Table
from evalcore.errors import EvalError
from evalread.binding import bind
from evalread.folds import holds_fold_scores
from evalread.joining import join, named_by_file, one_truth
from evalread.layout import widen, without_summaries, without_total
from evalread.readers import MOST_FILES, read_cells, unpack
from evalread.readers.json_text import plain_cells
from evalread.readers.layouts import plain_text
from evalread.roles import detect
from evalread.signatures import overlay, recognise
from evalread.tools import TOOLS


def read(name: str, data: bytes, choices: Choices = NO_CHOICES) -> Table:
    """Read one file, or all that are in an archive.

    What only one tool writes becomes plain columns; a table with a row per model and example
    becomes a wide one.

    Raises:
        EvalError: The file is empty, too large, damaged, or in no known format.
    """
    tables = [_read(inner, content, choices) for inner, content in unpack(name, data)]
    return tables[0] if len(tables) == 1 else join(named_by_file(tables), choices.id)


def _read(name: str, data: bytes, choices: Choices) -> Table:
    plain, notices = plain_text(data)
    table = without_total(_as_given(read_cells(name, plain, choices), data, plain))
    table = replace(table, notices=(*notices, *table.notices))
    table = one_truth(plain_cells(recognise(table, TOOLS)))
    known = overlay(choices, table.hints)
    if holds_fold_scores(table, known):
        return without_summaries(table, known.fold)
    return widen(table, choices)


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
    table = read_all(files, choices)
    return bind(table, detect(table, choices))


def read_all(files: Sequence[tuple[str, bytes]], choices: Choices = NO_CHOICES) -> Table:
    """Read one file, or several joined on their id, to a table ready for detection.

    Raises:
        EvalError: A file cannot be read, or the files cannot be joined.
    """
    if not files:
        raise EvalError("no-files", "There is no file.")
    if len(files) > MOST_FILES:
        raise EvalError("too-many-files", f"At most {MOST_FILES} files are read together.")
    tables = [read(name, data, choices) for name, data in files]
    return tables[0] if len(tables) == 1 else join(named_by_file(tables), choices.id)
