"""The wordmark and the way to every page that the data can fill."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import Page

WORDMARK = "Eval:red[board]"
SCRIPT = Path(__file__).resolve().parents[2] / "assets" / "navigation.js"

_NAVIGATION = st.components.v2.component("navigation", js=SCRIPT.read_text("utf-8"))


def show(
    pages: Sequence[tuple[str, Page]], here: str, address: Mapping[str, Sequence[str]]
) -> None:
    """Show links to the pages, given with their sections; each link carries the view.

    `here` is the title of the page that is shown.
    """
    with st.sidebar:
        with st.container(key="wordmark"):
            st.page_link(pages[0][1], label=WORDMARK, help="", query_params=address)
        for section, entries in groupby(pages, key=lambda entry: entry[0]):
            with st.container(key=f"section-{section}", gap=None):
                st.caption(section)
                for _, page in entries:
                    with st.container(key="here" if page.title == here else None):
                        st.page_link(page, width="stretch", help="", query_params=address)
    with st.container(key="navigation"):
        _NAVIGATION(data={"page": here}, key="navigation-script")
