"""Some rows of what a model said: those of a fold, or those that other models share."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.intake.model import Categories
from evalcore.outcomes import Clustering, Codes, Outcomes, Places, data_rows


def by_code(codes: NDArray[np.integer[Any]]) -> Iterator[tuple[int, Places]]:
    """Yield each code from 0 on that occurs, with the places where it does, in order.

    >>> [(code, places.tolist()) for code, places in by_code(np.array([1, -1, 0, 1]))]
    [(0, [2]), (1, [0, 3])]
    """
    order = np.argsort(codes, kind="stable")
    bounds = np.searchsorted(codes[order], np.arange(codes.max(initial=-1) + 2))
    for code, (start, end) in enumerate(pairwise(bounds)):
        if end > start:
            yield code, order[start:end]


def taken(outcomes: Outcomes, places: Places) -> Outcomes:
    """Return some rows of a model's answers."""
    names = ("truth", "score", "label", "probabilities", "prediction", "weight")
    arrays = {name: getattr(outcomes, name, None) for name in names}
    chosen: dict[str, Any] = {n: array[places] for n, array in arrays.items() if array is not None}
    return replace(outcomes, rows=data_rows(outcomes, places), **chosen)


def codes_of(column: Categories, told: Outcomes | Clustering) -> Codes:
    """Return (n,) codes of a column of the file on the rows of a model or a clustering."""
    return column.codes if told.rows is None else column.codes[told.rows - 1]
