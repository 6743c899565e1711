"""A document as one HTML file that needs no network, or as Markdown; all its text stays text."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from html import escape as quoted
from io import BytesIO
from itertools import groupby
from types import MappingProxyType
from typing import Any
from urllib.parse import quote
from zipfile import ZIP_DEFLATED, ZipFile

from evalview import ASSETS, escape
from evalview.explorer import source
from evalview.report import blocks

FONTS = {
    "Inter": "inter-latin-wght-normal",
    "Source Serif 4": "source-serif-4-latin-wght-normal",
}
"""The families of the report, and the files of their Latin letters."""

MANY = 8
"""A table of more columns has little room for each."""

FOLDED = ("tests", "methods", "glossary", "data", "card", "tripod", "stard")
"""Sections that are folded on a screen until someone opens them; on paper all are open."""


def html(document: blocks.Document) -> str:
    """Return the report as HTML, whose policy forbids every request and any script but its own."""
    styles, script = _styles(), source.of_report(with_explorer=_has_explorer(document))
    policy = (
        f"default-src 'none'; script-src {_hashed(script)}; style-src {_hashed(styles)}; "
        "font-src data:; img-src blob: data:; base-uri 'none'; form-action 'none'"
    )
    body = "".join(_body(document))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{escape.html(document.title)}</title><style>{styles}</style></head>\n"
        f"<body>{body}"
        f'<script type="module">{script}</script></body></html>\n'
    )


def _has_explorer(document: blocks.Document) -> bool:
    return any(isinstance(b, blocks.Explorer) for one in document.sections for b in one.blocks)


def _hashed(text: str) -> str:
    """Return what a policy names a script or a style sheet by."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


@cache
def _styles() -> str:
    faces = "".join(
        f'@font-face{{font-family:"{family}";font-weight:200 900;font-display:swap;'
        f'src:url("data:font/woff2;base64,{_encoded(name)}") format("woff2")}}'
        for family, name in FONTS.items()
    )
    own = (ASSETS / "report" / "report.css").read_text("utf-8")
    return f"{faces}\n{source.style()}\n{own}"


def _encoded(name: str) -> str:
    return b64encode((ASSETS / "fonts" / f"{name}.woff2").read_bytes()).decode()


def _body(document: blocks.Document) -> Iterator[str]:
    yield f'<header><p class="kind">Evaluation report</p><h1>{escape.html(document.title)}</h1>'
    yield f'<p class="verdict">{escape.html(document.verdict)}</p>'
    yield f'<p class="facts">{escape.html(document.facts)}</p>'
    if document.notes:
        yield _typed(document.notes)
    links = "".join(
        f'<li><a href="#{one.key}">{escape.html(one.title)}</a></li>' for one in document.sections
    )
    yield f'</header><nav aria-label="Sections"><ul>{links}</ul></nav><main>'
    for section in document.sections:
        yield from _section(section)
    yield f"</main><footer><p>{escape.html(document.made)}</p></footer>"


def _section(section: blocks.Section) -> Iterator[str]:
    runs = ((kind, [*run]) for kind, run in groupby(section.blocks, type))
    parts = "".join(_run(kind, run) for kind, run in runs)
    title = f"<h2>{escape.html(section.title)}</h2>"
    if section.key in FOLDED:
        inner = f"<details><summary>{title}</summary>{parts}</details>"
    else:
        inner = f"{title}{parts}"
    yield f'<section class="part" id="{section.key}">{inner}</section>'


def _run(kind: type, run: Sequence[blocks.Block]) -> str:
    """Return neighbouring blocks of one kind; tables stand beside each other where they fit."""
    shown = "".join(map(_BLOCKS[kind], run))
    is_tables = kind is blocks.Table and len(run) > 1
    return f'<div class="tables">{shown}</div>' if is_tables else shown


def _line(line: blocks.Line) -> str:
    return "".join(
        escape.html(part)
        if isinstance(part, str)
        else f'<span data-key="{quoted(part.key)}">{escape.html(part.shown)}</span>'
        for part in line
    )


def _paragraph(block: blocks.Paragraph) -> str:
    kind = f' class="{block.kind}"' if block.kind else ""
    return f"<p{kind}>{_line(block.line)}</p>"


def _typed(text: str) -> str:
    lines = "<br>".join(map(escape.html, text.splitlines()))
    return f'<p class="typed">{lines}</p>'


def _table(block: blocks.Table) -> str:
    heads = "".join(
        f'<th scope="col">{escape.html(name)}</th>' if name else "<td></td>" for name in block.head
    )
    head = f"<thead><tr>{heads}</tr></thead>" if any(block.head) else ""
    rows = "".join(
        f'<tr><th scope="row">{_cell(first)}</th>{"".join(map(_data, rest))}</tr>'
        for first, *rest in block.rows
    )
    many = ' class="many"' if len(block.head) > MANY else ""
    kind = ' class="texts"' if block.is_text else many
    caption = f"<caption>{escape.html(block.caption)}</caption>" if block.caption else ""
    label = escape.html(block.caption or "Table")
    return (
        f'<div class="table"><div class="scroll" role="region" aria-label="{label}" tabindex="0">'
        f"<table{kind}>{caption}{head}<tbody>{rows}</tbody></table></div></div>"
    )


def _data(one: blocks.Cell) -> str:
    kind = f' class="{one.kind}"' if one.kind else ""
    return f"<td{kind}>{_cell(one)}</td>"


def _cell(one: blocks.Cell) -> str:
    value, *rest = one.line or [""]
    shown = f"{_kept_apart(one)}{_line([value])}"
    if not rest:
        return f"{shown}{_bar(one.bar)}"
    return f'{shown}<span class="range">{_line(rest)}</span>{_bar(one.bar)}'


def _kept_apart(one: blocks.Cell) -> str:
    """Return what stands before a cell so that no spreadsheet takes it for a formula."""
    text = blocks.plain(one.line)
    return escape.JOINER if escape.cell(text) != text else ""


def _bar(bar: blocks.Bar | None) -> str:
    if bar is None:
        return ""
    low, high, value = (round(100 * at, 1) for at in (bar.low, bar.high, bar.value))
    return (
        '<svg class="interval" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="scale" y="2" width="100" height="2"/>'
        f'<rect class="ends" x="{low}" y="1" width="{max(high - low, 0.8):.1f}" height="4"/>'
        f'<rect class="at" x="{min(value, 99):.1f}" width="1" height="6"/></svg>'
    )


def _drawing(block: blocks.Drawing) -> str:
    return f"<figure><figcaption>{escape.html(block.title)}</figcaption>{block.svg}</figure>"


def _explorer(block: blocks.Explorer) -> str:
    held = json.dumps(block.payload, allow_nan=False, separators=(",", ":"))
    # A data block ends at the first "</script", whatever stands around it.
    safe = held.replace("<", "\\u003c")
    # Until the script has put the explorer in its place, and where none runs, as in a mail.
    return (
        f'<div id="explorer">{_drawing(block.still)}<p class="note">The threshold can be moved '
        "where this file is open in a browser with JavaScript.</p></div>"
        f'<script type="application/json" id="explored">{safe}</script>'
    )


def _terms(block: blocks.Terms) -> str:
    pairs = (
        f"<dt>{escape.html(term)}</dt><dd>{escape.html(told)}</dd>"
        for term, told in block.meanings.items()
    )
    return f"<dl>{''.join(pairs)}</dl>"


_BLOCKS: Mapping[type, Callable[[Any], str]] = MappingProxyType(
    {
        blocks.Paragraph: _paragraph,
        blocks.Table: _table,
        blocks.Drawing: _drawing,
        blocks.Explorer: _explorer,
        blocks.Terms: _terms,
        blocks.Typed: lambda block: _typed(block.text),
    }
)


# Markdown


def markdown(document: blocks.Document, folder: str = "") -> str:
    """Return the report as Markdown: its sentences and tables.

    With a `folder` it shows its pictures, which `pictures` returns, from there; without, it says
    what they show.
    """
    lines = [f"# {marked(document.title)}", f"**{marked(document.verdict)}**"]
    lines += [marked(document.facts)]
    if document.notes:
        lines.append(_marked_typed(document.notes))
    for section in document.sections:
        lines.append(f"## {marked(section.title)}")
        drawn = _pictures(section) if folder else {}
        for at, block in enumerate(section.blocks):
            if at in drawn:
                name, picture = drawn[at]
                lines.append(f"![{marked(picture.alt)}]({quote(folder)}/{name})")
                lines.append(f"*{marked(picture.title)}*")
            else:
                lines.append(_MARKED[type(block)](block))
    return "\n\n".join([*lines, f"*{marked(document.made)}*"]) + "\n"


def pictures(document: blocks.Document) -> Mapping[str, str]:
    """Return the pictures that go with the Markdown, each a whole SVG, by the names of files."""
    found = (pair for section in document.sections for pair in _pictures(section).values())
    return {name: blocks.alone(picture.svg) for name, picture in found}


def _pictures(section: blocks.Section) -> Mapping[int, tuple[str, blocks.Drawing]]:
    """Return the pictures of a section, each with the name of its file, by their places."""
    found: dict[int, tuple[str, blocks.Drawing]] = {}
    for at, block in enumerate(section.blocks):
        if isinstance(block, blocks.Drawing | blocks.Explorer):
            picture = block.still if isinstance(block, blocks.Explorer) else block
            found[at] = f"{section.key}{f'-{len(found) + 1}' if found else ''}.svg", picture
    return found


def packed(document: blocks.Document, name: str) -> bytes:
    """Return a ZIP file with the Markdown, `name`.md, and its pictures in a folder beside it."""
    held, folder = BytesIO(), f"{name}_files"
    with ZipFile(held, "w", ZIP_DEFLATED) as file:
        file.writestr(f"{name}.md", markdown(document, folder))
        for picture, svg in pictures(document).items():
            file.writestr(f"{folder}/{picture}", svg)
    return held.getvalue()


_MARKS = re.compile(r"[\\`*_\[\]<>|~$&#{}]")
_LINKS = re.compile(r"(?<=www)(?=\.)|(?<=[a-z]:)(?=//)|(?<=@)", re.IGNORECASE)


def marked(text: str) -> str:
    r"""Return Markdown that shows a text of one line and nothing else.

    >>> marked("a_b | <i>"), marked("1. list")
    ('a\\_b \\| \\<i\\>', '1\\. list')
    """
    shown = _MARKS.sub(lambda found: "\\" + found.group(), escape.visible(text)).strip()
    shown = _LINKS.sub(escape.JOINER, shown)
    if re.match(r"\d+[.)](\s|$)", shown):
        return re.sub(r"^(\d+)", r"\1\\", shown)
    return f"\\{shown}" if shown[:1] in ("-", "+", "=") else shown


def _marked_table(block: blocks.Table) -> str:
    head = [marked(name) or " " for name in block.head]
    align = ["---", *("---" if block.is_text else "---:" for _ in head[1:])]
    rows = [
        [f"{_kept_apart(one)}{marked(blocks.plain(one.line))}" or " " for one in row]
        for row in block.rows
    ]
    lines = [f"| {' | '.join(cells)} |" for cells in (head, align, *rows)]
    caption = [f"{marked(block.caption)}\n"] if block.caption else []
    return "\n".join([*caption, *lines])


def _marked_drawing(block: blocks.Drawing) -> str:
    return f"*{marked(block.title)}:* {marked(block.alt)}"


def _marked_typed(text: str) -> str:
    return "  \n".join(marked(line) for line in text.splitlines())


def _marked_terms(block: blocks.Terms) -> str:
    return "\n".join(f"- **{marked(a)}**: {marked(b)}" for a, b in block.meanings.items())


_MARKED: Mapping[type[blocks.Block], Callable[[Any], str]] = MappingProxyType(
    {
        blocks.Paragraph: lambda block: marked(blocks.plain(block.line)),
        blocks.Table: _marked_table,
        blocks.Drawing: lambda block: _marked_drawing(block),
        blocks.Explorer: lambda block: _marked_drawing(block.still),
        blocks.Terms: _marked_terms,
        blocks.Typed: lambda block: _marked_typed(block.text),
    }
)
