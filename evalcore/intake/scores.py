"""A column of scores on the scale on which the program reads it, and what was done to it."""

from dataclasses import dataclass

import numpy as np

from evalcore.errors import EvalError, Notice, Offer
from evalcore.intake.columns import numbers_of
from evalcore.intake.model import Scale, Table
from evalcore.intake.numbers import Numbers
from evalcore.intake.rows import Mask, refuse_infinite, row_numbers
from evalcore.outcomes import Floats


@dataclass(frozen=True, eq=False)
class Score:
    """Scores of the positive class, higher = more positive.

    Attributes:
        values: (n,) finite floats; NaN where the cell is missing.
        numbers: The column as written.
        probability: Whether the values are probabilities.
        notices: What was done, and what it means.
    """

    values: Floats
    numbers: Numbers
    probability: bool
    notices: tuple[Notice, ...] = ()


def read_score(table: Table, column: str, scale: Scale | None) -> Score:
    """Read a score column on a chosen scale, or on the one that its values show.

    Raises:
        EvalError: "not-numeric", "infinite-score", or "not-probability" if the scale does not fit.
    """
    numbers = numbers_of(table, column)
    refuse_infinite(numbers, column)
    values, notices = numbers.values, []
    if numbers.percent or scale is Scale.PERCENT:
        values = values / 100
        notices.append(_told("percent", f'Column "{column}" is in percent; divided by 100.'))
    if scale is Scale.LOGIT:
        values = sigmoid(values)
        message = f'Column "{column}" holds log-odds; turned into probabilities by the sigmoid.'
        notices.append(_told("logit", message))
    within = scale is Scale.LOGIT or _within_unit(
        numbers if values is numbers.values else Numbers(values)
    )
    if not within and scale is not Scale.SCORE:
        outside = (values < 0) | (values > 1)
        if scale is not None:
            raise _outside_error(column, values, outside)
        notices.append(_outside_notice(column, values, outside))
    return Score(values, numbers, within and scale is not Scale.SCORE, tuple(notices))


def _within_unit(numbers: Numbers) -> bool:
    low, high = numbers.span
    return not (low < 0 or high > 1)


def sigmoid(logit: Floats) -> Floats:
    """Return 1 / (1 + exp(-x)) without overflow.

    >>> sigmoid(np.array([0.0, -1000.0])).tolist()
    [0.5, 0.0]
    """
    small = np.exp(-np.abs(logit))
    values: Floats = np.where(logit >= 0, 1 / (1 + small), small / (1 + small))
    return values


def complement(score: Score, column: str, of: str, positive: str) -> Score:
    """Turn the score of the other class into that of the positive one."""
    how = "1 minus it" if score.probability else "its negative"
    message = f'Column "{column}" is about "{of}"; {how} is used as the score of "{positive}".'
    return _turned(score, _told("complement", message))


def reverse(score: Score, positive: str) -> Score:
    """Turn a score of which low values mean the positive class; a probability stays one.

    What is told names no column: the choice is about the scores of all models.
    """
    how = "1 minus a probability" if score.probability else "the negative of a plain score"
    message = f'All scores are reversed, since low ones mean "{positive}": {how} is used.'
    return _turned(score, _told("reversed", message))


def _turned(score: Score, notice: Notice) -> Score:
    values = 1 - score.values if score.probability else -score.values
    return Score(values, score.numbers, score.probability, (*score.notices, notice))


def from_confidence(score: Score, column: str, said_positive: Mask, positive: str) -> Score:
    """Turn the probability of the predicted label into that of the positive class."""
    values = np.where(said_positive, score.values, 1 - score.values)
    message = (
        f'Column "{column}" is the probability of the predicted label; '
        f'it was turned into that of "{positive}".'
    )
    offer = Offer(f'Read as the probability of "{positive}"', "scale", Scale.PROBABILITY.value)
    notice = Notice("confidence", message, column=column, offers=(offer,))
    return Score(values, score.numbers, score.probability, (*score.notices, notice))


def _told(code: str, message: str) -> Notice:
    return Notice(code, message)


def span(values: Floats) -> str:
    """Write the range of values, missing ones left out."""
    return f"{np.nanmin(values):.6g} to {np.nanmax(values):.6g}"


def offered_scales(values: Floats) -> tuple[Offer, ...]:
    """Propose how values outside [0, 1] may become probabilities."""
    if np.nanmin(values) >= 0 and np.nanmax(values) <= 100:
        return (Offer("Read as percent", "scale", Scale.PERCENT.value),)
    return (Offer("Read as log-odds", "scale", Scale.LOGIT.value),)


def _outside_notice(column: str, values: Floats, outside: Mask) -> Notice:
    return Notice(
        "outside-unit",
        f'Column "{column}" has values outside [0, 1] ({span(values)}): it ranks the rows, but is '
        "no probability. If it holds log-odds or percentages, choose that scale.",
        rows=row_numbers(outside),
        column=column,
        offers=offered_scales(values),
    )


def _outside_error(column: str, values: Floats, outside: Mask) -> EvalError:
    return EvalError(
        "not-probability",
        f'Column "{column}" has values outside [0, 1] ({span(values)}) on the chosen scale. '
        "Choose another scale.",
        rows=row_numbers(outside),
        column=column,
    )
