"""Scores in falling order with running counts: one sort, the work under every score table.

Without weights, score and truth are packed into one integer key, which numpy sorts several times
faster than it sorts the scores indirectly.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Codes, Floats
from evalcore.tables.weights import Counts, as_counts

_SIGN = np.iinfo(np.int64).min


class Steps(NamedTuple):
    """Distinct scores, falling, with the counts of rows at or above each."""

    threshold: Floats
    tp: Counts
    fp: Counts


def ordered(score: Floats, truth: Codes, weight: Floats | None = None) -> Steps:
    """Sort (n,) finite scores with their truth (0 or 1) and weights >= 0.

    Rows of weight 0 are left out, since they count as no row.
    """
    score = np.asarray(score, dtype=np.float64)
    if weight is not None:
        used = np.flatnonzero(weight)
        return _by_position(score[used], truth[used], as_counts(weight[used]))
    scale = _scale(score)
    if scale is None:
        return _by_position(score, truth, np.ones(len(score), dtype=np.int64))
    return _by_key(score, truth, scale)


def ends_of_runs(values: NDArray[Any]) -> NDArray[np.intp]:
    """Return the position of the last of each run of equal neighbours in a sorted array."""
    last = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=last[:-1])
    return np.flatnonzero(last)


def _scale(score: Floats) -> float | None:
    """Return the power of two below which all |score| / scale < 2, or None if it is inexact.

    Below 2 the two highest bits beside the sign are free, which makes room for the truth.
    """
    if not len(score):
        return 1.0
    largest = max(-float(score.min()), float(score.max()))
    if largest < 2:
        return 1.0
    scale = 2.0 ** (np.frexp(largest)[1] - 1)
    return scale if np.array_equal(score / scale * scale, score) else None


def _by_key(score: Floats, truth: Codes, scale: float) -> Steps:
    key = _image(score / scale + 0.0)  # + 0.0 makes -0.0 and 0.0 the same number
    key <<= 1
    key |= truth
    np.invert(key, out=key)
    key.sort()
    # As unsigned numbers: across zero the exclusive or has its sign bit set.
    last = np.ones(len(key), dtype=np.bool_)
    np.greater((key[1:] ^ key[:-1]).view(np.uint64), 1, out=last[:-1])
    ends = np.flatnonzero(last)
    fp = np.cumsum(key & 1)[ends]
    threshold = _image(~key[ends] >> 1).view(np.float64) * scale
    return Steps(threshold, ends + 1 - fp, fp)


def _image(numbers: NDArray[Any]) -> NDArray[np.int64]:
    """Map the bits of floats to integers of the same order, or back: it is its own inverse."""
    bits = numbers.view(np.int64)
    return np.where(bits < 0, _SIGN - bits, bits)


def _by_position(score: Floats, truth: Codes, count: Counts) -> Steps:
    order = np.argsort(-score, kind="stable")
    score, count = score[order] + 0.0, count[order]
    positive = count * truth[order]
    ends = ends_of_runs(score)
    tp, fp = np.cumsum(positive)[ends], np.cumsum(count - positive)[ends]
    return Steps(score[ends], tp, fp)
