"""What decisions cost, computed once, and what the reader typed about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from evalcore.curves.costs import LARGEST, Choice, UnitCosts, cheapest, shares_of_rows
from evalcore.outcomes import Floats
from evalcore.results import DecisionRule
from evalcore.tables.scores import ScoreTable
from evalread.dataset import Dataset
from evalview import text, words
from evalview.lab import optimum
from pages.session import cache, computed, current


@dataclass(frozen=True)
class Typed:
    """A table of numbers that a reader may change, kept in the view.

    Attributes:
        name: What it is called there, and in the address.
        usual: What it holds until somebody changes it.
        least: The smallest number that it may hold.
    """

    name: str
    usual: Callable[[Dataset], Floats]
    least: float

    def now(self, dataset: Dataset) -> Floats:
        """Return the numbers: those that were given, else the usual ones."""
        usual, said = self.usual(dataset), getattr(current.use(dataset), self.name)
        if said is None:
            return usual
        return np.array([np.nan if one is None else one for one in said]).reshape(usual.shape)

    def begun(self, dataset: Dataset) -> tuple[Floats, str]:
        """Return the numbers that the editor begins with, and its key.

        What is typed is a change to what it began with, so that must stay the same while it is
        open. It begins again when the page is come back to, or the address says something else.
        """
        now = self.now(dataset)
        base, seen, turn = st.session_state.get(self._editor, (None, None, 0))
        fresh = base is None or f"{self._editor}_{turn}" not in st.session_state
        if fresh or not np.array_equal(seen, now, equal_nan=True):
            base, turn = now, turn + 1
        st.session_state[self._editor] = (base, now, turn)
        return base, f"{self._editor}_{turn}"

    def take(self, down: Sequence[int]) -> None:
        """Take over what is typed, for the editor's `on_change`: links then lead on with it.

        `down` are the numbers of its rows; its columns are called by theirs. A cell that is no
        such number is empty, or 0.
        """
        if (dataset := current.dataset()) is None:
            return
        base, _, turn = st.session_state[self._editor]
        typed = base.copy()
        for row, cells in st.session_state[f"{self._editor}_{turn}"]["edited_rows"].items():
            for column, number in cells.items():
                typed[down[row], int(column)] = np.nan if number is None else number
        usable = (typed >= self.least) & (typed <= LARGEST)
        given = np.where(usable, typed, np.where(np.isnan(self.usual(dataset)), np.nan, 0.0))
        st.session_state[self._editor] = (base, given, turn)
        current.say(dataset, **{self.name: self.said(dataset, given)})

    def said(self, dataset: Dataset, given: Floats) -> tuple[float | None, ...] | None:
        """Return numbers as the view keeps them; None for the usual ones."""
        if np.array_equal(given, self.usual(dataset), equal_nan=True):
            return None
        return tuple(None if np.isnan(one) else one for one in given.ravel().tolist())

    @property
    def _editor(self) -> str:
        return f"{self.name}_editor"


def take(name: str) -> None:
    """Take over the number that the box of this name holds; for its `on_change`."""
    if (dataset := current.dataset()) is not None:
        current.say(dataset, **{name: st.session_state[name]})


def _shares(dataset: Dataset) -> Floats:
    """Return the (1, K) shares of the classes among the rows, in percent of four digits."""
    told = _shares_of_rows(dataset, next(iter(dataset.models)))
    return np.array([[float(f"{100 * share:.4g}") for share in told]])


def _shares_of_rows(dataset: Dataset, model: str) -> Floats:
    return shares_of_rows(computed.of_classes(dataset, model))


COSTS = Typed("costs", lambda dataset: optimum.usual_costs(len(dataset.classes)), -LARGEST)
"""What decisions cost, (K, K), row = truth."""

SHARES = Typed("shares", _shares, 0.0)
"""How common each of several classes is where decisions are made, (1, K) in percent."""

SHARE, VOLUME = "prevalence", "volume"
"""Names of two boxes, for numbers of the view: the share of positives in percent, cases a day."""


def shares(dataset: Dataset) -> Floats | None:
    """Return the (K,) shares of several classes; None where they are those of the rows."""
    now = SHARES.now(dataset)
    return None if np.array_equal(now, _shares(dataset)) or not now.any() else now[0]


def same_shares(dataset: Dataset) -> bool:
    """Whether classes are equally common in the rows of every model."""
    first, *rest = (_shares_of_rows(dataset, model) for model in dataset.models)
    return all(np.array_equal(first, other) for other in rest)


def share_of_all(dataset: Dataset) -> float | None:
    """Return the share of positives in the rows; None where it differs from model to model."""
    if not same_shares(dataset):
        return None
    return float(_shares_of_rows(dataset, next(iter(dataset.models)))[1])


def given(dataset: Dataset, table: ScoreTable | None) -> UnitCosts | None:
    """Return what the outcomes cost, and how common positives are; None before that is said."""
    use = current.use(dataset)
    return use.unit_costs(use.share(table))


def where(dataset: Dataset) -> str:
    """Return for which costs a threshold is the cheapest; "" before they are said."""
    return words.cheapest_where(dataset, given(dataset, None), current.use(dataset).prevalence)


def tables(question: computed.Question) -> Mapping[str, ScoreTable]:
    """Return the score table of each model."""
    return {name: found.scores for name, found in question.tables.items() if found.scores}


def decided(dataset: Dataset, model: str) -> optimum.Judged | None:
    """Return what a model's decisions cost, as they are made now; None before costs are given."""
    costs = COSTS.now(dataset)
    if np.isnan(costs).any():
        return None
    told = current.use(dataset).prevalence
    share = shares(dataset) if len(dataset.classes) != 2 else None
    if told is not None:
        share = np.array([100 - told, told])
    at = current.threshold(dataset, model)
    way = current.way(computed.ways(dataset, model))
    stated = None if share is None else tuple(share.tolist())
    return _decided(dataset, model, (way, at), tuple(costs.ravel().tolist()), stated)


@cache.cached(entries=400)
def _decided(
    dataset: Dataset,
    model: str,
    by: tuple[DecisionRule, float],
    costs: tuple[float, ...],
    shares: tuple[float, ...] | None,
) -> optimum.Judged:
    size = len(dataset.classes)
    stated = None if shares is None else np.array(shares) / sum(shares)
    prices = np.array(costs).reshape(size, size)
    return optimum.judged(computed.of_classes(dataset, model), by, prices, stated)


def compared(dataset: Dataset) -> optimum.AtCheapest | None:
    """Return which model costs least, each at its cheapest threshold; None where nothing tells."""
    prices, told = COSTS.now(dataset), current.use(dataset).prevalence
    if len(prices) != 2 or np.isnan(prices).any():
        return None
    share = None if told is None else told / 100
    return _compared(dataset, tuple(prices.ravel().tolist()), share)


@cache.cached(entries=100)
def _compared(
    dataset: Dataset, costs: tuple[float, ...], share: float | None
) -> optimum.AtCheapest | None:
    return optimum.compared(dataset, np.reshape(costs, (2, 2)), share)


@cache.cached(entries=400)
def best(question: computed.Question, model: str, unit_costs: UnitCosts) -> Choice:
    """Return the cheapest threshold of a model."""
    table = tables(question)[model]
    found = cheapest(table, unit_costs)
    return replace(found, threshold=text.shortest_threshold(table, found.threshold))
