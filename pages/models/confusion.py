"""Confusion matrix: what is mistaken for what?"""

import pandas as pd
import streamlit as st

from evalcore.evaluation.condense import DecisionRule, confusion_rows, decide, surest_first
from evalcore.intervals.closed import wilson
from evalcore.outcomes import data_rows
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.text import count, counted
from evalread.dataset import Dataset, Task
from pages import escape, figures, text
from pages.figures import confusion, words
from pages.models import overview_binary
from pages.session import computed, current, link, selection
from pages.widgets import chart, guard, inputs, sentences, tables

IN_SHORT = ("recall", "precision", "specificity")

HOW = "Click a cell, or name one beside the picture, to see its rows."


def page() -> None:
    """Show the confusion matrix, one of its cells, and the rows in that cell."""
    dataset = guard.need_dataset()
    top, choices = st.container(), st.container(horizontal=True)
    with choices:
        model = inputs.pick_model(dataset)
        threshold = current.threshold(dataset, model)
        decisions = computed.decisions(dataset, model, threshold)
        way = inputs.pick_way(list(decisions))
        shown = pick_shown()
    matrix = decisions[way].confusion
    with top:
        origin = sentences.decided_by(way, matrix.classes, threshold)
        said = confusion.confusion_matrix_summary(words.spoken(dataset, model), matrix)
        guard.headline(said, f"{origin} {HOW}")
    picture, beside = st.columns([3, 2], gap="medium")
    with beside:
        cell = pick_cell(matrix)
        cell_heading(matrix, cell)
        if dataset.roles.task is Task.BINARY:
            overview_binary.decision(dataset, model, way, decisions[way], IN_SHORT)
        else:
            pairs_table(matrix, key="pairs")
    with picture:
        matrix_chart(matrix, shown, cell)
    guard.section("The rows of this cell", rows_lead(dataset, model))
    cell_rows(dataset, model, way, cell)


Cell = tuple[int, int]
"""Truth and decision, as positions in the classes."""


def pick_cell(matrix: ConfusionMatrix) -> Cell:
    """Show two boxes that name a cell; return it, the most frequent error if they are empty."""
    selection.follow_cell(matrix.classes)
    truth, called = _first(matrix)
    left, right = st.columns(2)
    with left:
        truth = _pick_class("Truth", matrix.classes, truth, key=selection.ACTUAL)
    with right:
        called = _pick_class("Called", matrix.classes, called, key=selection.CALLED)
    return truth, called


def _pick_class(label: str, classes: tuple[str, ...], usual: int, *, key: str) -> int:
    name = st.selectbox(
        label,
        classes,
        index=None,
        placeholder=escape.visible(classes[usual]),
        key=key,
        on_change=selection.write_cell,
        format_func=escape.visible,
    )
    return usual if name is None else classes.index(name)


def cell_heading(matrix: ConfusionMatrix, cell: Cell) -> None:
    """Say which cell it is, and which share of its row and of its column."""
    truth, called = (words.named(matrix.classes[position]) for position in cell)
    rows = counted(float(matrix.counts[cell]), "row")
    what = f"{truth}, called {truth}" if cell[0] == cell[1] else f"{truth}, called {called}"
    of_truth = text.percent(float(confusion.shares_of_truth(matrix)[cell]))
    of_called = text.percent(float(confusion.shares_of_decision(matrix)[cell]))
    guard.section(
        f"{rows}: {what}",
        f"{of_truth} of all that are {truth}; {of_called} of all that were called {called}.",
    )


def rows_lead(dataset: Dataset, model: str) -> str:
    """Say in which order the rows of a cell come: only scores tell which calls are surest."""
    if not dataset.models[model].scored:
        return "As they stand in the file, and in its order."
    return "As they stand in the file; the surest calls come first."


def cell_rows(dataset: Dataset, model: str, way: DecisionRule, cell: Cell) -> None:
    """Show the rows of a cell, those first in which the model was surest of what it called."""
    outcomes = dataset.models[model]
    decision = decide(outcomes, way, current.threshold(dataset, model))
    places = surest_first(outcomes, confusion_rows(outcomes, decision, *cell), cell[1])
    if len(places):
        truth, called = (outcomes.classes[position] for position in cell)
        name = escape.file_name("rows", model, truth, "called", called, ending="csv")
        tables.rows_table(dataset, model, data_rows(outcomes, places), key="cell", called=name)
    else:
        st.caption("No row lies in this cell.")


def _first(matrix: ConfusionMatrix) -> Cell:
    worst = confusion.confused_pairs(matrix, 1)
    if not worst:
        last = len(matrix.classes) - 1
        return last, last
    return matrix.classes.index(worst[0].truth), matrix.classes.index(worst[0].decision)


KEY = "matrix"


def pick_shown() -> confusion.Shown:
    """Show what the cells can say; return what they shall say."""
    labels = {shown.name.lower(): shown.value for shown in confusion.Shown}
    link.pick("cells", labels, confusion.Shown.COUNTS.name.lower())
    name: str | None = st.segmented_control(
        "Cells show",
        list(labels),
        key="cells",
        format_func=labels.__getitem__,
        required=True,
        wrap=True,
    )
    return confusion.Shown[name.upper()] if name else confusion.Shown.COUNTS


def matrix_chart(matrix: ConfusionMatrix, shown: confusion.Shown, cell: Cell) -> None:
    """Show the matrix with a cell outlined; a click outlines another."""
    grid = confusion.arranged(matrix)
    chart.show(
        figures.draw_confusion_matrix(chart.look(), grid, shown, picked=cell),
        figures.confusion_matrix_alt(matrix),
        key=KEY,
        on_click=lambda: selection.take_cell(KEY, matrix.classes, grid.cell),
    )


PAIRS_AT_MOST = 200
"""More pairs of classes nobody reads; the matrix has them all."""


def pairs_table(matrix: ConfusionMatrix, *, key: str) -> None:
    """Show pairs of classes with the rows in them, and the share of the true class they are."""
    pairs = confusion.confused_pairs(matrix, PAIRS_AT_MOST)
    if not pairs:
        return
    frame = pd.DataFrame([_row(pair) for pair in pairs], dtype=object)
    share = st.column_config.Column(
        alignment="left",
        help="Of all rows that are of the true class; in brackets its 95% interval (Wilson)",
    )
    tables.show(
        frame.style.format(str),
        hide_index=True,
        column_config={**tables.below_headings(frame), "share": share},
        key=key,
        alt="Pairs of classes that are taken for each other",
    )


def _row(pair: confusion.ConfusedPair) -> dict[str, object]:
    return {
        "is": escape.visible(pair.truth),
        "called": escape.visible(pair.decision),
        "rows": tables.ShownMetrics(pair.count, count(pair.count)),
        "share": _share(pair),
    }


def _share(pair: confusion.ConfusedPair) -> tables.ShownMetrics:
    """Return a share that sorts as a number and shows its interval."""
    around = wilson(pair.count, pair.of)
    low, high = (text.percent(float(end)) for end in (around.low, around.high))
    return tables.ShownMetrics(
        pair.share, f"{text.percent(pair.share)} ({text.low_dash_high(low, high)})"
    )
