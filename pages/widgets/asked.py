"""What an address asks for in vain, said above the page."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import StopException

from pages.escape import markdown, shorten
from pages.session import parameters

NAMED_AT_MOST = 4


@contextmanager
def told_in_vain() -> Iterator[None]:
    """Show above what the block draws what the address asks for and nothing there can do."""
    above = st.container()
    try:
        yield
    except StopException:  # A page that stops on purpose has read all it can; one that fails, not.
        _tell(above)
        raise
    _tell(above)


def _tell(above: DeltaGenerator) -> None:
    if lost := parameters.in_vain():
        above.warning(markdown(sentence(lost)))


def sentence(lost: Sequence[tuple[str, str]]) -> str:
    """Return names and values that were left out as a sentence.

    >>> sentence([("bins", "abc"), ("x", "y")])
    'The link asks for bins "abc" and x "y", which is not understood or not there: left out.'
    """
    named = [f'{shorten(name, 40)} "{shorten(text, 60)}"' for name, text in lost]
    more = len(named) - NAMED_AT_MOST
    named[NAMED_AT_MOST:] = [f"{more} more"] if more > 0 else []
    *before, last = named
    asked = " and ".join(filter(None, [", ".join(before), last]))
    return f"The link asks for {asked}, which is not understood or not there: left out."
