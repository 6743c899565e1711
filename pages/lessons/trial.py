"""What the lab trains on what: the boxes for rows, target, models and scheme."""

import numpy as np
import streamlit as st

from evalcore.errors import EvalError
from evalcore.text import counted
from evalread.dataset import NO_CHOICES, Table
from evalread.detection.profile import profile
from evalview import escape, text
from evalview.lab import experiments, tables as kinds
from evalview.lab.splits import Plan
from evalview.lab.tables import Aim, TrainingTable
from pages.session import lessons, link, reading, store
from pages.session.lessons import Trial
from pages.widgets.inputs import dropped, list_box, whole_number

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
        _upload()
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


def _upload() -> None:
    about = "A table with a column to predict, such as CSV or Excel, one row per case"
    if files := dropped(about, key="table"):
        token = store.keep(files)
        link.tell(TABLE, token, token)
        st.rerun()


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
