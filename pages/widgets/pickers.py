"""Choosing what to look at: a model, a way of deciding."""

from collections.abc import Sequence

import streamlit as st

from evalcore.evaluation.decided import Way
from evalcore.intake.model import Dataset
from pages.escape import markdown, shorten
from pages.session import current, picked
from pages.widgets.sayings import WAYS

SIDE_BY_SIDE = 5
"""More models than this are picked from a list."""


def pick_model(dataset: Dataset) -> str:
    """Show models, or clusterings, to pick from if there are several; return the one picked."""
    names, chosen = current.names(dataset), current.model(dataset)
    label = "Clustering" if dataset.clusterings else "Model"
    if len(names) == 1:
        return chosen
    picked.show_model(chosen)
    if len(names) > SIDE_BY_SIDE:
        st.selectbox(label, names, key=picked.MODEL, on_change=picked.take_model, width=320)
    else:
        st.segmented_control(
            label,
            names,
            key=picked.MODEL,
            on_change=picked.take_model,
            required=True,
            wrap=True,
            format_func=lambda name: markdown(shorten(name, 28)),
        )
    return chosen


def pick_way(ways: Sequence[Way]) -> Way:
    """Show the ways of deciding to pick from, if there are several; return the one picked."""
    leads = current.way(ways)
    if len(ways) > 1:
        picked.show_way(leads)
        st.segmented_control(
            "Decided by",
            ways,
            key=picked.WAY,
            on_change=picked.take_way,
            required=True,
            wrap=True,
            format_func=WAYS.__getitem__,
        )
    return leads
