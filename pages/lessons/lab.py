"""Lab: plain models trained on a table, and judged on rows that they have not seen."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.errors import EvalError
from evalcore.evaluation.condense import MOST_FOLDS
from evalcore.text import counted
from evalread.dataset import NO_CHOICES, Table
from evalread.detection.profile import profile
from evalview import escape, figures, text
from evalview.figures.lessons import Rounds, rounds_legend
from evalview.figures.theme import Scene, Words
from evalview.lab import experiments, tables as kinds
from evalview.lab.experiments import INNER_FOLDS, NESTED, Experiment, Importance
from evalview.lab.handed_on import called, handed_on, scores_of_rounds
from evalview.lab.splits import Plan
from evalview.lab.tables import Aim, TrainingTable
from pages import contents
from pages.session import current, lessons, link, reading, store
from pages.session.lessons import Trial
from pages.widgets import chart, guard, inputs, progress, tables
from pages.widgets.inputs import dropped, list_box, whole_number


def page() -> None:
    """Show what to train on what, how far it is, and what came of it."""
    top, choices = guard.top_and_choices()
    with choices:
        rows = pick_rows()
    with top:
        room = st.empty()
    with room.container():
        guard.headline("Train models, and judge them on rows they have not seen", LEAD)
    with guard.refusals_told():
        asked = ask(rows)
        if asked is None:
            return
        st.caption(escape.markdown(about(asked.table)))
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
    lead = f"{loss_of(made.table).capitalize()}, on rows it was not trained on. "
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
        x=loss_of(made.table),
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
        f"Permutation importance on rows not used for training. {chance_of(asked)} They "
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
        loss_of(made.table): tables.ShownMetrics(tried.error, _said(made, tried.error)),
        "95% interval": text.low_dash_high(low, high) if known else "–",
        "training": _seconds(float(said.fit_seconds.mean())),
        "predicting 1,000 rows": _seconds(float(said.predict_seconds.mean()) * 1000 / tested),
    }


def _seconds(value: float) -> tables.ShownMetrics:
    shown = f"{value:.2f} s" if value >= 1 else f"{value * 1000:.1f} ms"
    return tables.ShownMetrics(value, shown)


def _said(made: Experiment, value: float) -> str:
    return text.percent(value) if made.table.classes else text.number(value, 1)


TABLE = "table"
"""Under this name an address has the token of the table to train on."""
OWN = "own"
ROWS = {
    "iris": "iris (150 flowers, 3 species)",
    "breast-cancer": "breast cancer (569 tumours)",
    "wine": "wine (178 wines, 3 cultivars)",
    "digits": "digits (1,797 pictures)",
    "diabetes": "diabetes (442 patients, a number)",
    OWN: "your own table",
}
MOST_MODELS = 4
USUAL = ("most common class", "mean", "logistic regression", "linear regression", "random forest")
MOST_REPEATS = {"bootstrap": 200}
REPEATS = 50
"""Times that a scheme is done again at most: more would tell the same, later."""


def pick_rows() -> str:
    """Show the tables to pick from; return the key of the one picked."""
    return list_box("Rows", ROWS, key="rows", width=260)


def ask(rows: str) -> Trial | None:
    """Show what can be chosen of the rows picked; return what to train, None without a table.

    Raises:
        EvalError: The table allows no training.
    """
    if rows == OWN:
        found = _own()
        if found is None:
            return None
        of, table = found
    else:
        of, table = (rows,), lessons.bundled(rows)
    with st.container(key="choices-scheme", horizontal=True, vertical_alignment="bottom"):
        return _scheme(of, table)


def _own() -> tuple[tuple[str, ...], TrainingTable] | None:
    """Show the box for a file, or what is what in it; return its rows with what names them."""
    token = link.one(TABLE)
    if not token or store.files(token) is None:
        if token:
            link.tell(TABLE, None, "")
            st.warning(escape.markdown(reading.gone().message))
        about = "A table with a column to predict, such as CSV or Excel, one row per case"
        dropped(about, _keep, key="table", several=False)
        return None
    with st.spinner("Reading the table"):
        found = reading.reading(token, NO_CHOICES)
    if found.table is None:
        st.button("Remove this file", key="remove-table", on_click=_remove, args=(token,))
        raise found.problem or EvalError("unreadable-file", "The file cannot be read.")
    with st.container(key="choices-table", horizontal=True, vertical_alignment="bottom"):
        target, aim, group, without = _columns(found.table)
        st.button("Remove this table", key="remove-table", on_click=_remove, args=(token,))
    table = lessons.uploaded(token, target, aim, group, without)
    return (token, target, aim, repr(group), repr(without)), table


def _keep(files: store.Files) -> None:
    token = store.keep(files)
    link.tell(TABLE, token, token)


def _remove(token: str) -> None:
    link.tell(TABLE, None, "")
    if not token.startswith(store.SAMPLE_PREFIX):
        lessons.forget_table(token)


def _columns(table: Table) -> tuple[str, Aim, str | None, tuple[str, ...]]:
    """Show which column is predicted, as what, and what is no feature; return these."""
    names = {name: text.abbreviate(escape.visible(name), 60) for name in table.names}
    target = list_box("Predict", names, key="target", usual=_likely(table), width=200)
    aims: dict[Aim, str] = {
        aim: {"classes": "classes", "numbers": "a number"}[aim] for aim in kinds.aims(table, target)
    }
    aim = list_box("As", aims, key="predicted-as", width=120) if len(aims) > 1 else "classes"
    others = {f"c{at}": label for at, (name, label) in enumerate(names.items()) if name != target}
    places = {f"c{at}": name for at, name in enumerate(names)}
    group = list_box(
        "Rows belong to", {"": "themselves", **others}, key="together", width=170,
        about="Such as a patient: with group k-fold, rows of one patient are never in both "
              "training and test."
    )  # fmt: skip
    able = {name: label for name, label in names.items() if name not in (target, places.get(group))}
    link.pick_several("without", able, ())
    without = st.multiselect(
        "Leave out", list(able), key="without", format_func=names.__getitem__, width=260,
        help="Columns known only after the outcome make any model look perfect."
    )  # fmt: skip
    return target, aim, places.get(group), tuple(without)


def _likely(table: Table) -> str:
    """Return the column that is most likely the target: by its name, or the last of few values."""
    named = [name for name in table.names if set(profile(table, name).words) & kinds.TARGETS]
    able = [
        name for name in table.names if 2 <= profile(table, name).distinct <= kinds.MOST_CLASSES
    ]
    return next(iter(named or able[::-1]), table.names[-1])


def _scheme(of: tuple[str, ...], table: TrainingTable) -> Trial:
    every = {name: name for name in experiments.models(table)}
    usual = [name for name in every if name in USUAL]
    link.pick_several("trained", every, usual)
    picked = st.multiselect(
        "Models", list(every), key="trained", max_selections=MOST_MODELS, width=430
    )
    schemes = {name: name for name in experiments.schemes(table)}
    scheme = list_box("Scheme", schemes, key="scheme", width=190)
    return Trial(of, table, tuple(picked or usual), scheme, _plan(scheme))


def _plan(scheme: str) -> Plan:
    """Show the numbers of a scheme; return them."""
    takes = experiments.SCHEMES[scheme]
    folds = whole_number("Folds", (2, 50), 10, key="folds", width=90) if takes.folds else 10
    share = 25
    if takes.share:
        share = whole_number("Tested, %", (5, 90), 25, key="tested", width=100)
    repeats = 1
    if takes.repeats:
        most = MOST_REPEATS.get(scheme, REPEATS)
        repeats = whole_number("Times", (1, most), takes.repeats, key="times", width=90)
    seed = whole_number("Seed", (0, 9999), 0, key="seed", width=90)
    return Plan(folds, repeats, share / 100, seed)


def about(table: TrainingTable) -> str:
    """Return what the rows are, and which of them and of the columns are left out."""
    what = counted(len(table.classes), "class") if table.classes else "a number"
    parts = [
        f"{counted(table.n, 'row')}: {text.abbreviate(table.target, 40)} ({what}) is predicted "
        f"from {counted(len(table.columns), 'feature')}."
    ]
    if table.no_target:
        parts.append(f"{counted(table.no_target, 'row')} without a target left out.")
    if (blank := _blank(table)) > 0:
        parts.append(
            f"{counted(blank, 'cell')} missing: numbers become the median of the training rows, "
            "categories a category of their own."
        )
    if table.left:
        named = "; ".join(f"{text.abbreviate(one.column, 30)}: {one.why}" for one in table.left[:6])
        more = f"; {len(table.left) - 6} more" if len(table.left) > 6 else ""
        parts.append(f"No features: {named}{more}.")
    if len(table.columns) > table.n:
        parts.append("More features than rows: some will seem to matter by chance alone.")
    return " ".join(parts)


def _blank(table: TrainingTable) -> int:
    return int(np.isnan(table.numbers).sum() + (table.categories < 0).sum())


def loss_of(table: TrainingTable) -> str:
    """Return what an error is."""
    return "share of rows that are wrong" if table.classes else "mean absolute error"


def chance_of(asked: Trial) -> str:
    """Return what the intervals of importance are over."""
    takes = experiments.SCHEMES[asked.scheme]
    alone = not takes.folds and asked.plan.repeats == 1
    if alone:
        return "One round: the intervals are over shuffles and say nothing about other rows."
    return "Intervals: Student’s t over rounds, corrected for shared training rows."
