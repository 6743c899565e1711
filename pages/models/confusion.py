"""Confusion matrix: which classes are confused?"""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from evalcore.intervals.closed import wilson
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, data_rows
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.text import count
from evalread.dataset import Dataset, Task
from evalview import escape, figures, selections, sentences, text, words
from evalview.figures import confusion
from evalview.selections import Selection
from pages.session import computed, current, link, selection
from pages.widgets import chart, explain, guard, inputs, tables
from pages.widgets.rows import rows_table

IN_SHORT = ("recall", "precision", "specificity")

HOW = "Click a cell, or pick one next to the picture, to see its rows."


def page() -> None:
    """Show the confusion matrix, one of its cells, and the rows that are selected."""
    dataset = guard.need_dataset(selections.CLASSES)
    top, choices = guard.top_and_choices()
    with choices:
        model = inputs.pick_model(dataset)
        threshold = current.threshold(dataset, model)
        decisions = computed.decisions(dataset, model, threshold)
        way = inputs.pick_way(list(decisions))
        shown = pick_shown()
    matrix, column = decisions[way].confusion, dataset.roles.truth or ""
    by = Selection(model, way=way, threshold=threshold if way == "threshold" else None)
    with top:
        origin = sentences.decided_by(way, matrix.classes, threshold)
        said = confusion.confusion_matrix_summary(words.spoken(dataset, model), matrix, column)
        guard.headline(said, f"{origin} {HOW}")
    picture, beside = st.columns([3, 2], gap="medium")
    with beside:
        cell = pick_cell(dataset, matrix, by)
        cell_heading(matrix, cell, column)
    with picture:
        matrix_chart(matrix, shown, cell, by, column)
    of_cell = _of_cell(matrix, by, cell)
    chosen = selection.chosen(dataset) or of_cell
    title = CELL if chosen == of_cell else selection.name(dataset, chosen)
    guard.section(title, rows_lead(dataset, chosen))
    selected_rows(dataset, chosen)
    if dataset.roles.task is Task.BINARY:
        guard.section("What these decisions are worth")
        explain.decided_cards(dataset, model, way, decisions[way], IN_SHORT)
    else:
        pairs_table(matrix, key="pairs")


CELL = "The rows of this cell"


Cell = tuple[int, int]
"""Truth and decision, as positions in the classes."""

BOXES = ("actual", "called")
"""Keys of the boxes that name a cell, and what older links call its classes."""


def pick_cell(dataset: Dataset, matrix: ConfusionMatrix, by: Selection) -> Cell:
    """Show two boxes that name a cell; return the one selected, else the most common error.

    `by` are all rows, decided as the matrix is.
    """
    _follow_old_link(matrix, by)
    chosen, usual = selection.chosen(dataset), _first(matrix)
    picked = None if chosen is None else _cell_of(matrix, by, chosen)
    for key, code in zip(BOXES, picked or (None, None), strict=True):
        st.session_state[key] = None if code is None else matrix.classes[code]
    for column, label, key, code in zip(
        st.columns(2), ("Truth", "Called"), BOXES, usual, strict=True
    ):
        column.selectbox(
            label,
            matrix.classes,
            index=None,
            placeholder=escape.visible(matrix.classes[code]),
            key=key,
            on_change=_take_boxes,
            args=(matrix, by, picked is not None),
            format_func=escape.in_order,
        )
    return picked or usual


def _take_boxes(matrix: ConfusionMatrix, by: Selection, was_picked: bool) -> None:
    """Select the cell that the boxes name; all rows again where one was emptied."""
    said = [st.session_state[key] for key in BOXES]
    if was_picked and None in said:
        selection.clear()
    elif said != [None, None]:
        selection.choose(_of_cell(matrix, by, _filled(matrix, said)))


def _filled(matrix: ConfusionMatrix, said: Sequence[str | None]) -> Cell:
    """Return the cell of these classes; what is open is as in the most common error."""
    truth, called = (
        usual if name is None else matrix.classes.index(name)
        for name, usual in zip(said, _first(matrix), strict=True)
    )
    return truth, called


def _follow_old_link(matrix: ConfusionMatrix, by: Selection) -> None:
    """Select the cell that an address of an older version names."""
    said: list[str | None] = []
    for key in BOXES:
        name = link.one(key)
        if name:
            del st.query_params[key]
        if name and name not in matrix.classes:
            link.refuse(key, name)
        said.append(name if name in matrix.classes else None)
    if said != [None, None]:
        selection.choose(_of_cell(matrix, by, _filled(matrix, said)))
        st.rerun()


def _of_cell(matrix: ConfusionMatrix, by: Selection, cell: Cell) -> Selection:
    truth, called = (matrix.classes[code] for code in cell)
    return by.cell(truth, called)


def _cell_of(matrix: ConfusionMatrix, by: Selection, chosen: Selection) -> Cell | None:
    """Return the cell that a selection is; None where it is none of this matrix."""
    truth, called = chosen.labelled(selections.TRUTH), chosen.labelled(selections.CALLED)
    if truth is None or called is None or by.cell(truth, called) != chosen:
        return None
    return matrix.classes.index(truth), matrix.classes.index(called)


def cell_heading(matrix: ConfusionMatrix, cell: Cell, column: str) -> None:
    """Say which cell it is, and which share of its row and of its column."""
    truth, called = (matrix.classes[position] for position in cell)
    rows = words.counted_rows(column, truth, float(matrix.counts[cell]))
    of_truth = text.percent(float(confusion.shares_of_truth(matrix)[cell]))
    of_called = text.percent(float(confusion.shares_of_decision(matrix)[cell]))
    guard.section(
        f"{rows} called {words.called(called)}",
        f"{of_truth} of {words.class_of(column, truth)}; "
        f"{of_called} of all called {words.called(called)}.",
    )


def rows_lead(dataset: Dataset, chosen: Selection) -> str:
    """Say in which order the rows come: only scores tell which calls are surest."""
    if not chosen.labelled(selections.CALLED) or not dataset.models[chosen.model].scored:
        return "As in the file, and in its order."
    return "As in the file; the most confident decisions come first."


def selected_rows(dataset: Dataset, chosen: Selection) -> None:
    """Show the rows of a selection, those first in which the model was surest of its call."""
    outcomes = dataset.models[chosen.model]
    places = selection.selected(dataset, chosen).places
    truth, called = chosen.labelled(selections.TRUTH), chosen.labelled(selections.CALLED)
    if called and isinstance(outcomes, BinaryOutcomes | ClassOutcomes):
        places = selections.surest_first(outcomes, places, outcomes.classes.index(called))
    said = (truth, "called", called) if truth and called else ("picked",)
    name = escape.file_name("rows", chosen.model, *said, ending="csv")
    rows = data_rows(outcomes, places)
    rows_table(dataset, (chosen.model,), rows, key="cell", called=name)


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
    usual = confusion.Shown.COUNTS.name.lower()
    return confusion.Shown[inputs.pick_one("Cells show", labels, key="cells", usual=usual).upper()]


def matrix_chart(
    matrix: ConfusionMatrix, shown: confusion.Shown, cell: Cell, by: Selection, column: str
) -> None:
    """Show the matrix with a cell outlined; a click selects the rows of another."""
    grid = confusion.arranged(matrix, column)
    figure = figures.draw_confusion_matrix(chart.look(), grid, shown, picked=cell)
    alt = figures.confusion_matrix_alt(matrix, column)
    chart.show(figure, alt, key=KEY, on_click=chart.Marks(figure, KEY, by, matrix.classes).take)


PAIRS_AT_MOST = 200
"""More pairs of classes nobody reads; the matrix has them all."""


def pairs_table(matrix: ConfusionMatrix, *, key: str) -> None:
    """Show pairs of classes with the rows in them, and the share of the true class they are."""
    pairs = confusion.confused_pairs(matrix, PAIRS_AT_MOST)
    if not pairs:
        return
    guard.section("Which classes are confused most?")
    frame = pd.DataFrame([_row(pair) for pair in pairs], dtype=object)
    share = st.column_config.Column(
        alignment="left",
        help="Share of the rows of the true class; brackets: 95% interval (Wilson)",
    )
    tables.show(
        frame.style.format(str),
        hide_index=True,
        column_config={**tables.below_headings(frame), "share": share},
        key=key,
        alt="Pairs of classes that are confused",
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
