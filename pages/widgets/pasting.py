"""A table without a file: pasted as text."""

import streamlit as st

from pages.session import opened

NAME = "pasted text"


def show() -> None:
    """Show a box for text that is read as a file would be."""
    with st.expander("Or paste a table"):
        text = st.text_area(
            "Cells copied out of a spreadsheet, CSV or JSON lines, with the names of the columns",
            height=160,
            placeholder="truth,score",
        )
        if st.button("Read this text", type="primary"):
            opened.keep_files([(NAME, (text or "").encode())])
            st.rerun()
