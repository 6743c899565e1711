"""Scores in falling order with running counts: one sort, the work under every score table.

Without weights, score and truth are packed into one integer key, which numpy sorts several times
faster than it sorts the scores indirectly.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Codes, Floats
from evalcore.tables.blocks import blocks
from evalcore.tables.weights import Counts, as_counts

_ALL_BUT_SIGN = np.iinfo(np.int64).max


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
    # + 0.0 makes -0.0 and 0.0 the same number.
    key = _image((score if scale == 1 else score / scale) + 0.0)
    key <<= 1
    key |= truth
    np.invert(key, out=key)
    key.sort()
    ends = _ends_of_keys(key)
    distinct = len(ends) == len(key)
    threshold = _scores(key.copy() if distinct else key[ends])
    key &= 1
    np.cumsum(key, out=key)
    fp = key if distinct else key[ends]
    ends += 1
    ends -= fp
    return Steps(threshold if scale == 1 else threshold * scale, ends, fp)


def _scores(keys: NDArray[np.int64]) -> Floats:
    """Turn keys back, in place, into the scores that they were made of."""
    np.invert(keys, out=keys)
    keys >>= 1
    return _image(keys.view(np.float64)).view(np.float64)


def _ends_of_keys(key: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the position of the last of each run of keys that differ in their lowest bit only."""
    last = np.ones(len(key), dtype=np.bool_)
    following = key[1:]
    for rows in blocks(len(following)):
        # As unsigned numbers: across zero the exclusive or has its sign bit set.
        differ = (key[rows] ^ following[rows]).view(np.uint64)
        np.greater(differ, 1, out=last[rows])
    return np.flatnonzero(last)


def _image(numbers: Floats) -> NDArray[np.int64]:
    """Turn the bits of floats, in place, into integers of the same order, or back.

    Bits of negative floats, read as an integer, fall where the float rises: all but the sign are
    flipped, which undoes itself.
    """
    bits = numbers.view(np.int64)
    if len(bits) and bits.min() < 0:
        bits ^= (bits >> 63) & _ALL_BUT_SIGN
    return bits


def _by_position(score: Floats, truth: Codes, count: Counts) -> Steps:
    order = np.argsort(-score)
    score, count = score[order] + 0.0, count[order]
    positive = count * truth[order]
    ends = ends_of_runs(score)
    tp, fp = np.cumsum(positive)[ends], np.cumsum(count - positive)[ends]
    return Steps(score[ends], tp, fp)
