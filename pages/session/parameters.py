"""What an address asks of a page, beside the view; what is asked in vain is told once, by name."""

from collections.abc import Iterator, Sequence

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.session import link

ASKED, READ, VAIN, SETTLED = "asked", "asked_read", "asked_in_vain", "asked_settled"


def begin() -> None:
    """Note what the address asks for anew; call before a page is run."""
    settled = st.session_state.get(SETTLED, {})
    now = _there()
    st.session_state[ASKED] = {name: now[name] for name in now if now[name] != settled.get(name)}
    st.session_state[READ] = set()


def asked(name: str) -> list[str]:
    """Return what the address says under a name, which counts as known on this page."""
    st.session_state.setdefault(READ, set()).add(name)
    return list(st.query_params.get_all(name))


def one(name: str) -> str:
    """Return the last that the address says under a name; "" where it says nothing."""
    return next(reversed(asked(name)), "")


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
    names = [name for name in st.query_params if name not in link.OWN]
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
    """Tell whether a box holds what an address says."""
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
