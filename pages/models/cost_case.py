"""What decisions cost, how common the class is, how many cases come: asked, and put together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.intervals.closed import Interval
from evalcore.outcomes import Floats
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.costs import Choice, UnitCosts
from evalcore.tables.scores import ScoreTable
from evalread.dataset import Dataset
from pages import escape, text
from pages.figures import numbers, words
from pages.session import computed, costs, current
from pages.widgets.inputs import whole_number

TRUTH = "truth"
VOLUME = 1000
"""Cases a day until somebody says how many: a round number."""
ONE_ROW = 69
"""Pixels of a heading, a row and the lines around them, the last of which is cut off otherwise."""


def ask_costs(dataset: Dataset) -> Floats:
    """Show the (K, K) costs to edit, row = truth, column = decision; return them."""
    if len(dataset.classes) > costs.CLASSES_AT_MOST:
        st.caption(f"With more than {costs.CLASSES_AT_MOST} classes every mistake costs 1.")
        return costs.COSTS.now(dataset)
    return _edited(dataset, costs.COSTS, "true ↓ called →", _labels(dataset), format="%g")


def ask_shares(dataset: Dataset) -> Floats | None:
    """Show the shares of several classes to edit; return (K,), None for those of the rows."""
    if len(dataset.classes) > costs.CLASSES_AT_MOST:
        return None
    row = ["% of all cases"]
    cells = {"min_value": 0, "format": "%.4g"}
    _edited(dataset, costs.SHARES, "how common", row, height=ONE_ROW, **cells)
    return costs.shares(dataset)


def ask_prevalence(positive: str, share: float) -> float:
    """Ask how common the class is where decisions are made; that of the rows if not told."""
    told = st.number_input(
        f"{text.abbreviate(words.named(positive), 24)} among all cases, %",
        min_value=0.0,
        max_value=100.0,
        value=None,
        placeholder=f"{100 * share:.4g}, as in these rows",
        format="%.4g",
        key="prevalence",
        bind="query-params",
        width=250,
        help="Files are often made with more of the class than there is in use. The rates of "
        "these rows are weighed by the share given here.",
    )
    return share if told is None else float(told) / 100


def ask_volume() -> int:
    """Ask how many cases come in a day."""
    return whole_number("Cases a day", (1, 10**9), VOLUME, key="volume", width=160)


def _edited(
    dataset: Dataset,
    table: costs.Typed,
    head: str,
    rows: Sequence[str],
    *,
    height: int | Literal["auto"] = "auto",
    **cells: Any,
) -> Floats:
    """Show numbers to edit, a column for each class, names of rows under `head`; return them."""
    base, key = table.begun(dataset)
    labels = _labels(dataset)
    frame = pd.DataFrame(base, columns=[str(code) for code in range(len(labels))])
    frame.insert(0, TRUTH, rows)
    columns = {
        str(code): st.column_config.NumberColumn(label, required=True, **cells)
        for code, label in enumerate(labels)
    }
    typed = st.data_editor(
        frame,
        hide_index=True,
        num_rows="fixed",
        disabled=[TRUTH],
        key=key,
        column_config={TRUTH: st.column_config.TextColumn(head), **columns},
        height=height,
    )
    return table.edited(dataset, typed.drop(columns=TRUTH).to_numpy(dtype=float, na_value=0.0))


def _labels(dataset: Dataset) -> list[str]:
    return [escape.visible(text.abbreviate(name, 24)) for name in dataset.classes]


@dataclass(frozen=True, eq=False)
class Costed:
    """What the page is about: a model, its costs, and the thresholds to be held side by side."""

    dataset: Dataset
    question: computed.Question
    model: str
    unit_costs: UnitCosts
    volume: int

    @property
    def table(self) -> ScoreTable:
        """The scores of the model."""
        return costs.tables(self.question)[self.model]

    @property
    def has_both(self) -> bool:
        """Whether there are rows of both classes."""
        return bool(self.table.positives and self.table.negatives)

    @property
    def best(self) -> Choice:
        """The cheapest threshold."""
        return costs.best(self.question, self.model, self.unit_costs)

    @property
    def at(self) -> float:
        """The threshold in use."""
        return current.threshold(self.dataset, self.model)

    @property
    def counts(self) -> BinaryCounts:
        """What the threshold in use does to the rows."""
        return self.counts_at(self.at)

    def counts_at(self, threshold: float) -> BinaryCounts:
        """What a threshold does to the rows."""
        return self.table.at(threshold)


def rates(counts: BinaryCounts) -> tuple[float, float]:
    """Return true and false positive rate; NaN without rows of the class."""
    positives, negatives = float(counts.positives), float(counts.negatives)
    return float(counts.tp) / (positives or np.nan), float(counts.fp) / (negatives or np.nan)


def around(interval: Interval, join: Callable[[str, str], str] = text.low_dash_high) -> str:
    """Return the ends of an interval in brackets; why there are none where the rows are alike."""
    low, high = float(interval.low), float(interval.high)
    if interval.degenerate or low == high:
        return "(no interval: all alike)"
    return f"({join(numbers.size(low), numbers.size(high))})"


def cost(it: Costed, counts: BinaryCounts) -> float:
    """Return the mean cost of a case."""
    return float(it.unit_costs.expected(*rates(counts)))
