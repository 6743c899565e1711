"""Whether the truth is a number to be predicted, or a class."""

from collections.abc import Sequence

from evalcore.intake.choices import Choices, Task
from evalcore.intake.parts import Kind
from evalcore.intake.predictions import named_parts
from evalcore.intake.profile import Profile
from evalcore.intake.quantiles import end_of


def _surrounded(others: Sequence[Profile]) -> bool:
    """Tell whether columns are the two ends of an interval, which only numbers have."""
    ends = [end_of(column.name) for column in others if column.numeric]
    return {end.upper for end in ends if end is not None} == {False, True}


def is_number(truth: Profile, others: Sequence[Profile], choices: Choices) -> bool:
    """Tell whether the truth is a number to be predicted, rather than a class."""
    if choices.task:
        return choices.task is Task.REGRESSION
    if choices.predictions:
        return True
    if choices.labels or choices.scores or choices.probabilities or not truth.numeric:
        return False
    if not truth.whole or _surrounded(others):
        return True
    if truth.distinct == 2 or truth.holds_only({"0", "1"}):
        return False
    parts = named_parts(others, truth.labels, numeric_truth=False)
    if any(part.kind is Kind.PROBABILITY for part in parts):
        return False
    beyond = truth.low < 0 or truth.high > 1
    shares = {p.column for p in parts if p.kind is Kind.SCORE and p.unit and beyond}
    predicted = {part.column for part in parts} - shares
    if shares and not predicted:
        return False  # a share of 1 is no prediction of numbers beyond it
    predicted = predicted or {column.name for column in others}
    numbers = [column for column in others if column.name in predicted and column.numeric]
    return bool(numbers) and not any(column.holds_only(truth.labels) for column in numbers)
