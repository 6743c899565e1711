"""A table without a file: pasted as text."""

import streamlit as st

from pages.session import opened

NAME = "pasted text"


def show() -> None:
    """Show a box for text that is read as a file would be."""
    # In a form, Ctrl+Enter reads the text as the button does.
    with st.expander("Or paste a table"), st.form("pasting", border=False):
        text = st.text_area(
            "Cells copied out of a spreadsheet, CSV or JSON lines, with the names of the columns",
            height=160,
            placeholder="truth,score",
        )
        if st.form_submit_button("Read this text", type="primary"):
            opened.keep_files([(NAME, (text or "").encode())])
            st.rerun()
