"""What decisions cost, how common the class is, how many cases come: asked, and put together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.outcomes import Floats
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.costs import Choice, UnitCosts
from evalcore.tables.scores import ScoreTable
from evalread.dataset import Dataset
from evalview import escape, text, words
from pages.session import computed, costs, current

TRUTH = "truth"
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
    if not costs.same_shares(dataset):
        first = words.spoken(dataset, next(iter(dataset.models)))
        st.caption(
            f"Shares in the rows of {escape.markdown(first)}. Until you change them, each model "
            "counts by the shares of its own rows."
        )
    return costs.shares(dataset)


def ask_share(dataset: Dataset, share: float | None) -> None:
    """Ask how common the class is where decisions are made; that of the rows if not told.

    `share` is None where models have rows of their own, with other shares.
    """
    known = "as in each model’s rows" if share is None else f"{100 * share:.4g}, as in these rows"
    costs.SHARE.show(dataset)
    st.number_input(
        f"{words.class_of(dataset.roles.truth, dataset.classes[1])} in use, %",
        min_value=costs.SHARE.least,
        max_value=costs.SHARE.most,
        value=None,
        placeholder=known,
        format="%.4g",
        key=costs.SHARE.name,
        on_change=costs.SHARE.take,
        width=250,
        help="Test files often hold more of this class than real use does. The rates of these "
        "rows are weighted by the share entered here.",
    )


def ask_volume(dataset: Dataset) -> int:
    """Ask how many cases come in a day."""
    st.session_state[costs.VOLUME.name] = costs.volume(dataset)
    st.number_input(
        "Cases per day",
        min_value=int(costs.VOLUME.least),
        max_value=int(costs.VOLUME.most),
        key=costs.VOLUME.name,
        on_change=costs.VOLUME.take,
        width=160,
    )
    return costs.volume(dataset)


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
    order = _order(dataset)
    # The rows of costs are classes too; those of shares are not.
    down = order if len(base) == len(order) else [0]
    shown = [str(code) for code in order]
    frame = pd.DataFrame(base[np.ix_(down, order)], columns=shown)
    frame.insert(0, TRUTH, rows)
    columns = {
        code: st.column_config.NumberColumn(label, required=True, **cells)
        for code, label in zip(shown, _labels(dataset), strict=True)
    }
    typed = st.data_editor(
        frame,
        hide_index=True,
        num_rows="fixed",
        disabled=[TRUTH],
        key=key,
        placeholder="type here",
        column_config={TRUTH: st.column_config.TextColumn(head), **columns},
        height=height,
    )
    cells_typed = typed[shown].to_numpy(dtype=float, na_value=np.nan)
    return table.edited(dataset, cells_typed[np.ix_(np.argsort(down), np.argsort(order))])


def _order(dataset: Dataset) -> list[int]:
    """Return the classes in the order of every confusion matrix: the positive of two first."""
    count = len(dataset.classes)
    return [1, 0] if count == 2 else list(range(count))


def _labels(dataset: Dataset) -> list[str]:
    names = (dataset.classes[code] for code in _order(dataset))
    return [escape.visible(text.abbreviate(name, 24)) for name in names]


@dataclass(frozen=True, eq=False)
class Costed:
    """What the page is about: a model, what its decisions cost, and the thresholds to compare.

    Attributes:
        share: Share of the cases that are positive where decisions are made.
        volume: How many cases come in a day.
        given: What the outcomes cost; None before that is said.
    """

    dataset: Dataset
    question: computed.Question
    model: str
    share: float
    volume: int
    given: UnitCosts | None

    @property
    def table(self) -> ScoreTable:
        """The scores of the model."""
        return costs.tables(self.question)[self.model]

    @property
    def has_both(self) -> bool:
        """Whether there are rows of both classes."""
        return bool(self.table.positives and self.table.negatives)

    @property
    def best(self) -> Choice | None:
        """The cheapest threshold; None before costs are given."""
        return self.given and costs.best(self.question, self.model, self.given)

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
