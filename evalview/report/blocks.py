"""What a report is made of, before it has a format: plain text and numbers, tables, pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from evalcore.metrics.metric import Estimate
from evalview import text
from evalview.escape import visible


class Number(NamedTuple):
    """A number as it is shown, and where it stands in the JSON of the report.

    Attributes:
        shown: What the reader sees.
        key: The way to it, as `pointer` writes it.
    """

    shown: str
    key: str


Line = Sequence[str | Number]
"""One line of text in which numbers are marked; all of it is plain text."""


@dataclass(frozen=True)
class Paragraph:
    """A line of text; `kind` is "", "note", "warning" or "open" (to be filled in)."""

    line: Line
    kind: str = ""


@dataclass(frozen=True)
class Bar:
    """Where a value and its interval stand between the ends of a scale, as shares from 0 to 1."""

    low: float
    value: float
    high: float


@dataclass(frozen=True)
class Cell:
    """A cell of a table.

    Attributes:
        line: What it says.
        bar: A small picture of an interval below it; None without one.
        kind: "", "right" or "wrong" (of a confusion matrix), or "open" (to be filled in).
    """

    line: Line
    bar: Bar | None = None
    kind: str = ""


@dataclass(frozen=True)
class Table:
    """A table whose first column names its rows.

    Attributes:
        caption: What it shows, one sentence.
        head: The columns.
        rows: As many cells each.
        is_text: Whether its columns hold text, which is set to the left.
    """

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    is_text: bool = False


@dataclass(frozen=True)
class Drawing:
    """A picture: an SVG that stands alone, and the sentence for those who cannot see it."""

    title: str
    svg: str
    alt: str


@dataclass(frozen=True)
class Explorer:
    """The threshold explorer, and what it is fed with."""

    payload: Mapping[str, Any]


@dataclass(frozen=True)
class Terms:
    """Terms and what each means."""

    meanings: Mapping[str, str]


@dataclass(frozen=True)
class Typed:
    """Text of the reader's own, with its line breaks."""

    text: str


Block = Paragraph | Table | Drawing | Explorer | Terms | Typed


@dataclass(frozen=True)
class Section:
    """A part of the report under a heading; `key` names it in options and links."""

    key: str
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Document:
    """A report.

    Attributes:
        title: What it is about.
        verdict: The answer in a sentence.
        facts: What else is known, and what it rests on, in a line.
        sections: Its parts, in order.
        notes: What its author writes beside it; "" without.
        made: What made it, and when.
    """

    title: str
    verdict: str
    facts: str
    sections: Sequence[Section]
    made: str
    notes: str = ""


def pointer(*path: str | int) -> str:
    """Return the way to a value in the JSON, as RFC 6901 writes it.

    >>> pointer("models", "a/b", "n")
    '/models/a~1b/n'
    """
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path)


def cell(shown: str, kind: str = "") -> Cell:
    """Return a cell of plain text."""
    return Cell([shown], kind=kind)


def counted(value: float, *path: str | int, kind: str = "") -> Cell:
    """Return a cell with a number of rows."""
    return Cell([Number(text.count(value), pointer(*path))], kind=kind)


def estimated(made: Estimate | None, *path: str | int, ends: Sequence[float] = ()) -> Cell:
    """Return a cell with a number and its interval; a dash where there is none.

    `ends` are those of its scale, where the interval is to be drawn.
    """
    if made is None:
        return cell("–")
    return Cell(said(made, *path), _bar(made, ends))


def said(made: Estimate, *path: str | int) -> Line:
    """Return a number with its interval in brackets."""
    key, places = pointer(*path), text.decimals(made)
    if not made.defined:
        return [text.number(made.value)]
    value = Number(text.number(made.value, places), f"{key}/value")
    if made.low is None or made.high is None:
        return [value]
    low, high = (text.number(end, places) for end in (made.low, made.high))
    return [value, " (", Number(low, f"{key}/low"), " to ", Number(high, f"{key}/high"), ")"]


def _bar(made: Estimate, ends: Sequence[float]) -> Bar | None:
    if not ends or not made.defined or made.low is None or made.high is None:
        return None
    low, width = ends[0], ends[1] - ends[0] or 1.0
    places = ((at - low) / width for at in (made.low, made.value, made.high))
    return Bar(*(min(1.0, max(0.0, at)) for at in places))


def plain(line: Line) -> str:
    """Return a line without its marks."""
    return "".join(part if isinstance(part, str) else part.shown for part in line)


def shown(name: str) -> str:
    """Return a name as a cell shows it."""
    return visible(text.abbreviate(name, 60))
