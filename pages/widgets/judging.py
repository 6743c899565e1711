"""Work on one model after the other while the rest of the page can be used."""

from collections.abc import Callable

import streamlit as st

from evalcore.intake.model import Dataset
from evalcore.results import Estimates

MANY = 5
"""With more models than this it is said how far the work is."""


def judged_one_by_one(dataset: Dataset, judge: Callable[[str], Estimates]) -> dict[str, Estimates]:
    """Return the numbers of every model by name; a click elsewhere on the page stops the work.

    What was made by then is kept, so that the next run goes on from there.
    """
    names = list(dataset.models)
    if len(names) <= MANY:
        return {name: judge(name) for name in names}
    shown, made = st.empty(), {}
    for place, name in enumerate(names):
        # Each call lets a waiting click through.
        shown.progress(place / len(names), f"Judging {place + 1} of {len(names)} models")
        made[name] = judge(name)
    shown.empty()
    return made
