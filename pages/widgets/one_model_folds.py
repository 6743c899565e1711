"""One model over its folds: how much its score depends on the rows it was trained on."""

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.contests.alone import Alone
from evalcore.intake.model import Dataset
from evalcore.options import Options
from pages.escape import shorten, visible
from pages.figures import rounds
from pages.figures.rounds import Rounds
from pages.figures.scene import Scene
from pages.figures.theme import Words
from pages.figures.words import counted, ends_spoken, number
from pages.session import rivals
from pages.widgets import cross_validation_parts, guard
from pages.widgets.chart import chart, look
from pages.widgets.headline import headline, section
from pages.widgets.metric_table import Shown
from pages.widgets.notices import warnings

MERGED = "all folds merged"


def show(dataset: Dataset, metric: str, options: Options, *, top: DeltaGenerator) -> None:
    """Show the score of each fold, their mean and what merging the folds gives."""
    made = rivals.alone(dataset, metric, options)
    if made is None or not made.mean.folds:
        guard.show_unfit("two folds or more on which the metric has a value")
        return
    with top:
        headline(*finding(made))
        warnings(cross_validation_parts.odd_by(made.scores, f"the {made.metric.name}"))
    left, right = st.columns(2)
    with left:
        _picture(made)
    with right:
        _tables(made)
    cross_validation_parts.curves(dataset)


def finding(made: Alone) -> tuple[str, str]:
    """Return the mean over the folds with its interval, and how far merging is from it."""
    name, mean = made.metric.name, made.mean
    low, high = float(made.interval.low), float(made.interval.high)
    ends = f", 95% interval {ends_spoken(number(low), number(high))}" if np.isfinite(low) else ""
    return (
        f"{name}: mean {number(mean.mean)} over {counted(mean.folds, 'fold')}{ends}",
        f"Merging the rows of all folds gives {number(made.merged)}. The interval is about models "
        "made this way from other rows of the kind; it allows for training rows that folds share.",
    )


def _picture(made: Alone) -> None:
    name = shorten(made.scores.models[0], 20)
    shown = {
        name: Rounds(
            made.scores.score[0],
            made.mean.mean,
            float(made.interval.low),
            float(made.interval.high),
        )
    }
    says = Words(
        title="Each fold, and their mean",
        subtitle="A dot is a fold, the diamond the mean, the bar its 95% interval",
        x=made.metric.name,
    )
    known = {MERGED: made.merged}
    figure = rounds.draw(Scene(names=(name,), look=look()), says, shown, known, height=420)
    chart(figure, rounds.alt(says, shown, known), key="folds-alone")


def _tables(made: Alone) -> None:
    scores, mean = made.scores, made.mean
    sizes = scores.n_test if scores.n_test is not None else np.full(len(scores.fold), np.nan)
    rows = [
        {"fold": visible(fold), "rows": Shown(size, f"{size:,.0f}"), made.metric.name: _cell(value)}
        for fold, size, value in zip(scores.fold, sizes, scores.score[0], strict=True)
    ]
    frame = pd.DataFrame(rows, dtype=object)
    st.dataframe(frame.style.format(str), hide_index=True, key="each-fold",
                 alt="The score of each fold")  # fmt: skip
    section("The error of the mean")
    st.caption(
        f"Standard deviation of the folds {number(mean.deviation)}; standard error "
        f"{number(mean.error)} if folds were independent, {number(made.corrected)} with the "
        "correction of Nadeau and Bengio (2003), which the interval (Student's t) is made of."
    )


def _cell(value: float) -> object:
    return Shown(value, number(value)) if np.isfinite(value) else "undefined"
