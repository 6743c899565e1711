"""Choosing which of several classes is set against all others."""

import streamlit as st

from evalcore.intake.model import Dataset
from pages.escape import shorten


def pick_class(dataset: Dataset) -> str:
    """Show the classes to pick from; return the one picked."""
    picked: str = st.selectbox(
        "Which class counts as positive",
        dataset.classes,
        key="class",
        bind="query-params",
        format_func=lambda name: shorten(name, 60),
        width=320,
    )
    return picked
