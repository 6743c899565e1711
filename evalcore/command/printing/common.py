"""Aligned columns, short numbers, and text of files made harmless for a screen."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from evalcore.errors import Notice
from evalcore.metrics.catalog import by_key
from evalcore.metrics.spec import Estimate


def notices(some: Iterable[Notice]) -> Iterator[str]:
    """Return a line per notice, warnings marked."""
    for notice in some:
        yield f"{'!' if notice.severity == 'warning' else '-'} {visible(notice.message)}"


def visible(text: str) -> str:
    r"""Return text of a file with control and direction characters spelled out.

    So that a label cannot move the cursor, colour the screen or turn the line round.

    >>> visible("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def table(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """Return rows as lines of aligned columns; columns of numbers, whatever their head, lean right.

    >>> table([("", "rows"), ("a", "1.5"), ("long", "10.25")])
    ['       rows', 'a       1.5', 'long  10.25']
    """
    if not rows:
        return []
    columns = list(zip(*rows, strict=True))
    widths = [max(map(width, column)) for column in columns]
    right = [all(map(_is_number, column[1:] or column)) for column in columns]
    return [(indent + "  ".join(map(_padded, row, widths, right))).rstrip() for row in rows]


def number(value: float, unit: str = "") -> str:
    """Return a number as short as it can be read, never rounded to a perfect 1.

    >>> number(0.97891), number(0.99997), number(12345.6), number(0.00000123), number(3, "count")
    ('0.979', '0.99997', '12,346', '1.2e-06', '3')
    """
    if unit == "count":
        return f"{value:,.6g}"
    size = abs(value)
    if size >= 1000:
        return f"{value:,.0f}"
    if 0 < size < 0.0005:
        return f"{value:.1e}"
    if 0.9995 <= size < 1:
        return f"{value:.5f}" if size < 0.999995 else f"{value:.9g}"
    return f"{value:.3f}" if size < 10 else f"{value:.4g}"


def pages(parts: Iterable[Iterable[str]]) -> str:
    """Return parts, each of some lines, with a blank line between them; empty ones left out."""
    return "\n\n".join("\n".join(part) for part in map(list, parts) if part)


def cells(made: Estimate, unit: str = "") -> tuple[str, str, str]:
    """Return the value, its interval, and how it was made or why there is none."""
    if np.isnan(made.value):
        return "-", "", f"undefined: {made.why}"
    if np.isinf(made.value):
        return ("inf" if made.value > 0 else "-inf"), "", f"infinite: {made.why}"
    at = f"at {made.at:g}" if made.at is not None else ""
    value = number(made.value, unit)
    if made.low is None or made.high is None:
        return value, "", at or made.note
    ends = f"{number(made.low)} to {number(made.high)}"
    return value, ends, "; ".join(filter(None, [made.method or "", made.note]))


def metrics(group: Mapping[str, Estimate]) -> list[str]:
    """Return a line per metric: name, value, interval, and how it was made."""
    known = by_key()
    return table([(known[k].name, *cells(made, known[k].unit)) for k, made in group.items()], "  ")


def short(made: Estimate | None) -> str:
    """Return a value alone, "-" where there is none."""
    return number(made.value) if made is not None and made.defined else "-"


def width(text: str) -> int:
    """Return the columns that a text takes on a screen."""
    marks = sum(1 for c in text if unicodedata.combining(c))
    wide = sum(1 for c in text if unicodedata.east_asian_width(c) in "WF")
    return len(text) - marks + wide


def _padded(text: str, columns: int, right: bool) -> str:
    room = " " * (columns - width(text))
    return room + text if right else text + room


def _is_number(text: str) -> bool:
    return text.replace(",", "").replace(".", "").lstrip("-").isdigit() or text in ("", "-", "inf")
