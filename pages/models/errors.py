"""Errors: where, and how far, is a model of numbers off?"""

from urllib.parse import unquote

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from evalcore.evaluation.remarks import value_remarks
from evalcore.options import Options
from evalcore.outcomes import data_rows
from evalcore.slices.rows import LOSS, listed
from evalcore.text import counted
from evalread.dataset import Dataset
from evalview import conclusions, figures, selections
from evalview.escape import file_name, markdown, visible
from evalview.figures.errors import Against
from evalview.figures.lines import ErrorCounts, Placed, add_marked, light
from evalview.figures.numbers import ErrorCurve, NormalQuantiles, Tail
from evalview.selections import Selection
from evalview.text import number, percent, size
from evalview.words import predictions_of, spoken
from pages.session import computed, current, findings, selection
from pages.widgets import chart, guard, inputs, notices, tables
from pages.widgets.rows import rows_table
from pages.widgets.tables import inked, names


def page() -> None:
    """Show how far predicted numbers are off, along what, and the rows that are off most."""
    dataset = guard.need_dataset(SHOWN_WHOLE)
    guard.headline(*finding(dataset, current.model(dataset)))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        model = inputs.pick_model(dataset)
        # Streamlit hears no clicks while a lasso is at hand, and on a phone it stops scrolling.
        st.segmented_control("Select rows by", DRAGS, key=DRAG, default="click", required=True)
    told = value_remarks(model, findings.outcomes(dataset, model))
    notices.notices([*findings.side_by_side(dataset), *told])
    close(dataset, model)
    along(dataset, model)
    chosen = selection.chosen(dataset)
    title = "The largest errors" if chosen is None else selection.name(dataset, chosen)
    guard.section(title, "Rows as in the file, the largest error first.")
    errors_table(dataset, model)
    with st.expander("How are the errors spread?"):
        spread(dataset, model)
    with st.expander("Where does R² come from?"):
        sums(dataset, model)


DRAG = "select-by"
DRAGS: tuple[chart.Drag, ...] = ("click", "box", "lasso")
"""Key and choices of the switch between a click on one row and a line round several."""

SHOWN_WHOLE = selections.NUMBERS | {selections.ORDER, selections.ROWS}
"""What the figures select rows by: all rows stay in them, those selected in rings."""


def errors_table(dataset: Dataset, model: str) -> None:
    """Show the rows that are selected, or all, the largest errors first, with all their cells."""
    outcomes = findings.outcomes(dataset, model)
    found = listed(dataset, LOSS, Options(), model, selection.among(dataset, model))
    off = outcomes.prediction[found.place] - outcomes.truth[found.place]
    called = file_name("largest-errors", model, ending="csv")
    key = "largest-errors"
    rows_table(dataset, (model,), found.row, key=key, called=called, values={"error": off})


TEACHES = {
    "actual": "Along the actual number errors slope down for any good model: a large number is "
    "large partly by chance, which no model can predict. To find faults of the model, "
    "look along the predicted number.",
    "row order": "A trend along the rows means that something changed while they were collected.",
}


def finding(dataset: Dataset, model: str) -> tuple[str, str]:
    """Return how close the usual prediction comes, and what the tail adds."""
    half, tail = (
        computed.values(dataset, model)["medae"],
        findings.of_errors(dataset, model, Tail.from_errors),
    )
    if not half.defined:
        return f"How far off is {spoken(dataset, model)}?", ""
    added = float(tail.squared[1])
    lead = (
        f"The largest 5% of the errors make up {percent(added)} of the squared error, on which "
        "RMSE and R² are based."
    )
    return (
        f"Half of the {predictions_of(spoken(dataset, model))} are within {size(half.value)}",
        lead if added == added else "Every prediction is exactly right.",
    )


def close(dataset: Dataset, model: str) -> None:
    """Show every prediction beside the truth, and how many rows have which error."""
    scene = chart.of_all(dataset, model)
    half = computed.values(dataset, model)["medae"]
    cloud = findings.against_truth(dataset, model)
    counts = findings.of_errors(dataset, model, ErrorCounts.from_errors)
    left, right = st.columns(2)
    with left:
        figure = figures.draw_predicted_actual(scene, cloud, half, findings.line(dataset, model))
        alt = figures.predicted_actual_alt(scene, cloud, half)
        _show_rows(dataset, model, figure, alt, key="predicted-actual")
    with right:
        key, bars = "error-histogram", figures.draw_error_histogram(scene, counts)
        marks = chart.Marks(bars, key, Selection(model))
        alt = figures.error_histogram_alt(scene, counts)
        chart.show(bars, alt, key=key, on_click=marks.take)
    st.caption("Click a point or a bar, here or below, to select its rows.")


def along(dataset: Dataset, model: str) -> None:
    """Show what the errors go with: the prediction, the truth, the order, or a column."""
    guard.section(
        "What are the errors related to?", "A model that has learned all it could shows no pattern."
    )
    by = _pick(findings.offered(dataset))
    told, scene = findings.against(dataset, model, by), chart.of_all(dataset, model)
    if by.name in TEACHES and not by.column:
        st.caption(markdown(TEACHES[by.name]))
    left, right = st.columns(2)
    with left:
        figure = figures.draw_residuals(scene, told.cloud, told.trend, by)
        alt = figures.residuals_alt(scene, told.cloud, told.trend, by)
        _show_rows(dataset, model, figure, alt, key="residuals", placed=by.positions)
    with right:
        groups = figures.draw_error_groups(scene, told)
        chart.show(
            groups,
            figures.error_groups_alt(scene, told),
            key="error-groups",
            on_click=chart.Marks(groups, "error-groups", Selection(model)).take,
        )
    if told.left_out:
        rows = counted(told.left_out, "row")
        st.caption(markdown(f"Left out: {rows} without a number in “{visible(by.name)}”."))


def spread(dataset: Dataset, model: str) -> None:
    """Show how many come how close, whether errors are normal, and what the tail adds."""
    scene, found = chart.of_all(dataset, model), computed.values(dataset, model)
    told = findings.of_errors(dataset, model, NormalQuantiles.from_errors)
    cloud = findings.halfway(dataset, model)
    left, right = st.columns(2)
    with left:
        chart.show(
            figures.draw_normal_quantiles(scene, told),
            figures.normal_quantiles_alt(scene, told),
            key="normal",
        )
    with right:
        figure = figures.draw_bland_altman(scene, cloud, found)
        alt = figures.bland_altman_alt(scene, cloud, found)
        _show_rows(dataset, model, figure, alt, key="bland-altman")
    make = ErrorCurve.from_errors
    curves = {name: findings.of_errors(dataset, name, make) for name in scene.drawn(scene.names)}
    left, right = st.columns(2)
    with left:
        alt = figures.error_curve_alt(scene, curves)
        chart.show(figures.draw_error_curve(scene, curves), alt, key="error-curve")
    with right:
        _tail_table(dataset)


def sums(dataset: Dataset, model: str) -> None:
    """Show the three sums of squares, whether they add up, and R² beside r²."""
    found = computed.values(dataset, model)
    if not all(found[key].defined for key in ("tss", "rss", "ess", "r2", "pearson")):
        st.caption("These rows do not vary enough for R².")
        return
    tss, rss, ess = (found[key].value for key in ("tss", "rss", "ess"))
    st.caption("R² = 1 − RSS / TSS: one minus the share left unexplained.")
    frame = pd.DataFrame(
        {
            "sum of squares": ["TSS, total", "ESS, explained", "RSS, residual"],
            "of what": [
                "actual minus mean of actual",
                "predicted minus mean of actual",
                "actual minus predicted",
            ],
            "value": [number(value) for value in (tss, ess, rss)],
            "share of TSS": [percent(value / tss) for value in (tss, ess, rss)],
        }
    )
    tables.show(frame, hide_index=True, key="sums", alt="The three sums of squares")
    st.caption(
        markdown(conclusions.of_sums(tss, ess, rss, found["r2"].value, found["pearson"].value))
    )


def _show_rows(
    dataset: Dataset, model: str, figure: go.Figure, alt: str, *, key: str, placed: Placed = light
) -> None:
    """Show a cloud of rows, those selected in rings; what is drawn round them selects others."""
    marked, by = selection.among(dataset, model), Selection(model)
    axes = figure.layout.meta
    if marked is not None and marked.any() and axes:
        x, y = (selections.values_of(dataset, by, unquote(axes[axis])) for axis in "xy")
        places = np.flatnonzero(marked & np.isfinite(x))
        rows = data_rows(findings.outcomes(dataset, model), places)
        add_marked(figure, chart.of_all(dataset, model), x[places], y[places], rows, placed)
    drag: chart.Drag = st.session_state[DRAG]
    chart.show(figure, alt, key=key, on_click=chart.Marks(figure, key, by).take, drag=drag)


def _pick(offered: tuple[Against, ...]) -> Against:
    named = {_shown(by): by for by in offered}
    labels = {name: visible(name) for name in named}
    return named[inputs.list_box("Errors along", labels, key="along", width=320)]


def _shown(by: Against) -> str:
    """Return a name that no column of the file can take from the numbers themselves."""
    taken = by.column and by.name in {own.name for own in findings.OWN}
    return f"column {by.name}" if taken else by.name


def _tail_table(dataset: Dataset) -> None:
    told = {name: findings.of_errors(dataset, name, Tail.from_errors) for name in dataset.models}
    first = next(iter(told.values()))
    rows = [
        [visible(name), *(percent(float(share)) for share in tail.squared)]
        for name, tail in told.items()
    ]
    columns = ["model", *(f"largest {share:.0%}" for share in first.rows)]
    frame = pd.DataFrame(rows, columns=columns)
    tables.show(
        inked(frame.style, "model"),
        hide_index=True,
        column_config={"model": names(frame["model"])},
        key="tail",
        alt="Shares of the squared error that the largest errors make",
    )
    st.caption(
        "The share of the squared error that the largest errors make. Normal errors give "
        f"{conclusions.normal_shares(tuple(first.rows.tolist()))}."
    )
