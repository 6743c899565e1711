"""Over-fitting: when does a model learn its rows by heart?"""

import streamlit as st

from pages.session import current, own_rows
from pages.widgets import bar, lab_choices, overfitting_parts, rare_parts
from pages.widgets.headline import headline

dataset = current.dataset()
top, choices = st.container(), st.container(horizontal=True, vertical_alignment="bottom")
with choices:
    chosen = lab_choices.choose(
        dataset, first="illness", kind="decision tree", own=own_rows.train(dataset)
    )
with top:
    if chosen.own:
        bar.show()
    headline(*overfitting_parts.finding(chosen))
left, right = st.columns(2)
with left:
    overfitting_parts.by_rows(chosen)
with right:
    overfitting_parts.by_dial(chosen)
rare_parts.show(chosen)
