"""Tables made of what readers found: unique column names, and values as text."""

import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from tokenize import TokenError
from typing import Any
from xml.etree.ElementTree import ParseError

import pyarrow as pa

from evalcore.errors import EvalError, Notice
from evalcore.text import joined, shorten
from evalread.dataset import Source, Table
from evalread.notices import notice, refusal
from evalread.rewriting import cell_text, refuse_too_many_cells

_BROKEN = (
    zipfile.BadZipFile, zlib.error, struct.error, ParseError, SyntaxError, TokenError,
    pa.ArrowException, ArithmeticError, AssertionError, AttributeError, EOFError, LookupError,
    OSError, RuntimeError, TypeError, ValueError,
)  # fmt: skip
"""What libraries raise that read damaged files. Too little memory is no damage: who sets its limit
says so."""


@contextmanager
def on_damage(key: str, **words: str) -> Iterator[None]:
    """Refuse a damaged file by a key of `notices.txt`, whatever a library raises that reads it.

    Raises:
        EvalError: "unreadable".
    """
    try:
        yield
    except _BROKEN:
        raise refusal(key, **words) from None


MOST_COLUMNS = 20_000
"""Columns that are read; to look at more takes longer than anybody waits."""

_MOST_NAME = 500
"""Letters of a column's name that are kept: a longer header is a text, and names are searched."""

_MOST_PLACES = 20
"""Columns of the same name that a notice lists."""


def refuse_too_many_columns(columns: int) -> None:
    """Refuse a table of more columns than are read.

    Raises:
        EvalError: "too-many-columns".
    """
    if columns > MOST_COLUMNS:
        raise refusal("too-many-columns", columns=columns, most=MOST_COLUMNS)


def unique_names(header: Sequence[str]) -> tuple[tuple[str, ...], tuple[Notice, ...]]:
    """Return trimmed, unique column names, and a notice for each repeated header.

    A repeated header is shown with its place, a blank one is called by it.

    >>> unique_names(["id", "p", "", "p"])[0]
    ('id', 'p (column 2)', 'column 3', 'p (column 4)')

    Raises:
        EvalError: "too-many-columns".
    """
    refuse_too_many_columns(len(header))
    trimmed = [shorten(cell.strip(), _MOST_NAME) for cell in header]
    places: dict[str, list[str]] = {}
    for place, name in enumerate(trimmed, start=1):
        places.setdefault(name, []).append(str(place))
    taken = {name for name, found in places.items() if len(found) == 1}
    names = []
    for place, name in enumerate(trimmed, start=1):
        shown = name
        if len(places[name]) > 1 or not name:
            shown = f"{name} (column {place})" if name else f"column {place}"
            while shown in taken:
                shown += "'"
            taken.add(shown)
        names.append(shown)
    notices = (
        notice("duplicate-header", column=name, places=joined(found, _MOST_PLACES))
        for name, found in sorted(places.items())
        if name and len(found) > 1
    )
    return tuple(names), tuple(notices)


def table_of(
    header: Sequence[str],
    columns: Sequence[pa.ChunkedArray],
    source: Source,
    notices: Sequence[Notice] = (),
) -> Table:
    """Return the table of columns below a header.

    Raises:
        EvalError: "too-many-columns", or "header-only" where there are no rows.
    """
    names, name_notices = unique_names(header)
    rows = len(columns[0]) if columns else 0
    if rows == 0:
        raise header_only(len(names))
    return Table(
        columns=dict(zip(names, columns, strict=True)),
        source=replace(source, rows=rows),
        notices=(*name_notices, *notices),
    )


def header_only(columns: int) -> EvalError:
    """Return the error for a table that has a header and nothing below it."""
    return refusal("header-only", columns=columns)


def table_from_columns(
    header: Sequence[str],
    columns: Iterable[Sequence[Any]],
    source: Source,
    notices: Sequence[Notice] = (),
) -> Table:
    """Return a table of values as text.

    Raises:
        EvalError: "header-only" where there are no rows, "unreadable" for text that is none.
    """
    refuse_too_many_columns(len(header))
    with on_damage("unreadable/unicode"):
        texts = [pa.array([cell_text(one) for one in values], pa.string()) for values in columns]
    return table_of(header, [pa.chunked_array([text]) for text in texts], source, notices)


def table_from_records(records: Sequence[Mapping[str, Any]], source: Source) -> Table:
    """Return a table with a column per key, blank where a record lacks it."""
    keys = list(dict.fromkeys(key for record in records for key in record))
    refuse_too_many_columns(len(keys))
    refuse_too_many_cells(len(records), len(keys))
    return table_from_columns(keys, ([r.get(k) for r in records] for k in keys), source)
