"""The wordmark and the way to every page that the data can fill."""

from collections.abc import Mapping, Sequence
from itertools import groupby

import streamlit as st
from streamlit.navigation.page import Page

WORDMARK = "Eval:red[board]"


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
