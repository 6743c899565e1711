"""What tools told about the columns of several tables, kept when these become one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evalcore.intake.model import NO_CHOICES, Choices, Table
from evalcore.intake.modelnames import speaks_of_prediction
from evalcore.intake.signatures import PREDICTIONS


@dataclass(frozen=True, eq=False)
class Member:
    """One of several tables, and the name its predictions are called by."""

    name: str
    table: Table


def predicted_columns(table: Table) -> set[str]:
    """Return the columns that hold predictions, by their names or by the tool that wrote them."""
    hints = table.hints
    hinted = {
        column
        for columns in (hints.labels, hints.scores, hints.predictions)
        for column in (columns or {}).values()
    }
    for of_class in (hints.probabilities or {}).values():
        hinted |= set(of_class.values())
    return hinted | {name for name in table.names if speaks_of_prediction(name)}


def joined_hints(members: Sequence[Member], renamed: Sequence[Mapping[str, str]]) -> Choices:
    """Put together what is known of each table, under the names its columns have now.

    Where a table beside the first is of no known tool, its predictions are left to detection,
    and so are those of all others.
    """
    known = [bool(_predictions(member.table.hints)) for member in members]
    several = sum(known) > 1
    joined = NO_CHOICES
    for member, called in zip(members, renamed, strict=True):
        hints = member.table.hints
        one = {
            role: called.get(getattr(hints, role) or "", getattr(hints, role))
            for role in ("truth", "fold", "weight", "group", "id")
            if getattr(joined, role) is None
        }
        joined = replace(joined, **one)
        if all(known[1:]):
            joined = _with_models(joined, member, called, several=several)
    return joined


def _predictions(hints: Choices) -> list[str]:
    return [role for role in PREDICTIONS if getattr(hints, role)]


def _with_models(
    joined: Choices, member: Member, called: Mapping[str, str], *, several: bool
) -> Choices:
    """Add a table's models, called after the table if there are several."""
    hints = member.table.hints

    def name(model: str) -> str:
        return " ".join(filter(None, (member.name, model))) if several else model

    added: dict[str, Any] = {}
    for role in _predictions(hints):
        mapping = getattr(hints, role)
        own = {
            name(model): {of: called[c] for of, c in columns.items()}
            if role == "probabilities"
            else called[columns]
            for model, columns in mapping.items()
        }
        added[role] = {**(getattr(joined, role) or {}), **own}
    scale = hints.scale if joined.scale in (None, hints.scale) else None
    return replace(
        joined, **added, scale=scale or joined.scale, positive=joined.positive or hints.positive
    )
