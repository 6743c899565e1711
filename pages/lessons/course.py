"""Lessons: every lesson of the course in order, each with its question."""

from collections.abc import Sequence
from itertools import groupby

import streamlit as st

from evalview.course.lessons import lessons
from pages import contents
from pages.contents import Entry
from pages.session import current, link
from pages.widgets import guard


def page() -> None:
    """Show a card for each lesson, part by part of the course."""
    chosen = own()
    if chosen:
        guard.headline("This course", f"{len(chosen)} pages, one after the other.")
        _cards(chosen)
    else:
        _every()
    compose(chosen)


def _every() -> None:
    """Show every lesson, part by part."""
    order = list(lessons().values())
    guard.headline(
        "Learn evaluation, one idea at a time",
        f"{len(order)} lessons, each with something to move and rows of its own. "
        "Next and Previous lead through all of them in order.",
    )
    before = 0
    for part, group in groupby(order, lambda one: one.part):
        keys = [one.key for one in group]
        guard.section(part)
        _cards([_entry(key) for key in keys], before)
        before += len(keys)


def _cards(entries: Sequence[Entry], before: int = 0) -> None:
    """Show a card for each page, numbered on from those before."""
    with st.grid(3, min_column_width=240):
        for number, one in enumerate(entries, before + 1):
            with st.container(border=True, key=f"sample-lesson-{one.name}", gap="xsmall"):
                label = f"{number}. {one.title}"
                st.page_link(one.page, label=label, query_params=current.address())
                st.caption(one.answers)


def _able() -> dict[str, Entry]:
    """Return the pages that a course can be made of, by key: those that need no data."""
    every = {one.name: one for one in contents.CONTENTS if one.section == contents.LESSONS}
    return {name: one for name, one in every.items() if name not in ("lessons", "poll")}


def _entry(key: str) -> Entry:
    return _able()[key]


def own() -> list[Entry]:
    """Return the pages of the course that the address names, in its order; [] without one."""
    told = link.one(current.COURSE)
    found = list(dict.fromkeys(filter(None, told.split(","))))
    for key in [key for key in found if key not in _able()]:
        link.refuse(current.COURSE, key)
    return [_entry(key) for key in found if key in _able()]


MADE = "course_made"


def compose(chosen: Sequence[Entry]) -> None:
    """Show a box to pick the pages of a course in their order, and the link that opens it."""
    with st.expander("Put a course together"):
        names = {key: one.title for key, one in _able().items()}
        usual = [one.name for one in chosen]
        picked = st.multiselect(
            "Pages, in the order picked", list(names), usual, key=MADE, format_func=names.get
        )
        if picked:
            address = {**current.address(), current.COURSE: ",".join(picked)}
            st.page_link(contents.page("lessons"), label="Open this course", query_params=address)
        if chosen:
            every = {n: v for n, v in current.address().items() if n != current.COURSE}
            st.page_link(contents.page("lessons"), label="All lessons", query_params=every)


def show_neighbours(key: str) -> None:
    """Show the ways to the pages before and after one, and to all; nothing beside no lesson.

    They are those of the course in the address, else the lessons in order. A teacher has the way to
    ask the class what the lesson asks.
    """
    order = own() or [_entry(one) for one in lessons()]
    at = next((at for at, one in enumerate(order) if one.name == key), None)
    if at is None:
        return
    with st.container(horizontal=True, key="next-lesson"):
        if at > 0:
            _neighbour(order[at - 1], "← {}")
        label = "This course" if own() else "All lessons"
        st.page_link(contents.page("lessons"), label=label, query_params=current.address())
        if at + 1 < len(order):
            _neighbour(order[at + 1], "Next: {} →")
        if link.one(current.TEACH) == link.YES:
            address = {**current.address(), "about": key}
            st.page_link(contents.page("poll"), label="Ask the class", query_params=address)


def _neighbour(entry: Entry, says: str) -> None:
    label = says.format(entry.title)
    st.page_link(entry.page, label=label, query_params=current.address())
