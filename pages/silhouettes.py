"""Silhouettes: which points would fit another cluster better?"""

import streamlit as st

from pages.session import clusterings
from pages.widgets import exact_parts, guard, notices, silhouette_parts
from pages.widgets.headline import headline, section
from pages.widgets.pickers import pick_model

dataset = guard.need_dataset()
top, choices = st.container(), st.container(horizontal=True, vertical_alignment="bottom")
with choices:
    name = pick_model(dataset)
    asked = silhouette_parts.ask(dataset)
points = clusterings.measurable(dataset, name)
assert points is not None  # the page is listed only where features or distances are known

with st.spinner(f"Measuring the distances of {points.n:,} points"):
    tables = clusterings.judged(dataset, name, asked.distance, asked.scaled)
with top:
    headline(*silhouette_parts.finding(dataset, name, tables))
exact_parts.offer(dataset, points, name, asked)
told = silhouette_parts.remarks(dataset, name, tables)
notices.warnings(told)
silhouette_parts.pictures(dataset, points, name, asked)
section("Its clusters")
silhouette_parts.clusters_table(dataset, points, name, asked)
section("The points", "Those that fit worst come first.")
silhouette_parts.rows(dataset, points, name, asked)
notices.remarks(told)
