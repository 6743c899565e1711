"""Lab: plain models trained on a table, and judged on rows that they have not seen."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.evaluation.condense import MOST_FOLDS
from evalcore.text import counted
from evalview import escape, figures, text
from evalview.figures.lessons import Rounds, rounds_legend
from evalview.figures.theme import Scene, Words
from evalview.lab.experiments import INNER_FOLDS, NESTED, Experiment, Importance
from evalview.lab.handed_on import called, handed_on, scores_of_rounds
from pages import contents
from pages.lessons import trial
from pages.session import current
from pages.session.lessons import Trial
from pages.widgets import chart, guard, inputs, progress, tables


def page() -> None:
    """Show what to train on what, how far it is, and what came of it."""
    top, choices = guard.top_and_choices()
    with choices:
        rows = trial.pick_rows()
    with top:
        room = st.empty()
    with room.container():
        guard.headline("Train models, and judge them on rows they have not seen", LEAD)
    with guard.refusals_told():
        asked = trial.ask(rows)
        if asked is None:
            return
        st.caption(escape.markdown(trial.about(asked.table)))
        made = outcome(asked, f"Train {counted(len(asked.models), 'model')}", "train")
        if isinstance(made, Experiment):
            with room.container():
                guard.headline(*finding(made))
            show(asked, made)


LEAD = (
    "Bring a table with a column to predict. Each model is trained again in each round of the "
    "scheme; its predictions for the rows left out can be opened as data on every page."
)


def outcome(asked: Trial, label: str, key: str) -> Experiment | Importance | None:
    """Return what training came to; before that, the button that begins it or how far it is.

    Raises:
        EvalError: The rows or the scheme do not allow it.
    """
    made = asked.outcome()
    if made is None and asked.progress() is not None:
        progress.of_request(asked.progress, asked.stop, "done", key=f"stop-{key}")
    elif made is None:
        st.button(label, key=key, type="primary", on_click=asked.begin)
    return made


def finding(made: Experiment) -> tuple[str, str]:
    """Return which model errs least, and what that is worth."""
    errors = {name: made.trials(name).error for name in made.models}
    best = min(errors, key=lambda name: errors[name])
    lead = f"{trial.loss_of(made.table).capitalize()}, on rows it was not trained on. "
    if len(errors) == 1:
        return f"{best.capitalize()}: {_said(made, errors[best])}", lead
    return (
        f"{best.capitalize()} errs least: {_said(made, errors[best])}",
        f"{lead}Whether that is more than chance is shown under Compare, once the predictions are "
        "open as data. The best of several models looks a little better here than it is.",
    )


def show(asked: Trial, made: Experiment) -> None:
    """Show the errors of each model, the times, the way to the other pages, and the features."""
    open_as_data(asked, made)
    shown = {name: _rounds(made, name) for name in made.models}
    says = Words(
        title=f"Errors in {counted(len(made.splits.role), 'round')} of {asked.scheme}",
        subtitle=f"{rounds_legend(shown)}The diamond is the estimate, the bar its 95% interval",
        x=trial.loss_of(made.table),
    )
    figure = figures.draw_rounds(Scene(names=("rows",), look=chart.look()), says, shown, {})
    chart.show(figure, figures.rounds_alt(says, shown, {}), key="lab")
    frame = pd.DataFrame([_row(made, name) for name in made.models], dtype=object)
    tables.show(frame.style.format(str), hide_index=True, key="lab-table", placeholder="–",
                column_config=tables.below_headings(frame), alt="Errors and times")  # fmt: skip
    st.caption(
        "Intervals: Student’s t over rounds with the error that Nadeau and Bengio (2003) correct "
        "for shared training rows; Wilson’s for one hold-out of classes; none for a bootstrap. "
        "Times are means over rounds on one processor. Models use scikit-learn’s defaults; "
        f"{_tuning(asked.scheme)} Medians, scales and categories are learned from the training "
        "rows."
    )
    features(asked)


def _tuning(scheme: str) -> str:
    if scheme != NESTED:
        return "none is tuned."
    return (
        f"only one setting, such as the depth of a tree, is chosen, by {INNER_FOLDS} folds of the "
        "training rows of each round."
    )


def open_as_data(asked: Trial, made: Experiment) -> None:
    """Show the buttons that open the predictions of rows left out, and the scores of rounds."""
    scheme = called(asked.scheme, asked.plan)
    with st.container(horizontal=True):
        rows = st.button("Open the predictions as data", key="open-lab", type="primary")
        several = len(made.models) > 1 and 1 < len(made.splits.role) <= MOST_FOLDS
        rounds = several and st.button("Compare by the scores of rounds", key="open-rounds")
    if not (rows or rounds):
        return
    found = scores_of_rounds(made, scheme) if rounds else handed_on(made, scheme)
    model = min(made.models, key=lambda name: made.trials(name).error)
    if current.open_derived([(found.name, found.data)], found.choices, model):
        page = contents.page("cross_validation" if rounds else "overview")
        st.switch_page(page, query_params=current.address())
    st.rerun()


def features(asked: Trial) -> None:
    """Show which features a model needs, once that is asked for."""
    guard.section(
        "Which features matter?",
        "Shuffle one feature among the test rows: how much does the error grow?",
    )
    names = {name: name for name in asked.models}
    one = inputs.pick_one("Of", names, key="shuffled", usual=asked.models[-1])
    with guard.refusals_told():
        made = outcome(replace(asked, shuffled=one), "Shuffle its features", "shuffle")
        if isinstance(made, Importance):
            _show_importance(asked, one, made)


SHOWN = 20
"""Features that are drawn: of more the names cannot be read."""

NONE = {"does not matter": 0.0}
"""Where a feature lies that a model does not need."""


def _show_importance(asked: Trial, model: str, made: Importance) -> None:
    ends = (np.asarray(made.interval.low), np.asarray(made.interval.high))
    rows = {
        text.abbreviate(escape.visible(name), 24): Rounds(
            np.array([]), float(made.mean[at]), float(ends[0][at]), float(ends[1][at])
        )
        for at, name in enumerate(made.columns[:SHOWN])
    }
    grows = "share of rows wrong" if asked.table.classes else "mean absolute error"
    surely, features = int((ends[0] > 0).sum()), counted(len(made.columns), "feature")
    says = Words(
        title=f"{surely} of {features} clearly matter{'s' if surely == 1 else ''} to the {model}",
        subtitle="The diamond is the mean; bars are simultaneous 95% intervals (Bonferroni)",
        x=f"increase in {grows}",
    )
    figure = figures.draw_rounds(Scene(names=("rows",), look=chart.look()), says, rows, NONE)
    chart.show(figure, figures.rounds_alt(says, rows, NONE), key="importance")
    more = f" The {SHOWN} most important are drawn." if len(made.columns) > SHOWN else ""
    st.caption(
        f"Permutation importance on rows not used for training. {trial.chance_of(asked)} They "
        "allow for the number of features. Of features with the same information, none may seem "
        f"to matter, since each replaces the other.{more}"
    )


def _rounds(made: Experiment, name: str) -> Rounds:
    tried = made.trials(name)
    ends = tried.interval()
    return Rounds(tried.tested, tried.error, float(ends.low), float(ends.high))


def _row(made: Experiment, name: str) -> Mapping[str, object]:
    tried, said = made.trials(name), made.models[name]
    ends = tried.interval()
    known = np.isfinite(ends.low) and np.isfinite(ends.high)
    low, high = (_said(made, float(end)) for end in (ends.low, ends.high))
    tested = len(made.row) / len(tried.tested)
    return {
        "model": name,
        trial.loss_of(made.table): tables.ShownMetrics(tried.error, _said(made, tried.error)),
        "95% interval": text.low_dash_high(low, high) if known else "–",
        "training": _seconds(float(said.fit_seconds.mean())),
        "predicting 1,000 rows": _seconds(float(said.predict_seconds.mean()) * 1000 / tested),
    }


def _seconds(value: float) -> tables.ShownMetrics:
    shown = f"{value:.2f} s" if value >= 1 else f"{value * 1000:.1f} ms"
    return tables.ShownMetrics(value, shown)


def _said(made: Experiment, value: float) -> str:
    return text.percent(value) if made.table.classes else text.number(value, 1)
