"""The numbers of every model, one after the other while the rest of the page can be used."""

from collections.abc import Callable

import streamlit as st

from evalcore.intake.model import Dataset
from evalcore.results import Estimates
from pages.session import computed, current
from pages.widgets.progress import one_by_one

MOST = 60
"""With more models than this, intervals wait until a model is picked."""

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
    return {name: judge(name) for name in one_by_one(names, "Judging")}
