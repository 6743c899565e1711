"""What the lesson "ROC step by step" is fed with: its rows, and each move in a sentence."""

from typing import Any

from evalcore.metrics.metric import Estimate
from evalcore.text import count, counted
from pages.escape import visible
from pages.figures.words import named
from pages.lab.steps import Instances, RocSteps
from pages.text import number, with_interval
from pages.text import score as written

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
        "classes": [visible(label) for label in classes],
        "rows": [
            [str(row), written(score), int(truth)]
            for row, score, truth in zip(*_columns(listed), strict=True)
        ],
        "steps": [
            {"up": up, "right": right, "pairs": pairs}
            for up, right, pairs in zip(
                steps.up.tolist(), steps.right.tolist(), steps.pairs.tolist(), strict=True
            )
        ],
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
            f"{_rows(rows)}, score {written(score)}, {whose}: {' and '.join(ways)}"
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
        half = number(right * (found + up / 2), 1).removesuffix(".0")
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
        f"whole curve: ROC AUC {with_interval(auc)}."
    )


def _columns(listed: Instances) -> tuple[list[int], list[float], list[int]]:
    return listed.row.tolist(), listed.score.tolist(), listed.truth.tolist()
