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
_ROWS = 1 << 17
"""Rows that are looked at at once: enough for two models at once not to wait for each other."""


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
        found = np.zeros(
            (*(2 for _ in truths), self.number), np.int64 if count is None else count.dtype
        )
        flat, room = found.reshape(-1), np.empty((2, min(len(score), _ROWS)))
        for rows in blocks(len(score), _ROWS):
            steps, spare = room[:, : rows.stop - rows.start]
            if not self._into(steps, score[rows], spare):
                return None
            for axis, truth in enumerate(reversed(truths)):
                steps += np.multiply(truth[rows], 2.0**axis * self.number, out=spare)
            np.add.at(flat, steps.astype(np.intp), 1 if count is None else count[rows])
        return found

    def scores(self, places: NDArray[np.intp]) -> Floats:
        """Return the scores at some places."""
        found: Floats = (places + self.lowest) / self.unit
        return found

    def _into(self, steps: Floats, score: Floats, spare: Floats) -> bool:
        """Write the steps above the lowest; tell whether they are just the scores."""
        np.rint(np.multiply(score, self.unit, out=steps), out=steps)
        # Dividing by a power of ten rounds as reading the digits does.
        if not np.array_equal(np.divide(steps, self.unit, out=spare), score):
            return False
        steps -= self.lowest
        return True


def _unit(score: Floats) -> float | None:
    """Return the smallest power of ten by which all scores become whole numbers."""
    for digits in range(_MOST_DIGITS + 1) if len(score) else ():
        unit = 10.0**digits
        with np.errstate(over="ignore"):
            steps = np.rint(score * unit)
        if np.array_equal(steps / unit, score):
            return unit
    return None
