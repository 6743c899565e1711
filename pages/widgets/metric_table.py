"""Names down, metrics across: each number with its interval, sortable, the best ones marked."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from evalcore.comparison.results import Place
from evalcore.metrics.spec import Estimate, Metric
from evalcore.results import Estimates
from pages.escape import markdown, visible
from pages.figures import words
from pages.widgets.chart import look
from pages.widgets.columns import inked, names

MARKS = {Place.BEST: "● ", Place.LEVEL: "○ ", Place.BEHIND: ""}
LEGEND = {
    Place.BEST: "● shown to be the best, by the test of the headline",
    Place.LEVEL: "○ not shown to be behind the best, by the test of the headline",
}
ELSEWHERE = "The page Leaderboard tests the other metrics."
CLICK = "Click a number to see how it is worked out."
UNKNOWN = Estimate(float("nan"))
Places = Mapping[str, Mapping[str, Place]]
"""Key of a metric -> name -> where it stands, as a test found."""

UNTESTED: Places = MappingProxyType({})
ROWS = "rows"

SIDE_BY_SIDE = 6
"""So many metrics fit beside a name; other pages show the others."""

Columns = Mapping[Metric, Sequence[str]]
"""The marks in front of the numbers of a metric, one per name."""


class Picked(NamedTuple):
    """A number that was clicked, and the key of its table."""

    row: str
    metric: Metric
    table: str


class Shown(float):
    """A number that sorts as itself and shows as its text."""

    text: str

    def __new__(cls, value: float, text: str) -> "Shown":
        """Make the number."""
        made = super().__new__(cls, value)
        made.text = text
        return made

    def __str__(self) -> str:
        return self.text


def ranked_table(
    rows: Mapping[str, Estimates],
    metrics: Sequence[Metric],
    *,
    of: str,
    key: str,
    places: Places = UNTESTED,
) -> Picked | None:
    """Show metrics of things that compete, such as models; `of` is the heading of their names.

    Marks stand where a test was made. Returns the number that was clicked.
    """
    if len(rows) < 2 or not places:
        return metric_table(rows, metrics, of=of, key=key)
    marks = {metric: _marks(rows, places.get(metric.key, {})) for metric in metrics}
    cells = _show(_frame(rows, marks, of), marks, of, key)
    told = {place for found in places.values() for place in found.values()}
    legend = " · ".join(text for place, text in LEGEND.items() if place in told)
    st.caption(f"{legend}. {ELSEWHERE}  \n{CLICK}")
    return _picked(cells, list(rows), metrics, key)


def metric_table(
    rows: Mapping[str, Estimates],
    metrics: Sequence[Metric],
    *,
    of: str,
    key: str,
    counts: Mapping[str, float] | None = None,
    counted: str = ROWS,
) -> Picked | None:
    """Show metrics of things that do not compete, such as classes; return the number clicked.

    `counts` are their rows, or what `counted` says.
    """
    marks = {metric: [""] * len(rows) for metric in metrics}
    frame = _frame(rows, marks, of)
    if counts is not None:
        support = [Shown(counts[name], words.count(counts[name])) for name in rows]
        frame.insert(1, counted, pd.Series(support, index=frame.index, dtype=object))
    cells = _show(frame, marks, of, key)
    st.caption(CLICK)
    return _picked(cells, list(rows), metrics, key)


def _picked(
    cells: Sequence[tuple[int, str]], rows: Sequence[str], metrics: Sequence[Metric], table: str
) -> Picked | None:
    """Return the number in the cell that was clicked; None for any other cell, or none."""
    by_key = {metric.key: metric for metric in metrics}
    found = [Picked(rows[row], by_key[key], table) for row, key in cells if key in by_key]
    return found[0] if found else None


def _marks(rows: Mapping[str, Estimates], places: Mapping[str, Place]) -> list[str]:
    return [MARKS[places.get(name, Place.BEHIND)] for name in rows]


def _frame(rows: Mapping[str, Estimates], marks: Columns, of: str) -> pd.DataFrame:
    frame = pd.DataFrame(
        {
            metric.key: pd.Series(
                [
                    _shown(found.get(metric.key, UNKNOWN), mark)
                    for found, mark in zip(rows.values(), column, strict=True)
                ],
                dtype=object,
            )
            for metric, column in marks.items()
        }
    )
    frame.insert(0, of, pd.Series([visible(name) for name in rows], dtype=object))
    return frame


def _shown(estimate: Estimate, mark: str) -> Shown:
    return Shown(estimate.value, mark + words.cell(estimate))


def _show(frame: pd.DataFrame, marks: Columns, of: str, key: str) -> Sequence[tuple[int, str]]:
    """Show the table; return the cells that were clicked, by row and column."""
    event = st.dataframe(
        _styled(frame, of),
        hide_index=True,
        column_config=_config(frame[of], marks),
        placeholder=words.number(float("nan")),
        key=key,
        alt=f"{of} by {', '.join(metric.name for metric in marks)}",
        on_select="rerun",
        selection_mode="single-cell",
    )
    return event.selection.cells


def _styled(frame: pd.DataFrame, of: str) -> Styler:
    best = f"color: {look().correct}; font-weight: 600"

    def style(cell: Any) -> str:
        return best if str(cell).startswith(MARKS[Place.BEST]) else ""

    return inked(frame.style.format(str).map(style), of)


def _config(cells: pd.Series, marks: Columns) -> dict[str, Any]:
    columns: dict[str, Any] = {str(cells.name): names(cells)}
    for metric in marks:
        columns[metric.key] = st.column_config.Column(
            metric.name, help=markdown(metric.summary), alignment="left"
        )
    return columns
