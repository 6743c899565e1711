"""Glossary: what does each number mean?"""

import streamlit as st

from pages.explained.lookup import entries
from pages.session import current, looked_up
from pages.widgets.glossary_detail import detail
from pages.widgets.glossary_list import find, pick
from pages.widgets.glossary_values import Found, found_values
from pages.widgets.headline import headline

dataset = current.dataset()
headline(
    "What does each number mean?",
    f"The formula, the range and the source of {len(entries())} numbers"
    + (
        ". Drop a file of predictions, or open a sample, to see them worked out."
        if dataset is None
        else ", and what each is for these rows."
    ),
)
known: dict[str, Found] = found_values(dataset) if dataset is not None else {}

with st.container(key="glossary"):
    left, right = st.columns([5, 8], gap="large")
    with left:
        shown = find(known)
        if shown:
            chosen = looked_up.name(shown, entries())
            pick(shown, known)
    with right:
        if shown:
            detail(chosen, known.get(chosen), dataset)
