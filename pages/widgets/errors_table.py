"""The rows on which a model of numbers errs most, to read and to download."""

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.intake.model import Dataset
from evalcore.outcomes import Codes, NumericOutcomes
from pages.escape import file_name, spreadsheet, visible
from pages.figures.words import MINUS, counted
from pages.widgets.metric_table import Shown
from pages.widgets.rows_table import COLUMNS_SHOWN, frame

LISTED, DOWNLOADED = 100, 10_000
ERROR_NAMES = ("error", "predicted minus actual", "error of the prediction")


def errors_table(dataset: Dataset, model: str, outcomes: NumericOutcomes) -> None:
    """Show the rows with the largest errors, too high or too low, with all their cells."""
    places = largest(outcomes, DOWNLOADED)
    shown = _readable(_frame(dataset, model, outcomes, places[:LISTED]))
    st.dataframe(
        shown.style.format(str),
        hide_index=True,
        height=min(36 * (len(shown) + 1), 396),
        column_config={shown.columns[1]: st.column_config.Column(alignment="right")},
        key="largest-errors",
        alt=f"The {counted(len(shown), 'row')} with the largest errors",
    )
    st.download_button(
        f"Download {counted(len(places), 'row')} (CSV)",
        data=lambda: spreadsheet(_frame(dataset, model, outcomes, places)),
        file_name=file_name("largest-errors", model, ending="csv"),
        mime="text/csv",
        on_click="ignore",
        key="largest-errors-download",
    )


def _readable(cells: pd.DataFrame) -> pd.DataFrame:
    """Return the columns to read as text, but for numbers of rows and errors, which sort."""
    shown = cells.iloc[:, :COLUMNS_SHOWN].rename(columns=lambda name: visible(str(name)))
    shown = shown.map(lambda cell: visible(cell) if isinstance(cell, str) else cell)
    errors = shown.iloc[:, 1]
    form = _digits(errors)
    signed = [Shown(error, f"{error:{form}}".replace("-", MINUS)) for error in errors]
    shown.isetitem(1, pd.Series(signed, index=shown.index, dtype=object))
    return shown


def _digits(errors: pd.Series) -> str:
    """Return a format with about four digits for the largest error."""
    size = float(errors.abs().max()) if len(errors) else 0.0
    if not 1e-4 < size < 1e12:
        return "+.3e"
    return f"+.{max(0, 3 - int(np.floor(np.log10(size))))}f"


def largest(outcomes: NumericOutcomes, most: int) -> Codes:
    """Return the places of the rows with the largest errors, the largest first."""
    off = np.abs(outcomes.prediction - outcomes.truth)
    if len(off) > most:
        kept = np.argpartition(off, len(off) - most)[-most:]
        return kept[np.argsort(-off[kept], kind="stable")]
    return np.argsort(-off, kind="stable")


def _frame(dataset: Dataset, model: str, outcomes: NumericOutcomes, places: Codes) -> pd.DataFrame:
    rows = places + 1 if outcomes.rows is None else outcomes.rows[places]
    roles, table = dataset.roles, dataset.table
    first = [roles.truth, *roles.models[model].columns]
    names = [*dict.fromkeys(name for name in (*first, *table.names) if name in table.columns)]
    cells = frame(table, rows, names)
    name = next(name for name in ERROR_NAMES if name not in cells.columns)
    cells.insert(1, name, outcomes.prediction[places] - outcomes.truth[places])
    return cells
