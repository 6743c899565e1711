"""The lesson on rare classes: evening them out, and the mistake of doing it before splitting."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.lab.balance import WAYS, Balanced
from evalcore.outcomes import Floats
from evalcore.resampling.interval import Interval
from evalcore.resampling.means import mean_interval
from pages.explained.drawings_of_lessons import lesson_code
from pages.figures import rounds, words
from pages.figures.rounds import Rounds
from pages.figures.scene import Scene
from pages.figures.theme import Words
from pages.session import lessons
from pages.widgets.chart import chart, look
from pages.widgets.columns import below_headings
from pages.widgets.headline import section
from pages.widgets.lab_choices import Chosen
from pages.widgets.metric_table import Shown

HONEST = "what other rows show"
SIDES = {"in folds": "folds", "on other rows": "aside"}
RATES = {"ROC AUC": "auc", "precision": "precision", "recall": "recall"}


def show(chosen: Chosen) -> None:
    """Show what each way of evening out a class promises, and what it holds."""
    with st.spinner("Training models on a rare class"):
        made = lessons.balanced(chosen.seed, chosen.learner)
    shared = np.mean([one.shared for one in made[WAYS[-1]]])
    section(
        "Copies of rare rows, made too early",
        "A simulated class of one row in twelve, and the model chosen above. Evening out the "
        "classes is for training rows only: copy rare rows before splitting, and copies of one row "
        f"train and test. {words.whole_percent(float(shared))} of the test rows were then seen in "
        "training.",
    )
    _picture(made, chosen)
    frame = pd.DataFrame([_row(way, found) for way, found in made.items()], dtype=object)
    st.dataframe(frame.style.format(str), hide_index=True, key="balanced",
                 column_config=below_headings(frame), placeholder="undefined",
                 alt="What evening out a rare class does")  # fmt: skip
    st.caption(
        f"Means of {words.counted(len(made[WAYS[0]]), 'draw')} of 600 rows, each in five folds; "
        "other rows: 5,400 of the same kind. ± is half the 95% interval (Student's t). Done "
        "rightly, evening out trades precision for recall, as a lower threshold does."
    )


def _picture(made: Mapping[str, Sequence[Balanced]], chosen: Chosen) -> None:
    hope = {way: np.array([one.folds.auc - one.aside.auc for one in made[way]]) for way in made}
    ends = {way: _interval(values) for way, values in hope.items()}
    shown = {
        way: Rounds(values, values.mean(), float(ends[way].low), float(ends[way].high))
        for way, values in hope.items()
    }
    says = Words(
        title=_title(shown[WAYS[-1]]),
        subtitle="A dot is a draw of rows, the diamond the mean, the bar its 95% interval",
        x="ROC AUC in folds − on other rows",
    )
    known = {HONEST: 0.0}
    figure = rounds.draw(Scene(names=("rows",), look=look()), says, shown, known)
    code = lesson_code("rare", chosen.taught())
    chart(figure, rounds.alt(says, shown, known), key="rare", code=code)


def _title(early: Rounds) -> str:
    if early.low > 0:
        higher = words.number(early.middle)
        return f"Copied before splitting, the ROC AUC is {higher} too high in folds"
    return "This model cannot learn copies by heart, so the mistake hardly shows"


def _row(way: str, found: Sequence[Balanced]) -> dict[str, object]:
    return {
        "training rows": way,
        **{
            f"{name} {side}": _cell([getattr(getattr(one, part), key) for one in found])
            for name, key in RATES.items()
            for side, part in SIDES.items()
        },
    }


def _cell(values: Sequence[float]) -> Shown:
    kept = np.array(values)
    mean, ends = float(kept.mean()), _interval(kept)
    return Shown(mean, f"{words.number(mean)} ± {words.number(float(ends.high) - mean)}")


def _interval(values: Floats) -> Interval:
    return mean_interval(float(values.mean()), float(values.std(ddof=1)), len(values))
