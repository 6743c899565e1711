"""The threshold explorer: it moves in the browser and tells the server where it came to rest."""

import streamlit as st

from evalcore.intake.model import Dataset
from pages.explorer import source
from pages.figures.theme import model_styles
from pages.session import current, explored

_EXPLORER = st.components.v2.component("threshold_explorer", js=source.script(), css=source.style())


def threshold_explorer(dataset: Dataset) -> float:
    """Show the explorer for the models that have scores; return the threshold it stands at.

    A choice made in it reaches the session, and so the address and every page, before the page
    is drawn again.
    """
    _EXPLORER(
        data=explored.data(dataset, model_styles(tuple(dataset.models))),
        key=explored.KEY,
        on_choice_change=explored.follow,
    )
    return current.threshold(dataset)
