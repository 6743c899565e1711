"""The decision curve: what a model is worth to whoever acts from a given probability on."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from evalcore.outcomes import Floats, ReadOnly
from evalcore.resampling.proportions import of_two_rates
from evalcore.tables.scores import ScoreTable


@dataclass(frozen=True, eq=False)
class DecisionCurve(ReadOnly):
    """Net benefit at each of g probabilities from which on one would act.

    Whoever acts from the probability p on holds a false alarm to cost p / (1 - p) of what finding
    a positive is worth. The unit is a positive found, per case.

    Attributes:
        probability: (g,) rising, within [0, 1).
        net_benefit: (g,) of acting on the rows whose probability is that high; NaN with one class.
        low: (g,) lower ends.
        high: (g,) upper ends.
        treat_all: (g,) of acting on every case; acting on none is worth 0.
        level: Confidence level, at each probability by itself, for a known share of positives.

    Source: Vickers and Elkin (2006), Medical Decision Making 26(6).
    """

    probability: Floats
    net_benefit: Floats
    low: Floats
    high: Floats
    treat_all: Floats
    level: float

    @classmethod
    def from_table(
        cls, table: ScoreTable, probability: Floats, prevalence: float, level: float = 0.95
    ) -> Self:
        """Return the curve of a table of probabilities, with this share of positives.

        >>> table = ScoreTable.from_scores(np.array([0.9, 0.6, 0.2, 0.1]), np.array([1, 0, 0, 1]))
        >>> curve = DecisionCurve.from_table(table, np.array([0.5]), 0.5)
        >>> curve.net_benefit.tolist(), curve.treat_all.tolist()
        ([0.0], [0.0])
        """
        counts = table.at(probability)
        odds = probability / (1 - probability)
        factors = (prevalence, -(1 - prevalence) * odds)
        around = of_two_rates(counts, *factors, level)
        benefit = factors[0] * counts.tp / (table.positives or np.nan) + factors[1] * counts.fp / (
            table.negatives or np.nan
        )
        return cls(
            probability,
            np.asarray(benefit, dtype=np.float64),
            np.asarray(around.low),
            np.asarray(around.high),
            prevalence - (1 - prevalence) * odds,
            level,
        )

    @property
    def useful(self) -> tuple[float, float] | None:
        """Ends of the longest run of probabilities at which it beats acting on all and on none."""
        # A model that is as good as acting on all differs from that by rounding errors.
        pays = self.net_benefit - np.maximum(self.treat_all, 0.0) > 1e-12
        edges = np.flatnonzero(np.diff(np.concatenate([[False], pays, [False]])))
        if not len(edges):
            return None
        starts, stops = edges[::2], edges[1::2]
        run = int((stops - starts).argmax())
        return float(self.probability[starts[run]]), float(self.probability[stops[run] - 1])
