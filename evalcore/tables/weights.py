"""Row weights as counts: whole numbers stay integers, so that sums of them are exact."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Floats

EXACT = 2.0**53
"""Largest sum up to which every whole float64 is exact."""

Counts = NDArray[np.integer[Any] | np.floating[Any]]
"""int64, or float64 where weights are fractional."""


def as_counts(weight: NDArray[Any]) -> Counts:
    """Return weights as int64 where all of them are whole numbers, else as float64.

    >>> as_counts(np.array([1.0, 2.0])).dtype.name, as_counts(np.array([0.5])).dtype.name
    ('int64', 'float64')
    """
    exact = np.asarray(weight, dtype=np.float64)
    if np.array_equal(exact, np.rint(exact)) and exact.sum() < EXACT:
        return exact.astype(np.int64)
    return exact


def in_order(values: Floats, weight: Floats | None) -> tuple[Floats, Floats]:
    """Return the values rising, with how many rows there are up to each; weight 0 is no row.

    >>> in_order(np.array([4.0, 1.0, 2.0]), np.array([3.0, 1.0, 0.0]))
    (array([1., 4.]), array([1., 4.]))
    """
    if weight is None:
        return np.sort(values), np.arange(1.0, len(values) + 1)
    used = np.flatnonzero(weight)
    order = used[np.argsort(values[used])]
    return values[order], np.cumsum(weight[order])


def quotient(part: NDArray[Any], whole: NDArray[Any], *, empty: float = np.nan) -> Floats:
    """Return part / whole, and `empty` where there is nothing of which to take a part.

    >>> quotient(np.array([1.0, 0.0]), np.array([4.0, 0.0]))
    array([0.25,  nan])
    """
    shares: Floats = np.full(np.broadcast_shapes(part.shape, whole.shape), empty)
    np.divide(part, whole, out=shares, where=whole > 0)
    return shares
