"""One probability column per class as a matrix, in the order of the classes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.errors import EvalError, Notice
from evalcore.intake.columns import numbers_of
from evalcore.intake.labels import SomeCodes
from evalcore.intake.model import Scale, Table
from evalcore.intake.rows import Gap, Mask, refuse_infinite, row_list, row_numbers
from evalcore.intake.scores import offered_scales, span
from evalcore.intake.wording import counted, have, listed
from evalcore.outcomes import Floats


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """What a model gives each class.

    Attributes:
        values: (n, K) floats; NaN where a cell is missing or a class has no column.
        present: (K,) True where the class has a column.
        probability: Whether the values are probabilities, else scores of which the largest wins.
    """

    values: Floats
    present: Mask
    probability: bool
    gaps: tuple[Gap, ...]
    notices: tuple[Notice, ...]


def read_probabilities(
    table: Table, columns: Mapping[str, str], classes: Sequence[str], scale: Scale | None
) -> ScoreMatrix:
    """Read the probability column of each class that has one.

    Raises:
        EvalError: "not-numeric" or "infinite-score".
    """
    values = np.full((table.n, len(classes)), np.nan)
    gaps, percent = [], []
    for of, column in columns.items():
        numbers = numbers_of(table, column)
        refuse_infinite(numbers, column)
        percent.append(numbers.percent)
        values[:, classes.index(of)] = numbers.values
        missing = np.isnan(numbers.values)
        gaps.append(Gap("probability", column, missing, numbers.missing))
    present = np.array([name in columns for name in classes])
    notices = []
    if scale is Scale.PERCENT or all(percent):
        values /= 100
        notices.append(Notice("percent", "Probabilities are in percent; divided by 100."))
    if scale is Scale.LOGIT:
        values[:, present] = softmax(values[:, present])
        message = "Class scores are logits; turned into probabilities by the softmax."
        notices.append(Notice("logit", message))
    probability, told = _check(values[:, present], scale)
    return ScoreMatrix(values, present, probability, tuple(gaps), (*notices, *told))


def softmax(logits: Floats) -> Floats:
    """Return exp(x) over its sum along each row, without overflow."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    values: Floats = powers / powers.sum(axis=1, keepdims=True)
    return values


def _check(values: Floats, scale: Scale | None) -> tuple[bool, tuple[Notice, ...]]:
    outside: Mask = np.any((values < 0) | (values > 1), axis=1)
    if scale is Scale.SCORE or (scale is None and outside.any()):
        message = (
            f"Class scores lie outside [0, 1] ({span(values)}): the largest decides, but they are "
            "no probabilities. If they are logits or percentages, choose that scale."
        )
        notice = Notice(
            "outside-unit", message, rows=row_numbers(outside), offers=offered_scales(values)
        )
        return False, (notice,) if outside.any() else ()
    if outside.any():
        raise EvalError(
            "not-probability",
            f"Probabilities lie outside [0, 1] ({span(values)}) on the chosen scale.",
            rows=row_numbers(outside),
        )
    return True, _sums(values)


def _sums(values: Floats) -> tuple[Notice, ...]:
    """Report rows whose probabilities do not sum to 1, beyond what rounding explains."""
    # Two decimals leave each of K numbers up to 0.005 off.
    tolerance = min(0.05, 0.0051 * values.shape[1])
    off = np.abs(values.sum(axis=1) - 1) > tolerance
    if not off.any():
        return ()
    message = (
        f"In {int(off.sum()):,} of {len(off):,} rows the probabilities do not sum to 1 "
        f"({row_list(off)}); they are used as they are, but for the log loss, which divides each "
        "row by its sum."
    )
    return (Notice("not-sum-1", message, "warning", rows=row_numbers(off)),)


def without_column(truth: SomeCodes, present: Mask, classes: Sequence[str]) -> tuple[Notice, ...]:
    """Report rows whose true class has no probability column."""
    lost = (truth >= 0) & ~present[truth]
    if not lost.any():
        return ()
    count = int(lost.sum())
    names = [name for k, name in enumerate(classes) if not present[k] and (truth == k).any()]
    message = (
        f"{counted(count, 'row')} {have(count)} a true class with no probability column "
        f"({listed(names, 6)}); the model can only be wrong there."
    )
    return (Notice("no-probability-column", message, "warning", rows=row_numbers(lost)),)
