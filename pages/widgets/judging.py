"""Work on one model after the other while the rest of the page can be used."""

from collections.abc import Callable

import streamlit as st

from evalcore.intake.model import Dataset
from evalcore.results import Estimates
from pages.session import computed, current

MANY, MOST = 5, 60
"""With more models than this it is said how far the work is; with very many, intervals wait."""

WAIT = (
    f"With more than {MOST} models the intervals of all would take minutes: they are made for the "
    "model that is picked, and for all by one metric on the page Leaderboard."
)


def judged_one_by_one(
    dataset: Dataset, judge: Callable[[str], Estimates], way: str = ""
) -> dict[str, Estimates]:
    """Return the numbers of every model by name; a click elsewhere on the page stops the work.

    What was made by then is kept, so that the next run goes on from there. Of very many models
    the numbers have no intervals; `way` says which decisions they are then of.
    """
    names = list(dataset.models)
    if len(names) > MOST:
        st.caption(WAIT)
        return {
            name: computed.plainly(dataset, name, way, current.threshold(dataset, name))
            for name in names
        }
    if len(names) <= MANY:
        return {name: judge(name) for name in names}
    shown, made = st.empty(), {}
    for place, name in enumerate(names):
        # Each call lets a waiting click through.
        shown.progress(place / len(names), f"Judging {place + 1} of {len(names)} models")
        made[name] = judge(name)
    shown.empty()
    return made
