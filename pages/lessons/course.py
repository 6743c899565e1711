"""Lessons: every lesson of the course in order, each with its question."""

from itertools import groupby

import streamlit as st

from evalview.course.lessons import Lesson, lessons
from pages import contents
from pages.session import current
from pages.widgets import guard


def page() -> None:
    """Show a card for each lesson, part by part of the course."""
    order = list(lessons().values())
    guard.headline(
        "Learn evaluation, one idea at a time",
        f"{len(order)} lessons, each with something to move and rows of its own. "
        "Next and Previous lead through all of them in order.",
    )
    numbers = {one.key: at for at, one in enumerate(order, 1)}
    for part, group in groupby(order, lambda one: one.part):
        guard.section(part)
        with st.grid(3, min_column_width=240):
            for one in group:
                with st.container(border=True, key=f"sample-lesson-{one.key}", gap="xsmall"):
                    label = f"{numbers[one.key]}. {one.title}"
                    address = current.address()
                    st.page_link(contents.page(one.key), label=label, query_params=address)
                    st.caption(one.question)


def show_neighbours(key: str) -> None:
    """Show the ways to the lessons before and after one, and to all; nothing beside no lesson."""
    order = list(lessons().values())
    at = next((at for at, one in enumerate(order) if one.key == key), None)
    if at is None:
        return
    with st.container(horizontal=True, key="next-lesson"):
        if at > 0:
            _neighbour(order[at - 1], "← {}")
        st.page_link(contents.page("lessons"), label="All lessons", query_params=current.address())
        if at + 1 < len(order):
            _neighbour(order[at + 1], "Next: {} →")


def _neighbour(lesson: Lesson, says: str) -> None:
    page = contents.page(lesson.key)
    st.page_link(page, label=says.format(lesson.title), query_params=current.address())
