"""The Python that draws the figures of what is looked at."""

import streamlit as st

from evalcore.intake.model import Dataset, Task
from pages.explained.drawings import DRAWINGS, drawing_code
from pages.explained.snippets import Place
from pages.session import computed, costed, current, prices
from pages.session.clusterings import SPREAD

DRAWN_AS = {"map": ("axes", SPREAD), "error-groups": ("along", "predicted")}
"""Figures that a box changes: the box, and what it must say for the code to draw the same."""


def code_of(key: str) -> str:
    """Return the Python that draws a figure; "" where there is none."""
    dataset = current.dataset()
    if dataset is None or key not in DRAWINGS:
        return ""
    if key in DRAWN_AS:
        box, usual = DRAWN_AS[key]
        if st.session_state.get(box, usual) != usual:
            return ""
    scored = dataset.fold_scores
    model = current.model(dataset) if scored is None else scored.models[0]
    has_classes = dataset.roles.task in (Task.BINARY, Task.MULTICLASS)
    place = Place(
        files=tuple(current.file_names()),
        choices=current.view().choices,
        model=model,
        group="",
        way=_way(dataset, model) if has_classes else "",
        threshold=current.threshold(dataset, model),
        classes=len(dataset.classes),
        costs=tuple(prices.COSTS.now(dataset).ravel().tolist()) if has_classes else (),
        label=_label(dataset),
        prevalence=costed.prevalence(dataset, model),
        shares=_shares(dataset),
        metric=st.session_state.get("metric"),
    )
    return drawing_code(key, place)


def _shares(dataset: Dataset) -> tuple[float, ...] | None:
    if dataset.roles.task is not Task.MULTICLASS:
        return None
    given = prices.shares(dataset)
    return None if given is None else tuple(given.tolist())


def _way(dataset: Dataset, model: str) -> str:
    ways = computed.decisions(dataset, model, current.threshold(dataset, model))
    return current.way(list(ways)) if ways else ""


def _label(dataset: Dataset) -> str:
    """Return the class that is set against all others."""
    picked = st.session_state.get("class")
    return picked if picked in dataset.classes else next(iter(dataset.classes), "")
