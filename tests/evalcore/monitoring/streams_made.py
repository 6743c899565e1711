"""Streams of looks: shares of rows that are right, look by look."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.monitoring.streams import Moments, Signal
from evalcore.monitoring.watching import Plan, Watched, watch

CHANGE = 0.05


def shares(right: Sequence[int] | NDArray[Any], rows: Sequence[int] | NDArray[Any]) -> Moments:
    """Return the sums of looks with so many right rows of so many."""
    k, n = np.asarray(right, float), np.asarray(rows, float)
    return Moments(np.stack([n, n, k, n, k, k, n, k, k, k], axis=1), share=True)


def signals(stream: Moments, first: int, stated: float | None) -> list[Signal | None]:
    """Return what each look after the first ones tells."""
    ends = np.cumsum(stream.sums, axis=0)
    looks = range(first, len(ends))
    return [stream.signal(stream.sums[k], ends[k], CHANGE, stated) for k in looks]


def watched(right: Any, rows: Any, plan: Plan, stated: float | None = None) -> Watched:
    """Watch a stream; without a stated value the first look is the reference."""
    stream = shares(right, rows)
    return watch(signals(stream, 0 if stated is not None else 1, stated), plan)
