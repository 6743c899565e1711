"""The Python that draws the figures of what is looked at."""

import streamlit as st

from evalcore.intake.model import Task
from pages.explained.drawings import DRAWINGS, drawing_code
from pages.explained.snippets import Place
from pages.session import costed, current, prices


def code_of(key: str) -> str:
    """Return the Python that draws a figure; "" where there is none."""
    dataset = current.dataset()
    if dataset is None or key not in DRAWINGS:
        return ""
    scored = dataset.fold_scores
    model = current.model(dataset) if scored is None else scored.models[0]
    has_classes = dataset.roles.task in (Task.BINARY, Task.MULTICLASS)
    place = Place(
        files=tuple(current.file_names()),
        choices=current.view().choices,
        model=model,
        group="",
        way=st.session_state.get("decided") or "",
        threshold=current.threshold(dataset, model),
        classes=len(dataset.classes),
        costs=tuple(prices.costs(dataset).ravel().tolist()) if has_classes else (),
        prevalence=costed.prevalence(dataset, model),
    )
    return drawing_code(key, place)
