"""A truth of one column per class, 1 in that of the true class: read as one column of classes."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from evalcore.errors import Notice
from evalcore.intake.model import Table
from evalcore.intake.profile import profile
from evalcore.intake.translate import rows_sum_to_one, said, text, with_columns
from evalcore.intake.wording import listed
from evalcore.intake.words import TRUTH, pieces, plain

_SEPARATORS = " _.-:/"


def one_truth(table: Table) -> Table:
    """Read "true_cat" beside "true_dog", all 0 or 1 and one of them 1 in each row, as "true"."""
    for name, columns in _called_truth(table.names).items():
        if name not in table.columns and is_one_hot(table, list(columns.values())):
            return decoded(table, name, columns)
    return table


def _called_truth(names: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
    """Return what columns are called before their class -> class -> column."""
    found: dict[str, dict[str, str]] = {}
    for name in names:
        for size in (2, 1):
            start = _start(name, size)
            if start and plain(start) in TRUTH:
                found.setdefault(start, {})[name[len(start) :].lstrip(_SEPARATORS)] = name
                break
    return {start: columns for start, columns in found.items() if len(columns) > 1}


def _start(name: str, size: int) -> str:
    """Return the first words of a name as written; nothing where no word is left then."""
    words = pieces(name)
    if len(words) <= size:
        return ""
    end = 0
    for word in words[:size]:
        end = name.index(word, end) + len(word)
    return name[:end]


def is_one_hot(table: Table, columns: Sequence[str]) -> bool:
    """Tell whether columns are 0 or 1 and exactly one of them is 1, in each row looked at."""
    zeros_and_ones = all(profile(table, name).holds_only({"0", "1"}) for name in columns)
    return zeros_and_ones and rows_sum_to_one(table, columns)


def decoded(table: Table, name: str, columns: Mapping[str, str]) -> Table:
    """Return the table with one column of classes in the place of those that are 0 and 1.

    Rows that are not 1 in exactly one column have no class.
    """
    cells = [table.columns[column].cast(pa.float64()).to_numpy() for column in columns.values()]
    matrix = np.column_stack(cells) == 1
    classes = [*columns, None]
    place = np.where(matrix.sum(axis=1) == 1, matrix.argmax(axis=1), len(columns))
    truth = text([classes[k] for k in place])
    told = f'{listed(list(columns.values()), 4)} are one column of classes: read as "{name}".'
    others = with_columns(table, {}, drop=list(columns.values()))
    return said(with_columns(others, {name: truth}), Notice("one-hot", told, column=name))
