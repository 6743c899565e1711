"""ROC step by step: how does a sorted list of rows become a curve?"""

import streamlit as st

from evalcore.intake.model import Task
from pages.session import explored, roc_steps
from pages.session.question import asked
from pages.widgets import guard, roc_lesson, scenes
from pages.widgets.class_picker import pick_class
from pages.widgets.headline import headline
from pages.widgets.pickers import pick_model

dataset = guard.need_dataset()
top, choices = st.container(), st.container(horizontal=True, vertical_alignment="bottom")
with choices:
    question = asked(dataset, None if dataset.roles.task is Task.BINARY else pick_class(dataset))
    pick_model(dataset)
    model = explored.model(dataset, question)
    most = roc_lesson.ask_rows(dataset.models[model].n)
told = roc_steps.lesson(dataset, question, model, most)
with top:
    headline(*roc_lesson.finding(question, scenes.of_question(dataset, question, model), told))
if told.classes == 2:
    roc_lesson.go_through(dataset, question, model, told)
