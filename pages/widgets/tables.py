"""Tables of numbers with intervals, of rows, and of text."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pandas as pd
import streamlit as st
from pandas.api.types import is_numeric_dtype
from pandas.io.formats.style import Styler

from evalcore.comparison.results import Standing
from evalcore.metrics.metric import Estimate, Metric
from evalcore.results import Decisions, Estimates
from evalread.dataset import Dataset, Task
from evalview import sentences, text
from evalview.escape import cell, html, markdown, prose, visible
from evalview.explained.cards import written
from evalview.explained.lookup import entries, name_of
from evalview.words import LONGEST_CLASS
from pages.session import computed, costs, current, explanations
from pages.widgets import chart, inputs

Column = Any
"""What `st.column_config` takes for a column."""

ROWS_SHOWN, ROW, LINES = 10, 33, 3
"""So many rows Streamlit shows at once; pixels of a row, and of the lines around all."""

LETTER, PADDING = 7, 24
"""Pixels of a letter and around a cell."""

LINE, HALF = 340, 180
"""Pixels of a line of a phone, and of so much of it as leaves room beside names."""

INK = {"light": "#000000", "dark": "#FFFFFF"}


def show(frame: pd.DataFrame | Styler, **options: Any) -> Any:
    """Show a table of which no cell starts a formula in a copy or a CSV that readers take of it."""
    if isinstance(frame, Styler):
        # pandas-stubs know neither the table of a Styler nor that its columns can be set.
        frame.data = _inert(frame.data)  # type: ignore[attr-defined]
        frame.columns = frame.data.columns  # type: ignore[attr-defined,misc]
    else:
        frame = _inert(frame)
    if settings := options.get("column_config"):
        options["column_config"] = {cell(name): one for name, one in settings.items()}
    for name, one in options.get("column_config", {}).items():
        if isinstance(frame, Styler) and (width := one.get("width")):
            frame.format(partial(text.fitting, most=(width - PADDING) // LETTER), subset=[name])
    # Said beforehand, so that nothing moves when the table comes.
    rows = len(frame.index)
    if rows <= ROWS_SHOWN and "row_height" not in options:
        options.setdefault("height", ROW * (rows + 1) + LINES)
    return st.dataframe(frame, **options)


def edit(frame: pd.DataFrame, *, disabled: Sequence[str], **options: Any) -> None:
    """Show a table, none but some columns of which can be written in; as inert as `show` has it."""
    options["column_config"] = {cell(name): one for name, one in options["column_config"].items()}
    if len(frame) <= ROWS_SHOWN:
        options.setdefault("height", ROW * (len(frame) + 1) + LINES)
    st.data_editor(_inert(frame), disabled=[*map(cell, disabled)], **options)


def _inert(frame: pd.DataFrame) -> pd.DataFrame:
    safe = frame.rename(columns=cell)
    for place, kind in enumerate(frame.dtypes):
        if not is_numeric_dtype(kind):
            cells = [cell(one) for one in frame.iloc[:, place]]
            safe.isetitem(place, pd.Series(cells, frame.index, kind).array)
    return safe


def wide_enough(texts: Iterable[object], most: int = LINE) -> int:
    """Return the pixels that the longest of some texts takes, `most` at most."""
    return min(most, PADDING + LETTER * max((len(str(text)) for text in texts), default=0))


def roomy(cells: pd.Series) -> Column:
    """Return a column with room for its longest text, up to a line of a phone."""
    return st.column_config.Column(width=wide_enough([cells.name, *cells]))


def names(cells: pd.Series) -> Column:
    """Return a column of names that stays in sight while the others scroll sideways."""
    width = wide_enough([cells.name, *cells], HALF)
    return st.column_config.Column(pinned=True, width=width)


def inked(styled: Styler, heading: str) -> Styler:
    """Return the table with darker names under `heading`: pinned ones are drawn at 60%."""
    return styled.set_properties(subset=[heading], color=INK[chart.look().name])


def below_headings(frame: pd.DataFrame) -> dict[str, Column]:
    """Return columns whose numbers begin where their headings begin.

    Texts do so by themselves, and must not be told to: those from right to left were cut off.
    """
    numbers = (name for name in frame if not all(isinstance(one, str) for one in frame[name]))
    return {str(name): st.column_config.Column(alignment="left") for name in numbers}


def written_cell(
    rows: pd.DataFrame | Iterable[Mapping[str, object]], heading: str, *, key: str, alt: str
) -> None:
    """Show a table of texts, a row for each of the names under `heading`."""
    frame = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame([*rows], dtype=object)
    show(
        inked(frame.style.format(str), heading),
        hide_index=True,
        column_config={**below_headings(frame), heading: names(frame[heading])},
        key=key,
        alt=alt,
    )


def text_table(rows: Sequence[Mapping[str, str]], *, alt: str, folds: bool = False) -> None:
    """Show rows of text under the keys of the first; `alt` says what they are.

    On a phone the fifth cell of a table that `folds` stands below the other four.
    """
    if rows:
        st.html(text_table_html(rows, alt=alt, folds=folds))


def text_table_html(rows: Sequence[Mapping[str, str]], *, alt: str, folds: bool = False) -> str:
    """Return one row of text or more under the keys of the first, as HTML."""
    head = "".join(f'<th scope="col">{html(name)}</th>' for name in rows[0])
    body = "".join(f"<tr>{_cells(row)}</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    kind = "eb-table folds" if folds else "eb-table"
    return f'<div class="{kind}" role="region" aria-label="{html(alt)}" tabindex="0">{table}</div>'


def _cells(row: Mapping[str, str]) -> str:
    first, *others = row.values()
    cells = "".join(f"<td>{prose(text)}</td>" for text in others)
    return f'<th scope="row">{html(first)}</th>{cells}'


MARKS = {Standing.BEST: "● ", Standing.LEVEL: "○ ", Standing.BEHIND: ""}
LEGEND = {
    Standing.BEST: "● better than every other",
    Standing.LEVEL: "○ too close to the best to call",
}
ELSEWHERE = "All metrics under Compare tests the others."
CLICK = "Click a number to see how it is worked out."
UNKNOWN = Estimate(float("nan"))
Places = Mapping[str, Mapping[str, Standing]]
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


class ShownMetrics(float):
    """A number that sorts as itself and shows as its text."""

    text: str

    def __new__(cls, value: float, text: str) -> "ShownMetrics":
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
    st.caption(f"{legend(told)}. {ELSEWHERE}  \n{CLICK}")
    return _picked(cells, list(rows), metrics, key)


def legend(told: Set[Standing]) -> str:
    """Return what the marks of these places mean."""
    return " · ".join(text for place, text in LEGEND.items() if place in told)


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
        support = [ShownMetrics(counts[name], text.count(counts[name])) for name in rows]
        frame.insert(1, counted, pd.Series(support, index=frame.index, dtype=object))
    cells = _show(frame, marks, of, key)
    st.caption(CLICK)
    return _picked(cells, list(rows), metrics, key)


def unselect(table: str) -> None:
    """Forget which cell of a table is selected; for a button's `on_click`."""
    st.session_state[table] = {"selection": {"rows": [], "columns": [], "cells": []}}


def _picked(
    cells: Sequence[tuple[int, str]], rows: Sequence[str], metrics: Sequence[Metric], table: str
) -> Picked | None:
    """Return the number in the cell that was clicked; None for any other cell, or none."""
    by_key = {metric.key: metric for metric in metrics}
    found = [Picked(rows[row], by_key[key], table) for row, key in cells if key in by_key]
    return found[0] if found else None


def _marks(rows: Mapping[str, Estimates], places: Mapping[str, Standing]) -> list[str]:
    return [MARKS[places.get(name, Standing.BEHIND)] for name in rows]


def _frame(rows: Mapping[str, Estimates], marks: Columns, of: str) -> pd.DataFrame:
    frame = pd.DataFrame(
        {
            metric.key: pd.Series(
                [
                    _shown(metric, found.get(metric.key, UNKNOWN), mark)
                    for found, mark in zip(rows.values(), column, strict=True)
                ],
                dtype=object,
            )
            for metric, column in marks.items()
        }
    )
    frame.insert(0, of, pd.Series([visible(name) for name in rows], dtype=object))
    return frame


def _shown(metric: Metric, estimate: Estimate, mark: str) -> ShownMetrics:
    ends = text.interval(estimate)
    said = f"{mark}{written(metric, estimate)}"
    return ShownMetrics(estimate.value, f"{said} ({ends})" if ends else said)


def _show(frame: pd.DataFrame, marks: Columns, of: str, key: str) -> Sequence[tuple[int, str]]:
    """Show the table; return the cells that were clicked, by row and column."""
    event = show(
        _styled(frame, of),
        hide_index=True,
        column_config=_config(frame[of], marks),
        placeholder=text.number(float("nan")),
        key=key,
        alt=f"{of} by {', '.join(metric.name for metric in marks)}",
        on_select="rerun",
        selection_mode="single-cell",
    )
    return list(event.selection.cells)


def _styled(frame: pd.DataFrame, of: str) -> Styler:
    best = f"color: {chart.look().correct}; font-weight: 600"

    def style(cell: Any) -> str:
        return best if str(cell).startswith(MARKS[Standing.BEST]) else ""

    return inked(frame.style.format(str).map(style), of)


def _config(cells: pd.Series, marks: Columns) -> dict[str, Any]:
    columns: dict[str, Any] = {str(cells.name): names(cells)}
    for metric in marks:
        columns[metric.key] = st.column_config.Column(
            metric.name, help=markdown(metric.summary), alignment="left"
        )
    return columns


@dataclass(frozen=True)
class Found:
    """A number of the data.

    Attributes:
        estimate: The number.
        model: Whose it is.
        where: The group it is in: "ranking", "decisions.threshold".
        of: What it is of, in words.
        average: For a mean over classes, its name: "macro"; "" otherwise.
    """

    estimate: Estimate
    model: str
    where: str
    of: str
    average: str = ""


def found_values(dataset: Dataset) -> dict[str, Found]:
    """Let model and way of deciding be picked; return the numbers by their name in the glossary."""
    if dataset.clusterings:
        return _of_clustering(dataset, inputs.pick_model(dataset))
    if not dataset.models:
        return {}
    with st.container(horizontal=True):
        model = inputs.pick_model(dataset)
        threshold = current.threshold(dataset, model)
        decisions = computed.decisions(dataset, model, threshold)
        way = inputs.pick_way(list(decisions)) if decisions else ""
    found = _decided(dataset, model, decisions[way], way) if way else {}
    if way:
        made, of = costs.decided(dataset, model), "at the costs of the page Costs"
        told = {} if made is None else made.metrics
        found |= {key: Found(one, model, COSTS_GIVEN, of) for key, one in told.items()}
    for group, estimates in explanations.groups(dataset, model).items():
        found |= {key: Found(made, model, group, "") for key, made in estimates.items()}
    return found


COSTS_GIVEN = "costs"
"""Where numbers are found that depend on what decisions cost, which the page Costs asks for."""


def _of_clustering(dataset: Dataset, name: str) -> dict[str, Found]:
    made, listed = computed.clustering(dataset, name), entries()
    return {
        called: Found(made.metrics[group][metric.key], name, group, "")
        for called, metric in listed.items()
        if metric.key in made.metrics.get(group := metric.family.value, ())
    }


def _decided(dataset: Dataset, model: str, made: Decisions, way: str) -> dict[str, Found]:
    """Return the numbers of decisions: of the whole, else the mean over the classes."""
    where = f"decisions.{way}"
    of = f"decided {sentences.of_way(way, current.threshold(dataset, model))}"
    found: dict[str, Found] = {}
    if dataset.roles.task is Task.MULTICLASS:
        mean, macro = f"mean over the classes, {of}", made.averages["macro"].items()
        found = {key: Found(e, model, where, mean, "macro") for key, e in macro}
    return found | {k: Found(e, model, where, of) for k, e in made.metrics.items()}


def metric_list(
    models: Mapping[str, Estimates], metrics: Sequence[Metric], *, way: str | None = "threshold"
) -> None:
    """Show one row per metric and one column per model, models being in the file's order.

    Each number links to its working in the glossary, for decisions made in this way, if there is
    one; what must be known of it stands below.
    """
    heads = "".join(
        f'<th scope="col" title="{html(name)}">{html(text.abbreviate(name, LONGEST_CLASS))}</th>'
        for name in models
    )
    said = dict.fromkeys(found[metric.key].note for metric in metrics for found in models.values())
    marks = {note: f"<sup>[{k}]</sup>" for k, note in enumerate(filter(None, said), 1)}
    rows = "".join(_row(metric, models, way, marks) for metric in metrics)
    notes = "".join(f'<p class="eb-note">{mark} {html(note)}</p>' for note, mark in marks.items())
    st.html(
        '<div class="eb-metric-list"><table>'
        f'<thead><tr><th scope="col">Metric</th>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table>{notes}</div>"
    )
    if way is not None:
        st.caption(CLICK)


def _row(
    metric: Metric, models: Mapping[str, Estimates], way: str | None, marks: Mapping[str, str]
) -> str:
    cells = "".join(
        _cell(metric, found[metric.key], way and _glossary(metric, name, way), marks)
        for name, found in models.items()
    )
    name = f'<th scope="row" title="{html(metric.summary)}">{html(metric.name)}</th>'
    return f"<tr>{name}{cells}</tr>"


def _cell(metric: Metric, estimate: Estimate, address: str | None, marks: Mapping[str, str]) -> str:
    shown, mark = html(written(metric, estimate)), marks.get(estimate.note, "")
    if not estimate.defined:
        return f'<td>{shown}{mark} <small class="eb-why">{html(estimate.why)}</small></td>'
    link = f'<a href="{html(address)}">{shown}</a>' if address else shown
    return f"<td>{link}{mark} <small>{html(text.interval(estimate))}</small></td>"


def _glossary(metric: Metric, model: str, way: str) -> str:
    """Return the address at which the number of a model is worked out."""
    view = {**explanations.address(name_of(metric), model), "decided": [way]}
    return f"glossary?{urlencode(view, doseq=True)}"
