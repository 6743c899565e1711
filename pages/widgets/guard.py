"""What a page shows instead of itself when the data for it are missing."""

import streamlit as st

from evalcore.intake.model import Dataset
from pages.session import current, parameters
from pages.widgets import failure


def need_dataset() -> Dataset:
    """Return the data looked at; without any, show the way to some and stop the page."""
    dataset = current.dataset()
    if dataset is None:
        _show_empty()
        st.stop()
    return dataset


def show_unfit(needs: str) -> None:
    """Say what the data at hand lack for this page."""
    parameters.overlook()
    with st.container(key="empty"):
        st.header("Nothing to show here for this data", anchor=False)
        st.write(f"This page needs {needs}.")
        _link("data", "See what was read")


def _show_empty() -> None:
    parameters.overlook()
    state = current.state()
    with st.container(key="empty"):
        st.header(
            "No predictions yet" if state.table is None else "Which column is what?", anchor=False
        )
        if state.problem is not None:
            failure.show_refusal(state.problem)
        if state.table is None:
            st.write("Drop a file of predictions, or look around in a sample.")
            _link("start", "Open a file")
        else:
            _link("data", "Choose the columns")


def _link(page: str, label: str) -> None:
    st.page_link(f"{page}.py", label=label, query_params=current.address())
