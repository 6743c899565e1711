"""Scores in falling order with running counts, the work under every score table.

Scores of a few digits are counted, others sorted. Without weights, score and truth are packed into
one integer key, which numpy sorts several times faster than it sorts the scores indirectly.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Codes, Floats
from evalcore.tables.blocks import blocks
from evalcore.tables.decimals import Decimals
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
    return ordered_by_each(score, (truth,), weight)[0]


def ordered_by_each(
    score: Floats, truths: Sequence[Codes], weight: Floats | None = None
) -> tuple[Steps, ...]:
    """Order scores by each of one or two truths, by a single sort where both fit into the key."""
    score = np.asarray(score, dtype=np.float64)
    count = None
    if weight is not None:
        used = np.flatnonzero(weight)
        score, truths = score[used], [truth[used] for truth in truths]
        count = as_counts(weight[used])
    return _by_place(score, truths, count) or _sorted(score, truths, count)


def _by_place(
    score: Floats, truths: Sequence[Codes], count: Counts | None
) -> tuple[Steps, ...] | None:
    """Count scores that are whole numbers of a decimal unit; None where they are not."""
    decimals = Decimals.of(score)
    found = None if decimals is None else decimals.counts(score, truths, count)
    if decimals is None or found is None:
        return None
    axes = range(len(truths))
    sides = [found.sum(axis=tuple(other for other in axes if other != axis)) for axis in axes]
    held = np.flatnonzero(sides[0].sum(axis=0))[::-1]
    threshold = decimals.scores(held)
    return tuple(
        Steps(threshold, np.cumsum(true[held]), np.cumsum(other[held])) for other, true in sides
    )


def _sorted(score: Floats, truths: Sequence[Codes], count: Counts | None) -> tuple[Steps, ...]:
    if count is not None:
        return tuple(_by_position(score, truth, count) for truth in truths)
    scale = _scale(score)
    if scale is None:
        count = np.ones(len(score), dtype=np.int64)
        return tuple(_by_position(score, truth, count) for truth in truths)
    if len(truths) > 1 and score.min(initial=0.0) < 0:  # the sign needs the bit of a second truth
        return tuple(_by_key(score, (truth,), scale)[0] for truth in truths)
    return _by_key(score, truths, scale)


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


def _by_key(score: Floats, truths: Sequence[Codes], scale: float) -> tuple[Steps, ...]:
    # + 0.0 makes -0.0 and 0.0 the same number.
    key = _image((score if scale == 1 else score / scale) + 0.0)
    for truth in truths:
        key <<= 1
        key |= truth
    np.invert(key, out=key)
    if len(truths) > 1:  # without negative scores the sign is one more bit
        key = key.view(np.uint64)
    key.sort()
    key = key.view(np.int64)
    ends = _ends_of_keys(key, len(truths))
    threshold = _scores(_at(key, ends).copy(), len(truths))
    if scale != 1:
        threshold *= scale
    shifted = [key >> bit for bit in range(len(truths) - 1, 0, -1)]
    return tuple(Steps(threshold, *_counts(part, ends)) for part in (*shifted, key))


def _at(rows: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """Pick the rows at the ends, which may be all of them."""
    return rows if len(ends) == len(rows) else rows[ends]


def _counts(
    keys: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Turn keys, in place, into counts of true and other rows; the lowest bit is 0 if true."""
    keys &= 1
    fp = _at(np.cumsum(keys, out=keys), ends)
    tp = ends + 1
    tp -= fp
    return tp, fp


def _scores(keys: NDArray[np.int64], bits: int) -> Floats:
    """Turn keys back, in place, into the scores that they were made of."""
    np.invert(keys, out=keys)
    # Two bits have pushed out the sign, which was 0.
    keys = keys >> 1 if bits == 1 else (keys.view(np.uint64) >> 2).view(np.int64)
    return _image(keys.view(np.float64)).view(np.float64)


def _ends_of_keys(key: NDArray[np.int64], bits: int) -> NDArray[np.int64]:
    """Return the position of the last of each run of keys that differ in their lowest bits only."""
    last = np.ones(len(key), dtype=np.bool_)
    following = key[1:]
    for rows in blocks(len(following)):
        # As unsigned numbers: across zero the exclusive or has its sign bit set.
        differ = (key[rows] ^ following[rows]).view(np.uint64)
        np.greater(differ, (1 << bits) - 1, out=last[rows])
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
