"""The threshold explorer: it moves in the browser and tells the server where it came to rest."""

import streamlit as st

from evalcore.intake.model import Dataset
from pages.explorer import source
from pages.explorer.drawn import METRICS
from pages.figures.palette import model_style, model_styles
from pages.session import explored
from pages.session.question import Question

_EXPLORER = st.components.v2.component(
    "threshold_explorer", js=source.component("explorer", explored.CHOICE), css=source.style()
)


def threshold_explorer(dataset: Dataset, question: Question) -> None:
    """Show the explorer for the models that have scores.

    A choice made in it reaches the session, and so the address and every page, before the page
    is drawn again.
    """
    of_metrics = tuple(model_style(at) for at in range(len(METRICS)))
    _EXPLORER(
        data=explored.data(dataset, question, model_styles(tuple(dataset.models)), of_metrics),
        key=explored.KEY,
        on_choice_change=explored.follow,
    )
