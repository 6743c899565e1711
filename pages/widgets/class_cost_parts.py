"""The page about costs of decisions between several classes, part by part."""

import pandas as pd
import streamlit as st

from evalcore.curves.class_costs import ClassCosts, Decided
from evalcore.intake.model import Dataset
from evalcore.outcomes import ClassOutcomes, Floats
from pages.figures import confusion, confusion_grid
from pages.figures.predicted_actual import size
from pages.figures.words import ends_spoken, percent, spoken
from pages.session import costed, current
from pages.widgets.chart import chart, look
from pages.widgets.cost_case import around

WAYS = ("for the likeliest class", "for the cheapest class")


def model(dataset: Dataset) -> str:
    """Return the chosen model, or the first that gives probabilities."""
    able = [
        name
        for name, told in dataset.models.items()
        if isinstance(told, ClassOutcomes) and told.probabilities is not None
    ]
    chosen = current.model(dataset)
    return chosen if chosen in able else able[0]


def finding(dataset: Dataset, name: str, costs: Floats) -> tuple[str, str]:
    """Return what weighing the costs saves, and whether that is sure."""
    made = costed.of_classes(dataset, name, costs)
    who, low = spoken(dataset, name), float(made.saved_interval.low)
    if not made.changed:
        return (
            f"With these costs, the likeliest class of {who} is always the cheapest",
            "Change a cost to see what weighing it would save.",
        )
    saved = f"saves {size(made.saved)} a case {around(made.saved_interval, ends_spoken)}"
    lead = f"It decides {percent(made.changed)} of the rows otherwise, and {saved}."
    if made.saved < 0:
        lead += " Less than 0 is a loss: these probabilities are not true enough to weigh costs by."
    sure = "saves" if low > 0 else "may save" if made.saved > 0 else "does not save"
    return f"Weighing the costs {sure} money with {who}", lead


def compared(dataset: Dataset, name: str, costs: Floats, volume: int) -> None:
    """Show what both ways of deciding cost."""
    made = costed.of_classes(dataset, name, costs)
    both = zip(WAYS, (made.likeliest, made.cheapest), strict=True)
    frame = pd.DataFrame([_row(way, decided, volume) for way, decided in both])
    st.dataframe(frame, hide_index=True, key="ways", alt="What both ways of deciding cost")
    st.caption(
        "The cheapest class has the lowest cost expected by the probabilities, which must be true "
        "for that: see Calibration. The shares of the classes are those of these rows; in brackets "
        "95% normal intervals."
    )


def matrices(dataset: Dataset, name: str, costs: Floats) -> None:
    """Show the confusion matrix of both ways side by side."""
    made: ClassCosts = costed.of_classes(dataset, name, costs)
    both = zip(st.columns(2), (made.likeliest, made.cheapest), WAYS, strict=True)
    for column, decided, way in both:
        with column:
            st.caption(f"Decided {way}")
            grid = confusion_grid.arranged(decided.confusion)
            figure = confusion.draw(look(), grid, confusion.Shown.COUNTS)
            chart(figure, confusion.alt(decided.confusion), key=f"decided-{way.split()[2]}")


def _row(way: str, decided: Decided, volume: int) -> dict[str, str]:
    return {
        "decided": way,
        "cost of a case": f"{size(decided.cost)} {around(decided.interval)}",
        "cost a day": size(volume * decided.cost),
    }
