"""Arrays of outcomes checked: what is no code, number, distance or weight is refused."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import ROWS_LISTED, EvalError

Floats = NDArray[np.float64]
Codes = NDArray[np.integer[Any]]


def check_codes(name: str, codes: Codes, classes: int, *, lowest: int = 0) -> None:
    """Refuse codes outside the range."""
    low, high = _span(codes) if len(codes) else (lowest, classes - 1)
    if low < lowest or high >= classes:
        raise EvalError("wrong-code", f"{name} holds codes outside {lowest}..{classes - 1}.")


def _span(values: NDArray[Any]) -> tuple[Any, Any]:
    """Return the smallest and the largest value; NaN if there is any."""
    # The methods of arrays take twice as long for short ones.
    return np.minimum.reduce(values, axis=None), np.maximum.reduce(values, axis=None)


def check_finite(name: str, values: Floats, *, below: float = np.inf) -> tuple[float, float]:
    """Refuse values that are not finite, or too large, by their rows; return their span.

    The span of no values is NaN.
    """
    low, high = _span(values) if values.size else (np.nan, np.nan)
    if -below < low and high < below:
        return low, high
    good = np.abs(values) < below
    bad = np.flatnonzero(~good.all(axis=tuple(range(1, values.ndim))))
    if len(bad):
        said = f"{name} must be finite numbers{f' below {below:g}' if below < np.inf else ''}."
        raise EvalError(f"not-finite-{name}", said, rows=_numbers(bad))
    return low, high


def check_distances(matrix: Floats) -> None:
    """Refuse what is no matrix of distances."""
    # Tools write distances with six digits or so; halves of a matrix may differ in the last one.
    slack = 1e-6 * matrix.max(initial=0.0)
    wrong = ((np.abs(matrix - matrix.T) > slack) | (matrix < 0)).any(axis=1)
    bad = np.flatnonzero(wrong | (matrix.diagonal() != 0))
    if len(bad):
        raise EvalError(
            "not-distances",
            "Distances must be 0 or more, 0 from a point to itself, and symmetric.",
            rows=_numbers(bad),
        )


def within_unit(values: Floats) -> bool:
    """Return whether all values lie in [0, 1]."""
    # NaN marks "no probability column for this class" and passes; comparisons with it are False.
    low, high = (by.reduce(values, axis=None) for by in (np.fmin, np.fmax))
    return not (low < 0 or high > 1)


def check_weight(weight: Floats | None) -> None:
    """Refuse weights that are not finite, or negative."""
    if weight is None:
        return
    bad = np.flatnonzero(~(np.isfinite(weight) & (weight >= 0)))
    if len(bad):
        raise EvalError("bad-weight", "Weights must be 0 or more.", rows=_numbers(bad))


def _numbers(places: NDArray[np.intp]) -> list[int]:
    """Return the numbers of rows as a person counts them, as many as an error lists."""
    return [int(place) + 1 for place in places[:ROWS_LISTED]]
