"""The page about costs of decisions between several classes, part by part."""

from math import isnan

import pandas as pd
import streamlit as st

from evalcore.curves.costs import ClassCosts, Decided
from evalcore.outcomes import ClassOutcomes, Floats
from evalread.dataset import Dataset
from pages import figures
from pages.figures import confusion
from pages.figures.numbers import size
from pages.models.cost_case import around
from pages.session import current
from pages.text import low_to_high, percent
from pages.widgets.chart import chart, look

EITHER = "either way"
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


def finding(made: ClassCosts, who: str) -> tuple[str, str]:
    """Return what weighing the costs saves, and whether that is sure."""
    if isnan(made.saved):
        return (
            "What these decisions cost cannot be told",
            "A class that has a share among all cases has no rows here.",
        )
    if not made.changed:
        return (
            f"With these costs, the likeliest class of {who} is always the cheapest",
            "Change a cost to see what weighing it would save.",
        )
    low = float(made.saved_interval.low)
    saved = f"saves {size(made.saved)} a case {around(made.saved_interval, low_to_high)}"
    lead = f"It decides {percent(made.changed)} of the cases otherwise, and {saved}."
    if made.saved < 0:
        lead += " Less than 0 is a loss: these probabilities are not true enough to weigh costs by."
    sure = "saves" if low > 0 else "may save" if made.saved > 0 else "does not save"
    return f"Weighing the costs {sure} money with {who}", lead


def compared(made: ClassCosts, shares: Floats | None, volume: int) -> None:
    """Show what both ways of deciding cost."""
    both = zip(WAYS, (made.likeliest, made.cheapest), strict=True)
    frame = pd.DataFrame([_row(way, decided, volume) for way, decided in both])
    st.dataframe(frame, hide_index=True, key="ways", alt="What both ways of deciding cost")
    st.caption(
        "The cheapest class has the lowest cost expected by the probabilities, which must be true "
        f"for that: see Calibration. {_shares(shares)} In brackets 95% normal intervals."
    )


def matrices(made: ClassCosts) -> None:
    """Show the confusion matrix of both ways side by side; one where they decide alike."""
    if made.changed == 0:
        _matrix(made.likeliest, EITHER, "decided-likeliest")
        return
    both = zip(st.columns(2), (made.likeliest, made.cheapest), WAYS, strict=True)
    for column, decided, way in both:
        with column:
            _matrix(decided, way, f"decided-{way.split()[2]}")


def _matrix(decided: Decided, way: str, key: str) -> None:
    st.caption(f"Rows of the file, decided {way}")
    grid = confusion.arranged(decided.confusion)
    figure = figures.draw_confusion_matrix(look(), grid, figures.Shown.COUNTS)
    chart(figure, figures.confusion_matrix_alt(decided.confusion), key=key)


def _shares(shares: Floats | None) -> str:
    """Return how the classes are weighed."""
    if shares is None:
        return "The shares of the classes are those of these rows, unless you state others."
    total = float(shares.sum())
    added = "" if abs(total - 100) < 0.05 else f", in proportion: they add up to {total:.4g}%"
    return (
        f"Each class counts by its share among all cases, as stated{added}; the probabilities are "
        "moved to these shares before the costs are weighed. Within a class, cases to come are "
        "taken to be like these rows."
    )


def _row(way: str, decided: Decided, volume: int) -> dict[str, str]:
    known = not isnan(decided.cost)
    ends = around(decided.interval) if known else ""
    return {
        "decided": way,
        "cost of a case": f"{size(decided.cost)} {ends}".strip() if known else "undefined",
        "cost a day": size(volume * decided.cost) if known else "undefined",
    }
