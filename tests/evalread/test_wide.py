"""Tables of many columns: the work grows with their number, not with its square."""

import sys
from collections.abc import Callable

import pytest

from evalread.loading import load
from tests.evalcore.made import seeded

ROWS = 12

KINDS: dict[str, tuple[str, str, Callable[[int], str]]] = {
    "scores": ("label", "model_{}_prob", lambda draw: f"0.{draw + 1}"),
    "labels": ("label", "pred_{}", lambda draw: str(draw % 2)),
    "clusters": ("true_class", "cluster_{}", lambda draw: f"c{draw % 4}"),
    "right or wrong": ("item", "correct_{}", lambda draw: str(draw > 3)),
    "numbers": ("target", "pred_{}", lambda draw: f"{draw * 1.37:.2f}"),
}


def table_of(kind: str, columns: int) -> bytes:
    first, name, cell = KINDS[kind]
    draws = seeded(1).integers(0, 9, (ROWS, columns)).tolist()
    firsts = {"item": "q{}", "target": "{}.25", "true_class": "k{}"}
    lines = [",".join([first, *(name.format(k) for k in range(columns))])]
    for row, own in enumerate(draws):
        value = firsts.get(first, "{}").format(row if first in ("item", "target") else row % 2)
        lines.append(",".join([value, *map(cell, own)]))
    return "\n".join(lines).encode()


def calls(kind: str, columns: int) -> int:
    """Count the calls of functions, in Python and in C, while a table is read."""
    made = 0

    def count(_: object, event: str, __: object) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    data = [("a.csv", table_of(kind, columns))]
    sys.setprofile(count)
    try:
        read = load(data)
    finally:
        sys.setprofile(None)
    assert len(read.models) + len(read.clusterings) >= columns - 1
    return made


MOST_CALLS = {
    "scores": 720,
    "labels": 770,
    "clusters": 470,
    "right or wrong": 360,
    "numbers": 520,
}
"""What a column may cost, in calls of functions: a little more than it does."""


@pytest.mark.parametrize("kind", KINDS)
def test_a_column_costs_the_same_among_few_and_among_many(kind: str) -> None:
    calls(kind, 50)  # what is made once for all tables
    few, many = calls(kind, 100), calls(kind, 300)
    each = (many - few) / 200
    assert each < MOST_CALLS[kind]
    assert few > 0.7 * 100 * each
