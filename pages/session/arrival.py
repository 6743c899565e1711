"""Coming to a page: what its address asks for is looked at, or kept from before."""

from dataclasses import replace

import streamlit as st

from evalcore.errors import EvalError
from evalcore.intake.model import NO_CHOICES
from pages.session import boxes, current, link, parameters, reading
from pages.session.link import View

PAGE = "page_shown"


def sync(page: str) -> None:
    """Bring session and address together; call once per run, before anything is shown.

    An address that names data is followed: a deep link, a refresh, the browser's back button.
    When the user only went to another page, the session knows better than the link clicked.
    """
    params = {name: st.query_params.get_all(name) for name in st.query_params}
    asked = link.from_params(params)
    moved = st.session_state.get(PAGE, page) != page
    st.session_state[PAGE] = page
    if moved:
        boxes.arrive()
    if asked.data is None or (moved and asked.data == current.view().data):
        current.write_address()
    elif asked != current.view():
        _follow(asked, params)
    parameters.begin()


def _follow(asked: View, params: link.Params) -> None:
    """Look at what an address asks for, as far as the data have it."""
    if _means_shown(asked):
        params = {"shown": params["model"]} | {n: t for n, t in params.items() if n != "model"}
        asked = link.from_params(params)
    now = st.session_state[current.VIEW] = _usable(asked)
    # Why no choice at all could be followed says more than the names of all.
    if current.PROBLEM not in st.session_state:
        for name, text in link.left_out(params, now):
            parameters.refuse(name, text)
    current.write_address()


def _means_shown(asked: View) -> bool:
    """Tell whether the column of models that an address asks for is none, but a model's name."""
    name = asked.choices.model
    if asked.data is None or not name or reading.reading(asked.data, asked.choices).dataset:
        return False
    found = reading.reading(asked.data, replace(asked.choices, model=None)).dataset
    return found is not None and name in current.names(found)


def _usable(asked: View) -> View:
    """Leave out what a link asks for and the data do not have."""
    if asked.data is None:
        return asked
    found = reading.reading(asked.data, asked.choices)
    if found.problem is not None and asked.choices != NO_CHOICES:
        detected = reading.reading(asked.data, NO_CHOICES)
        if detected.dataset is not None:
            current.refuse(_in_a_link(found.problem, asked))
            asked, found = replace(asked, choices=NO_CHOICES), detected
    known = current.names(found.dataset) if found.dataset else ()
    return asked if asked.model in known else replace(asked, model=None)


def _in_a_link(problem: EvalError, asked: View) -> EvalError:
    """Add which parameter chooses a model, where one was perhaps meant."""
    if problem.code != "no-such-column" or problem.column != asked.choices.model:
        return problem
    message = f'{problem.message} In a link, "model" is that column; "shown" is the model to show.'
    return EvalError(problem.code, message, column=problem.column)
