"""Columns of residuals, which prove what is the truth and what its prediction."""

from collections.abc import Mapping, Sequence
from itertools import permutations

import numpy as np

from evalcore.intake.assignment import Confidence, Reason
from evalcore.intake.model import NO_CHOICES, Choices, Table
from evalcore.intake.modelnames import speaks_of_prediction
from evalcore.intake.numbers import as_numbers
from evalcore.intake.profile import Profile, sample
from evalcore.intake.signatures import PREDICTIONS
from evalcore.intake.words import pieces
from evalcore.outcomes import Floats

_RESIDUAL = frozenset({"resid", "residual", "residuals", "res", "r"})
_DIFFERENCE = frozenset({"error", "err", "errors", "diff", "difference", "abweichung"})
PROVEN = Reason("the column of residuals proves it", Confidence.SURE)

_MOST_COLUMNS = 40
_ROWS = 200
_ROUNDING = 0.02


def proven(table: Table, columns: Mapping[str, Profile], known: Choices) -> Choices:
    """Return the roles that a column of residuals proves: truth - prediction = residual.

    The column of predictions is told only where no name speaks of one.
    """
    if known.truth or known.task or not any(map(_is_residual, columns.values())):
        return NO_CHOICES
    numbers = [c for c in columns.values() if c.numeric and not (c.constant or c.counting)]
    residuals = [c for c in numbers if _is_residual(c)]
    others = [c for c in numbers if c not in residuals]
    for residual in residuals if len(others) <= _MOST_COLUMNS else ():
        if pair := _pair(table, residual.name, [column.name for column in others]):
            return _roles(pair, columns, known)
    return NO_CHOICES


def _is_residual(column: Profile) -> bool:
    words = [word.lower() for word in pieces(column.name)]
    return column.continuous and bool({words[0], words[-1]} & (_RESIDUAL | _DIFFERENCE))


@np.errstate(invalid="ignore")  # an infinite number proves nothing
def _pair(table: Table, residual: str, names: Sequence[str]) -> tuple[str, str] | None:
    """Return the only truth and prediction whose difference is the residual, in every row."""
    gaps = _head(table, residual)
    values = {name: _head(table, name) for name in names}
    near = _ROUNDING * float(np.nanstd(gaps))
    pairs = [
        (one, other)
        for one, other in permutations(names, 2)
        if bool((np.abs(values[one] - values[other] - gaps) <= near).all())
    ]
    found = [pair for way in pairs if (pair := _told_apart(way, residual))]
    return found[0] if len(found) == 1 else None


def _head(table: Table, name: str) -> Floats:
    return as_numbers(sample(table, name)[:_ROWS], name, table.source).values


def _told_apart(pair: tuple[str, str], residual: str) -> tuple[str, str] | None:
    """Put the truth first: by the names, else by what a residual is; an error has either sign."""
    first, second = map(speaks_of_prediction, pair)
    if first != second:
        return pair if second else pair[::-1]
    words = {word.lower() for word in pieces(residual)}
    return pair if not first and words & _RESIDUAL else None


def _roles(pair: tuple[str, str], columns: Mapping[str, Profile], known: Choices) -> Choices:
    truth, prediction = pair
    settled = any(getattr(known, role) for role in PREDICTIONS)
    if settled or any(speaks_of_prediction(name) for name in columns):
        return Choices(truth=truth)
    if columns[truth].holds_only({"0", "1"}):
        return Choices(truth=truth, scores={"": prediction})
    return Choices(truth=truth, predictions={"": prediction})
