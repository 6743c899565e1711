"""How the errors of predicted numbers are spread, and how they differ between groups of rows."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from evalcore.intervals.closed import mean_interval
from evalcore.outcomes import Floats, Places, ReadOnly
from evalcore.tables.confusion import in_order
from evalcore.tables.groups import by_code, equal_groups
from evalcore.tables.residuals import ResidualMoments

VERTICES = 200
"""Points that a curve keeps at most; each is a real row."""


@dataclass(frozen=True, eq=False)
class ErrorCurve(ReadOnly):
    """The share of rows that are off by at most so much: the REC curve.

    Source: Bi and Bennett (2003), Regression error characteristic curves, ICML.

    Attributes:
        off: (m,) sizes of errors, rising, in the unit of the target.
        share: (m,) share of the rows that are off by at most that.
    """

    off: Floats
    share: Floats

    @classmethod
    def from_errors(cls, error: Floats, weight: Floats | None = None) -> Self:
        """Return the curve of (n,) errors; empty without rows.

        >>> curve = ErrorCurve.from_errors(np.array([-3.0, 1.0, 1.0, 2.0]))
        >>> curve.off.tolist(), curve.share.tolist()
        ([1.0, 2.0, 3.0], [0.5, 0.75, 1.0])
        """
        off, upto = in_order(np.abs(error), weight)
        if not len(off):
            return cls(off, upto)
        last = np.append(off[1:] != off[:-1], True)
        off, share = off[last], upto[last] / upto[-1]
        kept = _spaced(share, off)
        return cls(off[kept], share[kept])

    def share_within(self, off: float) -> float:
        """Return the share of the rows that are off by at most `off`; NaN without rows."""
        at = int(np.searchsorted(self.off, off, side="right"))
        return float(self.share[at - 1]) if at else (0.0 if len(self.off) else np.nan)


@dataclass(frozen=True, eq=False)
class NormalQuantiles(ReadOnly):
    """Errors in order against what a normal distribution of their mean and spread would give.

    Attributes:
        expected: (m,) rising.
        error: (m,) errors at the same ranks.
        low: (m,) where a normal sample would stay above at this rank, each rank by itself.
        high: (m,) where it would stay below.
        level: Level of each pair of ends.
    """

    expected: Floats
    error: Floats
    low: Floats
    high: Floats
    level: float

    @classmethod
    def from_errors(cls, error: Floats, weight: Floats | None = None, level: float = 0.95) -> Self:
        """Return at most about 200 ranks of (n,) errors, the extreme ones among them.

        Ranks stand at (i - 1/2) / n. The ends are quantiles of the beta distribution of the i-th
        of n uniform values. Empty where the errors do not vary. Source: Wilk and Gnanadesikan
        (1968), Biometrika 55(1); David and Nagaraja (2003), Order Statistics, 2.2.
        """
        from scipy.special import betaincinv, ndtri

        ordered, upto = in_order(error, weight)
        if len(ordered) < 2 or ordered[0] == ordered[-1]:
            none = np.empty(0)
            return cls(none, none, none, none, level)
        n = float(upto[-1])
        mean, deviation = _moments(ordered, np.diff(upto, prepend=0.0), n)
        middle = upto - np.diff(upto, prepend=0.0) / 2
        kept = _spaced(ndtri(middle / n))
        place = middle[kept]
        first, last = place + 0.5, n - place + 0.5
        ends = [betaincinv(first, last, share) for share in ((1 - level) / 2, (1 + level) / 2)]
        expected, low, high = (mean + deviation * ndtri(p) for p in (place / n, *ends))
        return cls(expected, ordered[kept], low, high, level)

    @property
    def outside(self) -> int:
        """How many of the ranks shown lie beyond their ends."""
        return int(((self.error < self.low) | (self.error > self.high)).sum())


@dataclass(frozen=True, eq=False)
class Tail(ReadOnly):
    """What the largest errors add to the sum of squares that metrics are made of.

    Attributes:
        rows: (k,) shares of the rows, those with the largest errors.
        squared: (k,) their shares of the sum of the squared errors, as in the RMSE.
    """

    rows: Floats
    squared: Floats

    @classmethod
    def from_errors(
        cls,
        error: Floats,
        weight: Floats | None = None,
        rows: tuple[float, ...] = (0.01, 0.05, 0.1, 0.25),
    ) -> Self:
        """Return the shares of (n,) errors; a row is split where a share ends inside it.

        NaN where all errors are zero.
        """
        off, upto = in_order(np.abs(error), weight)
        width = np.diff(upto, prepend=0.0)[::-1]
        share = np.append(0.0, np.cumsum(width)) / (upto[-1] if len(upto) else np.nan)
        # Divided by the largest one first, so that no square overflows.
        size = off[::-1] / (off[-1] if len(off) and off[-1] else np.nan)
        wanted = np.asarray(rows)
        part = np.append(0.0, np.cumsum(width * size**2))
        return cls(wanted, np.interp(wanted, share, part / (part[-1] or np.nan)))


def _moments(values: Floats, weight: Floats, n: float) -> tuple[float, float]:
    """Return mean and standard deviation, as of a sample of n."""
    mean = float(np.average(values, weights=weight))
    size = np.abs(values - mean).max()
    scaled = np.sum(weight * ((values - mean) / size) ** 2) / (n - 1) if n > 1 else np.nan
    return mean, float(size * np.sqrt(scaled))


def _spaced(*along: Floats) -> Places:
    """Return places, rising, that lie about evenly along each of several (m,) rising values."""
    m = len(along[0])
    if m <= VERTICES:
        return np.arange(m)
    each = VERTICES // len(along)
    kept = [
        np.searchsorted(values, np.linspace(values[0], values[-1], each)).clip(0, m - 1)
        for values in along
    ]
    return np.unique(np.concatenate([*kept, [0, m - 1]]))


@dataclass(frozen=True, eq=False)
class ErrorGroups(ReadOnly):
    """Errors in groups of rows of about equal size, from small to large values of something.

    Attributes:
        low: (g,) smallest value in the group.
        high: (g,) largest value.
        n: (g,) rows, or the sums of their weights.
        bias: (g,) mean error; with its ends by Student's t.
        bias_low: (g,) NaN where there are too few rows.
        bias_high: (g,)
        mae: (g,) mean absolute error; with its ends by Student's t, the lower one at 0 or above.
        mae_low: (g,)
        mae_high: (g,)
        level: Level of each interval by itself.
    """

    low: Floats
    high: Floats
    n: Floats
    bias: Floats
    bias_low: Floats
    bias_high: Floats
    mae: Floats
    mae_low: Floats
    mae_high: Floats
    level: float

    @classmethod
    def from_values(
        cls,
        by: Floats,
        error: Floats,
        weight: Floats | None = None,
        *,
        groups: int = 10,
        level: float = 0.95,
    ) -> Self:
        """Group (n,) errors by (n,) finite values; equal values share a group."""
        if weight is not None and not weight.all():
            by, error, weight = (values[weight > 0] for values in (by, error, weight))
        group = equal_groups(by, groups, weight)
        parts = [by[places] for _, places in by_code(group)]
        bias, bias_low, bias_high = _means(error, group, weight, level)
        mae, mae_low, mae_high = _means(np.abs(error), group, weight, level)
        return cls(
            np.array([part.min() for part in parts]),
            np.array([part.max() for part in parts]),
            np.bincount(group, weight).astype(np.float64),
            bias,
            bias_low,
            bias_high,
            mae,
            np.maximum(mae_low, 0.0),
            mae_high,
            level,
        )


def _means(
    values: Floats, group: Places, weight: Floats | None, level: float
) -> tuple[Floats, Floats, Floats]:
    """Return (g,) means of (n,) values in their groups, and the ends of their intervals."""
    n = np.bincount(group, weight).astype(np.float64)

    def total(each: Floats) -> Floats:
        return np.bincount(group, each if weight is None else each * weight).astype(np.float64)

    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        mean = total(values) / n
        squares = total((values - mean[group]) ** 2)
        found = mean_interval(mean, np.sqrt(squares / (n - 1)), n, level)
    return mean, np.asarray(found.low), np.asarray(found.high)


@dataclass(frozen=True)
class FittedLine:
    """The least-squares line of truth on prediction: intercept 0 and slope 1 if all is well.

    Attributes:
        intercept: In the unit of the target.
        slope: NaN where the predictions do not vary.
        slope_low: Lower end of its interval by Student's t; NaN with fewer than 3 rows.
        slope_high: Upper end.
    """

    intercept: float
    slope: float
    slope_low: float
    slope_high: float

    @classmethod
    def from_moments(cls, table: ResidualMoments, level: float = 0.95) -> Self:
        """Return the line of one table. Source: Mincer and Zarnowitz (1969)."""
        from scipy.special import stdtrit

        n, ss = float(table.n), float(table.prediction_ss)
        if not ss > 0:
            return cls(np.nan, np.nan, np.nan, np.nan)
        slope = float(table.product_ss) / ss
        rest = max(0.0, float(table.truth_ss) - slope * float(table.product_ss))
        error = np.sqrt(rest / (n - 2) / ss) if n > 2 else np.nan
        reach = float(stdtrit(n - 2, (1 + level) / 2) * error) if n > 2 else np.nan
        intercept = float(table.mean_truth) - slope * float(table.mean_prediction)
        return cls(intercept, slope, slope - reach, slope + reach)
