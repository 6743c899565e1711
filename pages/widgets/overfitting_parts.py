"""The lesson on over-fitting, part by part."""

import numpy as np
import streamlit as st

from evalcore.lab.growth import Growth
from evalcore.lab.learner import DIALS
from pages.explained.drawings_of_lessons import lesson_code
from pages.figures import growth, words
from pages.figures.scene import Scene
from pages.figures.theme import Words
from pages.session import lessons
from pages.widgets.chart import chart, look
from pages.widgets.lab_choices import Chosen

BAND = "the band is the middle 90% of the rounds"
DIAL = tuple(range(1, 16))


def finding(chosen: Chosen) -> tuple[str, str]:
    """Return how far training rows and other rows are apart."""
    known = lessons.ends(chosen.name, chosen.seed, chosen.learner, chosen.lesson)
    same, other = (_said(chosen, value) for value in (known.resubstitution, known.aside))
    if chosen.classes:
        found = f"{same} of the rows trained on are wrong, {other} of others"
    else:
        found = f"Off by {same} on the rows trained on, by {other} on others"
    return (
        found,
        f"{chosen.whose} {_measured(chosen)}A model ({chosen.model}) is trained on "
        f"{chosen.lesson.rows.n:,} rows and judged on {chosen.lesson.aside.n:,} kept aside. The "
        "gap is over-fitting. More rows close it, and so does a simpler model, which may be too "
        "simple: then both errors are large.",
    )


def _measured(chosen: Chosen) -> str:
    """Say what an error of numbers is, and how far the numbers themselves reach."""
    if chosen.classes:
        return ""
    truth = chosen.lesson.rows.truth
    ends = words.ends_spoken(*(words.number(float(end), 0) for end in (truth.min(), truth.max())))
    return f"Errors are mean absolute errors; the numbers predicted run from {ends}. "


def by_rows(chosen: Chosen) -> None:
    """Show the errors by the number of training rows."""
    made = lessons.learning_curve(chosen.name, chosen.seed, chosen.learner, chosen.lesson)
    if made is None:
        st.caption("A learning curve takes 20 rows or more.")
        return
    test = made.test.mean(axis=0)
    aside = chosen.lesson.aside.n
    says = Words(
        title=f"From {made.at[0]:g} to {made.at[-1]:g} rows the error goes from "
        f"{_said(chosen, float(test[0]))} to {_said(chosen, float(test[-1]))}",
        subtitle=f"Means over {len(made.test)} draws from {chosen.lesson.rows.n:,} rows, judged "
        f"on the {aside:,} kept aside",
        x="rows to train on",
        y=chosen.loss,
    )
    _show(says, made, "learning-curve", chosen)


def by_dial(chosen: Chosen) -> None:
    """Show the errors by the dial of the model."""
    dial = DIALS.get(chosen.learner.kind)
    if dial is None:
        st.caption("This model has no dial here: choose a decision tree or nearest neighbours.")
        return
    made = lessons.validation_curve(chosen.name, chosen.seed, chosen.learner, DIAL, chosen.lesson)
    if made is None:
        st.caption("Ten folds take ten rows or more.")
        return
    says = Words(
        title=f"Lowest at {dial} {made.at[made.best]:g}: "
        f"{_said(chosen, float(made.test.mean(axis=0)[made.best]))} on other rows",
        subtitle=f"Means over 10 folds of the {chosen.lesson.rows.n:,} rows, which chose the "
        "lowest, so that it flatters",
        x=dial,
        y=chosen.loss,
    )
    _show(says, made, "validation-curve", chosen)


def _show(says: Words, made: Growth, key: str, chosen: Chosen) -> None:
    scene = Scene(names=("rows",), look=look())
    figure, alt = growth.draw(scene, says, made, band=BAND), growth.alt(says, made)
    chart(figure, alt, key=key, code=lesson_code(key, chosen.taught()))


def _said(chosen: Chosen, value: float) -> str:
    if not np.isfinite(value):
        return "undefined"
    return words.percent(value) if chosen.classes else words.number(value, 1)
