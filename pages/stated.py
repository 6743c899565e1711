"""Intervals: do the stated intervals hold what they promise?"""

import streamlit as st

from pages.session import stated
from pages.widgets import guard, stated_parts
from pages.widgets.headline import headline, section

dataset = guard.need_dataset()
top, choices = st.container(), st.container(horizontal=True, vertical_alignment="bottom")
with choices:
    model = stated_parts.pick_model(dataset)
    promised = stated_parts.ask_level() if stated.asks_level(dataset) else stated_parts.USUAL
with top:
    headline(*stated_parts.finding(dataset, model, promised))
stated_parts.crossed(dataset, model, promised)
stated_parts.pictures(dataset, model, promised)
section("Every interval", "Narrow is good only if the promise is kept; the score weighs both.")
stated_parts.table(dataset, promised)
