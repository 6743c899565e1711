"""What decisions cost, computed once, and what the reader typed about it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from evalcore.curves.costs import shares_of_rows
from evalcore.outcomes import Floats
from evalcore.tables.costs import LARGEST, Choice, UnitCosts, cheapest
from evalcore.tables.scores import ScoreTable
from evalread.dataset import Dataset
from pages import text
from pages.session import cache, computed, link

CLASSES_AT_MOST = 20
"""With more classes the table cannot be filled in by hand, nor written into an address."""


@dataclass(frozen=True)
class Typed:
    """A table of numbers that a reader may change.

    Attributes:
        name: What it is called in the address.
        usual: What it holds until somebody changes it.
        least: The smallest number that it may hold.
    """

    name: str
    usual: Callable[[Dataset], Floats]
    least: float

    def now(self, dataset: Dataset) -> Floats:
        """Return the numbers: those of the address, else those given before."""
        usual = self.usual(dataset)
        if len(dataset.classes) > CLASSES_AT_MOST:
            return usual
        kept = st.session_state.get(self._kept, {}).get(dataset.classes)
        text = link.one(self.name)
        found = self._read(text, usual.shape)
        if text and found is None:
            link.refuse(self.name, text)
        found = kept if found is None else found
        found = usual if found is None else found
        self._take(dataset, found)
        return found

    def begun(self, dataset: Dataset) -> tuple[Floats, str]:
        """Return the numbers that the editor begins with, and its key.

        What is typed is a change to what it began with, so that must stay the same while it is
        open. It begins anew when the page is come back to, or the address says something else.
        """
        now = self.now(dataset)
        base, seen, turn = st.session_state.get(self._editor, (None, None, 0))
        fresh = base is None or f"{self._editor}_{turn}" not in st.session_state
        if fresh or not np.array_equal(seen, now):
            base, turn = now, turn + 1
        st.session_state[self._editor] = (base, now, turn)
        return base, f"{self._editor}_{turn}"

    def edited(self, dataset: Dataset, typed: Floats) -> Floats:
        """Take over what was typed; a cell that is no such number counts as 0."""
        given: Floats = np.where(self._usable(typed), typed, 0.0)
        base, _, turn = st.session_state[self._editor]
        st.session_state[self._editor] = (base, given, turn)
        self._take(dataset, given)
        return given

    @property
    def _kept(self) -> str:
        return f"{self.name}_kept"

    @property
    def _editor(self) -> str:
        return f"{self.name}_editor"

    def _take(self, dataset: Dataset, given: Floats) -> None:
        """Keep what was changed for these classes, and write it into the address."""
        if np.array_equal(given, self.usual(dataset)):
            st.session_state.pop(self._kept, None)
            if self.name in st.query_params:
                del st.query_params[self.name]
            return
        st.session_state[self._kept] = {dataset.classes: given}
        if st.query_params.get(self.name) != (text := _written(given)):
            st.query_params[self.name] = text

    def _usable(self, typed: Floats) -> NDArray[np.bool_]:
        usable: NDArray[np.bool_] = (typed >= self.least) & (typed <= LARGEST)
        return usable

    def _read(self, text: str, shape: tuple[int, ...]) -> Floats | None:
        """Return the numbers that a text names; None where it is no such table."""
        parts = text.split(",")
        if len(parts) != np.prod(shape):
            return None
        try:
            numbers = np.array([float(part) for part in parts])
        except ValueError:
            return None
        return numbers.reshape(shape) if self._usable(numbers).all() else None


def usual(size: int) -> Floats:
    """Return the (K, K) costs until somebody gives others: every mistake costs 1."""
    costs: Floats = 1.0 - np.eye(size)
    return costs


def _shares(dataset: Dataset) -> Floats:
    """Return the (1, K) shares of the classes among the rows, in percent of four digits."""
    told = next(iter(dataset.models.values()))
    return np.array([[float(f"{100 * share:.4g}") for share in shares_of_rows(told)]])


COSTS = Typed("costs", lambda dataset: usual(len(dataset.classes)), -LARGEST)
"""What decisions cost, (K, K), row = truth."""

SHARES = Typed("shares", _shares, 0.0)
"""How common each of several classes is where decisions are made, (1, K) in percent."""


def shares(dataset: Dataset) -> Floats | None:
    """Return the (K,) shares of several classes; None where they are those of the rows."""
    now = SHARES.now(dataset)
    return None if np.array_equal(now, _shares(dataset)) or not now.any() else now[0]


def _written(given: Floats) -> str:
    return ",".join(
        f"{number:g}" if float(f"{number:g}") == number else repr(number)
        for number in given.ravel().tolist()
    )


def share(table: ScoreTable | None) -> float:
    """Return the share of the rows that are positive; one half without rows."""
    return table.positives / table.n if table is not None and table.n else 0.5


def prevalence(dataset: Dataset, model: str) -> float:
    """Return how common the class is among all cases: as told, else as in the rows."""
    told = st.session_state.get("prevalence")
    found = computed.tables(dataset).get(model)
    return share(found.scores if found else None) if told is None else float(told) / 100


def unit_costs_of(costs: Floats, prevalence: float) -> UnitCosts:
    """Return what the four outcomes cost, from (2, 2) costs, row = truth."""
    (tn, fp), (fn, tp) = costs.tolist()
    return UnitCosts(tn, fp, fn, tp, prevalence)


def of_rows(dataset: Dataset, table: ScoreTable) -> UnitCosts:
    """Return the costs that were given, for as many positives as there are in the rows.

    Of one class among several, every mistake costs 1.
    """
    given = COSTS.now(dataset) if len(dataset.classes) == 2 else usual(2)
    return unit_costs_of(given, share(table))


def tables(question: computed.Question) -> Mapping[str, ScoreTable]:
    """Return the score table of each model."""
    return {name: found.scores for name, found in question.tables.items() if found.scores}


@cache.cached(entries=400)
def best(question: computed.Question, model: str, unit_costs: UnitCosts) -> Choice:
    """Return the cheapest threshold of a model."""
    table = tables(question)[model]
    found = cheapest(table, unit_costs)
    return replace(found, threshold=text.shortest_threshold(table, found.threshold))
