"""An interval around an estimate, and how it was made."""

from dataclasses import dataclass

import numpy as np

from evalcore.outcomes import Number, frozen


@dataclass(frozen=True, eq=False)
class Interval:
    """The two ends, numbers or arrays of one shape; NaN where there is no interval.

    Attributes:
        low: Lower end.
        high: Upper end.
        method: How it was made, such as "wilson".
        level: Confidence level, such as 0.95.
        degenerate: Whether it understates what is not known, since the data show no variation.
    """

    low: Number
    high: Number
    method: str
    level: float
    degenerate: bool = False

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            end = np.asarray(getattr(self, name), dtype=np.float64)
            object.__setattr__(self, name, frozen(end) if end.ndim else float(end))


def normal_quantile(level: float) -> float:
    """Return the distance in standard deviations that a two-sided level reaches.

    >>> round(normal_quantile(0.95), 6)
    1.959964
    """
    from scipy.special import ndtri

    return float(ndtri((1 + level) / 2))


def wald_interval(value: float, error: float, level: float) -> Interval:
    """Return the value plus and minus its standard error, as often as the level asks.

    >>> ends = wald_interval(0.5, 0.1, 0.95)
    >>> round(ends.low, 3), round(ends.high, 3)
    (0.304, 0.696)
    """
    reach = normal_quantile(level) * error
    return Interval(value - reach, value + reach, "wald", level, degenerate=reach == 0)
