"""Distances: how far are two rows apart?"""

import streamlit as st

from pages.session import current
from pages.widgets import bar, distance_parts
from pages.widgets.headline import headline

top, choices = st.container(), st.container(horizontal=True, vertical_alignment="bottom")
with choices:
    pair = distance_parts.ask(current.dataset())
with top:
    if pair.own:
        bar.show()
    headline(*distance_parts.finding(pair))
left, right = st.columns(2)
with left:
    distance_parts.circle(pair.order)
with right:
    distance_parts.working(pair)
    distance_parts.orders(pair)
