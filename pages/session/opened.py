"""Files on their way in: kept, read beside the page, looked at once they are read."""

from collections.abc import Sequence

import streamlit as st

from evalcore.errors import EvalError
from evalcore.intake.model import NO_CHOICES
from pages.escape import shorten
from pages.session import current, reading, store
from pages.session.link import View

UPLOADS, OPENING = "uploads_taken", "opening"
LONGEST_NAME = 60


def follow() -> None:
    """Look at files that were read meanwhile, for whoever left before that; call once per run."""
    if (token := opening()) is not None and not reading.busy(token):
        arrive()


def uploader_key() -> str:
    """Return a key for the file uploader: a new one after each upload, which frees its bytes."""
    return f"files-{st.session_state.get(UPLOADS, 0)}"


def keep_files(files: Sequence[tuple[str, bytes]]) -> bool:
    """Keep uploaded files and begin to read them, for `arrive`; False if they are refused."""
    used = {UPLOADS: st.session_state.get(UPLOADS, 0) + 1}
    try:
        token = store.keep(files)
    except EvalError as refusal:
        current.refuse(refusal)
        st.session_state.update(used)
        return False
    reading.begin(token)
    # From here on the uploader may forget the files: they are found again under their token.
    st.session_state.update({OPENING: token, **used})
    return True


def opening() -> str | None:
    """Return the token of files that are being read."""
    token: str | None = st.session_state.get(OPENING)
    return token


def arrive() -> bool:
    """Look at the files that were read; False, and all as it was, if they cannot be."""
    token = opening() or ""
    found = reading.reading(token, NO_CHOICES)
    refused = found.problem if found.table is None else None
    if refused is None:
        current.change(View(data=token))
    else:
        names = [name for name, _ in store.files(token) or ()]
        current.refuse(_not_opened(names, refused))
        current.close(token)
    # Last of all: a run may be cut short at any touch of the session, and must find its way back.
    st.session_state.pop(OPENING, None)
    return refused is None


def stop_opening() -> None:
    """Give up files that are being read."""
    if (token := opening()) is not None:
        st.session_state.pop(OPENING, None)
        store.forget(token)


def _not_opened(names: Sequence[str], problem: EvalError) -> EvalError:
    listed = " and ".join(shorten(name, LONGEST_NAME) for name in names)
    told = f"{listed} could not be read. {problem.message}"
    return EvalError(problem.code, told, rows=problem.rows, column=problem.column)
