"""How a metric is declared: everything the product says about it, in one place."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Number = float | NDArray[np.float64]
"""A float, or an array of them when the counts are arrays (classes, bootstrap draws)."""


class Better(Enum):
    """Which direction is good."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"


class Family(Enum):
    """What a metric is computed from, in the words of the JSON."""

    COUNTS = "counts"
    RANKING = "ranking"
    PROBABILITY = "probability"
    VALUES = "values"
    POINTS = "points"
    AGREEMENT = "agreement"


@dataclass(frozen=True)
class Source:
    """Where a formula comes from."""

    text: str
    url: str = ""


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A metric: its function and what there is to say about it.

    Attributes:
        key: Public name, stable; see `docs/metrics.md`.
        name: The field's words, as shown to people.
        family: What it is computed from.
        needs: The type of the table that `compute` takes, such as `BinaryCounts`.
        compute: The function. It returns NaN where the metric is undefined, and maps arrays of
            counts to arrays of values, so that one function serves classes and bootstrap draws.
        summary: What it means, one sentence, plain words.
        formula: LaTeX. Counts are written TP, FP, FN, TN, so that live counts can be filled in.
        low: Smallest possible value (may be -inf).
        high: Largest possible value (may be inf).
        better: Which direction is good.
        source: Where the formula comes from.
        undefined_when: Completes "undefined: ...", such as "no row is predicted positive".
        synonyms: Other names people search for.
        proportion: For a metric that is k of n rows: the function that gives (k, n), from which
            exact intervals follow.
        misleads: When the number fools people, one sentence.
        unit: "share" (0 to 1), "unit" (of the target), "nats", "count" or "" (a bare number).
    """

    key: str
    name: str
    family: Family
    needs: type
    compute: Callable[[Any], Number]
    summary: str
    formula: str
    low: float
    high: float
    better: Better
    source: Source
    undefined_when: str
    synonyms: tuple[str, ...] = ()
    proportion: Callable[[Any], tuple[Number, Number]] | None = None
    misleads: str = ""
    unit: str = ""


@dataclass(frozen=True)
class Estimate:
    """A number with its interval, or the reason why there is none.

    Attributes:
        value: The number; NaN where it is undefined, +-inf where it is infinite.
        low: Lower end of the interval; None if there is no interval.
        high: Upper end of the interval; None if there is no interval.
        method: How the interval was made, such as "wilson"; None if there is no interval.
        level: Confidence level, such as 0.95; None if there is no interval.
        why: The reason for an undefined or infinite value; "" otherwise.
        note: A caveat to show beside the interval, such as "degenerate"; "" otherwise.
    """

    value: float
    low: float | None = None
    high: float | None = None
    method: str | None = None
    level: float | None = None
    why: str = ""
    note: str = ""

    @property
    def defined(self) -> bool:
        """Whether there is a finite number to show."""
        return bool(np.isfinite(self.value))
