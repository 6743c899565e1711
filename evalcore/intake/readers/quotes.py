"""A quote that is opened and never closed: it swallows the rows below it, up to the next quote."""

import re

from evalcore.errors import EvalError


def refuse_open_quote(text: bytes, quotes: int, separator: str) -> None:
    """Refuse text in which a quoted cell does not end where a cell may end.

    Only an odd number of quotes makes it look for one: some tools write a quote inside a cell.

    Raises:
        EvalError: "open-quote", naming the line.
    """
    if quotes % 2 == 0:
        return
    for cell in _quoted_cells(separator.encode()).finditer(text):
        if cell["end"] is None:
            line = line_at(text, cell.start("quote"))
            raise EvalError("open-quote", f'Line {line} opens a quote (") that is never closed.')


def _quoted_cells(separator: bytes) -> re.Pattern[bytes]:
    """Return a pattern of cells that begin with a quote; they have no `end` where it is missing."""
    bound = b"[\r\n" + re.escape(separator) + b"]"
    inside = rb'[^"]*+(?:""[^"]*+)*+'
    return re.compile(
        rb"(?:\A|(?<=" + bound + rb'))(?P<quote>")' + inside + rb'(?P<end>"(?=' + bound + rb"|\Z))?"
    )


def line_at(text: bytes, place: int) -> int:
    """Return the line on which a byte stands, 1 being the first."""
    return max(text.count(mark, 0, place) for mark in (b"\n", b"\r")) + 1
