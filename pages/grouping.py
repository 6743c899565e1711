"""Group the points: would another method group the points otherwise?"""

import streamlit as st

from pages.session import clusterings, current, groupings
from pages.widgets import grouping_parts, guard
from pages.widgets.headline import headline, section

dataset = guard.need_dataset()
name = current.model(dataset)
points = clusterings.points(dataset, name)
assert points is not None  # the page is listed only where features are known

top = st.container()
asked = grouping_parts.ask()
with st.spinner(f"Grouping {points.n:,} points"):
    made = groupings.grouped(dataset, name, asked.method, asked.scaled)
with top:
    headline(*grouping_parts.finding(made, asked.method))
grouping_parts.keep(dataset, points, made, asked.method)
section("What it found")
grouping_parts.picture(dataset, made)
