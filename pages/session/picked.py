"""What is picked on a page: a model, a cell of the matrix; widgets and clicks set the same."""

from collections.abc import Callable, Sequence

import streamlit as st

from pages.session import current

MODEL = "model_picked"
ACTUAL, CALLED = "actual", "called"
"""Keys of the two boxes that name a cell; they are parameters of the address too."""


def show_model(name: str) -> None:
    """Let the picker show the model looked at, wherever it was chosen."""
    st.session_state[MODEL] = name


def take_model() -> None:
    """Choose the model that the picker shows; for its `on_change`."""
    if st.session_state[MODEL] is not None:
        current.set_model(st.session_state[MODEL])


def take_cell(
    chart: str, classes: Sequence[str], cell: Callable[[float, float], tuple[int, int] | None]
) -> None:
    """Put the cell that was clicked into the two boxes; for the chart's `on_select`.

    `cell` maps the position of a point to positions of truth and decision in `classes`.
    """
    points = st.session_state[chart].selection.points
    picked = cell(points[0]["x"], points[0]["y"]) if points else None
    if picked is not None:
        st.session_state[ACTUAL], st.session_state[CALLED] = (classes[code] for code in picked)
