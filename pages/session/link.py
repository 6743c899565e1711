"""What the address asks of a page, and boxes that follow it and write to it."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from evalview.sharing import OWN

T = TypeVar("T")

SELECT = "select"
"""A link with this name means the rows selected in its address, whatever is selected now."""

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


def refuse(name: str, text: str, near: str = "") -> None:
    """Remember what cannot be done, and what may be meant, for the notice above the page."""
    st.session_state.setdefault(VAIN, []).append((name, text, near))


def overlook() -> None:
    """Leave what is asked of a page as it is: the page cannot be shown at all."""
    st.session_state[ASKED] = {}


def in_vain() -> list[tuple[str, str, str]]:
    """Return, once, what the address asks for and nothing on the page can do, and what is near.

    Call when the page has run: names that it did not read leave the address.
    """
    for name, texts in st.session_state.get(ASKED, {}).items():
        if name not in st.session_state[READ]:
            for text in _left_out(name, texts):
                refuse(name, text)
    st.session_state[SETTLED] = _there()
    lost: list[tuple[str, str, str]] = st.session_state.pop(VAIN, [])
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


KEPT, FOLLOWED, REPLACED = "boxes_kept", "boxes_followed", "address_replaced"
ON_ITS_WAY_SECONDS = 2.0
"""Seconds within which a browser hears of a new address: clicks before that carry the old one."""


def arrive() -> None:
    """Forget what the address of the page before said; call when another page is opened."""
    st.session_state[FOLLOWED] = {}


def replaces(name: str, said: object) -> None:
    """Note what the address says under a name; call before something else is written there."""
    st.session_state[REPLACED] = [*_just_replaced(), (time.monotonic(), name, said)]


def is_late(name: str, said: object) -> bool:
    """Whether a browser asks for what was replaced just now, since it has not heard of that yet."""
    return not is_way_back() and any(one[1:] == (name, said) for one in _just_replaced())


def is_way_back() -> bool:
    """Whether the address is one of before, by the browser's own way back or forward."""
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation


def _just_replaced() -> list[tuple[float, str, object]]:
    since = time.monotonic() - ON_ITS_WAY_SECONDS
    return [one for one in st.session_state.get(REPLACED, ()) if one[0] > since]


def follow(name: str, known: Mapping[Any, str], usual: Sequence[str]) -> list[str]:
    """Return which choices a box holds: those of the address, else those made before.

    `known` maps keys to labels, by which old addresses call them. What is usual leaves the address.
    """
    asked, state = asked_for(name), st.session_state
    followed = state.setdefault(FOLLOWED, {})
    news = asked != followed.get(name, []) and not is_late(name, asked)
    if news and asked:
        picked = _understood(name, asked, known)
    elif news:
        picked = None  # The browser went back to where nothing was asked for.
    else:
        held = state.get(name, state.get(KEPT, {}).get(name))
        # Another page may have a box of this name that holds no choices, such as an open part.
        picked = held if held is None else list(held) if isinstance(held, list | tuple) else [held]
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
    if is_late(name, asked_for(name)):
        return held
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
    state.setdefault(FOLLOWED, {})[name] = say(name, [text] if text else [])


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
    return say(name, [] if list(made) == list(usual) else list(made) or [""])


def say(name: str, wanted: list[str]) -> list[str]:
    """Let the address say this under a name, nothing where it is empty; return it."""
    there = st.query_params.get_all(name)
    if there != wanted:
        replaces(name, there)
        if wanted:
            st.query_params[name] = wanted
        else:
            del st.query_params[name]
    return wanted
