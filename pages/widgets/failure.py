"""What a reader sees when something fails: a sentence, what to do, and never a traceback."""

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from evalcore.errors import EvalError
from pages.escape import markdown

LOG = logging.getLogger("evalboard")
ROWS_NAMED = 10


def show_failure(error: Exception) -> bool:
    """Show a card for an error that nothing caught; True tells Streamlit that it was shown."""
    number = secrets.token_hex(4)
    LOG.error("Failure %s", number, exc_info=error)
    with st.container(key="failure", border=True):
        st.subheader("This page could not be drawn", anchor=False)
        st.write(
            "The fault is ours, and nothing of yours is lost: go to another page, or reload this "
            f"one. If it stays, report it with the number **{number}**, under which the server's "
            "log holds the details."
        )
    return True


@contextmanager
def refusals_told() -> Iterator[None]:
    """Show an `EvalError` of the block as a sentence for the reader."""
    try:
        yield
    except EvalError as error:
        show_refusal(error)


def show_refusal(error: EvalError) -> None:
    """Show why input or an option cannot be used."""
    st.error(markdown(error.message) + _where(error))


def _where(error: EvalError) -> str:
    """Name the rows, unless the message does."""
    if not error.rows or str(error.rows[0]) in error.message:
        return ""
    named = ", ".join(f"{row:,}" for row in error.rows[:ROWS_NAMED])
    more = "" if len(error.rows) <= ROWS_NAMED else " and more"
    return f"  \n{'Row' if len(error.rows) == 1 else 'Rows'} {named}{more}."
