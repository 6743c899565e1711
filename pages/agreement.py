"""Agreement: does a clustering find the same groups?"""

import streamlit as st

from pages.widgets import agreement_parts, guard
from pages.widgets.cluster_overview import remarks
from pages.widgets.headline import headline, section
from pages.widgets.notices import notices
from pages.widgets.pickers import pick_model

dataset = guard.need_dataset()
top, choices = st.container(), st.container(horizontal=True, vertical_alignment="bottom")
with choices:
    name = pick_model(dataset)
    rival = agreement_parts.pick_rival(dataset, name)
with top:
    headline(*agreement_parts.finding(dataset, name, rival))
notices(remarks(dataset, name))
agreement_parts.picture(dataset, name, rival)
section("Every number of agreement", "Beside what dealing the points at random would give.")
agreement_parts.metrics_table(dataset, name, rival)
