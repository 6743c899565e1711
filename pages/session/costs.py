"""What decisions cost, computed once, and what the reader typed about it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from evalcore.curves.costs import Decided, MeanCost, shares_of_rows
from evalcore.evaluation.condense import DecisionRule, decide
from evalcore.metrics.decisions import total_cost
from evalcore.metrics.metric import Estimate
from evalcore.options import Options
from evalcore.outcomes import Floats
from evalcore.tables.costs import LARGEST, Choice, UnitCosts, cheapest
from evalcore.tables.scores import ScoreTable
from evalread.dataset import Dataset
from evalview import text
from evalview.lab.optimum import priced, weighted_accuracy
from pages.session import cache, computed, current, link

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
        found = link.told(self.name, lambda text: self._read(text, dataset), dataset.classes)
        found = usual if found is None else found
        self._take(dataset, found)
        return found

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

    def edited(self, dataset: Dataset, typed: Floats) -> Floats:
        """Take over what was typed; a cell that is no such number is empty, or 0."""
        empty = np.where(np.isnan(self.usual(dataset)), np.nan, 0.0)
        given: Floats = np.where(self._usable(typed), typed, empty)
        base, _, turn = st.session_state[self._editor]
        st.session_state[self._editor] = (base, given, turn)
        self._take(dataset, given)
        return given

    def give(self, dataset: Dataset, given: Floats) -> None:
        """Take over numbers that were given elsewhere, unless they are none such."""
        if (self._usable(given) | self._open(given, dataset)).all():
            self._take(dataset, given)

    def _open(self, given: Floats, dataset: Dataset) -> NDArray[np.bool_]:
        """Return which numbers are left open that may be."""
        is_open: NDArray[np.bool_] = np.isnan(given) & np.isnan(self.usual(dataset))
        return is_open

    @property
    def _editor(self) -> str:
        return f"{self.name}_editor"

    def _take(self, dataset: Dataset, given: Floats) -> None:
        """Keep what was changed for these classes, and write it into the address."""
        is_usual = np.array_equal(given, self.usual(dataset), equal_nan=True)
        link.tell(self.name, given, "" if is_usual else _written(given), dataset.classes)

    def _usable(self, typed: Floats) -> NDArray[np.bool_]:
        usable: NDArray[np.bool_] = (typed >= self.least) & (typed <= LARGEST)
        return usable

    def _read(self, text: str, dataset: Dataset) -> Floats | None:
        """Return the numbers that a text names; None where it is no such table."""
        parts, usual = text.split(","), self.usual(dataset)
        if len(parts) != usual.size:
            return None
        try:
            numbers = np.array([float(part or "nan") for part in parts]).reshape(usual.shape)
        except ValueError:
            return None
        is_known = self._usable(numbers) | self._open(numbers, dataset)
        return numbers if is_known.all() else None


@dataclass(frozen=True)
class Told:
    """A number that a reader may give.

    Attributes:
        name: What it is called in the address, and the key of its box.
        least: The smallest number that it may be.
        most: The largest.
        of_classes: Whether it is about these classes, so that others begin without it.
    """

    name: str
    least: float
    most: float
    of_classes: bool = False

    def now(self, dataset: Dataset) -> float | None:
        """Return the number: that of the address, else that given before; None without any."""
        found = link.told(self.name, self._read, self._about(dataset))
        self.give(dataset, found)
        return found

    def give(self, dataset: Dataset, given: float | None) -> None:
        """Take over a number, or that there is none; what is no such number is ignored."""
        if given is None or self.least <= given <= self.most:
            text = "" if given is None else f"{given:.15g}"
            link.tell(self.name, given, text, self._about(dataset))

    def show(self, dataset: Dataset) -> None:
        """Let its box show it, before that is drawn."""
        st.session_state[self.name] = self.now(dataset)

    def take(self) -> None:
        """Take over what its box holds; for its `on_change`."""
        if (dataset := current.dataset()) is not None:
            self.give(dataset, st.session_state[self.name])

    def _about(self, dataset: Dataset) -> tuple[str, ...]:
        return dataset.classes if self.of_classes else ()

    def _read(self, text: str) -> float | None:
        try:
            number = float(text)
        except ValueError:
            return None
        return number if self.least <= number <= self.most else None


def usual(size: int) -> Floats:
    """Return the (K, K) costs until somebody gives others: every mistake costs 1.

    Of two classes, what a miss costs is left open (NaN): it alone decides the threshold.
    """
    costs: Floats = 1.0 - np.eye(size)
    if size == 2:
        costs[1, 0] = np.nan
    return costs


def _shares(dataset: Dataset) -> Floats:
    """Return the (1, K) shares of the classes among the rows, in percent of four digits."""
    told = next(iter(dataset.models.values()))
    return np.array([[float(f"{100 * share:.4g}") for share in shares_of_rows(told)]])


COSTS = Typed("costs", lambda dataset: usual(len(dataset.classes)), -LARGEST)
"""What decisions cost, (K, K), row = truth."""

SHARES = Typed("shares", _shares, 0.0)
"""How common each of several classes is where decisions are made, (1, K) in percent."""

SHARE = Told("prevalence", 0.0, 100.0, of_classes=True)
"""How common the positive one of two classes is where decisions are made, in percent."""

VOLUME = Told("volume", 1.0, 1e9)
"""How many cases come in a day."""

USUAL_VOLUME = 1000
"""Cases a day until somebody says how many: a round number."""


def shares(dataset: Dataset) -> Floats | None:
    """Return the (K,) shares of several classes; None where they are those of the rows."""
    now = SHARES.now(dataset)
    return None if np.array_equal(now, _shares(dataset)) or not now.any() else now[0]


def _written(given: Floats) -> str:
    return ",".join(
        ""
        if np.isnan(number)
        else f"{number:g}"
        if float(f"{number:g}") == number
        else repr(number)
        for number in given.ravel().tolist()
    )


def same_shares(dataset: Dataset) -> bool:
    """Whether classes are equally common in the rows of every model."""
    first, *rest = map(shares_of_rows, dataset.models.values())
    return all(np.array_equal(first, other) for other in rest)


def share_of_all(dataset: Dataset) -> float | None:
    """Return the share of positives in the rows; None where it differs from model to model."""
    if not same_shares(dataset):
        return None
    return float(shares_of_rows(next(iter(dataset.models.values())))[1])


def share(table: ScoreTable | None) -> float:
    """Return the share of the rows that are positive; one half without rows."""
    return table.positives / table.n if table is not None and table.n else 0.5


def prevalence(dataset: Dataset, model: str) -> float:
    """Return how common the class is among all cases: as told, else as in the rows."""
    found = computed.tables(dataset).get(model)
    return in_use(dataset, found.scores if found else None)


def in_use(dataset: Dataset, table: ScoreTable | None) -> float:
    """Return how common the class is where decisions are made: as told, else as in the rows."""
    told = SHARE.now(dataset) if len(dataset.classes) == 2 else None
    return share(table) if told is None else told / 100


def volume(dataset: Dataset) -> int:
    """Return how many cases come in a day."""
    return round(VOLUME.now(dataset) or USUAL_VOLUME)


def given(dataset: Dataset, table: ScoreTable | None) -> UnitCosts | None:
    """Return what the outcomes cost, and how common positives are; None before that is said."""
    costs = COSTS.now(dataset)
    return priced(costs, in_use(dataset, table)) if costs.shape == (2, 2) else None


def tables(question: computed.Question) -> Mapping[str, ScoreTable]:
    """Return the score table of each model."""
    return {name: found.scores for name, found in question.tables.items() if found.scores}


def decided(dataset: Dataset, model: str) -> Decided | None:
    """Return what a model's decisions cost, as they are made now; None before costs are given."""
    costs = COSTS.now(dataset)
    if np.isnan(costs).any():
        return None
    told = SHARE.now(dataset) if len(dataset.classes) == 2 else None
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
) -> Decided:
    told, size = dataset.models[model], len(dataset.classes)
    stated = None if shares is None else np.array(shares) / sum(shares)
    mean = MeanCost(told, stated, Options.level)
    return mean.decided(decide(told, *by), np.reshape(costs, (size, size)))


def judged(dataset: Dataset, made: Decided) -> dict[str, Estimate]:
    """Return the metrics of what decisions cost, by key."""
    prices, ends = COSTS.now(dataset), made.interval
    found = {
        "mean_cost": Estimate(made.cost, float(ends.low), float(ends.high)),
        "total_cost": Estimate(float(total_cost(prices)(made.confusion))),
    }
    if len(dataset.classes) == 2:
        counts, told = made.confusion.binary(), SHARE.now(dataset)
        share = counts.positives / (counts.total or np.nan) if told is None else told / 100
        if (given := priced(prices, float(share))) is not None:
            found["weighted_accuracy"] = weighted_accuracy(given, counts)
    return found


@cache.cached(entries=400)
def best(question: computed.Question, model: str, unit_costs: UnitCosts) -> Choice:
    """Return the cheapest threshold of a model."""
    table = tables(question)[model]
    found = cheapest(table, unit_costs)
    return replace(found, threshold=text.shortest_threshold(table, found.threshold))
