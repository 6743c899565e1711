"""Thresholds in as few digits as decide alike, so that what is read can be typed in again."""

import math

from evalcore.tables.scores import ScoreTable

AS_IT_IS = 255
"""Instead of a number of decimals: no shorter number decides alike."""

FEWEST, MOST = 2, 12
LARGE = 1e6


def shortest(table: ScoreTable, threshold: float) -> float:
    """Return the shortest number that flags the same rows as a score of the table.

    What is no score of the table was chosen by somebody and stays as it is.

    >>> import numpy as np
    >>> table = ScoreTable.from_scores(np.array([0.356923, 0.3512]), np.array([1, 0]))
    >>> shortest(table, 0.356923), shortest(table, 0.3512), shortest(table, 0.355555)
    (0.356, 0.35, 0.355555)
    """
    rising = table.threshold[::-1]
    lower = int(rising.searchsorted(threshold))
    if lower == len(rising) or rising[lower] != threshold:
        return threshold
    below = float(rising[lower - 1]) if lower else -math.inf
    return rounded_down(float(threshold), decimals(float(threshold), below))


def decimals(score: float, below: float) -> int:
    """Return in how few decimals, rounded down, a score stays above the next lower one."""
    if abs(score) >= LARGE:
        return AS_IT_IS
    enough = (each for each in range(FEWEST, MOST + 1) if rounded_down(score, each) > below)
    return next(enough, AS_IT_IS)


def rounded_down(score: float, decimals: int) -> float:
    """Return a score cut to some decimals, towards lower numbers.

    >>> rounded_down(0.356923, 3), rounded_down(-0.125, 2), rounded_down(1.5, AS_IT_IS)
    (0.356, -0.13, 1.5)
    """
    if decimals == AS_IT_IS:
        return score
    text = f"{score:.{decimals}f}"
    if float(text) > score:
        text = f"{float(text) - 10**-decimals:.{decimals}f}"
    return float(text)
