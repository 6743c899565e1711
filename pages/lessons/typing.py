"""Type a table: rows of a truth and what a model gave, which are data on every page."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from evalcore.errors import EvalError
from evalcore.evaluate import evaluate
from evalcore.metrics.catalog import find
from evalcore.metrics.metric import Estimate
from evalcore.options import Options
from evalcore.text import listed
from evalread.dataset import NO_CHOICES, Dataset
from evalview import escape, text
from evalview.course import typed
from pages import contents
from pages.session import current, link, reading
from pages.widgets import guard, inputs, tables

ROWS = "typed"
"""Under this name the address has the rows."""
TRUTH, GIVEN = "truth", "given"
KINDS = {"s": "a score", "l": "a label"}
BEGUN = {
    "s": "s_spam~0.95_spam~0.93_ham~0.87_ham~0.85_spam~0.85_ham~0.76_spam~0.53_ham~0.43_ham~0.3",
    "l": "l_ill~ill_ill~well_well~well_well~well_ill~ill_well~ill_well~well_ill~ill_well~well",
}
SHOWN = ("accuracy", "precision", "recall", "specificity", "f1", "roc_auc", "mae", "rmse", "r2")
"""Numbers that follow while typing, those of them that the rows have."""
WAYS = ("overview", "confusion", "thresholds", "roc_steps", "costs")


def page() -> None:
    """Show rows to edit, the numbers that follow, and the ways to the pages that show them."""
    guard.headline(
        f"Type a table of up to {typed.MOST_ROWS} rows",
        "Each row has its true class, and the score or label that a model gave it. The numbers "
        "update as you type; the address holds the rows, so you can share it.",
    )
    told = link.one(ROWS)
    asked = told[:1] if told and typed.file(typed.ROWS + told) else ""
    if told and not asked:
        link.refuse(ROWS, told)
    kind = inputs.pick_one("The model gives", KINDS, key="gives", usual=asked or "s")
    left, right = st.columns([2, 3], gap="large")
    with left:
        rows = _edited(kind, told if asked == kind else BEGUN[kind])
    token = typed.rows_token(rows, scores=kind == "s")
    st.query_params[ROWS] = token.removeprefix(typed.ROWS)
    with right, guard.refusals_told():
        _check(rows, kind)
        _follow(token, len(rows))


def _check(rows: Sequence[tuple[str, str]], kind: str) -> None:
    """Refuse rows from which nothing follows."""
    if not any(all(row) for row in rows):
        raise EvalError("typed", f"No row has both a truth and {KINDS[kind]}: type them.")
    classes = sorted({truth for truth, given in rows if truth and given})
    if kind == "s" and len(classes) > 2:
        raise EvalError(
            "typed",
            f"A score tells two classes apart, and the truth has {len(classes)} "
            f"({listed(classes, 5)}). Keep two, or choose that the model gives a label.",
        )


def _edited(kind: str, begun: str) -> list[tuple[str, str]]:
    """Show rows to edit; return them, those without any cell left out."""
    key = f"typed-{kind}"
    # What an editor begins with must stay as it was, else it begins anew.
    base = st.session_state.setdefault(
        f"{key}-begun", pd.DataFrame([row.split("~") for row in begun[2:].split("_")])
    )
    base.columns = [TRUTH, GIVEN]
    longest = typed.LONGEST_NAME
    frame = st.data_editor(
        base,
        num_rows="dynamic",
        hide_index=True,
        key=key,
        height=420,
        column_config={
            TRUTH: st.column_config.TextColumn("truth", max_chars=longest),
            GIVEN: st.column_config.TextColumn(KINDS[kind].split()[-1], max_chars=longest),
        },
    )
    cells = frame[[TRUTH, GIVEN]].fillna("").astype(str)
    rows = [(row[0].strip(), row[1].strip()) for row in cells.itertuples(index=False)]
    return [row for row in rows if any(row)]


def _follow(token: str, rows: int) -> None:
    """Show what follows from the rows.

    Raises:
        EvalError: They cannot be evaluated.
    """
    if rows > typed.MOST_ROWS:
        too_many = (
            f"{rows} rows are too many here: at most {typed.MOST_ROWS}. Open them as a "
            "file instead."
        )
        raise EvalError("typed", too_many)
    found = reading.reading(token, NO_CHOICES)
    if found.dataset is None:
        raise found.problem or reading.gone()
    if token.startswith(f"{typed.ROWS}s") and not contents.has_scores(found.dataset):
        st.caption("No score is a number, so they are read as labels.")
    for notice in found.dataset.notices:
        st.caption(escape.markdown(notice.message))
    _numbers(found.dataset)
    address = {**current.address(), "data": token}
    with st.container(horizontal=True):
        for name in WAYS:
            entry = next(one for one in contents.CONTENTS if one.name == name)
            if entry.fits(found.dataset) and (entry.needs or contents.has_scores(found.dataset)):
                label = contents.called(entry)
                st.page_link(entry.page, label=label, query_params=address)


def _numbers(dataset: Dataset) -> None:
    judged = next(iter(evaluate(dataset, Options()).models.values()))
    every: Mapping[str, Estimate] = {
        key: value for group in judged.metrics.values() for key, value in group.items()
    }
    lines = [
        {
            "number": find(key).name,
            "value": text.with_interval(every[key]),
        }
        for key in SHOWN
        if key in every
    ]
    tables.text_table(lines, alt="Metrics of the typed rows")
