"""Scores of a few decimal digits, counted without sorting: each is a whole number of steps.

A score such as 0.115297 is 115,297 millionths, and a place in a table of counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Codes, Floats
from evalcore.tables.blocks import blocks
from evalcore.tables.weights import EXACT, Counts

_MOST_DIGITS = 6
_MOST_STEPS = 1 << 21
_ROWS_PER_STEP = 2
"""With fewer rows for each possible score, a sort touches less memory."""

_SAMPLE = 1 << 10


@dataclass(frozen=True)
class Decimals:
    """Possible scores at equal distances.

    Attributes:
        unit: How many steps make 1: a power of ten.
        lowest: The lowest score, in steps.
        number: How many possible scores there are.
    """

    unit: float
    lowest: int
    number: int

    @classmethod
    def of(cls, score: Floats) -> Self | None:
        """Return the decimals that (n,) scores may be, by a sample; None where a sort is due."""
        unit = _unit(score[:: max(len(score) // _SAMPLE, 1)])
        if unit is None:
            return None
        lowest, highest = float(score.min()) * unit, float(score.max()) * unit
        if max(-lowest, highest) >= EXACT:
            return None
        number = round(highest) - round(lowest) + 1
        if number > min(_MOST_STEPS, len(score) // _ROWS_PER_STEP):
            return None
        return cls(unit, round(lowest), number)

    def counts(self, score: Floats, truths: Sequence[Codes], count: Counts | None) -> Counts | None:
        """Count the rows at each step, by each truth; None where a score lies between two steps.

        `count` is how often each row counts; None where each counts once. The result has one axis
        of length 2 for each truth, and one for the steps, rising.
        """
        places = np.empty(len(score), np.intp)
        for rows in blocks(len(score)):
            steps = self._steps(score[rows])
            if steps is None:
                return None
            for axis, truth in enumerate(reversed(truths)):
                steps += truth[rows] * (2.0**axis * self.number)
            places[rows] = steps
        shape = (*(2 for _ in truths), self.number)
        found = np.bincount(places, count, np.prod(shape)).reshape(shape)
        return found if count is None else found.astype(count.dtype)

    def scores(self, places: NDArray[np.intp]) -> Floats:
        """Return the scores at some places."""
        found: Floats = (places + self.lowest) / self.unit
        return found

    def _steps(self, score: Floats) -> Floats | None:
        steps: Floats = np.rint(score * self.unit)
        # Dividing by a power of ten rounds as reading the digits does.
        if not np.array_equal(steps / self.unit, score):
            return None
        steps -= self.lowest
        return steps


def _unit(score: Floats) -> float | None:
    """Return the smallest power of ten by which all scores become whole numbers."""
    for digits in range(_MOST_DIGITS + 1) if len(score) else ():
        unit = 10.0**digits
        with np.errstate(over="ignore"):
            steps = np.rint(score * unit)
        if np.array_equal(steps / unit, score):
            return unit
    return None
