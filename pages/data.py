"""What was read: which column means what?"""

import streamlit as st

from pages.session import current
from pages.session.command import command
from pages.widgets import failure, guard, notices, raw_cells, roles_form, roles_table, source_line
from pages.widgets.headline import headline, section

state = current.state()
table = state.table or guard.need_dataset().table

headline(source_line.finding(table, state.dataset), source_line.facts(table))
if state.problem is not None:
    failure.show_refusal(state.problem)

notices.notices(table.notices if state.dataset is None else state.dataset.notices)

if state.dataset is not None:
    roles_table.show(state.dataset)
    if state.dataset.roles.positive is not None:
        roles_form.show_positive(state.dataset)
with st.expander("Choose the columns yourself", expanded=state.dataset is None):
    roles_form.show(table, state.dataset)

section("As it stands in the file")
raw_cells.show(table)

section("The same on the command line")
call = command(current.file_names(), current.view(), state.problem)
st.code(call, language=None, wrap_lines=True)
