"""A table's columns as labels and as numbers, read once however often they are asked for."""

from collections.abc import Callable
from typing import TypeVar
from weakref import WeakKeyDictionary

from evalcore.intake.labels import Labels, as_labels
from evalcore.intake.model import Table
from evalcore.intake.numbers import Numbers, as_numbers

Seen = TypeVar("Seen", Labels, Numbers)

# What was read goes with its table: nothing is kept once nobody holds the table.
_LABELS: WeakKeyDictionary[Table, dict[str, Labels]] = WeakKeyDictionary()
_NUMBERS: WeakKeyDictionary[Table, dict[str, Numbers]] = WeakKeyDictionary()


def labels_of(table: Table, name: str) -> Labels:
    """Return a column of a table as labels; see `as_labels`."""
    return _once(_LABELS, table, name, lambda: as_labels(table.columns[name], name))


def numbers_of(table: Table, name: str) -> Numbers:
    """Return a column of a table as numbers; see `as_numbers`."""
    return _once(_NUMBERS, table, name, lambda: as_numbers(table.columns[name], name, table.source))


def _once(
    memory: "WeakKeyDictionary[Table, dict[str, Seen]]",
    table: Table,
    name: str,
    read: Callable[[], Seen],
) -> Seen:
    seen = memory.setdefault(table, {})
    if name not in seen:
        seen[name] = read()
    return seen[name]
