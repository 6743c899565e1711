"""Around every page: its title, the way to the others, which data it shows, what went wrong."""

import sys

import streamlit as st

from evalview import ASSETS
from pages import contents
from pages.lessons import course
from pages.session import cache, current, opening
from pages.widgets import bar, guard

ABOUT = (
    "**Evalboard** shows how good models are, how sure that is, and where they go wrong.\n\n"
    "Files stay on this server, in memory, and are removed after a day without use."
)


st.set_page_config(
    page_icon=str(ASSETS / "logo.svg"),
    layout="wide",
    initial_sidebar_state=228,
    menu_items={"About": ABOUT},
)

every = [entry.at(one) for entry in contents.CONTENTS for one in (entry.name, *entry.also)]
page = st.navigation(every, position="hidden")
entry = next(entry for entry in contents.CONTENTS if entry.title == page.title)

opening.follow(entry.name)
opening.sync(entry.name)
dataset = current.dataset()
if (shown := contents.shown(entry, dataset)) is not entry:
    st.session_state.setdefault(entry.name, True)  # opens the part that the page has become
    entry = shown
st.set_page_config(page_title=f"{contents.called(entry)} · Evalboard")
fitting = [other for other in contents.CONTENTS if other.fits(dataset)]
bar.show_sidebar(contents.links(fitting), entry, current.address())
with st.sidebar, st.container(key="palette-place"):
    bar.show_search(fitting, entry, dataset)
with guard.refusals_told(), guard.unused_parameters_told():
    if entry.name != "start":
        bar.news()
    if not entry.needs and entry.name != "data":  # others say so themselves
        guard.show_gone()
    if entry.name != "start" and not entry.brings_rows:
        bar.show(
            change=entry.name != "data",
            sizes=entry.name != "overview",
            report=entry.name != "report",
        )
    bar.show_tabs(contents.tabs(fitting, entry), entry, current.address())
    if dataset is not None and entry not in fitting and entry.needs:
        guard.show_unfit(entry.needs)
    else:
        page.run()
    course.show_neighbours(entry.name)
cache.settle_memory(len(sys.modules))
