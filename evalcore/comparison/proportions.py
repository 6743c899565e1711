"""How far two accuracies are apart: intervals, on the same rows or on rows of their own."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from evalcore.comparison.spec import Design, Finding, StatisticalTest
from evalcore.metrics.spec import Source
from evalcore.resampling.interval import Interval
from evalcore.resampling.proportions import wilson
from evalcore.tables.paired import Rightness


def newcombe_paired(cells: Rightness, level: float = 0.95) -> Interval:
    """Return an interval for the second accuracy minus the first, within [-1, 1].

    Source: Newcombe (1998), Improved confidence intervals for the difference between binomial
    proportions based on paired data, Statistics in Medicine 17, method 10.
    """
    first, second = cells.both + cells.only_first, cells.both + cells.only_second
    return _from_wilson((first, cells.n), (second, cells.n), _correlation(cells), level)


def newcombe_independent(
    first: tuple[float, float], second: tuple[float, float], level: float = 0.95
) -> Interval:
    """Return an interval for the second of two (right, rows) accuracies minus the first.

    Source: Newcombe (1998), Interval estimation for the difference between independent
    proportions, Statistics in Medicine 17, method 10.
    """
    return _from_wilson(first, second, 0.0, level)


def _from_wilson(
    first: tuple[float, float], second: tuple[float, float], correlation: float, level: float
) -> Interval:
    one, other = wilson(*first, level), wilson(*second, level)
    p, q = first[0] / (first[1] or np.nan), second[0] / (second[1] or np.nan)

    def reach(x: Any, y: Any) -> Any:
        return np.sqrt(np.maximum(x**2 - 2 * correlation * x * y + y**2, 0.0))

    low = (q - p) - reach(one.high - p, q - other.low)
    high = (q - p) + reach(p - one.low, other.high - q)
    return Interval(low, high, "newcombe", level)


def _correlation(cells: Rightness) -> float:
    """Return phi of being right, drawn towards 0 by a continuity correction if it is positive."""
    a, b, c, d = cells[:4]
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    product = a * d - b * c
    if product > 0:
        product = max(product - cells.n / 2, 0.0)
    return product / np.sqrt(margins) if margins else 0.0


@dataclass(frozen=True)
class TwoProportions:
    """Rows that are right of all rows, for two models on different rows."""

    first: tuple[float, float]
    second: tuple[float, float]


def two_proportion_z(table: TwoProportions) -> Finding:
    """Test whether two shares of different rows are the same, with the variance of both pooled.

    >>> round(two_proportion_z(TwoProportions((40, 100), (60, 100))).statistic, 6)
    2.828427
    """
    from scipy.special import ndtr

    (k, n), (j, m) = table.first, table.second
    share = (k + j) / (n + m)
    error = np.sqrt(share * (1 - share) * (1 / n + 1 / m))
    if not error:
        return Finding(1.0, 0.0, note="both are right on all rows, or on none")
    z = float((j / m - k / n) / error)
    return Finding(float(2 * ndtr(-abs(z))), z)


TWO_PROPORTION_Z = StatisticalTest(
    key="two_proportion_z",
    name="Two-proportion z",
    needs=TwoProportions,
    compute=two_proportion_z,
    summary="Are two models, each on rows of its own, right equally often?",
    assumes="All rows are independent, drawn alike for both, with some 5 right and 5 wrong each.",
    designs=frozenset({Design.INDEPENDENT}),
    metrics=("accuracy",),
    source=Source(
        "Fleiss, Levin and Paik (2003), Statistical Methods for Rates and Proportions, 3.1",
        "https://doi.org/10.1002/0471445428",
    ),
)
