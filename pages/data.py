"""What was read: which column means what?"""

import streamlit as st

from pages.session import current
from pages.session.command import command
from pages.widgets import (
    answers,
    failure,
    guard,
    notices,
    raw_cells,
    reading_boxes,
    roles_form,
    roles_table,
    source_line,
)
from pages.widgets.headline import headline, section

state = current.state()
table = state.table or guard.need_dataset().table

headline(source_line.finding(table, state.dataset), source_line.facts(table))
question = state.problem if state.problem is not None and state.problem.offers else None
if question is not None:
    answers.show(table, question)
elif state.problem is not None:
    failure.show_refusal(state.problem)
if state.dataset is None and current.can_undo():
    st.button("Undo", on_click=current.undo)

if state.dataset is not None:
    section("What each column was taken for")
    roles_table.show(state.dataset)
    if state.dataset.roles.positive is not None:
        roles_form.show_positive(state.dataset)
unasked = state.dataset is None and question is None
with st.expander("Choose the columns yourself", expanded=unasked):
    roles_form.show(table, state.dataset)

told = table.notices if state.dataset is None else state.dataset.notices
if told:
    section("What to know about the file")
    notices.notices(told)

section("As it stands in the file", "The first rows. Where they look wrong, read them otherwise.")
reading_boxes.show(table)
raw_cells.show(table)

section("The same again", "On the command line, or as a link to what you see here.")
call = command(current.file_names(), current.view(), state.problem)
st.code(call, language=None, wrap_lines=True)
if (address := current.web_address()) is not None:
    st.code(address, language=None, wrap_lines=True)
