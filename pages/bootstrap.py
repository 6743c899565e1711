"""Bootstrap: would other rows of this kind show the same model ahead?"""

import streamlit as st

from evalcore.compare import usual_rope_of
from pages.session import current, rivals
from pages.widgets import bootstrap_parts, comparison_words, guard, scenes
from pages.widgets.comparison_metric import pick_metric
from pages.widgets.drawing import drawn_one_by_one
from pages.widgets.headline import headline
from pages.widgets.notices import remarks, warnings
from pages.widgets.rope_picker import pick_rope

GROUPS = (
    "The test in the headline takes rows as independent. Where rows of a group are alike, believe "
    "the intervals below."
)

dataset = guard.need_dataset()
top, choices = st.container(), st.container(horizontal=True, vertical_alignment="bottom")
options = current.options(dataset)
with choices:
    metric = pick_metric(dataset)
    asked = bootstrap_parts.ask(dataset)
    draws = rivals.draws(dataset, metric, options, asked.sampling)
    rope = pick_rope(usual_rope_of(draws.contest), metric)
with st.spinner("Drawing resamples"):
    if not comparison_words.in_closed_form(metric):
        drawn_one_by_one(rivals.draws(dataset, metric, options))
    made = rivals.comparison(dataset, metric, options, rope)
told = [notice for notice in made.notices if notice.code != "decisions"]
with top:
    headline(*comparison_words.finding(made))
    if asked.sampling == "groups":
        st.caption(GROUPS)
    warnings(told)
scene = scenes.of_rivals(dataset)
bootstrap_parts.pictures(scene, draws, made, asked.method)
bootstrap_parts.chances(draws, made, asked.method)
bootstrap_parts.disagreement(dataset, draws, made, options)
remarks(told)
