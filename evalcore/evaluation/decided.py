"""What a model said, row by row: what is done about it, which rows a cell holds, some of them."""

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import EvalError
from evalcore.intake.model import Categories
from evalcore.outcomes import (
    BinaryOutcomes,
    ClassOutcomes,
    Clustering,
    Codes,
    Floats,
    Outcomes,
    Places,
    data_rows,
)
from evalcore.results import ModelTables
from evalcore.tables.classes import most_likely

Way = Literal["labels", "threshold", "argmax"]
"""Where a decision comes from: the file's own labels, score >= threshold, the likeliest class."""


Judged = BinaryOutcomes | ClassOutcomes


def decided(outcomes: Judged, way: Way, threshold: float = 0.5) -> Codes:
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


def labels_agree(tables: ModelTables, threshold: float) -> bool:
    """Whether the file's own labels are what the scores decide, in every row.

    The scores decide by the threshold, or among several classes by the largest probability.
    """
    if tables.labels_by_score is not None:
        counts = tables.labels_by_score.at(threshold)
        return not counts.fp and not counts.fn
    by_argmax = tables.labels_by_argmax
    return by_argmax is not None and float(by_argmax.counts.trace()) == by_argmax.total


def cell_places(outcomes: Judged, decision: Codes, truth: int, called: int) -> Places:
    """Return where in the outcomes the rows of class `truth` are that were called `called`.

    Rows of weight 0 count as no row and are left out.
    """
    cell: NDArray[np.bool_] = np.equal(outcomes.truth, truth) & np.equal(decision, called)
    if outcomes.weight is not None:
        cell &= outcomes.weight > 0
    return np.flatnonzero(cell)


def surest_first(outcomes: Judged, places: Places, called: int) -> Places:
    """Return the places in the order of how strongly the model spoke for class `called`.

    Without a score or a probability of that class they stay as they are.
    """
    strength: Floats | None = None
    if isinstance(outcomes, ClassOutcomes):
        if outcomes.probabilities is not None:
            strength = outcomes.probabilities[places, called]
    elif outcomes.score is not None:
        strength = outcomes.score[places] * (1 if called == 1 else -1)
    return places if strength is None else places[np.argsort(-strength, kind="stable")]


def some_rows(outcomes: Outcomes, places: Places) -> Outcomes:
    """Return some rows of a model's answers."""
    names = ("truth", "score", "label", "probabilities", "prediction", "weight")
    arrays = {name: getattr(outcomes, name, None) for name in names}
    chosen: dict[str, Any] = {n: array[places] for n, array in arrays.items() if array is not None}
    return replace(outcomes, rows=data_rows(outcomes, places), **chosen)


def codes_of(column: Categories, told: Outcomes | Clustering) -> Codes:
    """Return (n,) codes of a column of the file on the rows of a model or a clustering."""
    return column.codes if told.rows is None else column.codes[told.rows - 1]
