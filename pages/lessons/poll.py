"""Ask the class: a question, an address for phones, and the answers as they come in."""

import secrets

import numpy as np
import streamlit as st

from evalcore.errors import EvalError
from evalview import escape, figures
from evalview.course.lessons import lessons
from evalview.course.polls import LONGEST_ANSWER, LONGEST_QUESTION, Asked, Polls, Question
from evalview.figures.lessons import Pooled
from evalview.figures.theme import Scene
from pages.session import link
from pages.widgets import chart, guard, share

ASK, HOST, ME, ABOUT = "ask", "host", "me", "about"
"""Names in the address: the question, the proof of its teacher, a reader, and a lesson asked of."""
LOOK_EVERY, SHOWN_EVERY = 1.0, 5.0
"""Seconds between two looks at the answers, and at whether the teacher shows what is right:
there are as many of the latter as readers."""
GUESS = "At which threshold do the decisions cost least?"
KINDS = {"number": "A number", "choice": "One of several"}


@st.cache_resource(show_spinner=False)
def polls() -> Polls:
    """Return the questions of all classes."""
    return Polls()


def page() -> None:
    """Show the box for a question; to its teacher its answers, to all others where to answer."""
    key, host = link.one(ASK), link.one(HOST)
    found = polls().asked(key) if key else None
    with guard.refusals_told():
        if key and found is None:
            guard.headline("This question is over", "Ask your teacher for a new address.")
        elif found is None:
            compose()
        elif polls().is_teacher(key, host):
            _hosted(key, host, found)
        else:
            guard.headline(found.question.text)
            _answer(key, _reader())


def compose() -> None:
    """Show what a question is made of, and ask it."""
    guard.headline(
        "Ask the class",
        "Each reader answers once, on a phone; answers appear here as they arrive. They are kept "
        "without names, in memory, for eight hours.",
    )
    about = lessons().get(link.one(ABOUT))
    usual = about.check if about else GUESS
    asked = st.text_input("Question", usual[:LONGEST_QUESTION], max_chars=LONGEST_QUESTION)
    offered = about.choices if about else ()
    kind = st.radio("Answer", KINDS, int(bool(offered)), format_func=KINDS.get, horizontal=True)
    low, high, choices = 0.0, 1.0, ""
    if kind == "number":
        with st.container(horizontal=True):
            low = st.number_input("From", value=0.0, width=140)
            high = st.number_input("To", value=1.0, width=140)
    else:
        choices = st.text_area("Answers, one per line", "\n".join(offered) or "True\nFalse")
    right = st.text_input(
        "Right answer, hidden until you show it",
        about.answer if about else "",
        max_chars=LONGEST_ANSWER,
    )
    if st.button("Ask", type="primary"):
        lines = tuple(line.strip() for line in choices.splitlines() if line.strip())
        if kind == "choice" and not lines:
            raise EvalError("poll", "Enter the answers to choose from, one per line.")
        key, host = polls().ask(Question(asked, lines, float(low), float(high), right))
        st.query_params.update({ASK: key, HOST: host})
        st.rerun()


def _reader() -> str:
    """Return what tells a reader from others, which outlives a refresh in the address."""
    told = link.one(ME)
    if not (8 <= len(told) <= 32 and told.isascii()):
        told = st.query_params[ME] = secrets.token_urlsafe(9)
    return told


@st.fragment
def _answer(key: str, reader: str) -> None:
    """Show where to answer, and then what was answered; it runs without the rest of the page."""
    asked = polls().asked(key)
    if asked is None:
        st.write("This question is over.")
        return
    value, problem = polls().answered(key, reader), ""
    if value is None and asked.open:
        room = st.empty()
        with room.form("answer", border=False):
            said = _box(asked.question)
            sent = st.form_submit_button("Answer", type="primary")
        if not sent or said is None:
            return
        try:
            polls().answer(key, reader, said)
        except EvalError as refused:
            problem = refused.message
        room.empty()
        value = polls().answered(key, reader)
    if value is None:
        st.write(escape.markdown(problem or "This question no longer takes answers."))
        return
    st.write(f"Your answer: **{escape.markdown(_said(asked.question, value))}**. Thank you.")
    if asked.question.right:
        _right(key)


@st.fragment(run_every=SHOWN_EVERY)
def _right(key: str) -> None:
    """Show the right answer, once the teacher shows it."""
    asked = polls().asked(key)
    if asked is not None and asked.shown:
        st.write(escape.markdown(asked.question.right))
    elif asked is not None:
        st.caption("The right answer appears here once your teacher shows it.")


def _box(question: Question) -> float | None:
    """Show where the answer is given; return it, None before it is."""
    if not question.choices:
        said: float | None = st.number_input(
            f"From {question.low:g} to {question.high:g}",
            question.low,
            question.high,
            None,
            (question.high - question.low) / 100,
            format="%g",
        )
        return said
    return st.radio(
        "Answers",
        range(len(question.choices)),
        format_func=lambda at: escape.markdown(question.choices[at]),
        index=None,
        label_visibility="collapsed",
    )


def _said(question: Question, value: float) -> str:
    return question.choices[int(value)] if question.choices else f"{value:g}"


def _hosted(key: str, host: str, asked: Asked) -> None:
    """Show a question to its teacher: where the class answers, and what it has answered."""
    guard.headline(asked.question.text)
    left, right = st.columns([2, 3], gap="large")
    with left, st.container(key="poll-host"):
        share.of_class({ASK: [key]})
        with st.container(horizontal=True):
            if asked.open:
                st.button("Stop taking answers", on_click=polls().close, args=(key, host))
            if asked.question.right and not asked.shown:
                st.button("Show the right answer", on_click=polls().show, args=(key, host))
            st.button("Remove and ask another", on_click=_again, args=(key, host))
        if asked.shown:
            st.write(escape.markdown(asked.question.right))
    with right:
        _pooled(key)


def _again(key: str, host: str) -> None:
    polls().remove(key, host)
    for name in (ASK, HOST):
        st.query_params.pop(name, None)


@st.fragment(run_every=LOOK_EVERY)
def _pooled(key: str) -> None:
    """Show the answers so far."""
    asked = polls().asked(key)
    if asked is None:
        st.rerun()
    one = asked.question
    made = Pooled(one.text, np.array(asked.answers, np.float64), one.choices, (one.low, one.high))
    figure = figures.draw_pooled(Scene(names=("rows",), look=chart.look()), made)
    chart.show(figure, figures.pooled_alt(made), key="pooled")
