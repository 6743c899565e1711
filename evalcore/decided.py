"""From what a model said to what is done about it, row by row."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import EvalError
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, Codes, Rows
from evalcore.tables.classes import most_likely

Way = Literal["labels", "threshold", "argmax"]
"""Where a decision comes from: the file's own labels, score >= threshold, the likeliest class."""


def decided(outcomes: BinaryOutcomes | ClassOutcomes, way: Way, threshold: float = 0.5) -> Codes:
    """Return (n,) codes of the classes decided.

    The likeliest class is the first of those with the highest probability.

    Raises:
        EvalError: The model does not give what this way of deciding needs.

    >>> scored = BinaryOutcomes(classes=("no", "yes"), truth=np.array([0, 1], np.int8),
    ...                         score=np.array([0.2, 0.5]))
    >>> decided(scored, "threshold").tolist()
    [0, 1]
    """
    if way == "labels" and outcomes.label is not None:
        return outcomes.label
    if isinstance(outcomes, BinaryOutcomes):
        if way == "threshold" and outcomes.score is not None:
            return (outcomes.score >= threshold).astype(np.int8)
    elif way == "argmax" and outcomes.probabilities is not None:
        return most_likely(outcomes.probabilities)
    raise EvalError("no-decision", f"This model does not decide by {way}.")


def rows_of_cell(
    outcomes: BinaryOutcomes | ClassOutcomes, decision: Codes, truth: int, called: int
) -> Rows:
    """Return the data rows of class `truth` that were called class `called`, 1 being the first.

    Rows of weight 0 count as no row and are left out.
    """
    cell: NDArray[np.bool_] = (outcomes.truth == truth) & (decision == called)
    if outcomes.weight is not None:
        cell &= outcomes.weight > 0
    places = np.flatnonzero(cell)
    rows: Rows = places + 1 if outcomes.rows is None else outcomes.rows[places]
    return rows.astype(np.int64)
