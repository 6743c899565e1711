"""Models down, metrics across: each number with its interval, sortable, the best ones marked."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from evalcore.metrics.best import Standing, standings
from evalcore.metrics.spec import Estimate, Metric
from evalcore.results import Estimates
from pages.escape import markdown, visible
from pages.figures import words
from pages.widgets.chart import look

MARKS = {Standing.BEST: "● ", Standing.UNCLEAR: "○ ", Standing.BEHIND: ""}
LEGEND = "● best, its interval clear of all others · ○ may be the best: the intervals overlap"
UNKNOWN = Estimate(float("nan"))


class Shown(float):
    """A number that sorts as itself and shows as its text."""

    text: str

    def __new__(cls, value: float, text: str) -> "Shown":
        """Make the number."""
        made = super().__new__(cls, value)
        made.text = text
        return made


def metric_table(
    rows: Mapping[str, Estimates], metrics: Sequence[Metric], *, of: str, alt: str, key: str
) -> None:
    """Show one row per name in `rows`; `of` is the heading of the names."""
    if not rows:
        return
    cells = {metric: _column(rows, metric) for metric in metrics}
    st.dataframe(
        _styled(list(rows), cells),
        column_config=_config(cells, of),
        placeholder=words.number(float("nan")),
        key=key,
        alt=alt,
    )
    if len(rows) > 1:
        st.caption(LEGEND)


def _column(rows: Mapping[str, Estimates], metric: Metric) -> list[tuple[Estimate, Standing]]:
    estimates = {name: found.get(metric.key, UNKNOWN) for name, found in rows.items()}
    places = standings(estimates, metric.better)
    return [(estimate, places[name]) for name, estimate in estimates.items()]


def _styled(
    names: Sequence[str], cells: Mapping[Metric, Sequence[tuple[Estimate, Standing]]]
) -> "pd.io.formats.style.Styler":
    alone = len(names) == 1
    frame = pd.DataFrame(
        {
            metric.key: pd.Series([_shown(*cell, alone) for cell in column], dtype=object)
            for metric, column in cells.items()
        }
    )
    frame.index = pd.Index([visible(name) for name in names])
    best = [[place is Standing.BEST for _, place in column] for column in cells.values()]
    weight = f"color: {look().correct}; font-weight: 600"
    styles = pd.DataFrame(best, index=frame.columns).T.set_axis(frame.index)
    return frame.style.format(lambda cell: cell.text).apply(
        lambda _: styles.replace({True: weight, False: ""}), axis=None
    )


def _shown(estimate: Estimate, place: Standing, alone: bool) -> Shown:
    mark = "" if alone else MARKS[place]
    return Shown(estimate.value, mark + words.with_interval(estimate))


def _config(
    cells: Mapping[Metric, Sequence[tuple[Estimate, Standing]]], of: str
) -> dict[str, object]:
    columns: dict[str, object] = {"_index": st.column_config.Column(of, pinned=True)}
    for metric in cells:
        columns[metric.key] = st.column_config.Column(
            metric.name, help=markdown(metric.summary), alignment="left"
        )
    return columns
