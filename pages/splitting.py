"""Splitting the rows: what will a model do on rows it has not seen, and who can tell?"""

import streamlit as st

from pages.session import current, lessons, own_rows
from pages.widgets import bar, lab_choices, splitting_parts
from pages.widgets.headline import headline

dataset = current.dataset()
top, choices = st.container(), st.container(horizontal=True, vertical_alignment="bottom")
with choices:
    chosen = lab_choices.choose(
        dataset, first="patients", kind="nearest neighbours", own=own_rows.split(dataset)
    )
    scheme, folds = splitting_parts.ask_scheme(chosen)
if chosen.own:
    with top:
        bar.show()
if not chosen.trains:
    with top:
        headline(*splitting_parts.divided(chosen, scheme))
    splitting_parts.untrained(chosen, scheme, folds)
    st.stop()
made = splitting_parts.try_all(chosen, folds)
taught = chosen.taught(scheme, folds)
known = lessons.ends(chosen.name, chosen.seed, chosen.learner, chosen.lesson)
if scheme in made:
    with top:
        headline(*splitting_parts.finding(chosen, scheme, made[scheme], known))
    splitting_parts.roles(chosen, made[scheme].splits, taught)
else:
    with top:
        headline(f"These rows are too few for {scheme}", "Choose fewer folds, or other rows.")
splitting_parts.schemes(chosen, made, known, taught)
if "bootstrap" in made:
    splitting_parts.weights(made["bootstrap"], known, chosen)
