"""Comparison: which model is better, and how sure is that?"""

import streamlit as st

from pages.escape import markdown
from pages.session import current, rivals
from pages.widgets import comparison_pictures, comparison_tests, comparison_words, guard, scenes
from pages.widgets.comparison_metric import pick_metric
from pages.widgets.drawing import drawn_one_by_one
from pages.widgets.headline import headline, section
from pages.widgets.notices import remarks, warnings

dataset = guard.need_dataset()
top = st.container()
metric = pick_metric(dataset)
options = current.options(dataset)
scene = scenes.of_rivals(dataset)
with st.spinner(f"Comparing {len(scene.names)} models"):
    if dataset.models and not comparison_words.in_closed_form(metric):
        drawn_one_by_one(rivals.draws(dataset, metric, options))
    made = rivals.comparison(dataset, metric, options)
# Said above: what is decided, and that rows and folds ask two questions.
told = [one for one in made.notices if one.code not in ("decisions", "rows-and-folds")]
with top:
    if dataset.models and dataset.fold is not None:
        headline(*comparison_words.finding_by(comparison_words.BY_ROWS, made))
        st.caption(comparison_words.TWO_QUESTIONS)
    else:
        headline(*comparison_words.finding(made))
    if conditions := comparison_words.conditions(made, ("decisions",)):
        st.caption(markdown(conditions))
    warnings(told)

comparison_pictures.pictures(scene, made)
st.caption(markdown(comparison_words.levels(made)))
if settled := comparison_words.rows_needed(made):
    section("How many rows would settle it", settled)

section("The tests")
comparison_tests.tests_table(made)
comparison_tests.refused(made)
remarks(told)
