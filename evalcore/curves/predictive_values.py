"""Predictive values as the share of positives moves."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from evalcore.outcomes import Floats, ReadOnly
from evalcore.resampling.interval import normal_quantile
from evalcore.tables.confusion import BinaryCounts


@dataclass(frozen=True, eq=False)
class PredictiveValue(ReadOnly):
    """The share of calls of one kind that are right, at each of g prevalences.

    Attributes:
        prevalence: (g,) shares of positives, within (0, 1).
        value: (g,) the share that is right; NaN where no row was called so, or with one class.
        low: (g,) lower ends.
        high: (g,) upper ends.
    """

    prevalence: Floats
    value: Floats
    low: Floats
    high: Floats

    @classmethod
    def of_alerts(cls, counts: BinaryCounts, prevalence: Floats, level: float = 0.95) -> Self:
        """Return the positive predictive value, by Bayes' rule from both rates.

        The interval is that of the likelihood ratio, on the logit scale; where a count is 0, half
        a row is added to each for it. Source: Mercaldo, Lau and Zhou (2007), Statistics in
        Medicine 26.

        >>> counts = BinaryCounts(tp=80, fp=10, fn=20, tn=90)
        >>> PredictiveValue.of_alerts(counts, np.array([0.5])).value.round(4).tolist()
        [0.8889]
        """
        return cls._of((counts.tp, counts.fn), (counts.fp, counts.tn), prevalence, level)

    @classmethod
    def of_rest(cls, counts: BinaryCounts, prevalence: Floats, level: float = 0.95) -> Self:
        """Return the negative predictive value: the share of what is left alone that is negative.

        >>> counts = BinaryCounts(tp=80, fp=10, fn=20, tn=90)
        >>> PredictiveValue.of_rest(counts, np.array([0.5])).value.round(4).tolist()
        [0.8182]
        """
        pairs = ((counts.tn, counts.fp), (counts.fn, counts.tp))
        mirrored = cls._of(*pairs, 1 - prevalence, level)
        return cls(prevalence, mirrored.value, mirrored.low, mirrored.high)

    @classmethod
    def _of(
        cls,
        right: tuple[float | Floats, float | Floats],
        wrong: tuple[float | Floats, float | Floats],
        share: Floats,
        level: float,
    ) -> Self:
        """Take (called so, not called so) of the class that is meant, and of the other one."""
        cells = np.array([*right, *wrong], dtype=np.float64)
        filled = cells + 0.5 if (cells == 0).any() else cells
        with np.errstate(divide="ignore", invalid="ignore"):
            hit, slip = cells[0] / (cells[0] + cells[1]), cells[2] / (cells[2] + cells[3])
            value = share * hit / (share * hit + (1 - share) * slip)
        low, high = _logit_ends(filled, share, level)
        known = np.isfinite(value)
        return cls(share, value, np.where(known, low, np.nan), np.where(known, high, np.nan))


def _logit_ends(cells: Floats, share: Floats, level: float) -> tuple[Floats, Floats]:
    from scipy.special import expit, logit

    yes, no = cells[0] + cells[1], cells[2] + cells[3]
    ratio = np.log(cells[0] / yes) - np.log(cells[2] / no)
    error = np.sqrt(1 / cells[0] - 1 / yes + 1 / cells[2] - 1 / no)
    reach = normal_quantile(level) * error
    return expit(logit(share) + ratio - reach), expit(logit(share) + ratio + reach)
