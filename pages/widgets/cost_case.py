"""What the page about costs is about: a model, what its decisions cost, the thresholds compared."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from evalcore.intake.model import Dataset
from evalcore.resampling.interval import Interval
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.costs import Choice, Stakes
from evalcore.tables.scores import ScoreTable
from pages.figures.predicted_actual import size
from pages.figures.words import ends
from pages.session import costed, current
from pages.session.question import Question


@dataclass(frozen=True, eq=False)
class Costed:
    """What the page is about: a model, its costs, and the thresholds to be held side by side."""

    dataset: Dataset
    question: Question
    model: str
    stakes: Stakes
    volume: int

    @property
    def table(self) -> ScoreTable:
        """The scores of the model."""
        return costed.tables(self.question)[self.model]

    @property
    def has_both(self) -> bool:
        """Whether there are rows of both classes."""
        return bool(self.table.positives and self.table.negatives)

    @property
    def best(self) -> Choice:
        """The cheapest threshold."""
        return costed.best(self.question, self.model, self.stakes)

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


def around(interval: Interval, join: Callable[[str, str], str] = ends) -> str:
    """Return the ends of an interval in brackets; why there are none where the rows are alike."""
    low, high = float(interval.low), float(interval.high)
    if interval.degenerate or low == high:
        return "(no interval: all alike)"
    return f"({join(size(low), size(high))})"


def cost(it: Costed, counts: BinaryCounts) -> float:
    """Return the mean cost of a case."""
    return float(it.stakes.expected(*rates(counts)))
