"""The one expression that every engine is asked: keys, numbers condensed, and how many rows."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from evalread.counts.blocks import HIGHEST, LOWEST


def cells_of(
    table: Any, keys: Sequence[str], short: Sequence[str], digits: int, weight: str | None
) -> Any:
    """Return the expression of the cells: "k0", "k1" ... for the keys, and "n".

    Numbers in the columns `short` are condensed to so many digits, as `counts.blocks.condensed`
    does. `n` is the number of rows of a cell, or the sum of their weights.
    """
    places = {name: f"k{place}" for place, name in enumerate(keys)}
    columns = {called: _plain(table[name]) for name, called in places.items()}
    if weight:
        columns["w"] = table[weight].cast("float64")
    rows = table.select(**columns)
    if short:
        rows = _condensed(rows, [places[name] for name in short], digits)
    count = rows.w.sum() if weight else rows.count()
    return rows.group_by(list(places.values())).aggregate(n=count)


def _plain(column: Any) -> Any:
    """Return a column as one of numbers, text, true and false, or moments."""
    kind = column.type()
    if kind.is_decimal():
        return column.cast("float64")
    known = kind.is_numeric() or kind.is_string() or kind.is_boolean() or kind.is_temporal()
    return column if known or kind.is_nested() else column.cast("string")


def _condensed(rows: Any, names: Sequence[str], digits: int) -> Any:
    """Return the rows with some columns condensed to so many significant digits."""
    import ibis

    # Step by step in names of their own, so that no part of it is written out twice.
    within = float(f"1e{HIGHEST + 1}")
    steps: list[Callable[[Callable[[str], Any]], dict[str, Any]]] = [
        lambda of: {"whole": of("").cast("float64")},
        # Numbers that stay as they are, and those that are none, cannot be made whole.
        lambda of: {"x": ibis.ifelse(of("whole").abs() < within, of("whole"), 0.0)},
        lambda of: {
            "up": _power(of("x"), lambda m: max(digits - 1 - m, 0)),
            "down": _power(of("x"), lambda m: max(m - digits + 1, 0)),
        },
        lambda of: {"k": (of("x") * of("up") / of("down")).floor().cast("float64")},
        lambda of: {"k": of("k") + _one_if((of("k") + 1.0) / of("up") * of("down") <= of("x"))},
        lambda of: {"k": of("k") - _one_if(of("k") / of("up") * of("down") > of("x"))},
        lambda of: {"": ibis.ifelse(
            of("whole").abs() < within, of("k") / of("up") * of("down"), of("whole")
        )},
    ]  # fmt: skip
    for step in steps:
        made = [step(partial(_part, rows, name)) for name in names]
        rows = rows.mutate(
            **{
                part + name: value
                for name, parts in zip(names, made, strict=True)
                for part, value in parts.items()
            }
        )
    return rows


def _part(rows: Any, name: str, part: str) -> Any:
    return rows[part + name]


def _one_if(test: Any) -> Any:
    import ibis

    return ibis.ifelse(test, 1.0, 0.0)


def _power(x: Any, exponent: Callable[[int], int]) -> Any:
    """Return the power of ten for the magnitude of each number; the usual ones are asked first."""
    import ibis

    size = x.abs()

    def power(m: int) -> Any:
        return ibis.literal(float(f"1e{exponent(m)}"), "float64")

    above = [(size < float(f"1e{m + 1}"), power(m)) for m in range(HIGHEST)]
    below = [(size >= float(f"1e{m}"), power(m)) for m in range(-1, LOWEST, -1)]
    return ibis.ifelse(
        size >= 1.0,
        ibis.cases(*above, else_=power(HIGHEST)),
        ibis.cases(*below, else_=power(LOWEST)),
    )
