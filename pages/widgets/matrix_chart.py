"""The confusion matrix on a page: what its cells say, and what a click on one does."""

import streamlit as st

from evalcore.tables.confusion import ConfusionMatrix
from pages.figures import confusion, confusion_grid
from pages.figures.confusion import Shown
from pages.session import boxes, picked
from pages.widgets.cell import Cell
from pages.widgets.chart import chart, look

KEY = "matrix"


def pick_shown() -> Shown:
    """Show what the cells can say; return what they shall say."""
    labels = {shown.name.lower(): shown.value for shown in Shown}
    boxes.pick("cells", labels, Shown.COUNTS.name.lower())
    name: str | None = st.segmented_control(
        "Cells show",
        list(labels),
        key="cells",
        format_func=labels.__getitem__,
        required=True,
        wrap=True,
    )
    return Shown[name.upper()] if name else Shown.COUNTS


def matrix_chart(matrix: ConfusionMatrix, shown: Shown, cell: Cell) -> None:
    """Show the matrix with a cell outlined; a click outlines another."""
    grid = confusion_grid.arranged(matrix)
    chart(
        confusion.draw(look(), grid, shown, picked=cell),
        confusion.alt(matrix),
        key=KEY,
        on_click=lambda: picked.take_cell(KEY, matrix.classes, grid.cell),
    )
