"""Whether predicted quantiles and intervals hold as many truths as they say."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np

from evalcore.errors import EvalError
from evalcore.intervals.closed import mean_interval, wilson
from evalcore.outcomes import Floats, ReadOnly


@dataclass(frozen=True, eq=False)
class QuantileTable(ReadOnly):
    """Each predicted quantile against what came true.

    Attributes:
        level: (q,) rising, in (0, 1): what share of truths should lie at or below.
        share: (q,) the share that does.
        low: (q,) lower end of its Wilson interval.
        high: (q,) upper end.
        pinball: (q,) mean pinball loss, in the unit of the target.
        n: Rows, or the sum of their weights.
        crossed: Rows in which a higher quantile lies below a lower one.
    """

    level: Floats
    share: Floats
    low: Floats
    high: Floats
    pinball: Floats
    n: float
    crossed: int

    @classmethod
    def from_values(
        cls,
        truth: Floats,
        quantiles: Mapping[float, Floats],
        weight: Floats | None = None,
        level: float = 0.95,
    ) -> Self:
        """Judge (n,) predicted values of each quantile, in the unit of the target.

        Source: Koenker and Bassett (1978), Regression quantiles, Econometrica 46(1).

        Raises:
            EvalError: "bad-quantile" for one outside (0, 1).

        >>> table = QuantileTable.from_values(np.array([1.0, 3.0]), {0.5: np.array([2.0, 2.0])})
        >>> table.share.tolist(), table.pinball.tolist()
        ([0.5], [0.5])
        """
        levels = _checked(quantiles)
        said = [quantiles[at] for at in levels.tolist()]
        weight = np.ones(len(truth)) if weight is None else weight
        n = float(weight.sum())
        below = np.array([weight[truth <= values].sum() for values in said])
        around = wilson(below, np.full(len(below), n), level)
        low, high = np.asarray(around.low), np.asarray(around.high)
        losses = [_pinball(truth, values, at) for values, at in zip(said, levels, strict=True)]
        with np.errstate(invalid="ignore"):  # without rows nothing is known
            share, pinball = below / n, np.array([weight @ loss for loss in losses]) / n
        return cls(levels, share, low, high, pinball, n, _crossed(said))


@dataclass(frozen=True)
class Coverage:
    """How often the truth lies within an interval, and what that costs in width.

    Attributes:
        promised: The share of truths that the interval should hold.
        share: The share that it holds; with the ends of its Wilson interval.
        low: NaN without rows.
        high: NaN without rows.
        below: The share of truths that lie below the interval.
        width: Mean width, in the unit of the target; with its ends by Student's t.
        width_low: NaN with fewer than two rows.
        width_high: NaN with fewer than two rows.
        score: Mean interval score: width, plus 2 / (1 - promised) for each unit that a truth lies
            outside; lower is better.
        n: Rows, or the sum of their weights.
    """

    promised: float
    share: float
    low: float
    high: float
    below: float
    width: float
    width_low: float
    width_high: float
    score: float
    n: float

    @classmethod
    def from_values(
        cls,
        truth: Floats,
        ends: tuple[Floats, Floats],
        promised: float,
        weight: Floats | None = None,
        level: float = 0.95,
    ) -> Self:
        """Judge (n,) lower and upper ends that should hold a share `promised` of the truths.

        Source: Gneiting and Raftery (2007), Strictly proper scoring rules, prediction, and
        estimation, JASA 102(477), 6.2.

        Raises:
            EvalError: "bad-level" where the promise lies outside (0, 1).

        >>> ends = np.array([0.0, 0.0]), np.array([2.0, 2.0])
        >>> made = Coverage.from_values(np.array([1.0, 3.0]), ends, 0.5)
        >>> made.share, made.width, made.score
        (0.5, 2.0, 4.0)
        """
        if not 0 < promised < 1:
            raise EvalError("bad-level", "The stated share must lie between 0 and 1.")
        low, high = ends
        weight = np.ones(len(truth)) if weight is None else weight
        n = float(weight.sum())
        if not n:
            return cls(promised, *(np.nan,) * 8, n=0.0)
        width, under, over = high - low, low - truth, truth - high
        within = float(weight[(under <= 0) & (over <= 0)].sum())
        outside = np.maximum(under, 0) + np.maximum(over, 0)
        mean = float(weight @ width / n)
        deviation = np.sqrt(weight @ (width - mean) ** 2 / (n - 1)) if n > 1 else np.nan
        about, around = mean_interval(mean, float(deviation), n, level), wilson(within, n, level)
        return cls(
            promised=promised,
            share=within / n,
            low=float(around.low),
            high=float(around.high),
            below=float(weight[under > 0].sum()) / n,
            width=mean,
            width_low=float(about.low),
            width_high=float(about.high),
            score=mean + 2 / (1 - promised) * float(weight @ outside) / n,
            n=n,
        )


def _checked(quantiles: Mapping[float, Floats]) -> Floats:
    """Return the levels of quantiles, rising."""
    if any(not 0 < at < 1 for at in quantiles):
        raise EvalError("bad-quantile", "A quantile must lie between 0 and 1.")
    return np.array(sorted(quantiles))


def _crossed(said: list[Floats]) -> int:
    crossings = [higher < lower for lower, higher in pairwise(said)]
    return int(np.any(crossings, axis=0).sum()) if crossings else 0


def _pinball(truth: Floats, said: Floats, at: float) -> Floats:
    over: Floats = truth - said
    return np.maximum(at * over, (at - 1) * over)
