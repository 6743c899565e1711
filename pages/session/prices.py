"""The costs that the reader gave to right and wrong decisions: in the session and the address."""

from math import isfinite

import numpy as np
import streamlit as st

from evalcore.intake.model import Dataset
from evalcore.outcomes import Floats
from evalcore.tables.costs import LARGEST
from pages.session import parameters

PRICES = "costs"
KEPT, EDITOR = "costs_kept", "costs_editor"
CLASSES_AT_MOST = 20
"""With more classes the table cannot be filled in by hand, nor written into an address."""


def usual(size: int) -> Floats:
    """Return the (K, K) costs until somebody gives others: every mistake costs 1."""
    costs: Floats = 1.0 - np.eye(size)
    return costs


def costs(dataset: Dataset) -> Floats:
    """Return the (K, K) costs, row = truth: those of the address, else those given before."""
    size = len(dataset.classes)
    if size > CLASSES_AT_MOST:
        return usual(size)
    kept = st.session_state.get(KEPT, {}).get(dataset.classes)
    text = parameters.one(PRICES)
    found = _read(text, size)
    if text and found is None:
        parameters.refuse(PRICES, text)
    found = kept if found is None else found
    found = usual(size) if found is None else found
    take(dataset, found)
    return found


def take(dataset: Dataset, given: Floats) -> None:
    """Keep the costs for these classes, and write them into the address."""
    st.session_state[KEPT] = {dataset.classes: given}
    if np.array_equal(given, usual(len(given))):
        if PRICES in st.query_params:
            del st.query_params[PRICES]
    elif st.query_params.get(PRICES) != (text := _written(given)):
        st.query_params[PRICES] = text


def begun(dataset: Dataset) -> tuple[Floats, str]:
    """Return the costs that the editor begins with, and its key.

    What is typed is a change to what it began with, so that must stay the same while it is open.
    It begins anew when the page is come back to, or the address says something else.
    """
    now = costs(dataset)
    base, seen, turn = st.session_state.get(EDITOR, (None, None, 0))
    fresh = base is None or f"{EDITOR}_{turn}" not in st.session_state
    if fresh or not np.array_equal(seen, now):
        base, turn = now, turn + 1
    st.session_state[EDITOR] = (base, now, turn)
    return base, f"{EDITOR}_{turn}"


def edited(dataset: Dataset, typed: Floats) -> Floats:
    """Take over what was typed; a cell that is no cost counts as 0."""
    usable = np.isfinite(typed) & (np.abs(typed) <= LARGEST)
    given: Floats = np.where(usable, typed, 0.0)
    base, _, turn = st.session_state[EDITOR]
    st.session_state[EDITOR] = (base, given, turn)
    take(dataset, given)
    return given


def _written(given: Floats) -> str:
    return ",".join(
        f"{cost:g}" if float(f"{cost:g}") == cost else repr(cost) for cost in given.ravel().tolist()
    )


def _read(text: str, size: int) -> Floats | None:
    """Return the costs that a text names; None where it is no such table."""
    parts = text.split(",")
    if len(parts) != size * size:
        return None
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        return None
    if not all(isfinite(number) and abs(number) <= LARGEST for number in numbers):
        return None
    return np.array(numbers).reshape(size, size)
