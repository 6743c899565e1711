"""Over-fitting: when does a model memorise its training rows?"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.intervals.closed import Interval, mean_interval
from evalcore.outcomes import Floats
from evalview import figures, text
from evalview.explained.drawings_of_lessons import lesson_code
from evalview.figures.lessons import Rounds
from evalview.figures.theme import Scene, Words
from evalview.lab import growth, training
from pages.lessons import lesson, rows
from pages.lessons.rows import Chosen
from pages.session import current, lessons
from pages.widgets import bar, chart, guard, tables


def page() -> None:
    """Show errors by training rows and by the dial of a model, and copies of rare rows."""
    dataset = current.dataset()
    top, choices = guard.top_and_choices()
    with choices:
        chosen = rows.choose(
            dataset, first="illness", kind="decision tree", own=lessons.train(dataset)
        )
    with top:
        if chosen.own:
            bar.show()
        guard.headline(*finding(chosen))
    left, right = st.columns(2)
    with left:
        by_rows(chosen)
    with right:
        by_dial(chosen)
    show(chosen)
    known = lessons.ends(chosen)
    same, aside = known.resubstitution, known.aside
    lesson.show_below("overfitting", {"same": same, "aside": aside, "gap": aside - same})


HONEST = "as on new rows"
SIDES = {"in folds": "folds", "on other rows": "aside"}
RATES = {"ROC AUC": "auc", "precision": "precision", "recall": "recall"}


def show(chosen: Chosen) -> None:
    """Show what each way of balancing a class promises, and what it does."""
    with st.spinner("Training models on a rare class"):
        made = lessons.balanced(chosen.seed, chosen.learner)
    shared = np.mean([one.shared for one in made[growth.WAYS[-1]]])
    guard.section(
        "Oversampling before the split",
        "A simulated class of one row in twelve, and the model chosen above. Balance the "
        "classes in training rows only: if rare rows are copied before the split, copies of one "
        "row are in both training and test. "
        f"{text.whole_percent(float(shared))} of the test rows were then seen in training.",
    )
    _picture(made, chosen)
    frame = pd.DataFrame([_row(way, found) for way, found in made.items()], dtype=object)
    tables.show(frame.style.format(str), hide_index=True, key="balanced",
                 column_config=tables.below_headings(frame), placeholder="undefined",
                 alt="What balancing a rare class does")  # fmt: skip
    st.caption(
        f"Means of {text.counted(len(made[growth.WAYS[0]]), 'draw')} of 600 rows, each in five "
        "folds; other rows: 5,400 of the same kind. ± is half the 95% interval (Student's t). Done "
        "right, balancing trades precision for recall, as a lower threshold does."
    )


def _picture(made: Mapping[str, Sequence[growth.Balanced]], chosen: Chosen) -> None:
    hope = {way: np.array([one.folds.auc - one.aside.auc for one in made[way]]) for way in made}
    ends = {way: _interval(values) for way, values in hope.items()}
    shown = {
        way: Rounds(values, values.mean(), float(ends[way].low), float(ends[way].high))
        for way, values in hope.items()
    }
    says = Words(
        title=_title(shown[growth.WAYS[-1]]),
        subtitle="A dot is a draw of rows, the diamond the mean, the bar its 95% interval",
        x="ROC AUC in folds − on other rows",
    )
    known = {HONEST: 0.0}
    figure = figures.draw_rounds(Scene(names=("rows",), look=chart.look()), says, shown, known)
    code = lesson_code("rare", chosen.taught())
    chart.show(figure, figures.rounds_alt(says, shown, known), key="rare", code=code)


def _title(early: Rounds) -> str:
    if early.low > 0:
        higher = text.number(early.middle)
        return f"Copied before splitting, the ROC AUC in folds is {higher} too high"
    return "This model cannot memorise copies, so the mistake hardly shows"


def _row(way: str, found: Sequence[growth.Balanced]) -> dict[str, object]:
    return {
        "training rows": way,
        **{
            f"{name} {side}": _cell([getattr(getattr(one, part), key) for one in found])
            for name, key in RATES.items()
            for side, part in SIDES.items()
        },
    }


def _cell(values: Sequence[float]) -> tables.ShownMetrics:
    kept = np.array(values)
    mean, ends = float(kept.mean()), _interval(kept)
    return tables.ShownMetrics(
        mean, f"{text.number(mean)} ± {text.number(float(ends.high) - mean)}"
    )


def _interval(values: Floats) -> Interval:
    return mean_interval(float(values.mean()), float(values.std(ddof=1)), len(values))


BAND = "the band is the middle 90% of the rounds"
DIAL = tuple(range(1, 16))


def finding(chosen: Chosen) -> tuple[str, str]:
    """Return how far training rows and other rows are apart."""
    known = lessons.ends(chosen)
    same, other = (_said(chosen, value) for value in (known.resubstitution, known.aside))
    if chosen.classes:
        found = f"{same} wrong on training rows, {other} on new rows"
    else:
        found = f"Error {same} on training rows, {other} on new rows"
    return (
        found,
        f"{chosen.whose} {_measured(chosen)}A {chosen.model} model is trained on "
        f"{chosen.lesson.rows.n:,} rows and judged on {chosen.lesson.aside.n:,} new ones. The gap "
        "is over-fitting: more rows or a simpler model close it. If the model is too simple, both "
        "are large.",
    )


def _measured(chosen: Chosen) -> str:
    """Say what an error of numbers is, and how far the numbers themselves reach."""
    if chosen.classes:
        return ""
    truth = chosen.lesson.rows.truth
    ends = text.low_to_high(*(text.number(float(end), 0) for end in (truth.min(), truth.max())))
    return f"Errors are mean absolute errors; the numbers predicted run from {ends}. "


def by_rows(chosen: Chosen) -> None:
    """Show the errors by the number of training rows."""
    made = lessons.learning_curve(chosen)
    if made is None:
        st.caption("A learning curve needs at least 20 rows.")
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
    dial = training.DIALS.get(chosen.learner.kind)
    if dial is None:
        st.caption(
            "This model has no complexity to vary: choose a decision tree or nearest neighbours."
        )
        return
    made = lessons.validation_curve(chosen, DIAL)
    if made is None:
        st.caption("Ten folds need at least ten rows.")
        return
    says = Words(
        title=f"Lowest at {dial} {made.at[made.best]:g}: "
        f"{_said(chosen, float(made.test.mean(axis=0)[made.best]))} on other rows",
        subtitle=f"Means over 10 folds of the {chosen.lesson.rows.n:,} rows, which also chose the "
        "lowest, so it is optimistic",
        x=dial,
        y=chosen.loss,
    )
    _show(says, made, "validation-curve", chosen)


def _show(says: Words, made: growth.Growth, key: str, chosen: Chosen) -> None:
    scene = Scene(names=("rows",), look=chart.look())
    figure, alt = figures.draw_growth(scene, says, made, band=BAND), figures.growth_alt(says, made)
    chart.show(figure, alt, key=key, code=lesson_code(key, chosen.taught()))


def _said(chosen: Chosen, value: float) -> str:
    if not np.isfinite(value):
        return "undefined"
    return text.percent(value) if chosen.classes else text.number(value, 1)
