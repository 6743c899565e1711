"""How far off predictions are from group to group of rows, and the line of truth on prediction."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Floats, ReadOnly
from evalcore.resampling.means import mean_interval
from evalcore.tables.groups import by_code, equal_groups
from evalcore.tables.residuals import ResidualMoments


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
        """Group (n,) errors by (n,) finite values; equal values share a group.

        >>> found = ErrorGroups.from_values(np.arange(4.0), np.array([1.0, 3, -2, 2]), groups=2)
        >>> found.high.tolist(), found.bias.tolist(), found.mae.tolist()
        ([1.0, 3.0], [2.0, 0.0], [2.0, 2.0])
        """
        if weight is not None and not weight.all():
            by, error, weight = (values[weight > 0] for values in (by, error, weight))
        group = equal_groups(by, groups, weight)
        parts = [by[places] for _, places in by_code(group)]
        told = _Sums.of(group, weight)
        bias, bias_low, bias_high = told.means(error, level)
        mae, mae_low, mae_high = told.means(np.abs(error), level)
        return cls(
            np.array([part.min() for part in parts]),
            np.array([part.max() for part in parts]),
            told.n,
            bias,
            bias_low,
            bias_high,
            mae,
            np.maximum(mae_low, 0.0),
            mae_high,
            level,
        )


@dataclass(frozen=True, eq=False)
class _Sums:
    """Sums over the rows of each group."""

    group: NDArray[np.intp]
    weight: Floats | None
    n: Floats

    @classmethod
    def of(cls, group: NDArray[np.intp], weight: Floats | None) -> Self:
        return cls(group, weight, np.bincount(group, weight).astype(np.float64))

    def means(self, values: Floats, level: float) -> tuple[Floats, Floats, Floats]:
        """Return (g,) means of (n,) values and the ends of their intervals."""
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            mean = self._sum(values) / self.n
            squares = self._sum((values - mean[self.group]) ** 2)
            found = mean_interval(mean, np.sqrt(squares / (self.n - 1)), self.n, level)
        return mean, np.asarray(found.low), np.asarray(found.high)

    def _sum(self, values: Floats) -> Floats:
        each = values if self.weight is None else values * self.weight
        return np.bincount(self.group, each, minlength=len(self.n)).astype(np.float64)


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
        """Return the line of one table. Source: Mincer and Zarnowitz (1969).

        >>> table = ResidualMoments.from_values(np.array([1.0, 2, 3]), np.array([0.0, 2, 4]))
        >>> line = FittedLine.from_moments(table)
        >>> line.slope, line.intercept
        (0.5, 1.0)
        """
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
