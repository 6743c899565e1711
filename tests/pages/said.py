"""Every text that a page shows a reader, sentence by sentence: of elements, HTML and figures."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from html.parser import HTMLParser
from typing import Any

import pandas as pd
from streamlit.testing.v1 import AppTest

TOLD = ("label", "help", "placeholder", "body", "value", "options", "text")
"""The fields of Streamlit's messages that hold what is read."""

UNREAD = ("bidi_component", "event")
BREAKS = frozenset({"p", "li", "div", "h1", "h2", "h3", "td", "th", "figcaption", "dt", "dd", "br"})


UNSEEN = ("style", "script", "svg", "pre", "code")
"""HTML that holds code, or what a file holds."""


class _Read(HTMLParser):
    """The texts of HTML, one for each block, and of what is read aloud or on pointing."""

    def __init__(self) -> None:
        super().__init__()
        self.texts, self._said = [], ""
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in UNSEEN
        if tag in BREAKS:
            self._end()
        self.texts += [value for name, value in attrs if name in ("alt", "title", "aria-label")]

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in UNSEEN
        if tag in BREAKS:
            self._end()

    def handle_data(self, data: str) -> None:
        self._said += "" if self._hidden else data

    def _end(self) -> None:
        self.texts.append(self._said)
        self._said = ""

    def read(self, html: str) -> list[str]:
        """Return the texts of some HTML."""
        self.feed(html)
        self._end()
        return [text.replace("\N{NO-BREAK SPACE}", " ") for text in self.texts if text]


def of_html(html: str) -> list[str]:
    """Return the texts of some HTML."""
    return _Read().read(html)


def texts(at: AppTest) -> list[tuple[str, str]]:
    """Return each text of a page with the kind of element that shows it."""
    found = ((kind, re.sub(r"\s+", " ", said).strip()) for kind, said in _below(at._tree))
    return list(dict.fromkeys((kind, said) for kind, said in found if said))


def _below(node: Any) -> Iterator[tuple[str, str]]:
    for child in getattr(node, "children", {}).values():
        proto, kind = getattr(child, "proto", None), str(getattr(child, "type", ""))
        if proto is not None and kind not in UNREAD:
            yield from ((kind, said) for said in _of(kind, proto, child))
        yield from _below(child)


def _of(kind: str, proto: Any, element: Any) -> Iterator[str]:
    if kind == "html":
        yield from of_html(proto.body)
    elif kind == "plotly_chart":
        yield from of_figure(json.loads(proto.spec))
    elif kind == "arrow_data_frame":
        yield from _of_frame(element.value)
    else:
        for name in TOLD:
            told = getattr(proto, name, "")
            told = told if isinstance(told, Iterable) and not isinstance(told, str) else [told]
            yield from (said for said in told if isinstance(said, str))


def _of_frame(frame: pd.DataFrame) -> Iterator[str]:
    yield from map(str, frame.columns)
    for column in frame:
        yield from (said for said in frame[column] if isinstance(said, str))


SHOWN = ("text", "name", "hovertemplate", "ticktext", "hovertext", "customdata")
"""What a figure's specification holds of words."""


def of_figure(spec: Any, key: str = "") -> Iterator[str]:
    """Return the texts of a figure's specification."""
    if isinstance(spec, Mapping):
        for name, value in spec.items():
            yield from of_figure(value, name if name in SHOWN or name.isidentifier() else key)
    elif isinstance(spec, list):
        for value in spec:
            yield from of_figure(value, key)
    elif isinstance(spec, str) and key in SHOWN:
        yield from of_html(spec)
