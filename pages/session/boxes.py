"""Boxes whose choices stand in the address under short keys, whatever the interface calls them."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages.session import parameters

KEPT, FOLLOWED = "boxes_kept", "boxes_followed"


def arrive() -> None:
    """Forget what the address of the page before said; call when another page is opened."""
    st.session_state[FOLLOWED] = {}


def follow(name: str, known: Mapping[Any, str], usual: Sequence[str]) -> list[str]:
    """Return which choices a box holds: those of the address, else those made before.

    `known` maps keys to labels, by which old addresses call them. What is usual leaves the address.
    """
    asked, state = parameters.asked(name), st.session_state
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
            parameters.refuse(name, text)
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
