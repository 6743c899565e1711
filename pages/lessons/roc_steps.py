"""ROC step by step: how does a sorted list of rows become a curve?"""

import numpy as np
import streamlit as st

from evalcore.text import counted
from evalread.dataset import NO_CHOICES, Dataset, Task
from evalview.explorer import source
from evalview.figures.theme import Scene, model_styles
from evalview.lab.steps import steps_payload
from evalview.text import with_interval
from pages import contents
from pages.lessons import lesson
from pages.session import computed, current, explanations, lessons, reading, store
from pages.widgets import bar, chart, guard, inputs


def page() -> None:
    """Show a list of rows and the ROC curve that it draws, one score at a time."""
    dataset, own = rows_shown(current.dataset())
    top, choices = guard.top_and_choices()
    with choices:
        question = computed.question_of(
            dataset, None if dataset.roles.task is Task.BINARY else inputs.pick_class(dataset)
        )
        inputs.pick_model(dataset)
        model = current.model_among(dataset, question.tables)
        most = ask_rows(dataset.models[model].n)
    told = lessons.roc_lesson(dataset, question, model, most)
    with top:
        if own:
            bar.show()
        scene = chart.of_question(dataset, question, model)
        guard.headline(*finding(scene, told, own=own))
    if told.classes == 2:
        go_through(dataset, question, model, told, code=explanations.code_of("roc") if own else "")


def rows_shown(dataset: Dataset | None) -> tuple[Dataset, bool]:
    """Return what is gone through: the file that is open, or else ten rows; whether it is the file.

    A file without scores draws no curve.
    """
    if dataset is not None and contents.has_scores(dataset):
        return dataset, True
    sample = reading.reading(SAMPLE, NO_CHOICES).dataset
    assert sample is not None  # it comes with the product
    return sample, False


SAMPLE = store.SAMPLE_PREFIX + "ten-rows"

MOST = (20, 50, 100, 200)
USUAL = 50
"""Enough rows for a curve, few enough to go through one by one."""

_LESSON = st.components.v2.component(
    "roc_steps",
    js=source.component("lesson", lessons.STEP),
    css=source.style("menu", "explorer", "lesson"),
)


def ask_rows(whole: int) -> int:
    """Ask how many of so many rows are gone through at most; few rows are no question."""
    if whole <= MOST[0]:
        return MOST[0]
    picked: int | None = st.segmented_control(
        "Rows at most", MOST, default=USUAL, key="most", required=True, bind="query-params"
    )
    return picked or USUAL


def finding(scene: Scene, told: lessons.RocLesson, *, own: bool) -> tuple[str, str]:
    """Return what is gone through, and how the curve moves."""
    if told.classes < 2:
        return "A ROC curve needs rows of both classes", _alone(told, scene)
    listed = len(told.listed.row)
    weights = " Every row counts once here, whatever its weight." if told.weighted else ""
    beside = "" if current.dataset() is None else ", not your file"
    whose = "" if own else f"Ten messages, spam or ham{beside}. "
    return (
        f"{counted(listed, 'row')} draw the ROC curve, one score at a time",
        f"{whose}From the highest score down: a row that is {scene.positive} takes the curve up, "
        f"any other to the right.{weights}",
    )


def go_through(
    dataset: Dataset, question: computed.Question, model: str, told: lessons.RocLesson, code: str
) -> None:
    """Show the lesson."""
    style = model_styles(tuple(dataset.models), chart.look())[model]
    data = steps_payload(told.key, told.listed, question.classes, told.auc, style.color)
    _LESSON(
        data={**data, "at": lessons.step(), "code": code},
        key=lessons.KEY,
        on_step_change=lessons.follow,
    )
    st.caption(sampled(question, model, told))
    negatives, positives = (int(n) for n in np.bincount(told.listed.truth, minlength=2))
    reached = data["steps"][: lessons.step()]
    ranked = reached[-1]["pairs"] if reached else 0.0
    numbers = {
        "positives": positives,
        "negatives": negatives,
        "up": 1 / positives,
        "across": 1 / negatives,
        "ranked": ranked,
        "auc": ranked / (positives * negatives),
    }
    lesson.show_below(lessons.KEY, numbers)


def sampled(question: computed.Question, model: str, told: lessons.RocLesson) -> str:
    """Return of which rows those that are gone through are a sample; "" where they are all."""
    if len(told.listed.row) == told.whole:
        return ""
    whole = computed.ranking(question, model)["roc_auc"]
    return (
        f"These are {len(told.listed.row)} of {counted(told.whole, 'row')}, drawn at random with "
        f"both classes in proportion; the ROC AUC of all is {with_interval(whole)}."
    )


def _alone(told: lessons.RocLesson, scene: Scene) -> str:
    if not told.whole:
        return "There is no row with a score."
    only = scene.positive if told.listed.truth[0] else scene.negative
    return (
        f"All {counted(told.whole, 'row')} are {only}, so the curve can move in one direction only."
    )
