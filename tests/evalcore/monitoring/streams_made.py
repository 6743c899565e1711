"""Streams of looks: shares of rows that are right, look by look."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.monitoring.streams import Moments, of_shares
from evalcore.monitoring.watching import Plan, Watched, watch

CHANGE = 0.05


def shares(right: Sequence[int] | NDArray[Any], rows: Sequence[int] | NDArray[Any]) -> Moments:
    """Return the sums of looks with so many right rows of so many."""
    return of_shares(np.asarray(right, float), np.asarray(rows, float))


def watched(right: Any, rows: Any, plan: Plan, stated: float | None = None) -> Watched:
    """Watch a stream; without a stated value the first look is the reference."""
    stream = shares(right, rows)
    return watch(stream.signals(0 if stated is not None else 1, CHANGE, stated), plan)
