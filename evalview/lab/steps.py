"""What lessons work out step by step: a ROC curve in whole counts, a distance by features."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from evalcore.errors import EvalError
from evalcore.metrics.metric import Estimate
from evalcore.outcomes import BinaryOutcomes, Codes, Floats, ReadOnly, Rows, data_rows
from evalcore.tables.confusion import Counts
from evalcore.tables.scores import ScoreTable
from evalcore.text import count, counted
from evalview import escape, text
from evalview.words import named


@dataclass(frozen=True, eq=False)
class Instances(ReadOnly):
    """Rows in the order in which a falling threshold reaches them; ties as in the file.

    Attributes:
        row: (n,) data row numbers, 1 being the first.
        truth: (n,) int8; 1 where the row is of the positive class.
        score: (n,) finite, falling.
    """

    row: Rows
    truth: Codes
    score: Floats

    @classmethod
    def drawn(cls, outcomes: BinaryOutcomes, at_most: int, rng: np.random.Generator) -> Self:
        """Take all rows, or `at_most` (at least 2) of them at random, both classes in proportion.

        Of a class that has rows at least one is taken. Weights are left aside.
        """
        assert outcomes.score is not None
        kept = _sampled(outcomes.truth, at_most, rng)
        falling = kept[np.argsort(-outcomes.score[kept], kind="stable")]
        return cls(data_rows(outcomes, falling), outcomes.truth[falling], outcomes.score[falling])

    @property
    def table(self) -> ScoreTable:
        """The counts at or above each distinct score."""
        return ScoreTable.from_scores(self.truth, self.score)


@dataclass(frozen=True, eq=False)
class RocSteps(ReadOnly):
    """The moves of a ROC curve: up by positives, right by negatives, both at once where they tie.

    The plane holds one rectangle for each pair of a positive and a negative. Below the curve lie
    those in which the positive scores higher; of a pair that ties, one half.
    Source: Hanley and McNeil (1982), Radiology 143(1); Fawcett (2006), Pattern Recognition
    Letters 27(8).

    Attributes:
        score: (m,) distinct scores, falling.
        up: (m,) positives that have the score.
        right: (m,) negatives that have it.
        pairs: (m,) rectangles below the curve after each move.
    """

    score: Floats
    up: Counts
    right: Counts
    pairs: Floats

    @classmethod
    def from_table(cls, table: ScoreTable) -> Self:
        """Return the moves of a score table.

        >>> table = ScoreTable.from_scores(np.array([1, 1, 0, 0]), np.array([0.9, 0.4, 0.4, 0.1]))
        >>> steps = RocSteps.from_table(table)
        >>> steps.up.tolist(), steps.right.tolist(), steps.pairs.tolist(), steps.area
        ([1, 1, 0], [0, 1, 1], [0.0, 1.5, 3.5], 0.875)
        """
        up, right = table.steps()
        below = right * (table.tp - up / 2)
        return cls(table.threshold, up, right, np.cumsum(below, dtype=np.float64))

    @property
    def all_pairs(self) -> float:
        """Rectangles of the whole plane: positives times negatives."""
        return float(self.up.sum()) * float(self.right.sum())

    @property
    def area(self) -> float:
        """Share of the rectangles below the whole curve, which is its AUC; NaN with one class."""
        return float(self.pairs[-1]) / self.all_pairs if self.all_pairs else np.nan


def _sampled(truth: Codes, at_most: int, rng: np.random.Generator) -> Rows:
    """Return positions of rows, rising: all, or some of each class in proportion."""
    if len(truth) <= at_most:
        return np.arange(len(truth))
    found, rest = np.flatnonzero(truth == 1), np.flatnonzero(truth != 1)
    wanted = round(at_most * len(found) / len(truth))
    some = int(np.clip(wanted, len(found) > 0, at_most - (len(rest) > 0)))
    picked = (
        rng.choice(found, some, replace=False),
        rng.choice(rest, at_most - some, replace=False),
    )
    return np.sort(np.concatenate(picked))


@dataclass(frozen=True, eq=False)
class MinkowskiTerms(ReadOnly):
    """Two points and what lies between them.

    Attributes:
        difference: (d,) absolute difference in each feature.
        share: (d,) share of each feature in the sum of powers; NaN where no feature differs. With
            an infinite order the largest differences share it all.
        distance: In the unit of the features.
    """

    difference: Floats
    share: Floats
    distance: float


def minkowski(first: Floats, second: Floats, order: float) -> MinkowskiTerms:
    """Return how far two points of (d,) features are apart by the Minkowski distance of an order.

    Source: Minkowski (1896), Geometrie der Zahlen.

    Raises:
        EvalError: "bad-order": an order below 1, which breaks the triangle inequality.

    >>> minkowski(np.array([0.0, 0.0]), np.array([3.0, 4.0]), order=2).distance
    5.0
    """
    if not order >= 1:
        raise EvalError("bad-order", "The order of a Minkowski distance must be 1 or more.")
    difference = np.abs(first - second)
    largest = float(difference.max(initial=0.0))
    if not largest:
        return MinkowskiTerms(difference, np.full(len(difference), np.nan), 0.0)
    # Of the largest difference, since powers of the differences themselves overflow.
    part = difference / largest
    power = (part == 1).astype(np.float64) if np.isinf(order) else part**order
    total = power.sum()
    return MinkowskiTerms(difference, power / total, float(largest * total ** (1 / order)))


NAMED = 3
"""So many of the rows that share a score are named."""

START = "Nothing is flagged yet, so nothing is found: the curve begins in the lower left corner."


def steps_payload(
    key: str, listed: Instances, classes: tuple[str, str], auc: Estimate, color: str
) -> dict[str, Any]:
    """Return what the lesson shows of rows of both classes; `key` names them, for caches."""
    steps = RocSteps.from_table(listed.table)
    return {
        "key": key,
        "color": color,
        "classes": [escape.in_order(label) for label in classes],
        "rows": [
            [str(row), text.score(score), int(truth)]
            for row, score, truth in zip(*_columns(listed), strict=True)
        ],
        "steps": [
            {"up": up, "right": right, "pairs": pairs}
            for up, right, pairs in zip(
                steps.up.tolist(), steps.right.tolist(), steps.pairs.tolist(), strict=True
            )
        ],
        "thresholds": [text.score(score) for score in steps.score.tolist()],
        "says": sentences(listed, steps, classes),
        "end": _end(steps, auc),
    }


def sentences(listed: Instances, steps: RocSteps, classes: tuple[str, str]) -> list[str]:
    """Return the start and each move in words."""
    positives, negatives = count(steps.up.sum()), count(steps.right.sum())
    said, first, found = [START], 0, 0
    for score, up, right in zip(steps.score, steps.up.tolist(), steps.right.tolist(), strict=True):
        rows = listed.row[first : first + up + right].tolist()
        ways = [f"up by {up}/{positives}"] if up else []
        ways += [f"right by {right}/{negatives}"] if right else []
        whose = _whose(up, right, classes)
        said.append(
            f"{_rows(rows)}, score {text.score(score)}, {whose}: {' and '.join(ways)}"
            f"{_below(found, up, right, classes)}"
        )
        first, found = first + up + right, found + up
    return said


def _whose(up: int, right: int, classes: tuple[str, str]) -> str:
    negative, positive = (named(label) for label in classes)
    if up and right:
        return f"{count(up)} {positive} and {count(right)} {negative}"
    alone = positive if up else negative
    return alone if up + right == 1 else f"all {alone}"


def _below(found: int, up: int, right: int, classes: tuple[str, str]) -> str:
    """Return what the move adds below the curve."""
    if not right:
        return "."
    if up:
        half = text.number(right * (found + up / 2), 1).removesuffix(".0")
        return (
            f" at once, so along the diagonal. That adds {half} rectangles: {right} × {found} "
            f"whole ones, and half of the {up} × {right} that tie."
        )
    column = f"{count(right)} columns of {found}" if right > 1 else f"a column of {found}"
    return f". That adds {column}, one for each {named(classes[1])} row that scores higher."


def _rows(rows: list[int]) -> str:
    if len(rows) == 1:
        return f"Row {rows[0]}"
    shown, more = rows[:NAMED], len(rows) - NAMED
    if more > 0:
        return f"Rows {', '.join(map(str, shown))} and {more} more"
    return f"Rows {', '.join(map(str, shown[:-1]))} and {shown[-1]}"


def _end(steps: RocSteps, auc: Estimate) -> str:
    return (
        f"{count(float(steps.pairs[-1]))} of {counted(steps.all_pairs, 'rectangle')} lie below the "
        f"whole curve: ROC AUC {text.with_interval(auc)}."
    )


def _columns(listed: Instances) -> tuple[list[int], list[float], list[int]]:
    return listed.row.tolist(), listed.score.tolist(), listed.truth.tolist()
