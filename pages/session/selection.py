"""What is selected on a page: the model, the way of deciding, the cell of a matrix."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from evalcore.evaluation.condense import DecisionRule
from evalread.dataset import Dataset
from pages.session import computed, current, link

MODEL, WAY = "model_picked", "way_picked"
ACTUAL, CALLED = "actual", "called"
"""Keys of the two boxes that name a cell; they are parameters of the address too."""

FOLLOWED = "cell_followed"
"""What the address named when the boxes last followed it."""


def show_model(name: str) -> None:
    """Let the picker show the model looked at, wherever it was chosen."""
    st.session_state[MODEL] = name


def take_model() -> None:
    """Choose the model that the picker shows; for its `on_change`."""
    if st.session_state[MODEL] is not None:
        current.set_model(st.session_state[MODEL])


def show_way(way: DecisionRule) -> None:
    """Let the picker show the way of deciding that leads."""
    st.session_state[WAY] = way


def take_way() -> None:
    """Decide in the way that the picker shows; for its `on_change`."""
    if st.session_state[WAY] is not None:
        current.change(replace(current.view(), way=st.session_state[WAY]))


def follow_cell(classes: Sequence[str]) -> None:
    """Let the two boxes show the cell that the address names; call before they are drawn.

    They are not bound to the address one by one: a click would make two steps of history.
    """
    asked = {key: link.one(key) or None for key in (ACTUAL, CALLED)}
    moved = asked != st.session_state.get(FOLLOWED)
    for key, name in asked.items():
        if moved and name is not None and name not in classes:
            link.refuse(key, name)
        wanted = name if moved or key not in st.session_state else st.session_state[key]
        st.session_state[key] = wanted if wanted in classes else None
    st.session_state[FOLLOWED] = asked


def write_cell() -> None:
    """Write what the two boxes show to the address, in one step; for their `on_change`."""
    shown = {key: st.session_state[key] for key in (ACTUAL, CALLED)}
    named = {key: name for key, name in shown.items() if name is not None}
    st.query_params.update(named)
    for key in (shown.keys() - named.keys()) & set(st.query_params):
        del st.query_params[key]
    st.session_state[FOLLOWED] = {**dict.fromkeys(shown), **named}


def unselect(table: str) -> None:
    """Forget which cell of a table is selected; for a button's `on_click`."""
    st.session_state[table] = {"selection": {"rows": [], "columns": [], "cells": []}}


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
        write_cell()


def model(dataset: Dataset, question: computed.Question) -> str:
    """Return the chosen model, or the first that has scores."""
    chosen = current.model(dataset)
    return chosen if chosen in question.tables else next(iter(question.tables))
