"""Thresholds: what does moving the threshold win, and what does it cost?"""

import streamlit as st

from evalcore.dataset import Dataset, Task
from evalcore.evaluation.decisions import OF_ONE_CLASS
from pages.explorer import source
from pages.explorer.payload import METRICS
from pages.figures.theme import model_style, model_styles
from pages.models.overview_classes import class_curves
from pages.session import current, explored, findings
from pages.session.computed import Question, question_of
from pages.widgets import guard, sentences
from pages.widgets.guard import section
from pages.widgets.inputs import pick_class
from pages.widgets.notices import notices
from pages.widgets.tables import metric_list


def page() -> None:
    """Show the page."""
    dataset = guard.need_dataset()
    is_binary = dataset.roles.task is Task.BINARY
    question = question_of(dataset, None if is_binary else pick_class(dataset))
    threshold_explorer(dataset, question)
    model = explored.model(dataset, question)
    if is_binary:
        notices(findings.notices(dataset, model, current.threshold(dataset, model)))
        where = (
            "at this threshold" if current.view().own is None else "at each model's own threshold"
        )
        section(f"Every number {where}", sentences.at_thresholds(dataset.models.values()))
        names = explored.shown(dataset, question)
        decided = {name: explored.decided(dataset, question, name).metrics for name in names}
        metric_list(decided, OF_ONE_CLASS)
    else:
        section("Every class against all others", "The hardest to tell from the others come first.")
        class_curves(dataset, model)


_EXPLORER = st.components.v2.component(
    "threshold_explorer",
    js=source.component("explorer", explored.CHOICE),
    css=source.style(),
)


def threshold_explorer(dataset: Dataset, question: Question) -> None:
    """Show the explorer for the models that have scores.

    A choice made in it reaches the session, and so the address and every page, before the page
    is drawn again.
    """
    of_metrics = tuple(model_style(at) for at in range(len(METRICS)))
    _EXPLORER(
        data=explored.data(dataset, question, model_styles(tuple(dataset.models)), of_metrics),
        key=explored.KEY,
        on_choice_change=explored.follow,
    )
