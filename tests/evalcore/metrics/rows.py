"""Random rows, and the table that each metric needs made from them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from evalcore.metrics.metric import Metric
from evalcore.metrics.probability import HosmerLemeshow, Spiegelhalter
from evalcore.metrics.recalibration import CalibrationLine
from evalcore.tables.classes import ClassReliability, ClassScores, most_likely
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.scores import ScoreTable
from tests.evalcore.strategies import PROBABILITIES

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rows:
    """Truth and (n, K) probabilities of K classes, with whole weights; K = 2 for most metrics."""

    truth: NDArray[np.int64]
    probabilities: Floats
    weight: Floats

    @property
    def classes(self) -> tuple[str, ...]:
        return tuple("abcdefgh"[: self.probabilities.shape[1]])

    @property
    def score(self) -> Floats:
        return self.probabilities[:, -1]

    @property
    def positive(self) -> NDArray[np.int8]:
        return (self.truth == len(self.classes) - 1).astype(np.int8)

    def taken(self, rows: NDArray[np.intp]) -> "Rows":
        return Rows(self.truth[rows], self.probabilities[rows], self.weight[rows])

    def repeated(self) -> "Rows":
        """Return each row as often as its weight says, at weight 1."""
        rows = np.repeat(np.arange(len(self.truth)), self.weight.astype(int))
        return Rows(self.truth[rows], self.probabilities[rows], np.ones(len(rows)))

    def perfect(self) -> "Rows":
        """Return the same rows with all probability on the truth."""
        return Rows(self.truth, np.eye(len(self.classes))[self.truth], self.weight)


def scores(rows: Rows) -> ScoreTable:
    return ScoreTable.from_scores(rows.positive, rows.score, rows.weight)


def confusion(rows: Rows) -> ConfusionMatrix:
    decided = most_likely(rows.probabilities)
    return ConfusionMatrix.from_codes(rows.truth, decided, rows.classes, rows.weight)


def class_scores(rows: Rows) -> ClassScores:
    return ClassScores.from_probabilities(rows.truth, rows.probabilities, rows.classes, rows.weight)


MAKERS: Mapping[type, Callable[[Rows], Any]] = {
    BinaryCounts: lambda rows: scores(rows).at(0.5),
    ConfusionMatrix: confusion,
    ScoreTable: scores,
    ReliabilityTable: lambda rows: ReliabilityTable.from_scores(scores(rows)),
    CalibrationLine: lambda rows: CalibrationLine.from_scores(scores(rows)),
    HosmerLemeshow: lambda rows: HosmerLemeshow.from_scores(scores(rows)),
    Spiegelhalter: lambda rows: Spiegelhalter.from_scores(scores(rows)),
    ClassScores: class_scores,
    ClassReliability: lambda rows: class_scores(rows).reliability(),
}
"""How to make the table that a metric needs."""


def table(metric: Metric, rows: Rows) -> Any:
    return MAKERS[metric.needs](rows)


def value(metric: Metric, rows: Rows) -> float:
    return float(metric(table(metric, rows)))


@st.composite
def random_rows(draw: st.DrawFn, classes: int = 2, min_rows: int = 1) -> Rows:
    """Draw up to 40 rows with weights 1 to 3; any of the classes may be missing."""
    row = st.tuples(
        st.integers(0, classes - 1),
        st.lists(PROBABILITIES, min_size=classes, max_size=classes),
        st.integers(1, 3),
    )
    drawn = draw(st.lists(row, min_size=min_rows, max_size=40))
    truth, given, weight = zip(*drawn, strict=True)
    return Rows(
        np.array(truth, dtype=np.int64), _summing_to_one(np.array(given)), np.array(weight, float)
    )


def _summing_to_one(given: Floats) -> Floats:
    """Make rows of probabilities; of two classes the second keeps its drawn value."""
    if given.shape[1] == 2:
        return np.column_stack([1 - given[:, 1], given[:, 1]])
    total = given.sum(axis=1, keepdims=True)
    return np.where(total > 1e-6, given / np.where(total > 1e-6, total, 1), 1 / given.shape[1])
