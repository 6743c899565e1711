"""Another way to read the same bytes: encoding, marks, sheet."""

import streamlit as st

from pages.session import current


def reread(field: str, key: str) -> None:
    """Read the file anew with what the box `key` holds; a refused choice goes back in the box."""
    chosen = st.session_state[key] or None
    if not current.set_reading(field, chosen):
        st.session_state[key] = getattr(current.view().choices, field) or ""
