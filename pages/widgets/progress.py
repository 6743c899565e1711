"""Work on one model after the other while the rest of the page can be used."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

import streamlit as st

MANY = 5
"""With more models than this it is said how far the work is."""

T = TypeVar("T")


def one_by_one(models: Sequence[T], doing: str) -> Iterator[T]:
    """Yield models to be worked on; a click elsewhere on the page stops the work.

    Whoever keeps what was made by then goes on from there in the next run.
    """
    if len(models) <= MANY:
        yield from models
        return
    shown = st.empty()
    for place, model in enumerate(models):
        # Each call lets a waiting click through.
        shown.progress(place / len(models), f"{doing} {place + 1} of {len(models)} models")
        yield model
    shown.empty()
