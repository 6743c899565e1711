"""A view as an address: everything that was chosen, in words that can be read and edited."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar, get_args
from urllib.parse import unquote

import streamlit as st
from streamlit.errors import StreamlitAPIException

from evalread.dataset import NO_CHOICES, SCHEMA, Choice, Choices, Kind

if TYPE_CHECKING:
    from evalcore.evaluation.condense import DecisionRule

Params = Mapping[str, Sequence[str]]
"""Parameter name -> its values, as in an address."""

LONGEST = 1000
"""Characters of a value; longer ones are dropped."""

OWN = frozenset(
    {"data", "shown", "threshold", "own-threshold", "decided", "selected"}
    | {one.key for one in SCHEMA}
)
"""The parameters that belong to a view; a page may have others of its own."""

SELECT = "select"
"""Under this name a link has rows that the page it leads to selects."""

YES = "yes"

NONE = [""]
"""How an address says "none of them", where saying nothing would mean "as detected"."""

T = TypeVar("T")


@dataclass(frozen=True)
class View:
    """What someone looks at.

    Attributes:
        data: The token of the data; None if there is none.
        choices: What the user settled about the columns; detected where left open.
        model: The chosen model; None for the first.
        threshold: The chosen threshold; None for the usual one.
        own: The thresholds of single models, where each keeps its own; None if all share one.
        way: How decisions are made; None for the usual way.
        selected: Which rows are selected, as `selection.written` writes it; () for all.
    """

    data: str | None = None
    choices: Choices = NO_CHOICES
    model: str | None = None
    threshold: float | None = None
    own: Mapping[str, float] | None = None
    way: DecisionRule | None = None
    selected: tuple[str, ...] = ()


def to_params(view: View) -> dict[str, list[str]]:
    """Write a view as parameters; what is left open is left out."""
    threshold = None if view.threshold is None else repr(view.threshold)
    singles = {"data": view.data, "shown": view.model, "threshold": threshold}
    singles["decided"] = view.way
    written = {name: [text] for name, text in singles.items() if text is not None}
    if view.own is not None:
        pairs = [f"{quoted(model)}={threshold!r}" for model, threshold in view.own.items()]
        written["own-threshold"] = pairs or NONE
    if view.selected:
        written["selected"] = list(view.selected)
    return written | choices_to_params(view.choices)


def from_params(params: Params) -> View:
    """Read a view from parameters; what cannot be understood is dropped."""
    kept = {
        name: [text for text in texts if len(text) <= LONGEST] for name, texts in params.items()
    }
    return View(
        data=_first(kept, "data"),
        choices=_choices(kept),
        model=_first(kept, "shown"),
        threshold=_number(_first(kept, "threshold")),
        own=_own(kept.get("own-threshold", ())),
        way=_way(_first(kept, "decided")),
        selected=tuple(kept.get("selected", ())),
    )


def left_out(params: Params, view: View) -> list[tuple[str, str]]:
    """Return names and values that an address asks for and a view does not hold."""
    held = to_params(view)
    return [
        (name, text)
        for name, texts in params.items()
        if name in OWN and name not in held
        for text in texts
        if text
    ]


def quoted(name: str) -> str:
    """Escape the marks that separate the parts of a value, and no others."""
    return name.replace("%", "%25").replace("=", "%3D").replace(":", "%3A")


def choices_to_params(choices: Choices) -> dict[str, list[str]]:
    """Write choices as parameters; what is left open is left out."""
    written = {one.key: texts_of(one, getattr(choices, one.field), quoted) for one in SCHEMA}
    return {key: texts for key, texts in written.items() if texts}


def texts_of(one: Choice, value: Any, quote: Callable[[str], str]) -> list[str]:
    """Write what a choice settles, names of models and classes quoted; [] where it is open."""
    if value is None or value is False:
        return []
    match one.kind:
        case Kind.FLAG:
            return [YES]
        case Kind.WORD:
            return [value.value]
        case Kind.TEXT:
            return [value]
        case Kind.TEXTS:
            return list(value) or NONE
        case Kind.BY_MODEL:
            return [f"{quote(model)}={column}" for model, column in value.items()] or NONE
        case Kind.BY_CLASS:
            return [
                f"{quote(model)}:{quote(label)}={column}"
                for model, columns in value.items()
                for label, column in columns.items()
            ] or NONE


def _choices(params: Params) -> Choices:
    return Choices(**{one.field: _value(one, params.get(one.key, ())) for one in SCHEMA})


def _value(one: Choice, texts: Sequence[str]) -> Any:
    """Read what a choice settles; None, or False, where it is open or cannot be understood."""
    first = next(iter(texts), None)
    match one.kind:
        case Kind.FLAG:
            return first == YES
        case Kind.WORD:
            return next((word for word in one.words or () if word.value == first), None)
        case Kind.TEXT:
            return first
        case Kind.TEXTS:
            return _words(texts)
        case Kind.BY_MODEL:
            return _columns_by_model(texts)
        case Kind.BY_CLASS:
            return _columns_by_class(texts)


def _columns_by_model(texts: Sequence[str]) -> Mapping[str, str] | None:
    pairs = [text.split("=", 1) for text in texts if "=" in text]
    return {unquote(model): column for model, column in pairs} or _none(texts, {})


def _own(texts: Sequence[str]) -> Mapping[str, float] | None:
    found = {name: _number(text) for name, text in (_columns_by_model(texts) or {}).items()}
    known = {name: threshold for name, threshold in found.items() if threshold is not None}
    return known or _none(texts, {})


def _columns_by_class(texts: Sequence[str]) -> Mapping[str, Mapping[str, str]] | None:
    found: dict[str, dict[str, str]] = {}
    for text in texts:
        owner, _, column = text.partition("=")
        model, colon, label = owner.partition(":")
        if colon and column:
            found.setdefault(unquote(model), {})[unquote(label)] = column
    return found or _none(texts, {})


def _words(texts: Sequence[str]) -> tuple[str, ...] | None:
    return tuple(text for text in texts if text) or _none(texts, ())


def _none(texts: Sequence[str], nothing: T) -> T | None:
    """Tell "none of them, please" from "as detected"."""
    return nothing if list(texts) == NONE else None


def _first(params: Params, name: str) -> str | None:
    return next(iter(params.get(name, ())), None)


def _way(text: str | None) -> DecisionRule | None:
    from evalcore.evaluation.condense import DecisionRule

    ways: tuple[DecisionRule, ...] = get_args(DecisionRule)
    return next((way for way in ways if way == text), None)


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if isfinite(number) else None


ASKED, READ, VAIN, SETTLED = "asked", "asked_read", "asked_in_vain", "asked_settled"


def begin() -> None:
    """Note what the address asks for again; call before a page is run."""
    settled = st.session_state.get(SETTLED, {})
    now = _there()
    st.session_state[ASKED] = {name: now[name] for name in now if now[name] != settled.get(name)}
    st.session_state[READ] = set()


def asked_for(name: str) -> list[str]:
    """Return what the address says under a name, which counts as known on this page."""
    st.session_state.setdefault(READ, set()).add(name)
    return list(st.query_params.get_all(name))


def one(name: str) -> str:
    """Return the last that the address says under a name; "" where it says nothing."""
    return next(reversed(asked_for(name)), "")


def refuse(name: str, text: str) -> None:
    """Remember what cannot be done, for the notice above the page."""
    st.session_state.setdefault(VAIN, []).append((name, text))


def overlook() -> None:
    """Leave what is asked of a page as it is: the page cannot be shown at all."""
    st.session_state[ASKED] = {}


def in_vain() -> list[tuple[str, str]]:
    """Return, once, what the address asks for and nothing on the page can do.

    Call when the page has run: names that it did not read leave the address.
    """
    for name, texts in st.session_state.get(ASKED, {}).items():
        if name not in st.session_state[READ]:
            for text in _left_out(name, texts):
                refuse(name, text)
    st.session_state[SETTLED] = _there()
    lost: list[tuple[str, str]] = st.session_state.pop(VAIN, [])
    return list(dict.fromkeys(lost))


def _there() -> dict[str, list[str]]:
    """Return the parameters that are no part of the view."""
    names = [name for name in st.query_params if name not in OWN]
    return {name: st.query_params.get_all(name) for name in names}


def _left_out(name: str, texts: Sequence[str]) -> Iterator[str]:
    """Return what a box did not take over; all, where there is no such box."""
    if name in st.query_params:
        try:
            del st.query_params[name]
        except StreamlitAPIException:
            pass  # Bound to a box, which alone may change it.
        else:
            return iter(texts)
    return (text for text in texts if text and not _holds(st.session_state.get(name), text))


def _holds(value: object, text: str) -> bool:
    """Return whether a box holds what an address says."""
    if isinstance(value, list):
        return any(_holds(part, text) for part in value)
    if isinstance(value, bool):
        return text.lower() == str(value).lower()
    if isinstance(value, int | float):
        try:
            return float(text) == value
        except ValueError:
            return False
    return text == value


KEPT, FOLLOWED = "boxes_kept", "boxes_followed"


def arrive() -> None:
    """Forget what the address of the page before said; call when another page is opened."""
    st.session_state[FOLLOWED] = {}


def follow(name: str, known: Mapping[Any, str], usual: Sequence[str]) -> list[str]:
    """Return which choices a box holds: those of the address, else those made before.

    `known` maps keys to labels, by which old addresses call them. What is usual leaves the address.
    """
    asked, state = asked_for(name), st.session_state
    followed = state.setdefault(FOLLOWED, {})
    if asked and asked != followed.get(name):
        picked = _understood(name, asked, known)
    elif not asked and followed.get(name):
        picked = None  # The browser went back to where nothing was asked for.
    else:
        held = state.get(name, state.get(KEPT, {}).get(name))
        picked = [held] if isinstance(held, str) else held
    made = list(usual) if picked is None else [key for key in picked if key in known]
    if picked and not made:
        made = list(usual)
    state.setdefault(KEPT, {})[name] = list(made)
    followed[name] = _written(name, made, usual)
    return made


def told(name: str, read: Callable[[str], T | None], about: object = None) -> T | None:
    """Return what the address says under a name, else what was said before about the same.

    `read` returns None for what it cannot understand.
    """
    asked, state = one(name), st.session_state
    followed = state.setdefault(FOLLOWED, {}).get(name)
    known, held = state.get(KEPT, {}).get(name, (about, None))
    held = held if known == about else None
    if asked and [asked] != followed:
        found = read(asked)
        if found is None:
            refuse(name, asked)
        return held if found is None else found
    # Else the browser may have gone back to where nothing was asked for.
    return None if followed and not asked else held


def tell(name: str, value: object, text: str, about: object = None) -> None:
    """Keep what was said under a name, and let the address say it; "" takes it from there."""
    state = st.session_state
    state.setdefault(KEPT, {})[name] = (about, value)
    state.setdefault(FOLLOWED, {})[name] = [text] if text else []
    if text and st.query_params.get(name) != text:
        st.query_params[name] = text
    elif not text and name in st.query_params:
        del st.query_params[name]


def pick(name: str, known: Mapping[Any, str], usual: str | None = None) -> None:
    """Let a box that holds one choice at most show what `follow` returns, before it is drawn."""
    made = follow(name, known, () if usual is None else (usual,))
    st.session_state[name] = next(iter(made), usual)


def pick_several(name: str, known: Mapping[Any, str], usual: Sequence[str]) -> None:
    """Let a box that holds any number of choices show what `follow` returns."""
    st.session_state[name] = follow(name, known, usual)


def _understood(name: str, asked: Sequence[str], known: Mapping[Any, str]) -> list[str] | None:
    """Return the keys that are asked for; None where none of them is known."""
    by_label = {label: key for key, label in known.items()}
    found = []
    for text in filter(None, asked):
        key = text if text in known else by_label.get(text)
        if key is None:
            refuse(name, text)
        elif key not in found:
            found.append(key)
    return found if found or not any(asked) else None


def _written(name: str, made: Sequence[str], usual: Sequence[str]) -> list[str]:
    """Write what a box holds to the address; return what stands there now."""
    wanted = [] if list(made) == list(usual) else list(made) or [""]
    if st.query_params.get_all(name) == wanted:
        return wanted
    if wanted:
        st.query_params[name] = wanted
    else:
        del st.query_params[name]
    return wanted
