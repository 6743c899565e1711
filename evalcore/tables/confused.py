"""Reading a confusion matrix: shares, an order that puts confused classes side by side, pairs."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Floats
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.tables.weights import quotient

Order = NDArray[np.intp]
"""Class positions, in the order in which to read them."""


@dataclass(frozen=True)
class ConfusedPair:
    """How often one class was taken for another.

    Attributes:
        truth: What it was.
        decision: What it was called.
        count: Rows, or the sum of their weights.
        of: All rows that are `truth`.
    """

    truth: str
    decision: str
    count: float
    of: float

    @property
    def share(self) -> float:
        """Of all rows that are `truth`, the share called `decision`."""
        return self.count / self.of


def shares_of_truth(matrix: ConfusionMatrix) -> Floats:
    """Return (K, K) shares of each row; NaN for a class without a row in the truth."""
    return quotient(matrix.counts, matrix.counts.sum(axis=1, keepdims=True))


def shares_of_decision(matrix: ConfusionMatrix) -> Floats:
    """Return (K, K) shares of each column; NaN for a class that was never decided."""
    return quotient(matrix.counts, matrix.counts.sum(axis=0, keepdims=True))


def confused_pairs(matrix: ConfusionMatrix, limit: int) -> tuple[ConfusedPair, ...]:
    """Return the most frequent errors, at most `limit`; ties in the order of the classes.

    >>> matrix = ConfusionMatrix(("a", "b"), np.array([[5, 3], [1, 4]]))
    >>> [(pair.truth, pair.decision, pair.count) for pair in confused_pairs(matrix, 9)]
    [('a', 'b', 3.0), ('b', 'a', 1.0)]
    """
    errors, of = _errors(matrix), matrix.counts.sum(axis=1)
    worst = np.argsort(-errors, axis=None, kind="stable")[:limit]
    cells = [divmod(int(cell), len(matrix.classes)) for cell in worst]
    return tuple(
        ConfusedPair(
            matrix.classes[truth],
            matrix.classes[decision],
            float(errors[truth, decision]),
            float(of[truth]),
        )
        for truth, decision in cells
        if errors[truth, decision] > 0
    )


def by_confusion(matrix: ConfusionMatrix) -> Order:
    """Return the classes so that each is followed by the one it is most confused with.

    The walk starts, and starts again where a class is confused with none of those left, at the
    class with most errors.
    """
    errors = _errors(matrix)
    mutual = errors + errors.T
    remaining = mutual.sum(axis=1) + 1.0
    order: list[int] = []
    for _ in matrix.classes:
        tie = np.where(remaining > 0, mutual[order[-1]], -1.0) if order else remaining
        nearest = int(np.argmax(tie if tie.max() > 0 else remaining))
        order.append(nearest)
        remaining[nearest] = 0.0
    return np.array(order, dtype=np.intp)


def most_confused(matrix: ConfusionMatrix, most: int) -> Order:
    """Return the classes of the most frequent errors, at most `most`, in the order `by_confusion`.

    >>> counts = np.array([[9, 0, 1], [0, 9, 0], [0, 0, 9]])
    >>> most_confused(ConfusionMatrix(("a", "b", "c"), counts), 2).tolist()
    [0, 2]
    """
    worst = np.argsort(-_errors(matrix), axis=None, kind="stable")[: most * most]
    classes = np.stack(np.divmod(worst, len(matrix.classes)), axis=1).ravel()
    _, first = np.unique(classes, return_index=True)
    kept = np.sort(classes[np.sort(first)[:most]])
    names = tuple(matrix.classes[code] for code in kept)
    among = ConfusionMatrix(names, matrix.counts[np.ix_(kept, kept)])
    order: Order = kept[by_confusion(among)]
    return order


def pooled(matrix: ConfusionMatrix, keep: Order, name: str) -> ConfusionMatrix:
    """Return the matrix of the classes to keep, in that order, and one that holds the others.

    Totals are those of the whole matrix; nothing is added where every class is kept.
    """
    size = len(keep)
    place = np.full(len(matrix.classes), size, dtype=np.intp)
    place[keep] = np.arange(size)
    classes = tuple(matrix.classes[position] for position in keep)
    if size < len(matrix.classes):
        classes += (name,)
    counts = np.zeros_like(matrix.counts, shape=(len(classes), len(classes)))
    np.add.at(counts, (place[:, None], place[None, :]), matrix.counts)
    return ConfusionMatrix(classes, counts)


def _errors(matrix: ConfusionMatrix) -> Floats:
    errors = matrix.counts.astype(np.float64)
    np.fill_diagonal(errors, 0.0)
    return errors
