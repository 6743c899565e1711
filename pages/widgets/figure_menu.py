"""The small menu of a figure: pictures, its numbers and its code, made in the browser."""

from html import unescape

import streamlit as st

from pages.explorer import source

_MENU = st.components.v2.component(
    "figure_menu", js=source.component("plotly"), css=source.style("menu")
)


def figure_menu(key: str, title: str, subtitle: str, code: str) -> None:
    """Show the menu of the figure `key`, whose title and subtitle are escaped."""
    with st.container(key=f"menu-{key}"):
        data = {"title": unescape(title), "subtitle": unescape(subtitle), "code": code}
        _MENU(data=data, key=f"saved-{key}")
