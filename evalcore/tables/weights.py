"""Row weights as counts: whole numbers stay integers, so that sums of them are exact."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

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
