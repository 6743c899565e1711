"""Choosing what to look at: a model, a way of deciding."""

from collections.abc import Sequence

import streamlit as st

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
        st.selectbox(label, names, key=picked.MODEL, on_change=picked.take_model)
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


def pick_way(ways: Sequence[str]) -> str:
    """Show the ways of deciding to pick from, if there are several; return the one picked.

    The file's own labels lead until somebody chooses a threshold, which leads from then on.
    """
    if len(ways) == 1:
        return ways[0]
    leads = "threshold" if current.threshold_is_chosen() and "threshold" in ways else ways[0]
    picked_way: str = st.segmented_control(
        "Decided by",
        ways,
        key="decided",
        default=leads,
        required=True,
        wrap=True,
        bind="query-params",
        format_func=WAYS.__getitem__,
    )
    return picked_way
