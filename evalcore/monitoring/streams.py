"""A metric as sums over the rows of each period, and how far a look lies from the rows before it.

Under no change the rows of a look are drawn from the same population as those before. Given all of
these rows together, which of them are in the look is then up to chance, so that the sum over the
look has the mean, variance and third moment of a sum drawn without replacement (Cochran, 1977,
Sampling Techniques, 2.6; Sukhatme, 1944, for the third moment). Deviations of successive looks are
then uncorrelated, with variance 1, although the reference is itself estimated from rows: they are
recursive residuals (Brown, Durbin and Evans, 1975, JRSS B 37), and a CUSUM of them is a
self-starting one (Hawkins, 1987, The Statistician 36).
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from evalcore.errors import EvalError
from evalcore.monitoring.boundaries import Law
from evalcore.outcomes import Codes, CorrectOutcomes, Floats
from evalcore.slices.measures import Cells, Losses, Measure
from evalcore.text import within_sentence

FEWEST = 30
"""Rows, or groups, whose spread is known well enough to hold a look against them."""

MOST_EXACT = 300
"""Rows of a look whose law is taken as it is; that of more is as smooth as its approximation."""

_NOTHING = 1e-15
"""Chances beside the largest one that are below what any look may spend."""

_MOST_CELLS = 400
_MOST_SUMS = 1 << 24
"""Numbers held for all periods at once: 128 MB."""


class Signal(NamedTuple):
    """How far a look lies from what came before.

    Attributes:
        z: The deviation of its sum in standard deviations, were there no change.
        skewness: That of `z`, were there no change.
        expected: What `z` is on average if the metric has moved by the change that is looked for.
        law: Every value that `z` can take, were there no change, where these are few and known.
    """

    z: float
    skewness: float
    expected: float
    law: Law | None = None

    def directed(self, sign: int) -> Law | float:
        """Return the law of `sign` times `z`, or its skewness where that is all that is known."""
        return sign * self.skewness if self.law is None else Law(sign * self.law[0], self.law[1])


class State(NamedTuple):
    """A metric on some rows: its value, standard error, and how many rows or groups it is of."""

    value: float
    error: float
    units: float


NO_STATE = State(np.nan, np.nan, 0.0)


class Stream:
    """What each of K periods adds to the sums of a metric, as (K, width) `sums`."""

    sums: Floats

    def state(self, sums: Floats) -> State:
        """Return the metric of (width,) sums."""
        raise NotImplementedError

    def signal(
        self, look: Floats, pooled: Floats, change: float, stated: float | None
    ) -> Signal | None:
        """Return how far a look lies from the rows before it, or from a stated value.

        None where there are too few rows to tell. `pooled` are the (width,) sums of the look and
        of all before it.
        """
        raise NotImplementedError

    def signals(self, first: int, change: float, stated: float | None) -> list[Signal | None]:
        """Return how far each period after the first ones lies from those before it.

        Too few rows wait for the next period.
        """
        found: list[Signal | None] = []
        pooled = self.sums[:first].sum(axis=0)
        waiting = np.zeros_like(pooled)
        for own in self.sums[first:]:
            waiting = waiting + own
            signal = self.signal(waiting, pooled + waiting, change, stated)
            found.append(signal)
            if signal is not None:
                pooled, waiting = pooled + waiting, np.zeros_like(pooled)
        return found


@dataclass(frozen=True, eq=False)
class Moments(Stream):
    """A mean: a share of rows, or of losses.

    A unit (a row, or all rows of a group in one period) has a size W and a total Y; the mean is
    the sum of Y over that of W. The ten columns are the number of units and the sums of W, Y, WW,
    WY, YY, WWW, WWY, WYY and YYY.

    Attributes:
        centre: What was taken off each row, so that squares lose no digits.
        root: Whether the metric is the root of the mean.
        share: Whether every unit is one row that is right or wrong.
    """

    sums: Floats
    centre: float = 0.0
    root: bool = False
    share: bool = False

    def state(self, sums: Floats) -> State:
        """Return the mean, or its root, with its standard error over units."""
        if not sums[1] > 0:
            return NO_STATE
        mean = float(sums[2] / sums[1])
        squares, _ = self._spread(sums, mean)
        units = float(sums[0])
        error = sqrt(squares * units / (units - 1)) / float(sums[1]) if units > 1 else np.nan
        value = mean + self.centre
        if not self.root:
            return State(value, error, units)
        root = sqrt(max(value, 0.0))
        return State(root, error / (2 * root) if root > 0 else np.nan, units)

    @staticmethod
    def _spread(sums: Floats, mean: float) -> tuple[float, float]:
        """Return the sums of the second and third powers of Y less the mean times W."""
        _, _, _, ww, wy, yy, www, wwy, wyy, yyy = sums.tolist()
        squares = yy - 2 * mean * wy + mean**2 * ww
        cubes = yyy - 3 * mean * wyy + 3 * mean**2 * wwy - mean**3 * www
        return max(squares, 0.0), cubes

    def signal(
        self, look: Floats, pooled: Floats, change: float, stated: float | None
    ) -> Signal | None:
        """Return how far the mean of a look lies from that of the rows before it."""
        if not look[1] > 0:
            return None
        shift = self._shift(pooled, change, stated)
        if stated is not None:
            return self._against(look, pooled, shift, self._below(stated) - self.centre)
        if pooled[0] - look[0] < FEWEST:
            return None
        mean = float(pooled[2] / pooled[1])
        squares, cubes = self._spread(pooled, mean)
        apart = float(look[2] - mean * look[1])
        moved = shift * float(look[1] * (1 - look[1] / pooled[1]))
        found = _drawn(apart, moved, (float(look[0]), float(pooled[0])), (squares, cubes))
        return found and found._replace(law=self._law(look, pooled, None))

    def _law(self, look: Floats, pooled: Floats, stated: float | None) -> Law | None:
        """Return that of a share: hypergeometric given all rows, or binomial of a stated share."""
        n, (total, right) = float(look[0]), pooled[[0, 2]]
        if not self.share or n > MOST_EXACT or np.any(np.array([n, total, right]) % 1):
            return None
        low, high = (0.0, n) if stated else (max(0.0, n - total + right), min(n, right))
        counts = np.arange(low, high + 1)
        k = counts[:-1]
        odds = stated / (1 - stated) if stated else (right - k) / (total - right - n + k + 1)
        logs = np.append(0.0, np.cumsum(np.log((n - k) / (k + 1) * odds)))
        chances = np.exp(logs - logs.max())
        there = chances > _NOTHING
        counts, chances = counts[there], chances[there] / chances[there].sum()
        apart = counts - chances @ counts
        return Law(apart / sqrt(chances @ apart**2), chances)

    def _against(self, look: Floats, pooled: Floats, shift: float, mean: float) -> Signal | None:
        """Return how far a look lies from a stated mean; of shares it tells the spread as well."""
        units, n = float(pooled[0]), float(look[0])
        if self.share:
            variance = mean * (1 - mean)
            skewness = (1 - 2 * mean) / sqrt(variance) if variance > 0 else 0.0
        elif units < FEWEST:
            return None
        else:
            variance = self._spread(pooled, mean)[0] / units
            own, cubes = self._spread(pooled, float(pooled[2] / pooled[1]))
            skewness = cubes / units / (own / units) ** 1.5 if own > 0 else 0.0
        if not variance > 0:
            return None
        error = sqrt(n * variance)
        size = float(look[1])
        apart = float(look[2]) - mean * size
        law = self._law(look, pooled, mean)
        return Signal(apart / error, skewness / sqrt(n), shift * size / error, law)

    def _below(self, value: float) -> float:
        return value**2 if self.root else value

    def _shift(self, pooled: Floats, change: float, stated: float | None) -> float:
        if not self.root:
            return change
        now = self.state(pooled).value if stated is None else stated
        return (now + change) ** 2 - now**2


def _drawn(
    apart: float, moved: float, counts: tuple[float, float], powers: tuple[float, float]
) -> Signal | None:
    """Return a sum over n of N units, drawn without replacement, in standard deviations."""
    (n, total), (squares, cubes) = counts, powers
    if not squares > 0 or n >= total:
        return None
    variance = squares / (total - 1) * n * (1 - n / total)
    third = cubes / total * n * (total - n) * (total - 2 * n) / ((total - 1) * (total - 2))
    error = sqrt(variance)
    return Signal(apart / error, third / error**3, moved / error)


@dataclass(frozen=True, eq=False)
class OfCells(Stream):
    """Any metric of counts, by how much a row of each cell moves it (its influence).

    Source: Hampel (1974), The influence curve and its role in robust estimation, JASA 69.
    """

    sums: Floats
    values: Callable[[Floats], Floats]

    def _influence(self, counts: Floats) -> tuple[float, Floats]:
        """Return the value, and what a row of each cell adds to it, times the rows."""
        value = float(self.values(counts[None])[0])
        total = float(counts.sum())
        # Small beside the rows, so that the quotient is the slope.
        step = 1e-4 * total
        moved = counts + step * np.eye(len(counts))
        fallen = np.maximum(counts - step * np.eye(len(counts)), 0.0)
        reach = (moved - fallen).sum(axis=1)
        slopes = (self.values(moved) - self.values(fallen)) / reach
        return value, np.asarray(slopes * total)

    def state(self, sums: Floats) -> State:
        """Return the metric with its standard error by the delta method."""
        total = float(sums.sum())
        if not total > 0:
            return NO_STATE
        value, influence = self._influence(sums)
        error = sqrt(max(float(sums @ influence**2), 0.0)) / total
        return State(value, error, total) if np.isfinite(value) else NO_STATE

    def signal(
        self, look: Floats, pooled: Floats, change: float, stated: float | None
    ) -> Signal | None:
        """Return how far the mean influence of a look lies from that of all rows, which is 0."""
        n, total = float(look.sum()), float(pooled.sum())
        before = total - n if stated is None else total
        if not n or before < FEWEST:
            return None
        value, influence = self._influence(pooled)
        if not np.isfinite(value) or not np.isfinite(influence).all():
            return None
        influence = influence - float(pooled @ influence) / total
        squares, cubes = (float(pooled @ influence**power) for power in (2, 3))
        apart = float(look @ influence)
        if stated is None:
            moved = change * n * (1 - n / total)
            return _drawn(apart, moved, (n, total), (squares, cubes))
        if not squares > 0:
            return None
        variance = squares / total
        error = sqrt(n * variance)
        skewness = cubes / total / variance**1.5 / sqrt(n)
        return Signal((apart + n * (value - stated)) / error, skewness, change * n / error)


@dataclass(frozen=True, eq=False)
class OfPlaces(Stream):
    """The area under the ROC curve, by the share of the other class that each row is above.

    The columns count negatives, then positives, from the lowest place of the scores to the
    highest. Sources: DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44.
    """

    sums: Floats

    @staticmethod
    def _placed(sums: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return the rows of each class by place, and the shares of the other one beyond them."""
        half = len(sums) // 2
        negative, positive = sums[:half], sums[half:]
        below = (np.cumsum(negative) - negative / 2) / negative.sum()
        above = 1 - (np.cumsum(positive) - positive / 2) / positive.sum()
        return negative, positive, above, below

    def state(self, sums: Floats) -> State:
        """Return the area with DeLong's standard error."""
        half = len(sums) // 2
        if not (sums[:half].sum() > 1 and sums[half:].sum() > 1):
            return NO_STATE
        negative, positive, above, below = self._placed(sums)
        area = float(positive @ below / positive.sum())
        variance = sum(
            float(rows @ (share - area) ** 2) / (rows.sum() * (rows.sum() - 1))
            for rows, share in ((negative, above), (positive, below))
        )
        return State(area, sqrt(float(variance)), float(sums.sum()))

    def signal(
        self, look: Floats, pooled: Floats, change: float, stated: float | None
    ) -> Signal | None:
        """Return how far both classes of a look lie from where those of all rows do."""
        half = len(look) // 2
        parts = slice(None, half), slice(half, None)
        before = pooled - look if stated is None else pooled
        if not look.sum() or min(before[part].sum() for part in parts) < FEWEST / 3:
            return None
        negative, positive, above, below = self._placed(pooled)
        area = float(positive @ below / positive.sum())
        apart = moved = variance = third = 0.0
        for part, rows, share in zip(parts, (negative, positive), (above, below), strict=True):
            n, total = float(look[part].sum()), float(rows.sum())
            left = 1 - n / total if stated is None else 1.0
            own = share - area
            squares, cubes = (float(rows @ own**power) / total for power in (2, 3))
            bias = 0.0 if stated is None else (area - stated) / 2
            apart += (float(look[part] @ own) + n * bias) / total
            moved += change / 2 * n / total * left
            variance += squares * n * left / total**2
            third += cubes * n * left * (1 - 2 * n / total if stated is None else 1.0) / total**3
        if not variance > 0:
            return None
        error = sqrt(variance)
        return Signal(apart / error, third / error**3, moved / error)


def stream_of(made: Measure, codes: Codes, size: int) -> Stream:
    """Return the sums of a metric in each of `size` periods; `codes` are (n,) below that.

    Raises:
        EvalError: "not-monitored": no sums of this metric tell how it moves.
    """
    terms, unit = made.terms, made.one.outcomes.unit
    root = made.one.metric.key == "rmse"
    if isinstance(terms, Losses):
        rows = np.ones(len(terms.loss)), terms.loss - terms.centre
        told = made.one.outcomes
        once = isinstance(told, CorrectOutcomes) and told.tries is None
        sums = _powers(rows, terms.weight, unit, codes, size)
        return Moments(sums, terms.centre, root, share=once and unit is None)
    assert isinstance(terms, Cells)
    if (trials := getattr(made, "trials", None)) is not None:
        hits, counting = trials(np.eye(terms.width))
        rows = np.asarray(counting)[terms.cell], np.asarray(hits)[terms.cell]
        return Moments(_powers(rows, terms.weight, unit, codes, size), share=unit is None)
    key = within_sentence(made.one.metric.name)
    if unit is not None:
        raise EvalError(
            "not-monitored",
            f"{key} cannot be followed over time if rows depend on each other. Metrics that "
            "can: accuracy, recall, precision, brier, log_loss, mae, rmse.",
        )
    if made.one.metric.key == "roc_auc":
        return OfPlaces(_few_enough(terms, codes, size))
    if terms.width > _MOST_CELLS:
        raise EvalError("not-monitored", f"With so many classes {key} cannot be followed.")
    return OfCells(terms.sums(codes, size), made.values)


def of_shares(right: Floats, rows: Floats) -> Moments:
    """Return a share of rows in each of K periods, by (K,) rows that are right and (K,) rows."""
    k, n = right, rows
    return Moments(np.stack([n, n, k, n, k, k, n, k, k, k], axis=1), share=True)


def moments_of(
    values: Floats, weight: Floats | None, unit: Codes | None, codes: Codes, size: int
) -> Moments:
    """Return the mean of (n,) values in each period."""
    centre = float(values.mean()) if len(values) else 0.0
    alike = bool(np.isin(values, (0.0, 1.0)).all()) and unit is None
    own = values if alike else values - centre
    sums = _powers((np.ones(len(values)), own), weight, unit, codes, size)
    return Moments(sums, 0.0 if alike else centre, share=alike)


def _powers(
    rows: tuple[Floats, Floats],
    weight: Floats | None,
    unit: Codes | None,
    codes: Codes,
    size: int,
) -> Floats:
    """Return (size, 10) sums of units by period: whole groups where rows depend on each other."""
    width, total = rows
    if unit is not None:
        times = np.ones(len(total)) if weight is None else weight
        _, own = np.unique(
            codes.astype(np.int64) * (int(unit.max()) + 1) + unit, return_inverse=True
        )
        first = np.zeros(int(own.max()) + 1, np.int64)
        first[own] = codes
        width, total = (np.bincount(own, part * times).astype(float) for part in (width, total))
        codes, weight = first, None
    there = width > 0
    width, total, codes = width[there], total[there], codes[there]
    times = np.ones(len(total)) if weight is None else weight[there]
    powers = [(a - b, b) for a in (0, 1, 2, 3) for b in range(a + 1)]
    columns = [np.bincount(codes, times * width**a * total**b, size) for a, b in powers]
    return np.stack(columns, axis=1).astype(np.float64)


def _few_enough(terms: Cells, codes: Codes, size: int) -> Floats:
    """Return counts by period and place, of fewer places where there are many periods."""
    half = terms.width // 2
    most = max(_MOST_SUMS // max(2 * size, 1), 64)
    if half <= most:
        return terms.sums(codes, size)
    place: Any = terms.cell % half
    rows = np.bincount(place, terms.weight, half)
    own = ((np.cumsum(rows) - rows) * most // rows.sum()).astype(np.int64)
    cell = own[place] + most * (terms.cell // half)
    return Cells(cell.astype(np.int32), 2 * most, terms.weight).sums(codes, size)
