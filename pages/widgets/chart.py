"""A figure on a page: its words wrap above it, its picture has a description."""

from collections.abc import Callable

import plotly.graph_objects as go
import streamlit as st

from pages.escape import visible
from pages.figures.palette import DARK, LIGHT, Look
from pages.figures.theme import CONFIG, without_title
from pages.session.code import code_of
from pages.widgets.figure_menu import figure_menu


def look() -> Look:
    """Return the colours of the mode the reader is in."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def chart(
    figure: go.Figure,
    alt: str,
    *,
    key: str,
    on_click: Callable[[], None] | None = None,
    code: str | None = None,
) -> None:
    """Show a figure in a frame, its title as text.

    `on_click` runs when a point is clicked. `code` is the Python that draws the figure, where that
    is not about the data looked at.
    """
    bare, title, subtitle = without_title(figure)
    with st.container(key=f"figure-{key}"):
        # Title and subtitle come out of the figure escaped.
        figure_menu(key, title, subtitle, code_of(key) if code is None else code)
        st.html(
            f'<h3 class="eb-figure-title">{title}</h3><p class="eb-figure-subtitle">{subtitle}</p>'
        )
        st.plotly_chart(
            bare,
            theme=None,
            config=CONFIG,
            key=key,
            on_select=on_click or "ignore",
            selection_mode="points",
            alt=visible(alt),
        )
