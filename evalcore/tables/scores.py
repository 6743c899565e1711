"""Every distinct score with the counts above it: the table behind every threshold question.

A score such as 0.115297 is 115,297 millionths, and a place in a table of counts.

Scores of a few digits are counted, others sorted. Without weights, score and truth are packed into
one integer key, which numpy sorts several times faster than it sorts the scores indirectly.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Codes, Floats, Number, Places, ReadOnly
from evalcore.tables.confusion import EXACT, BinaryCounts, Counts, as_counts, blocks

_MOST_DIGITS = 6
_MOST_STEPS = 1 << 21
_ROWS_PER_STEP = 2
"""With fewer rows for each possible score, a sort touches less memory."""

_SAMPLE = 1 << 10
_ROWS = 1 << 17
"""Rows that are looked at at once: enough for two models at once not to wait for each other."""


@dataclass(frozen=True)
class Decimals:
    """Possible scores at equal distances.

    Attributes:
        unit: How many steps make 1: a power of ten.
        lowest: The lowest score, in steps.
        number: How many possible scores there are.
    """

    unit: float
    lowest: int
    number: int

    @classmethod
    def of(cls, score: Floats) -> Self | None:
        """Return the decimals that (n,) scores may be, by a sample; None where a sort is due."""
        unit = _unit(score[:: max(len(score) // _SAMPLE, 1)])
        if unit is None:
            return None
        lowest, highest = float(score.min()) * unit, float(score.max()) * unit
        if max(-lowest, highest) >= EXACT:
            return None
        number = round(highest) - round(lowest) + 1
        if number > min(_MOST_STEPS, len(score) // _ROWS_PER_STEP):
            return None
        return cls(unit, round(lowest), number)

    def counts(self, truths: Sequence[Codes], score: Floats, count: Counts | None) -> Counts | None:
        """Count the rows at each step, by each truth; None where a score lies between two steps.

        `count` is how often each row counts; None where each counts once. The result has one axis
        of length 2 for each truth, and one for the steps, rising.
        """
        found = np.zeros(
            (*(2 for _ in truths), self.number), np.int64 if count is None else count.dtype
        )
        flat, room = found.reshape(-1), np.empty((2, min(len(score), _ROWS)))
        for rows in blocks(len(score), _ROWS):
            steps, spare = room[:, : rows.stop - rows.start]
            if not self._into(steps, score[rows], spare):
                return None
            for axis, truth in enumerate(reversed(truths)):
                steps += np.multiply(truth[rows], 2.0**axis * self.number, out=spare)
            np.add.at(flat, steps.astype(np.intp), 1 if count is None else count[rows])
        return found

    def scores(self, places: NDArray[np.intp]) -> Floats:
        """Return the scores at some places."""
        found: Floats = (places + self.lowest) / self.unit
        return found

    def _into(self, steps: Floats, score: Floats, spare: Floats) -> bool:
        """Write the steps above the lowest; tell whether they are just the scores."""
        np.rint(np.multiply(score, self.unit, out=steps), out=steps)
        # Dividing by a power of ten rounds as reading the digits does.
        if not np.array_equal(np.divide(steps, self.unit, out=spare), score):
            return False
        steps -= self.lowest
        return True


def _unit(score: Floats) -> float | None:
    """Return the smallest power of ten by which all scores become whole numbers."""
    for digits in range(_MOST_DIGITS + 1) if len(score) else ():
        unit = 10.0**digits
        with np.errstate(over="ignore"):
            steps = np.rint(score * unit)
        if np.array_equal(steps / unit, score):
            return unit
    return None


_ALL_BUT_SIGN = np.iinfo(np.int64).max


def ordered_by_each(
    truths: Sequence[Codes], score: Floats, weight: Floats | None = None
) -> tuple["ScoreTable", ...]:
    """Count one or two truths (0 or 1) of (n,) rows by their finite scores; weights are >= 0.

    By a single sort where both fit into the key. Rows of weight 0 count as no row.
    """
    score, truths = np.asarray(score, dtype=np.float64), [np.asarray(one) for one in truths]
    count = None
    if weight is not None:
        weight = np.asarray(weight)
        used = np.flatnonzero(weight)
        score, truths = score[used], [truth[used] for truth in truths]
        count = as_counts(weight[used])
    return _by_place(truths, score, count) or _sorted(truths, score, count)


def _by_place(
    truths: Sequence[Codes], score: Floats, count: Counts | None
) -> tuple["ScoreTable", ...] | None:
    """Count scores that are whole numbers of a decimal unit; None where they are not."""
    decimals = Decimals.of(score)
    found = None if decimals is None else decimals.counts(truths, score, count)
    if decimals is None or found is None:
        return None
    axes = range(len(truths))
    sides = [found.sum(axis=tuple(other for other in axes if other != axis)) for axis in axes]
    held = np.flatnonzero(sides[0].sum(axis=0))[::-1]
    threshold = decimals.scores(held)
    return tuple(
        ScoreTable(threshold, np.cumsum(true[held]), np.cumsum(other[held]))
        for other, true in sides
    )


def _sorted(
    truths: Sequence[Codes], score: Floats, count: Counts | None
) -> tuple["ScoreTable", ...]:
    if count is not None:
        return tuple(_by_position(truth, score, count) for truth in truths)
    scale = _scale(score)
    if scale is None:
        count = np.ones(len(score), dtype=np.int64)
        return tuple(_by_position(truth, score, count) for truth in truths)
    if len(truths) > 1 and score.min(initial=0.0) < 0:  # the sign needs the bit of a second truth
        return tuple(_by_key((truth,), score, scale)[0] for truth in truths)
    return _by_key(truths, score, scale)


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


def _by_key(truths: Sequence[Codes], score: Floats, scale: float) -> tuple["ScoreTable", ...]:
    # + 0.0 makes -0.0 and 0.0 the same number.
    key = _image((score if scale == 1 else score / scale) + 0.0)
    for truth in truths:
        key <<= 1
        key |= truth
    np.invert(key, out=key)
    if len(truths) > 1:  # without negative scores the sign is one more bit
        key = key.view(np.uint64)
    _sort(key)
    key = key.view(np.int64)
    ends = _ends_of_keys(key, len(truths))
    threshold = _scores(key.copy() if len(ends) == len(key) else key[ends], len(truths))
    if scale != 1:
        threshold *= scale
    shifted = [key >> bit for bit in range(len(truths) - 1, 0, -1)]
    return tuple(ScoreTable(threshold, *_counts(part, ends)) for part in (*shifted, key))


_MANY = 1 << 17
"""Keys from which two threads pay: fewer are sorted in 5 ms."""


def _sort(key: NDArray[Any]) -> None:
    """Sort keys in place; many in two halves at once, which are then merged."""
    if len(key) >= _MANY:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(np.ndarray.sort, np.array_split(key, 2)))
    key.sort(kind="stable" if len(key) >= _MANY else None)


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


def _by_position(truth: Codes, score: Floats, count: Counts) -> "ScoreTable":
    order = np.argsort(-score)
    score, count = score[order] + 0.0, count[order]
    positive = count * truth[order]
    ends = ends_of_runs(score)
    tp, fp = np.cumsum(positive)[ends], np.cumsum(count - positive)[ends]
    return ScoreTable(score[ends], tp, fp)


_ROC_SHARE = 0.75
"""Share of the rows that the ROC curve may use; most curves need half of it."""


def vertices(tp: Counts, fp: Counts, limit: int) -> NDArray[np.intp]:
    """Choose at most `limit` of m rows, the first and the last among them; limit >= 50.

    No dropped point of the ROC curve lies further than 2 / limit from the line through the kept
    ones, and the precision-recall curve keeps its lowest and highest precision in each of at
    least limit / 8 equal columns of recall, so that it looks the same when drawn.
    """
    roc = _along_roc(tp, fp, int(_ROC_SHARE * limit))
    columns = (limit - len(roc)) // 2
    return np.union1d(roc, _along_precision(tp, fp, columns))


def _along_roc(tp: Counts, fp: Counts, limit: int) -> NDArray[np.intp]:
    """Walk along the curve in strides of at most 4 / limit, measured as rise plus run.

    Two strides together are longer than that, since they were not one, and the curve is 2 long:
    hence the limit. Rise and run of a stride bound how far the curve can stray from its chord,
    to 1 / sqrt(8) of the stride.
    """
    travelled = _share(tp) + _share(fp)
    stride, last = 4 / (limit - 2), len(tp) - 1
    rows = [0]
    while rows[-1] < last:
        reach = travelled.searchsorted(travelled[rows[-1]] + stride, side="right") - 1
        rows.append(max(int(reach), rows[-1] + 1))
    return np.array(rows, dtype=np.intp)


def _along_precision(tp: Counts, fp: Counts, columns: int) -> NDArray[np.intp]:
    """Return the rows of lowest and highest precision in each column of recall."""
    precision = tp / (tp + fp)
    column = np.minimum((_share(tp) * columns).astype(np.intp), columns - 1)
    starts = np.flatnonzero(np.diff(column, prepend=-1))
    sizes = np.diff(starts, append=len(column))
    extremes = []
    for extreme in (np.minimum, np.maximum):
        hits = np.flatnonzero(precision == np.repeat(extreme.reduceat(precision, starts), sizes))
        first = np.diff(column[hits], prepend=-1) > 0
        extremes.append(hits[first])
    return np.concatenate(extremes)


def _share(counts: Counts) -> Floats:
    """Return running counts as shares of their total, all 0 where there is none."""
    return counts.astype(np.float64) / (counts[-1] or 1)


def steps(counts: Counts) -> Counts:
    """Return by how much running counts of shape (..., m) rise at each place."""
    rises = np.empty_like(counts)
    rises[..., :1] = counts[..., :1]
    np.subtract(counts[..., 1:], counts[..., :-1], out=rises[..., 1:])
    return rises


def with_origin(cumulative: Counts) -> Counts:
    """Return running counts of shape (..., m) after a first 0."""
    none = np.zeros((*cumulative.shape[:-1], 1), cumulative.dtype)
    return np.concatenate([none, cumulative], axis=-1)


_TINY = np.finfo(np.float64).tiny
_AT_ONCE = 1 << 16
"""Counts that are looked at at once: what is made of them stays in the processor's cache."""


def stretches(*counts: Counts) -> Iterator[Sequence[Counts]]:
    """Yield (1 + k, ...) running counts at the next k places, after those at the place before.

    The `counts` are of one shape, (..., m); before the first place they are 0.
    """
    places = [cumulative.T for cumulative in counts]
    for rows in blocks(len(places[0]), max(_AT_ONCE // max(places[0][:1].size, 1), 1)):
        if rows.start:
            yield [cumulative[rows.start - 1 : rows.stop] for cumulative in places]
        else:
            yield [with_origin(cumulative[rows].T).T for cumulative in places]


@dataclass(frozen=True, eq=False)
class ScoreTable(ReadOnly):
    """Counts of positives and negatives at or above each distinct score.

    Attributes:
        threshold: (m,) distinct scores, falling.
        tp: (m,) positives with score >= threshold; int64, or float64 where weights are fractional.
        fp: (m,) negatives with score >= threshold; of the same type.
    """

    threshold: Floats
    tp: Counts
    fp: Counts

    @staticmethod
    def from_scores(truth: Codes, score: Floats, weight: Floats | None = None) -> "ScoreTable":
        """Condense the truth (1 = positive) and (n,) finite scores, each row `weight` times.

        >>> table = ScoreTable.from_scores(np.array([1, 1, 0]), np.array([0.9, 0.4, 0.4]))
        >>> table.threshold.tolist(), table.tp.tolist(), table.fp.tolist()
        ([0.9, 0.4], [1, 2], [0, 1])
        """
        return ordered_by_each((truth,), score, weight)[0]

    @staticmethod
    def from_both(
        truth: Codes, score: Floats, label: Codes, weight: Floats | None = None
    ) -> tuple["ScoreTable", "ScoreTable"]:
        """Condense the truth by score, and the label by score, by one sort where it can."""
        by_truth, by_label = ordered_by_each((truth, label), score, weight)
        return by_truth, by_label

    @cached_property
    def positives(self) -> float:
        """Positive rows, or the sum of their weights."""
        return self.tp[-1].item() if len(self.tp) else 0

    @cached_property
    def negatives(self) -> float:
        """Negative rows, or the sum of their weights."""
        return self.fp[-1].item() if len(self.fp) else 0

    @property
    def n(self) -> float:
        """All rows, or the sum of their weights."""
        return self.positives + self.negatives

    @cached_property
    def precision_sums(self) -> tuple[Number, Number]:
        """Sums over the positives of the precision at their score, and of that at the one before.

        The first score of which a draw holds rows has none before, but its own.
        """
        own, before = np.zeros((2, *self.tp.shape[:-1]))
        for tp, fp in stretches(self.tp, self.fp):
            called, rise = tp + fp, np.diff(tp, axis=0)
            some = np.all(called[0])
            # In float64, which threads of numpy 2.1 would else not make of float32 and a scalar.
            called = called if some else np.maximum(called, _TINY, dtype=np.float64)
            precision = np.divide(tp, called, dtype=np.float64)
            own += np.einsum("k...,k...->...", rise, precision[1:])
            last = precision[:-1]
            if not some:
                last = np.where(called[:-1] > _TINY, last, precision[1:])
            before += np.einsum("k...,k...->...", rise, last)
        return own, before

    def at(self, threshold: float | Floats) -> BinaryCounts:
        """Return the counts when rows with score >= threshold are called positive.

        `threshold` is a number or an array of any shape; nothing is called positive at NaN.
        """
        rows = self._rows_above(threshold)
        tp, fp = _up_to(rows, self.tp), _up_to(rows, self.fp)
        return BinaryCounts(tp, fp, self.positives - tp, self.negatives - fp)

    def steps(self) -> tuple[Counts, Counts]:
        """Return (m,) positives and (m,) negatives whose score equals each threshold."""
        return steps(self.tp), steps(self.fp)

    def thinned(self, limit: int, keep: Sequence[float] = ()) -> "ScoreTable":
        """Return a table of at most `limit` of the rows, enough to draw every curve from.

        Each row is a real score with its exact counts; see `thinning.vertices` for the choice.
        Above the limit come only the rows that decide the thresholds in `keep`, at which `at`
        answers as the full table does. Areas and averages are those of the full table alone.
        """
        if len(self.threshold) <= limit:
            return self
        deciding = self._rows_above(np.asarray(keep, dtype=np.float64)) - 1
        rows = np.union1d(vertices(self.tp, self.fp, limit), deciding[deciding >= 0])
        return ScoreTable(self.threshold[rows], self.tp[rows], self.fp[rows])

    def __add__(self, other: "ScoreTable") -> "ScoreTable":
        threshold = np.union1d(self.threshold, other.threshold)[::-1]
        here, there = self.at(threshold), other.at(threshold)
        dtype = np.result_type(self.tp, other.tp)
        tp, fp = here.tp + there.tp, here.fp + there.fp
        return ScoreTable(threshold, np.asarray(tp, dtype), np.asarray(fp, dtype))

    def __sub__(self, part: "ScoreTable") -> "ScoreTable":
        """Return the rows that are not in `part`, all of whose rows are here."""
        counts, dtype = part.at(self.threshold), np.result_type(self.tp, part.tp)
        tp, fp = self.tp - np.asarray(counts.tp), self.fp - np.asarray(counts.fp)
        # Fractional weights leave rounding errors where no row is left.
        held = np.diff(tp + fp, prepend=0.0) > 1e-12 * self.n
        return ScoreTable(self.threshold[held], tp[held].astype(dtype), fp[held].astype(dtype))

    def _rows_above(self, threshold: float | Floats) -> NDArray[np.intp]:
        return len(self.threshold) - self._rising.searchsorted(threshold)

    @cached_property
    def _rising(self) -> Floats:
        return self.threshold[::-1]


def _up_to(rows: NDArray[np.intp], cumulative: Counts) -> float | Floats:
    """Return the running count after each number of rows, which may be none."""
    if rows.ndim == 0:
        return float(cumulative[rows - 1]) if rows else 0.0
    if not len(cumulative):
        return np.zeros(rows.shape)
    return np.where(rows > 0, cumulative[rows - 1], 0).astype(np.float64)


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
