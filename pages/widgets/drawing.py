"""Drawing resamples of many models while the rest of the page can be used."""

import streamlit as st

from evalcore.contests.draws import Draws

MANY = 5
"""With more models than this it is said how far the work is."""


def drawn_one_by_one(draws: Draws) -> None:
    """Draw the models one after the other; a click elsewhere on the page stops the work.

    What was drawn by then is kept, so that the next run goes on from there.
    """
    models = len(draws.contest.contenders)
    shown = st.empty()
    for place in range(models):
        if models > MANY:
            # Each call lets a waiting click through.
            shown.progress(place / models, f"Resampling {place + 1} of {models} models")
        if draws.drawable(place):
            draws.of(place)
    shown.empty()
