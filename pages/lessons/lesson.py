"""Any lesson of the course: what is moved, what it shows, and the way to the next."""

from collections.abc import Mapping
from dataclasses import asdict
from math import isfinite
from typing import Any
from urllib.parse import parse_qsl

import streamlit as st
from streamlit.errors import StreamlitAPIException

from evalview.course import rows
from evalview.course.lessons import Lesson, from_former, is_state, lessons
from evalview.explained.concepts import concepts, symbols_of
from evalview.explained.lookup import entries
from evalview.explorer import source
from pages import contents
from pages.lessons import course
from pages.session import current, link
from pages.session.lessons import own_rows
from pages.widgets import guard

STATE = "at"
"""Under this name the address has the state of a lesson, and the browser tells it."""


def page(key: str) -> None:
    """Show a lesson, and below it where to see the same, its sources, and its neighbours."""
    lesson, own = lessons()[key], None
    if lesson.data:
        own = own_rows(current.dataset(), judged=len(lesson.data) > 1)
        lesson = rows.suited(lesson, own)
    guard.headline(lesson.title, lesson.question)
    with st.container(key="slide-lesson"):
        _STAGES[lesson.stage](
            data=payload(lesson, state(lesson), own),
            key=f"lesson-{key}",
            on_at_change=lambda: follow(lesson),
        )
    show_ways(lesson)
    show_sources(lesson)


_STAGES = {
    stage: st.components.v2.component(
        f"lesson-{stage}",
        js=source.component(stage, STATE),
        css=source.style("menu", "explorer", "lesson", "lessons"),
    )
    for stage in sorted({one.stage for one in lessons().values() if one.stage})
}


def payload(lesson: Lesson, at: str, own: rows.Material | None = None) -> Mapping[str, Any]:
    """Return what the browser needs to draw a lesson in a state, with rows of a file or without."""
    told = ("key", "title", "show", "check", "formula")
    return {
        **{name: getattr(lesson, name) for name in told},
        "answer": "" if course.keeps_back(lesson.key) else lesson.answer,
        "settings": [{**asdict(one), "isList": one.is_list} for one in lesson.settings],
        "words": [asdict(one) for one in lesson.words],
        "notice": [{"text": one.text, "target": one.target} for one in lesson.notice],
        "symbols": [
            {"text": symbol, "target": meaning}
            for symbol, meaning in symbols_of(lesson.key, lesson.formula).items()
        ],
        "data": rows.data(lesson, own),
        "at": at,
    }


_BELOW = st.components.v2.component(
    "lesson-below",
    js=source.component("below", STATE),
    css=source.style("menu", "explorer", "lesson", "lessons"),
)


def show_below(key: str, numbers: Mapping[str, float]) -> None:
    """Show what a lesson with a page of its own has below that: `numbers` fill its formulas."""
    lesson = lessons()[key]
    _BELOW(
        data={**payload(lesson, ""), "numbers": {n: _sent(v) for n, v in numbers.items()}},
        key=f"below-{key}",
        on_at_change=lambda: _try(key),
    )
    show_ways(lesson)
    show_sources(lesson)


def _sent(value: float) -> float | str:
    """Return a number as the browser takes it: JSON has none that is not finite."""
    return value if isfinite(value) else "∞" if value > 0 else "undefined"


def _try(key: str) -> None:
    """Set the boxes of a page as one of the things to notice asks."""
    said = str(st.session_state.get(f"below-{key}", {}).get(STATE, ""))
    target = said.partition(" ")[2]
    if target not in {one.target for one in lessons()[key].notice}:
        return
    for name, value in parse_qsl(target):
        try:
            st.query_params[name] = value
        except StreamlitAPIException:  # bound to a box, which alone may change it
            held = st.session_state[name]
            st.session_state[name] = (
                value == "true" if isinstance(held, bool) else type(held)(value)
            )


def state(lesson: Lesson) -> str:
    """Return the state in the address; "", the start, where there is none that can be."""
    told = link.one(STATE)
    if former := {name: text for name in lesson.formerly if (text := link.one(name))}:
        for name in former:
            del st.query_params[name]
        if not told and (told := from_former(lesson, former)):
            st.query_params[STATE] = told
    if not told or is_state(lesson, told):
        return told
    link.refuse(STATE, told)
    del st.query_params[STATE]
    return ""


def follow(lesson: Lesson) -> None:
    """Write the state at which the reader came to rest into the address."""
    said = st.session_state.get(f"lesson-{lesson.key}", {}).get(STATE)
    known = isinstance(said, str) and said and is_state(lesson, said)
    link.say(STATE, [said] if known else [])


def show_ways(lesson: Lesson) -> None:
    """Show links to where the same is seen on real data, and to what the glossary says."""
    with st.container(horizontal=True, key="ways"):
        for way in lesson.see:
            label = f"On real data: {way.text}"
            st.page_link(contents.page(way.page), label=label, query_params=dict(way.params))
        for name in lesson.concepts:
            called = concepts()[name].name if name in concepts() else entries()[name].name
            params = {**current.address(), "metric": name}
            st.page_link(contents.page("glossary"), label=called, query_params=params)


def show_sources(lesson: Lesson) -> None:
    """Show where the lesson comes from."""
    told = " · ".join(f"[{one.text}]({one.url})" for one in lesson.sources)
    st.caption(f"Sources: {told}")
