"""One cell of a confusion matrix: which it is, what it says, the rows in it."""

import streamlit as st

from evalcore.evaluation.decided import Way, cell_places, decided, surest_first
from evalcore.intake.model import Dataset
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, data_rows
from evalcore.tables.confused import confused_pairs, shares_of_decision, shares_of_truth
from evalcore.tables.confusion import ConfusionMatrix
from pages.escape import file_name, visible
from pages.figures.words import counted, named, percent
from pages.session import current, picked
from pages.widgets.headline import section
from pages.widgets.rows_table import rows_table

Cell = tuple[int, int]
"""Truth and decision, as positions in the classes."""


def pick_cell(matrix: ConfusionMatrix) -> Cell:
    """Show two boxes that name a cell; return it, the most frequent error if they are empty."""
    picked.follow_cell(matrix.classes)
    truth, called = _first(matrix)
    left, right = st.columns(2)
    with left:
        truth = _pick_class("Truth", matrix.classes, truth, key=picked.ACTUAL)
    with right:
        called = _pick_class("Called", matrix.classes, called, key=picked.CALLED)
    return truth, called


def _pick_class(label: str, classes: tuple[str, ...], usual: int, *, key: str) -> int:
    name = st.selectbox(
        label,
        classes,
        index=None,
        placeholder=visible(classes[usual]),
        key=key,
        on_change=picked.write_cell,
        format_func=visible,
    )
    return usual if name is None else classes.index(name)


def cell_heading(matrix: ConfusionMatrix, cell: Cell) -> None:
    """Say which cell it is, and which share of its row and of its column."""
    truth, called = (named(matrix.classes[position]) for position in cell)
    rows = counted(float(matrix.counts[cell]), "row")
    what = f"{truth}, called {truth}" if cell[0] == cell[1] else f"{truth}, called {called}"
    of_truth = percent(float(shares_of_truth(matrix)[cell]))
    of_called = percent(float(shares_of_decision(matrix)[cell]))
    section(
        f"{rows}: {what}",
        f"{of_truth} of all that are {truth}; {of_called} of all that were called {called}.",
    )


def rows_lead(dataset: Dataset, model: str) -> str:
    """Say in which order the rows of a cell come: only scores tell which calls are surest."""
    outcomes = dataset.models[model]
    scored = getattr(outcomes, "score", None), getattr(outcomes, "probabilities", None)
    if all(one is None for one in scored):
        return "As they stand in the file, and in its order."
    return "As they stand in the file; the surest calls come first."


def cell_rows(dataset: Dataset, model: str, way: Way, cell: Cell) -> None:
    """Show the rows of a cell, those first in which the model was surest of what it called."""
    outcomes = dataset.models[model]
    assert isinstance(outcomes, BinaryOutcomes | ClassOutcomes)
    decision = decided(outcomes, way, current.threshold(dataset, model))
    places = surest_first(outcomes, cell_places(outcomes, decision, *cell), cell[1])
    if len(places):
        truth, called = (outcomes.classes[position] for position in cell)
        name = file_name("rows", model, truth, "called", called, ending="csv")
        rows_table(dataset, model, data_rows(outcomes, places), key="cell", called=name)
    else:
        st.caption("No row lies in this cell.")


def _first(matrix: ConfusionMatrix) -> Cell:
    worst = confused_pairs(matrix, 1)
    if not worst:
        last = len(matrix.classes) - 1
        return last, last
    return matrix.classes.index(worst[0].truth), matrix.classes.index(worst[0].decision)
