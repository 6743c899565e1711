"""Confusion matrix: what is mistaken for what?"""

import streamlit as st

from evalcore.intake.model import Task
from pages.figures.spoken import spoken
from pages.session import computed, current
from pages.widgets import binary_overview, guard, sayings
from pages.widgets.cell import cell_heading, cell_rows, pick_cell, rows_lead
from pages.widgets.headline import headline, section
from pages.widgets.matrix_chart import matrix_chart, pick_shown
from pages.widgets.pairs_table import pairs_table
from pages.widgets.pickers import pick_model, pick_way

IN_SHORT = ("recall", "precision", "specificity")
HOW = "Click a cell, or name one beside the picture, to see its rows."

dataset = guard.need_dataset()
top, choices = st.container(), st.container(horizontal=True)
with choices:
    model = pick_model(dataset)
    threshold = current.threshold(dataset, model)
    decisions = computed.decisions(dataset, model, threshold)
    way = pick_way(list(decisions))
    shown = pick_shown()

matrix = decisions[way].confusion
with top:
    origin = sayings.decided_by(way, matrix.classes, threshold)
    headline(sayings.matrix(spoken(dataset, model), matrix), f"{origin} {HOW}")

picture, beside = st.columns([3, 2], gap="medium")
with beside:
    cell = pick_cell(matrix)
    cell_heading(matrix, cell)
    if dataset.roles.task is Task.BINARY:
        binary_overview.decision(dataset, model, way, decisions[way], IN_SHORT)
    else:
        pairs_table(matrix, key="pairs")
with picture:
    matrix_chart(matrix, shown, cell)

section("The rows of this cell", rows_lead(dataset, model))
cell_rows(dataset, model, way, cell)
