"""Calibration without bins: isotonic regression of what happened on what was said (CORP).

Source: Dimitriadis, Gneiting and Jordan (2021), Stable reliability diagrams for probabilistic
classifiers, PNAS 118(8).
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from evalcore.outcomes import Floats, ReadOnly
from evalcore.resampling.bootstrap import percentiles
from evalcore.tables.reliability import rising_shares
from evalcore.tables.scores import ScoreTable

DRAWS = 200
PLACES = 400
"""Probabilities at which the band is drawn; with more, neighbours are counted together."""


@dataclass(frozen=True, eq=False)
class IsotonicCalibration(ReadOnly):
    """The rising share of positives that fits the rows best, at each distinct probability.

    Attributes:
        probability: (m,) rising.
        share: (m,) the fit, rising in the weak sense.
        rows: (m,) rows at each probability, or the sum of their weights.
        miscalibration: What the fit would take off the Brier score.
        discrimination: What the fit takes off the Brier score of the base rate.
        uncertainty: The Brier score of the base rate. The Brier score is miscalibration -
            discrimination + uncertainty, exactly.
    """

    probability: Floats
    share: Floats
    rows: Floats
    miscalibration: float
    discrimination: float
    uncertainty: float

    @classmethod
    def from_table(cls, table: ScoreTable) -> Self:
        """Fit a table of probabilities; the parts are NaN without rows.

        >>> table = ScoreTable.from_scores(np.array([0.2, 0.4, 0.6]), np.array([0, 1, 0]))
        >>> fit = IsotonicCalibration.from_table(table)
        >>> fit.share.tolist(), round(fit.uncertainty, 4)
        ([0.0, 0.5, 0.5], 0.2222)
        """
        p = table.threshold[::-1]
        positive, negative = (step[::-1].astype(np.float64) for step in table.steps())
        rows = positive + negative
        share = rising_shares(positive, rows)
        base = table.positives / table.n if table.n else np.nan

        def brier(said: Floats | float) -> float:
            total = (positive * (1 - said) ** 2 + negative * said**2).sum()
            return float(total / table.n) if table.n else np.nan

        given, fitted, flat = brier(p), brier(share), brier(base)
        return cls(p, share, rows, given - fitted, flat - fitted, flat)


@dataclass(frozen=True, eq=False)
class ConsistencyBand(ReadOnly):
    """Where the fit lies, at each probability by itself, if the probabilities are the true ones.

    Attributes:
        probability: (g,) rising.
        low: (g,) lower ends.
        high: (g,) upper ends.
        level: Share of the draws between them.
    """

    probability: Floats
    low: Floats
    high: Floats
    level: float

    @classmethod
    def from_table(
        cls,
        table: ScoreTable,
        rng: np.random.Generator,
        *,
        level: float = 0.95,
        draws: int = DRAWS,
    ) -> Self:
        """Let each row happen with its own probability, fit that, and so on."""
        p, rows = _few(table)
        whole = np.rint(rows).astype(np.int64)
        drawn = rng.binomial(whole, p, size=(draws, len(p))).astype(np.float64)
        used = np.maximum(whole, 1).astype(np.float64)
        fits = np.array([rising_shares(each, used) for each in drawn]).reshape(draws, len(p))
        ends = percentiles(fits, level)
        return cls(p, ends.low, ends.high, level)


def _few(table: ScoreTable) -> tuple[Floats, Floats]:
    """Return rising probabilities and their rows, neighbours counted together at their mean."""
    p = table.threshold[::-1]
    positive, negative = (step[::-1].astype(np.float64) for step in table.steps())
    rows = positive + negative
    if len(p) <= PLACES:
        return p, rows
    starts = np.unique(np.searchsorted(np.cumsum(rows), np.arange(PLACES) * rows.sum() / PLACES))
    counts = np.add.reduceat(rows, starts)
    return np.add.reduceat(p * rows, starts) / counts, counts
