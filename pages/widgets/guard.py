"""What a page shows when data are missing, when something fails, or an address asks in vain."""

import logging
import secrets
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import StopException

from evalcore.errors import EvalError
from evalread.dataset import Dataset
from evalview import escape, words
from evalview.text import abbreviate
from pages import contents
from pages.session import current, link, selection


def headline(finding: str, lead: str = "") -> None:
    """Show what the page found, and one line below it."""
    below = f'<p class="eb-lead">{escape.prose(short(lead))}</p>' if lead else ""
    st.html(f'<h1 class="eb-headline">{escape.prose(short(finding))}</h1>{below}')


def short(said: str) -> str:
    """Return a sentence about the data looked at, its long names cut."""
    dataset = current.dataset()
    return said if dataset is None else words.with_short_names(dataset, said)


def reserve(key: str) -> DeltaGenerator:
    """Return a container to be filled later; the style of its key keeps its height meanwhile."""
    room = st.container(key=key)
    room.empty()  # A container without any element is not drawn, and would keep nothing.
    return room


def top_and_choices() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return room for the headline, and below it room for what can be chosen, side by side."""
    top = reserve("finding")
    return top, st.container(key="choices", horizontal=True, vertical_alignment="bottom")


def section(title: str, lead: str = "") -> None:
    """Begin a part of the page."""
    below = f'<p class="eb-lead">{escape.prose(short(lead))}</p>' if lead else ""
    st.html(f'<h2 class="eb-section">{escape.prose(title)}</h2>{below}')


def opened(title: str, *, key: str) -> DeltaGenerator | None:
    """Show a part of the page that is folded away; return it once it is open, else None.

    An address may open it, and what is in it is only made then.
    """
    part = st.expander(title, key=key, on_change="rerun", bind="query-params")
    return part if part.open else None


LOG = logging.getLogger("evalboard")
ROWS_NAMED = 10
"""Rows named in a message: enough to find the pattern."""


def show_failure(error: Exception) -> bool:
    """Show a card for an error that nothing caught; True tells Streamlit that it was shown."""
    number = secrets.token_hex(4)
    LOG.error("Failure %s", number, exc_info=error)
    with st.container(key="failure", border=True):
        st.subheader("This page could not be shown", anchor=False)
        st.write(
            "This is a bug, and none of your data is lost: go to another page, or reload this "
            f"one. If it happens again, report the number **{number}**; the server's log has the "
            "details under it."
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
    st.error(escape.markdown(short(error.message)) + _where(error))


def _where(error: EvalError) -> str:
    """Name the rows, unless the message does."""
    if not error.rows or str(error.rows[0]) in error.message:
        return ""
    named = ", ".join(f"{row:,}" for row in error.rows[:ROWS_NAMED])
    more = "" if len(error.rows) <= ROWS_NAMED else " and more"
    return f"  \n{'Row' if len(error.rows) == 1 else 'Rows'} {named}{more}."


def show_gone() -> None:
    """Say that the data of a link are gone, on a page that needs none."""
    found = current.state()
    if found.table is None and found.problem is not None:
        show_refusal(found.problem)


def need_dataset(but: Collection[str] = ()) -> Dataset:
    """Return the data looked at; without any, show the way to some and stop the page.

    Only the rows that are selected, unless it is by one of `but`, which the page shows all of.
    """
    dataset = current.dataset()
    if dataset is None:
        _show_empty()
        st.stop()
    kept = selection.within(dataset, but)
    if kept is not dataset and selection.is_by_outcome(dataset):
        st.caption(
            "Only the selected rows count here. They were selected by their results, so these "
            "numbers say nothing about other rows."
        )
    return kept


def show_unfit(needs: str) -> None:
    """Say what the data at hand lack for this page."""
    link.overlook()
    with st.container(key="empty"):
        st.header("Nothing to show here for this data", anchor=False)
        st.write(f"This page needs {needs}.")
        _link("data", "See how the data was read")


def _show_empty() -> None:
    link.overlook()
    state = current.state()
    with st.container(key="empty"):
        st.header(
            "No predictions yet" if state.table is None else "Which column is what?", anchor=False
        )
        if state.problem is not None:
            show_refusal(state.problem)
        if state.table is None:
            st.write("Drop a file of predictions, or explore a sample.")
            _link("start", "Open a file")
        else:
            _link("data", "Choose the columns")


def _link(name: str, label: str) -> None:
    st.page_link(contents.page(name), label=label, query_params=current.address())


NAMED_AT_MOST = 4
"""More parameters than this make a sentence too long."""


@contextmanager
def unused_parameters_told() -> Iterator[None]:
    """Show above what the block draws what the address asks for and nothing there can do."""
    above = st.container()
    try:
        yield
    except StopException:  # A page that stops on purpose has read all it can; one that fails, not.
        _tell(above)
        raise
    _tell(above)


def _tell(above: DeltaGenerator) -> None:
    if lost := link.in_vain():
        above.warning(escape.markdown(sentence(lost)))


def sentence(lost: Sequence[tuple[str, str, str]]) -> str:
    """Return names and values that were left out as a sentence, and what may be meant.

    >>> sentence([("bins", "abc", ""), ("x", "y", "")])
    'The link asks for bins "abc" and x "y": not understood or not available, so ignored.'
    """
    named = [f'{abbreviate(name, 40)} "{abbreviate(text, 60)}"' for name, text, _ in lost]
    more = len(named) - NAMED_AT_MOST
    named[NAMED_AT_MOST:] = [f"{more} more"] if more > 0 else []
    *before, last = named
    asked = " and ".join(filter(None, [", ".join(before), last]))
    near = "".join(dict.fromkeys(near for _, _, near in lost[:NAMED_AT_MOST]))
    return f"The link asks for {asked}: not understood or not available, so ignored.{near}"
