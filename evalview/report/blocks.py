"""What a report is made of, before it has a format: plain text and numbers, tables, pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from evalcore.curves.roc import CalibrationCurve
from evalcore.metrics.metric import Estimate, Metric
from evalview import text
from evalview.escape import html, visible
from evalview.figures.theme import ModelStyle, model_styles


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
    """The threshold explorer, what it is fed with, and a picture of it where it cannot work."""

    payload: Mapping[str, Any]
    still: Drawing


@dataclass(frozen=True)
class Terms:
    """Terms and what each means."""

    meanings: Mapping[str, str]


@dataclass(frozen=True)
class Typed:
    """Text that the author of the report wrote, with its line breaks."""

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


def matrix(
    labels: Sequence[str],
    counts: np.ndarray,
    hidden: np.ndarray,
    place: Sequence[str | int],
    *,
    marks_right: bool = False,
) -> list[list[Cell]]:
    """Return the rows of a table of counts; hidden ones are dots, and their sum stands at its end.

    `place` leads to the counts in the JSON. `marks_right`: right and wrong decisions are coloured.
    """
    rows = []
    for i, label in enumerate(labels):
        cells = [cell(shown(label))]
        for j, held in enumerate(counts[i].tolist()):
            kind = "right" if i == j else "wrong" if held else ""
            own = counted(held, *place, i, j, kind=kind if marks_right else "")
            cells.append(cell("·") if hidden[i, j] else own)
        if hidden.any():
            rest = float(counts[i][hidden[i]].sum())
            cells.append(cell(text.count(rest), "wrong" if marks_right and rest else ""))
        rows.append(cells)
    return rows


def ends_of(metric: Metric) -> Sequence[float]:
    """Return the ends of the scale on which an interval is drawn; none of an endless one."""
    return (metric.low, metric.high) if isfinite(metric.low) and isfinite(metric.high) else ()


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


# Pictures: few shapes, whose colours are those of the style sheet

LEFT, TOP, RIGHT, BOTTOM = 44.0, 30.0, 14.0, 40.0
WIDTH, HEIGHT = 420.0, 340.0

DASHES = {"solid": "", "dash": "6 4", "dot": "2 3", "dashdot": "6 3 2 3", "longdashdot": "10 3 2 3"}

Styles = Mapping[str, ModelStyle]


def styles(names: Sequence[str]) -> Styles:
    """Return how each model is drawn wherever it appears."""
    return model_styles(names)


def _at(x: float, y: float) -> tuple[float, float]:
    """Return where shares of both axes stand."""
    across, up = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    return round(LEFT + x * across, 1), round(TOP + (1 - y) * up, 1)


def _svg(alt: str, parts: Sequence[str], width: float = WIDTH, height: float = HEIGHT) -> str:
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{html(alt)}">'
        f"{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, said: str, anchor: str = "start", kind: str = "tick") -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{html(said)}</text>'


def _stroke(ends: Sequence[float], kind: str, paint: str = "") -> str:
    x1, y1, x2, y2 = ends
    return f'<line class="{kind}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"{paint}/>'


def _axes(above: str, below: str) -> list[str]:
    parts = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        x, y = _at(share, share)
        parts.append(_stroke((LEFT, y, WIDTH - RIGHT, y), "grid"))
        parts.append(_text(LEFT - 8, y + 4, f"{share:g}", "end"))
        parts.append(_text(x, HEIGHT - BOTTOM + 16, f"{share:g}", "middle"))
    parts.append(_text(LEFT - 36, 12, above, kind="axis"))
    parts.append(_text(WIDTH - RIGHT, HEIGHT - 6, below, "end", "axis"))
    return parts


Course = tuple[Sequence[float], Sequence[float]]
"""Where a line leads: shares of both axes."""


def _lines(lines: Mapping[str, Course], chosen: str, drawn: Styles) -> list[str]:
    """Return a line for each model, the chosen one above all others."""
    parts = []
    for name, (across, up) in sorted(lines.items(), key=lambda item: item[0] == chosen):
        places = [_at(x, y) for x, y in zip(across, up, strict=True)]
        points = " ".join(f"{x:g},{y:g}" for x, y in places)
        width = 2.5 if name == chosen else 1.2
        parts.append(
            f'<polyline fill="none" stroke="{drawn[name].color}" stroke-width="{width}" '
            f'stroke-dasharray="{DASHES[drawn[name].dash]}" points="{points}"/>'
        )
    return parts


def _dot(x: float, y: float, color: str) -> str:
    across, up = _at(x, y)
    return f'<circle cx="{across:g}" cy="{up:g}" r="3.5" fill="{color}"/>'


def calibration(
    curves: Mapping[str, CalibrationCurve], chosen: str, drawn: Styles, alt: str
) -> str:
    """Return what happened against what was said; intervals of the chosen model alone."""
    lines = {
        name: (one.mean_probability.tolist(), one.share_positive.tolist())
        for name, one in curves.items()
    }
    parts = _axes("observed share", "predicted probability")
    parts.append(_stroke((*_at(0, 0), *_at(1, 1)), "reference"))
    parts += _lines(lines, chosen, drawn)
    curve, color = curves[chosen], drawn[chosen].color
    ends = zip(lines[chosen][0], curve.share_low.tolist(), curve.share_high.tolist(), strict=True)
    paint = f' stroke="{color}"'
    parts += [_stroke((*_at(x, low), *_at(x, high)), "whisker", paint) for x, low, high in ends]
    parts += [_dot(x, y, color) for x, y in zip(*lines[chosen], strict=True)]
    return _svg(alt, [*parts, *_legend(list(curves), drawn)], height=HEIGHT + 18 * len(curves))


def roc(
    lines: Mapping[str, Course],
    in_use: Mapping[str, tuple[float, float]],
    chosen: str,
    drawn: Styles,
    alt: str,
) -> str:
    """Return ROC curves, with a dot on each at the threshold in use."""
    parts = _axes("true positive rate", "false positive rate")
    parts.append(_stroke((*_at(0, 0), *_at(1, 1)), "reference"))
    parts += _lines(lines, chosen, drawn)
    parts += [_dot(*in_use[name], drawn[name].color) for name in lines]
    return _svg(alt, [*parts, *_legend(list(lines), drawn)], height=HEIGHT + 18 * len(lines))


def _legend(names: Sequence[str], drawn: Styles, top: float = HEIGHT) -> list[str]:
    parts = []
    for at, name in enumerate(names):
        y = top + 10 + 18 * at
        dash = f' stroke="{drawn[name].color}" stroke-dasharray="{DASHES[drawn[name].dash]}"'
        parts.append(_stroke((LEFT, y - 4, LEFT + 24, y - 4), "swatch", dash))
        parts.append(_text(LEFT + 32, y, text.abbreviate(name, 50)))
    return parts


def bars(held: Sequence[tuple[float, float, int]], shown: Callable[[float], str], alt: str) -> str:
    """Return bars (from, to, rows) whose areas are rows, along one axis; 0 is marked."""
    low, high = held[0][0], held[-1][1]
    width = high - low or 1.0
    densities = [rows / (to - start) for start, to, rows in held]
    most = max(densities)
    parts = []
    for (start, to, rows), density in zip(held, densities, strict=True):
        (x1, y), (x2, base) = _at((start - low) / width, density / most), _at((to - low) / width, 0)
        title = f"{shown(start)} to {shown(to)}: {rows:,} rows"
        parts.append(
            f'<rect class="bar" x="{x1 + 0.5:g}" y="{y:g}" width="{max(x2 - x1 - 1, 0.5):.1f}" '
            f'height="{base - y:.1f}"><title>{html(title)}</title></rect>'
        )
    if low < 0 < high:
        x, bottom = _at(-low / width, 0)
        parts += [_stroke((x, TOP, x, bottom), "reference"), _text(x, TOP - 6, "0", "middle")]
    baseline = HEIGHT - BOTTOM
    parts.append(_stroke((LEFT, baseline, WIDTH - RIGHT, baseline), "reference"))
    parts += [
        _text(LEFT, baseline + 16, shown(low)),
        _text(WIDTH - RIGHT, baseline + 16, shown(high), "end"),
        _text(WIDTH - RIGHT, HEIGHT - 6, "prediction minus truth", "end", "axis"),
    ]
    return _svg(alt, parts)


APART, ROOM = 13.0, 11.0
"""Between the dots of a row, and around them."""


def dots(
    rows: Mapping[str, Mapping[str, Estimate]], lows: Sequence[float], drawn: Styles, alt: str
) -> str:
    """Return a row for each name, with a value of each model and its interval, up to 1.

    The scale begins at the largest of `lows`, sorted, that is below all of them.
    """
    made = [one for row in rows.values() for one in row.values()]
    least = min(one.value if one.low is None else one.low for one in made)
    low = max([at for at in lows if at <= least], default=lows[0])
    models = list(dict.fromkeys(name for row in rows.values() for name in row))
    left = 16 + 7 * min(20, max(map(len, rows)))
    high = ROOM * 2 + APART * (len(models) - 1)
    base = TOP + high * len(rows)

    def at(value: float) -> float:
        return round(left + max(0.0, (value - low) / (1 - low)) * (WIDTH - left - RIGHT), 1)

    parts = []
    for tick in np.linspace(low, 1, 5).tolist():
        parts += [_stroke((at(tick), TOP - 6, at(tick), base), "grid")]
        parts += [_text(at(tick), TOP - 12, text.minus(f"{tick:g}"), "middle")]
    for place, (name, row) in enumerate(rows.items()):
        top = TOP + high * place
        parts.append(_text(left - 8, top + high / 2 + 4, text.abbreviate(name, 20), "end"))
        for model, one in row.items():
            y, color = top + ROOM + APART * models.index(model), drawn[model].color
            if one.low is not None and one.high is not None:
                paint = f' stroke="{color}"'
                parts.append(_stroke((at(one.low), y, at(one.high), y), "whisker", paint))
            parts.append(f'<circle cx="{at(one.value):g}" cy="{y:g}" r="3.5" fill="{color}"/>')
    parts += _legend(models, drawn, base + 6)
    return _svg(alt, parts, height=base + 12 + 18 * len(models))


STYLE = (
    "text{font:12px sans-serif;fill:#545e6d}.grid{stroke:#e6e2d9}"
    ".reference{stroke:#545e6d;stroke-dasharray:3 3}.whisker{stroke-width:1.5}"
    ".swatch{stroke-width:3}.bar{fill:#8491a2}"
)
"""How a picture looks that stands in a file of its own, without the style sheet of a report."""


def alone(svg: str) -> str:
    """Return a picture as a file that any viewer shows, on white."""
    head, rest = svg.split(">", 1)
    head = head.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    paper = '<rect width="100%" height="100%" fill="#ffffff"/>'
    return f"{head}><style>{STYLE}</style>{paper}{rest}\n"
