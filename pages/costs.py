"""Costs: which threshold is cheapest?"""

import streamlit as st

from evalcore.intake.model import Task
from pages.figures.spoken import spoken
from pages.session import costed, explored
from pages.session.costed import share, stakes_of
from pages.session.question import asked
from pages.widgets import class_cost_parts, cost_day, cost_matrix, cost_parts, guard, scenes
from pages.widgets.cost_case import Costed
from pages.widgets.headline import headline, section
from pages.widgets.pickers import pick_model

WHAT = "Of a case, by what is true (rows) and what it is called (columns); a gain is below 0."
FEW = 4
"""So many classes have room for their costs beside what comes of them."""

dataset = guard.need_dataset()
top, choices = st.container(), st.container(horizontal=True, vertical_alignment="bottom")
with choices:
    pick_model(dataset)
if len(dataset.classes) <= FEW:
    left, right = st.columns([3, 5], gap="medium")
else:
    left, right = st.container(), st.container()

if dataset.roles.task is Task.BINARY:
    question = asked(dataset)
    model = explored.model(dataset, question)
    table = question.tables[model].scores
    with choices:
        prevalence = cost_matrix.ask_prevalence(dataset.classes[1], share(table))
        volume = cost_matrix.ask_volume()
    with left:
        section("Costs", WHAT)
        stakes = stakes_of(cost_matrix.ask_costs(dataset), prevalence)
    it = Costed(dataset, question, model, stakes, volume)
    scene = scenes.of_models(dataset, model)
    with top:
        headline(*cost_parts.finding(it))
    if it.has_both:
        with right:
            cost_day.day(it)
        cost_parts.curves(it, scene)
        cost_parts.certainty(it, scene)
        cost_parts.worth(it, scene)
else:
    model = class_cost_parts.model(dataset)
    with choices:
        volume = cost_matrix.ask_volume()
    with left:
        section("Costs", WHAT)
        costs, shares = cost_matrix.ask_costs(dataset), cost_matrix.ask_shares(dataset)
    made = costed.of_classes(dataset, model, costs, shares)
    with top:
        headline(*class_cost_parts.finding(made, spoken(dataset, model)))
    with right:
        section(f"In a day of {volume:,} cases")
        class_cost_parts.compared(made, shares, volume)
    class_cost_parts.matrices(made)
