"""How far one model is ahead of another on the same rows, and how sure that is."""

from dataclasses import dataclass

import numpy as np

from evalcore.outcomes import Codes, Floats
from evalcore.resampling.delong import delong_interval, delong_pair
from evalcore.resampling.interval import normal_quantile
from evalcore.tables.areas import roc_area
from evalcore.tables.scores import ScoreTable

FEWEST_ROWS = 10
"""With fewer rows, or fewer of either class for AUC, nothing is said for sure."""


@dataclass(frozen=True)
class Gap:
    """How far a model is ahead of another one, on the rows that both have.

    Attributes:
        model: The other model.
        difference: The first one's value minus the other's.
        low: Lower end of its interval; NaN where there are too few rows for one.
        high: Upper end of it.
        n: Rows that both have.
    """

    model: str
    difference: float
    low: float
    high: float
    n: int

    @property
    def sure(self) -> bool:
        """Whether these rows show that the first one is better."""
        return self.low > 0


def gap_apart(first: ScoreTable, second: ScoreTable, level: float) -> Gap:
    """Return the gap between the intervals of both areas.

    However the rows of both are paired, an interval of the difference lies within.
    """
    one, other = (delong_interval(table, level) for table in (first, second))
    low, high = float(one.low) - float(other.high), float(one.high) - float(other.low)
    if min(first.positives, first.negatives) < FEWEST_ROWS:
        low = high = np.nan
    return Gap("", roc_area(first) - roc_area(second), low, high, int(first.n))


def area_gap(
    scores: tuple[Floats, Floats], truth: Codes, weight: Floats | None, level: float
) -> Gap:
    """Return first minus second AUC of two (n,) scores of the same rows.

    Where the rows show no variation, the interval is what the intervals of both leave between
    them. Source: DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44(3).
    """
    pair = delong_pair(scores[1], scores[0], truth, weight)
    reach = normal_quantile(level) * float(np.sqrt(pair.variance_of_difference))
    if reach == 0 and pair.difference != 0:
        one, other = (ScoreTable.from_scores(score, truth, weight) for score in scores)
        return gap_apart(one, other, level)
    positives = float((truth if weight is None else truth * weight).sum())
    rows = len(truth) if weight is None else float(weight.sum())
    low, high = pair.difference - reach, pair.difference + reach
    if min(positives, rows - positives) < FEWEST_ROWS:
        low = high = np.nan
    return Gap("", pair.difference, low, high, len(truth))


def accuracy_gap(surplus: Floats, weight: Floats, level: float) -> Gap:
    """Return first minus second accuracy of two models on the same n rows.

    `surplus` is 1 where only the first is right, -1 where only the second is, else 0. Each of the
    four cells has half a row added. Source: Agresti and Min (2005), Statistics in Medicine 24(5).

    >>> gap = accuracy_gap(np.repeat([1.0, -1.0, 0.0], [30, 10, 60]), np.ones(100), 0.95)
    >>> gap.difference, round(gap.low, 3), round(gap.high, 3)
    (0.2, 0.079, 0.313)
    """
    n, wins, losses = (float(weight[rows].sum()) for rows in (..., surplus > 0, surplus < 0))
    if n < FEWEST_ROWS:
        return Gap("", (wins - losses) / n if n else np.nan, np.nan, np.nan, len(weight))
    more = n + 2
    middle = (wins - losses) / more
    variance = ((wins + losses + 1) / more - middle**2) / more
    reach = normal_quantile(level) * float(np.sqrt(variance))
    return Gap("", (wins - losses) / n, middle - reach, middle + reach, len(weight))
