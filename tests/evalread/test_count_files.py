"""Files of counts: what they hold, and how numbers are condensed."""

from decimal import ROUND_FLOOR, Decimal

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from evalread.counts.blocks import condensed

DIGITS = st.integers(1, 12)


def floored(x: float, digits: int) -> float:
    """Return what `condensed` should, by decimal arithmetic: on the lattice as it is written."""
    if x == 0 or abs(x) >= 1e16:
        return x
    magnitude = next((p for p in range(15, -8, -1) if abs(x) >= float(f"1e{p}")), -8)
    step = Decimal(1).scaleb(magnitude - digits + 1)
    near = (Decimal(x) / step).to_integral_value(ROUND_FLOOR) - 1
    # A literal is the float next to its decimal, which may be on either side of it.
    fits = [float(k * step) for k in (near, near + 1, near + 2) if float(k * step) <= x]
    return max(fits)


@given(st.floats(allow_nan=False, allow_infinity=False), DIGITS)
@example(0.29, 2)
@example(0.57, 2)
@example(1.15, 3)
@example(-0.1, 3)
@example(9.999999999999999e-08, 6)
@example(0.30000000000000004, 1)
def test_numbers_go_to_the_next_lower_decimal_of_so_many_digits(x: float, digits: int) -> None:
    assert condensed(np.array([x]), digits)[0] == floored(x, digits)


@given(st.integers(0, 10**6), st.integers(1, 6), st.floats(0, 1, allow_subnormal=False))
def test_every_threshold_of_so_many_digits_decides_as_before(k: int, digits: int, x: float) -> None:
    threshold = float(f"{k % 10**digits}e-{digits}")
    kept = condensed(np.array([x, threshold]), digits)
    assert (kept[0] >= threshold) == (x >= threshold)
    assert kept[1] == threshold


@given(st.lists(st.floats(allow_nan=False, width=32), min_size=2), DIGITS)
def test_order_stays_and_what_is_condensed_stays(values: list[float], digits: int) -> None:
    found = condensed(np.sort(np.array(values, np.float64)), digits)
    assert (np.diff(found[np.isfinite(found)]) >= 0).all()
    assert np.array_equal(condensed(found, digits), found)


def test_missing_infinite_and_huge_numbers_stay() -> None:
    values = np.array([np.nan, np.inf, -np.inf, 1.2345e16, -9.87654e300])
    assert np.array_equal(condensed(values, 2), values, equal_nan=True)


def test_digits_are_few_enough_to_be_told_apart() -> None:
    for digits in (0, 16):
        with pytest.raises(ValueError, match="digits"):
            condensed(np.array([0.5]), digits)
