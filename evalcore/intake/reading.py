"""From the bytes of one file to a table ready for detection."""

import hashlib
from dataclasses import replace

from evalcore.intake.crosstables import without_summaries, without_total
from evalcore.intake.foldscores import holds_fold_scores
from evalcore.intake.joining import by_file, join
from evalcore.intake.longform import widen
from evalcore.intake.model import NO_CHOICES, Choices, Table
from evalcore.intake.nested import plain_cells
from evalcore.intake.onehot import one_truth
from evalcore.intake.printed import plain_text
from evalcore.intake.readers import read_cells
from evalcore.intake.readers.archives import unpack
from evalcore.intake.signatures import overlay, recognise
from evalcore.intake.tools import TOOLS


def read(name: str, data: bytes, choices: Choices = NO_CHOICES) -> Table:
    """Read one file, or all that are in an archive.

    What only one tool writes becomes plain columns; a table with a row per model and example
    becomes a wide one.

    Raises:
        EvalError: The file is empty, too large, damaged, or in no known format.
    """
    tables = [_read(inner, content, choices) for inner, content in unpack(name, data)]
    return tables[0] if len(tables) == 1 else join(by_file(tables), choices.id)


def _read(name: str, data: bytes, choices: Choices) -> Table:
    plain, told = plain_text(data)
    table = without_total(_as_given(read_cells(name, plain, choices), data, plain))
    table = replace(table, notices=(*told, *table.notices))
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
