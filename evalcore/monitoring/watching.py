"""Whether a metric has changed, asked at every look, at one false-alarm rate for all of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.errors import EvalError
from evalcore.monitoring.boundaries import Spending, ratio
from evalcore.monitoring.streams import Signal
from evalcore.outcomes import Floats

_LARGEST, _SMALLEST = 2.5, 0.01
"""Shifts, in standard deviations of a look, that a CUSUM is tuned to.

A look of very many rows tells of smaller changes than the one that is looked for.
"""

MOST_LOOKS = 100_000


@dataclass(frozen=True)
class Plan:
    """How often one will look, and what may go wrong.

    Attributes:
        looks: How many looks are planned; each may raise a false alarm.
        error: The chance that any of them does although nothing has changed.
        change: The size of the change that is looked for, in the unit of the metric; larger ones
            are found sooner, ones of less than half of it late or never. None for 0.05, or for a
            tenth of the reference where the metric is not bounded by 1.
    """

    looks: int = 1000
    error: float = 0.05
    change: float | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.looks <= MOST_LOOKS:
            raise EvalError("bad-looks", f"Plan from 1 to {MOST_LOOKS:,} looks.")
        if not 1e-6 <= self.error <= 0.5:
            raise EvalError("bad-error", "The false-alarm rate must lie between 0 and 0.5.")
        if self.change is not None and not 0 < self.change < np.inf:
            raise EvalError("bad-change", "The change to detect must be above 0.")


@dataclass(frozen=True, eq=False)
class Trace:
    """A CUSUM in one direction: (K,) values after each look, and limits; NaN where none was."""

    value: Floats
    limit: Floats

    @property
    def crossed(self) -> int | None:
        """The first look at or above the limit; None without one."""
        over = np.flatnonzero(self.value >= self.limit)
        return int(over[0]) if len(over) else None


@dataclass(frozen=True, eq=False)
class Watched:
    """Both directions, and the alarm.

    Attributes:
        up, down: The CUSUM of a metric that rises, and of one that falls.
        looks: How many looks there were.
        at: The place of the alarm, counted from 0; None without one.
        upward: Whether it is about a rise.
        since: The place from which the metric has changed, as far as can be told (the likeliest
            one); None without an alarm.
    """

    up: Trace
    down: Trace
    looks: int
    at: int | None = None
    upward: bool = False
    since: int | None = None


def watch(signals: Sequence[Signal | None], plan: Plan) -> Watched:
    """Return what the looks tell, in order; None is no look.

    Half of the error is for each direction. After an alarm nothing more is asked: a new plan
    begins with a new reference.
    """
    up, down = (_trace(signals, plan, sign) for sign in (1, -1))
    looks = sum(one is not None for one in signals)
    first = [one.crossed for one in (up, down)]
    places = [place for place in first if place is not None]
    if not places:
        return Watched(up, down, looks)
    at = min(places)
    upward = first[0] == at
    return Watched(up, down, looks, at, upward, _beginning(signals[: at + 1], upward))


def _beginning(signals: Sequence[Signal | None], upward: bool) -> int:
    """Return the place from which a change is likeliest, whatever its size.

    Source: Hinkley (1970), Inference about the change-point, Biometrika 57.
    """
    pairs = [(0.0, 0.0) if one is None else (tuned(one), one.z) for one in signals]
    shift, z = np.array(pairs).T
    sums, sizes = (np.cumsum(part[::-1])[::-1] for part in (shift * z, shift**2))
    far = np.maximum(sums if upward else -sums, 0.0) ** 2 / np.where(sizes > 0, sizes, np.inf)
    # Of periods that were no look the last one is meant, with which the look was made.
    return len(far) - 1 - int(np.argmax(far[::-1]))


def _trace(signals: Sequence[Signal | None], plan: Plan, sign: int) -> Trace:
    value, limit = np.full((2, len(signals)), np.nan)
    looks = [
        (place, sign * one.z, law, ratio(tuned(one), law))
        for place, one in enumerate(signals)
        if one is not None
        for law in [one.directed(sign)]
    ]
    slopes = [by.slope for *_, by in looks]
    spending = Spending(plan.error / 2, plan.looks, min(slopes, default=1.0))
    cusum = spending.cusum
    sum_, stopped = 0.0, False
    for place, z, law, by in looks:
        sum_ = max(0.0, sum_ + float(cusum.steps(np.array(z), by)))
        value[place] = sum_ * cusum.step
        if not stopped:
            far = spending.next(by, law)
            limit[place] = far * cusum.step
            stopped = sum_ >= far
    return Trace(value, limit)


def tuned(one: Signal) -> float:
    """Return the shift that a look is held against, in its standard deviations."""
    return float(np.clip(one.expected, _SMALLEST, _LARGEST))
