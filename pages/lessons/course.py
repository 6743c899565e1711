"""Lessons: every lesson of the course in order, each with its question."""

from collections.abc import Sequence
from itertools import groupby

import streamlit as st

from evalcore.text import did_you_mean
from evalview.course.lessons import lessons
from evalview.course.polls import Classes
from pages import contents
from pages.contents import Entry
from pages.session import current, link
from pages.widgets import guard, share


def page() -> None:
    """Show a card for each lesson, part by part of the course."""
    chosen = own()
    if chosen:
        guard.headline("This course", f"{len(chosen)} pages, one after the other.")
        _cards(chosen)
    else:
        _every()
    compose(chosen)
    if link.one(current.TEACH):
        teach()


def _every() -> None:
    """Show every lesson, part by part."""
    order = list(lessons().values())
    guard.headline(
        "Learn evaluation, one idea at a time",
        f"{len(order)} lessons, each with something to move and its own data. Next and Previous "
        "go through all of them in order.",
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
    known = {key: (one.title, *key.split("_")) for key, one in _able().items()}
    for key in [key for key in found if key not in known]:
        link.refuse(current.COURSE, key, did_you_mean(key, known))
    return [_entry(key) for key in found if key in _able()]


MADE = "course_made"


def compose(chosen: Sequence[Entry]) -> None:
    """Show a box to pick the pages of a course in their order, and the link that opens it."""
    with st.expander("Put a course together"):
        title = {key: one.title for key, one in _able().items()}.__getitem__
        usual = [one.name for one in chosen]
        picked = st.multiselect(
            "Pages, in the order you pick them", list(_able()), usual, key=MADE, format_func=title
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
        if link.one(current.TEACH):
            address = {**current.address(), "about": key}
            st.page_link(contents.page("poll"), label="Ask the class", query_params=address)
        _show_answer(key)


def _neighbour(entry: Entry, says: str) -> None:
    label = says.format(entry.title)
    st.page_link(entry.page, label=label, query_params=current.address())


# A class, which sees the answers of lessons when its teacher shows them


@st.cache_resource(show_spinner=False)
def classes() -> Classes:
    """Return the classes of all teachers."""
    return Classes()


SHOWN_EVERY = 4.0
"""Seconds between two looks at whether the teacher shows an answer."""


def teach() -> None:
    """Show the button that begins a class; to its teacher, where the class finds the lessons."""
    guard.section("Teach a class", "Its pages keep each answer back until you show it.")
    if _teaches():
        told = {name: [link.one(name)] for name in (current.CLASS, current.COURSE)}
        share.of_class({name: value for name, value in told.items() if value[0]})
    else:
        st.button("Begin a class", on_click=_begin, type="primary")


def _begin() -> None:
    st.query_params[current.CLASS], st.query_params[current.TEACH] = classes().begin()


def _teaches() -> bool:
    return classes().is_teacher(link.one(current.CLASS), link.one(current.TEACH))


def keeps_back(key: str) -> bool:
    """Whether the answer of a lesson is kept back: from a class, until its teacher shows it.

    A class that is over keeps nothing back.
    """
    shown = classes().shown(link.one(current.CLASS)) if link.one(current.CLASS) else None
    return shown is not None and key not in shown and not _teaches()


def _show_answer(key: str) -> None:
    """Show a teacher the button that shows the answer; let a class look whether it is shown."""
    told = link.one(current.CLASS), link.one(current.TEACH)
    if key in lessons() and _teaches():
        shown = key in (classes().shown(told[0]) or ())
        label = "Hide the answer from the class" if shown else "Show the answer to the class"
        st.button(label, on_click=classes().show, args=(*told, key), kwargs={"wanted": not shown})
    elif key in lessons() and keeps_back(key):
        _wait(key)


@st.fragment(run_every=SHOWN_EVERY)
def _wait(key: str) -> None:
    """Run the page again once the answer is shown."""
    if not keeps_back(key):
        st.rerun()
