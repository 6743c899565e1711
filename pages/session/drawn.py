"""What the explorer draws: kept in the session, written to the address of its page."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import streamlit as st

from pages.explorer.drawn import USUAL, Drawn
from pages.session import parameters

DRAWN = "explorer_drawn"
NONE = "none"
"""How the address says "none of them", where saying nothing would mean "as usual"."""


def drawn() -> Drawn:
    """Return what is drawn: what the address says, else what was drawn before, else the usual."""
    kept: Drawn = st.session_state.get(DRAWN, USUAL)
    asked = {name: _read(name, keys) for name, keys in asdict(kept).items()}
    st.session_state[DRAWN] = found = Drawn.of(asked)
    for name, keys in asked.items():
        for key in set(keys) - {NONE, "", *getattr(found, name)}:
            parameters.refuse(name, key)
    _write(found)
    return found


def take(wanted: Any) -> None:
    """Draw what a browser asks for; what it may not ask for is ignored."""
    if isinstance(wanted, Mapping):
        st.session_state[DRAWN] = found = Drawn.of(wanted)
        _write(found)


def _read(name: str, kept: tuple[str, ...]) -> tuple[str, ...]:
    texts = parameters.asked(name)
    return tuple(texts[-1].split(",")) if texts else kept


def _write(found: Drawn) -> None:
    usual = asdict(USUAL)
    wanted = {
        name: ",".join(keys) or NONE for name, keys in asdict(found).items() if keys != usual[name]
    }
    if changed := {
        name: text for name, text in wanted.items() if st.query_params.get(name) != text
    }:
        st.query_params.update(changed)
    for name in (usual.keys() - wanted.keys()) & set(st.query_params):
        del st.query_params[name]
