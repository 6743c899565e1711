"""Coming to a page, with files on their way in or by its address."""

from dataclasses import asdict, replace

import streamlit as st

from evalcore.errors import EvalError
from evalread.dataset import NO_CHOICES
from evalview import sharing
from pages.session import current, link, reading, selection, store


def reread(field: str, key: str) -> None:
    """Read the file again with what the box `key` holds; a refused choice goes back in the box."""
    chosen = st.session_state[key] or None
    if not current.set_reading(field, chosen):
        st.session_state[key] = getattr(current.view().choices, field) or ""


PAGE = "page_shown"


def sync(page: str) -> None:
    """Bring session and address together; call once per run, before anything is shown.

    An address that names data is followed: a deep link, a refresh, the browser's back button.
    When the user only went to another page, the session knows better than the link clicked.
    """
    params = {name: st.query_params.get_all(name) for name in st.query_params}
    own = {name: texts for name, texts in params.items() if name in sharing.OWN}
    picks = bool(params.pop(link.SELECT, []))
    asked = sharing.from_params(params)
    moved = st.session_state.get(PAGE, page) != page
    clicked = moved and not link.is_way_back()
    if moved:
        link.arrive()
    shown = current.view()
    if not moved and link.is_late(current.VIEW, own):
        current.write_address()
    elif picks and asked.data is not None and asked.data == shown.data:
        _follow(selection.looking_at(shown, asked.selected), {"selected": asked.selected})
    elif asked.data is None or (clicked and asked.data == shown.data):
        found = current.dataset()
        # But a lesson leads to what other costs come to.
        if found and asked.use.costs and asked.use != st.session_state.get(current.LINKED):
            current.say(found, **asdict(asked.use))
        current.write_address()
    elif asked != shown:
        _follow(asked, params)
    st.session_state[PAGE] = page  # last: a run that is cut short before has not arrived yet
    link.begin()
    link.asked_for(link.SELECT)


def _follow(asked: sharing.View, params: sharing.Params) -> None:
    """Look at what an address asks for, as far as the data have it."""
    if _means_shown(asked):
        params = {"shown": params["model"]} | {n: t for n, t in params.items() if n != "model"}
        asked = sharing.from_params(params)
    now = st.session_state[current.VIEW] = _usable(asked)
    # Why no choice at all could be followed says more than the names of all.
    if current.PROBLEM not in st.session_state:
        for name, text in sharing.left_out(params, now):
            link.refuse(name, text)
    current.write_address()


def _means_shown(asked: sharing.View) -> bool:
    """Return whether the column of models that an address asks for is none, but a model's name."""
    name = asked.choices.model
    if asked.data is None or not name or reading.reading(asked.data, asked.choices).dataset:
        return False
    found = reading.reading(asked.data, replace(asked.choices, model=None)).dataset
    return found is not None and name in current.names(found)


def _usable(asked: sharing.View) -> sharing.View:
    """Leave out what a link asks for and the data do not have."""
    if asked.data is None:
        return asked
    found = reading.reading(asked.data, asked.choices)
    if found.problem is not None and asked.choices != NO_CHOICES:
        detected = reading.reading(asked.data, NO_CHOICES)
        if detected.dataset is not None:
            current.refuse(_in_a_link(found.problem, asked))
            asked, found = replace(asked, choices=NO_CHOICES), detected
    if found.dataset and asked.selected and not selection.fits(found.dataset, asked.selected):
        asked = replace(asked, selected=())
    if found.dataset:
        asked = replace(asked, use=asked.use.fitting(len(found.dataset.classes)))
    known = current.names(found.dataset) if found.dataset else ()
    return asked if asked.model in known else replace(asked, model=None)


def _in_a_link(problem: EvalError, asked: sharing.View) -> EvalError:
    """Add which parameter chooses a model, where one was perhaps meant."""
    if problem.code != "no-such-column" or problem.column != asked.choices.model:
        return problem
    message = f'{problem.message} In a link, "model" is that column; "shown" is the model to show.'
    return EvalError(problem.code, message, column=problem.column)


OPENING = "opening"
GIVEN = "open"
"""Under this name an address has the token of files to be opened, from the command line or being
read, which whoever loads the page again finds there."""


def follow(page: str) -> None:
    """Look at files that were read meanwhile, for whoever left before that; call once per run.

    The start page waits for them itself and leads on: it must still find them on their way.
    """
    token = being_read()
    if token is not None and page != "start" and not reading.busy(token):
        arrive()
        st.session_state.pop(OPENING, None)
    _open_given()


def _open_given() -> None:
    """Let the start page open the files that the address names, unless they are open already."""
    token = st.query_params.get(GIVEN)
    if token in (None, being_read()):
        return
    if token != current.view().data and store.files(token) is not None:
        reading.begin(token)
        st.session_state[OPENING] = token
    else:
        del st.query_params[GIVEN]


def keep_files(files: store.Files) -> None:
    """Keep uploaded files and begin to read them, for `arrive`.

    Raises:
        EvalError: They are too large, or there is no room.
    """
    token = store.keep(files)
    stop_opening()  # of files dropped before, which nobody waits for any more
    reading.begin(token)
    st.session_state[OPENING] = token
    link.say(GIVEN, [token])


def being_read() -> str | None:
    """Return the token of files that are being read."""
    token: str | None = st.session_state.get(OPENING)
    return token


def arrive() -> bool:
    """Look at the files that were read; False, and all as it was, if they cannot be.

    They count as on their way until another page is shown: until then a run may be cut short.
    """
    token = being_read() or ""
    choices = store.given_choices(token)
    found = reading.reading(token, choices)
    refused = found.problem if found.table is None else None
    if refused is None:
        current.change(sharing.View(data=token, choices=choices))
    else:
        told = f"{current.listed(token)} could not be read. {refused.message}"
        current.refuse(EvalError(refused.code, told, rows=refused.rows, column=refused.column))
        current.close(token)
        st.session_state.pop(OPENING, None)
    return refused is None


def stop_opening() -> None:
    """Give up files that are being read."""
    token = st.session_state.pop(OPENING, None)
    if token is not None and token != current.view().data:
        store.forget(token)
        reading.forget(token)
