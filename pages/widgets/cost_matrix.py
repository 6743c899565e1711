"""Asking what right and wrong decisions cost, how common the class is, and how many cases come."""

from collections.abc import Sequence
from typing import Any, Literal

import pandas as pd
import streamlit as st

from evalcore.intake.model import Dataset
from evalcore.outcomes import Floats
from pages.escape import shorten, visible
from pages.figures.words import named
from pages.session import prices
from pages.widgets.whole_number import whole_number

TRUTH = "truth"
VOLUME = 1000
ONE_ROW = 69
"""Pixels of a heading, a row and the lines around them, the last of which is cut off otherwise."""


def ask_costs(dataset: Dataset) -> Floats:
    """Show the (K, K) costs to edit, row = truth, column = decision; return them."""
    if len(dataset.classes) > prices.CLASSES_AT_MOST:
        st.caption(f"With more than {prices.CLASSES_AT_MOST} classes every mistake costs 1.")
        return prices.COSTS.now(dataset)
    return _edited(dataset, prices.COSTS, "true ↓ called →", _labels(dataset), format="%g")


def ask_shares(dataset: Dataset) -> Floats | None:
    """Show the shares of several classes to edit; return (K,), None for those of the rows."""
    if len(dataset.classes) > prices.CLASSES_AT_MOST:
        return None
    row = ["% of all cases"]
    cells = {"min_value": 0, "format": "%.4g"}
    _edited(dataset, prices.SHARES, "how common", row, height=ONE_ROW, **cells)
    return prices.shares(dataset)


def ask_prevalence(positive: str, share: float) -> float:
    """Ask how common the class is where decisions are made; that of the rows if not told."""
    told = st.number_input(
        f"{shorten(named(positive), 24)} among all cases, %",
        min_value=0.0,
        max_value=100.0,
        value=None,
        placeholder=f"{100 * share:.4g}, as in these rows",
        format="%.4g",
        key="prevalence",
        bind="query-params",
        width=250,
        help="Files are often made with more of the class than there is in use. The rates of "
        "these rows are weighed by the share given here.",
    )
    return share if told is None else float(told) / 100


def ask_volume() -> int:
    """Ask how many cases come in a day."""
    return whole_number("Cases a day", (1, 10**9), VOLUME, key="volume", width=160)


def _edited(
    dataset: Dataset,
    table: prices.Typed,
    head: str,
    rows: Sequence[str],
    *,
    height: int | Literal["auto"] = "auto",
    **cells: Any,
) -> Floats:
    """Show numbers to edit, a column for each class, names of rows under `head`; return them."""
    base, key = table.begun(dataset)
    labels = _labels(dataset)
    frame = pd.DataFrame(base, columns=[str(code) for code in range(len(labels))])
    frame.insert(0, TRUTH, rows)
    columns = {
        str(code): st.column_config.NumberColumn(label, required=True, **cells)
        for code, label in enumerate(labels)
    }
    typed = st.data_editor(
        frame,
        hide_index=True,
        num_rows="fixed",
        disabled=[TRUTH],
        key=key,
        column_config={TRUTH: st.column_config.TextColumn(head), **columns},
        height=height,
    )
    return table.edited(dataset, typed.drop(columns=TRUTH).to_numpy(dtype=float, na_value=0.0))


def _labels(dataset: Dataset) -> list[str]:
    return [visible(shorten(name, 24)) for name in dataset.classes]
