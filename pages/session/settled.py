"""From boxes filled by hand to what the user has settled."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from evalcore.intake.model import Choices, ModelRoles, Roles


def settled(
    before: Choices,
    roles: Roles | None,
    truth: str | None,
    models: Mapping[str, ModelRoles],
    sides: Mapping[str, str | None],
) -> Choices:
    """Return the choices of before with what differs from the roles at hand.

    `sides` maps "fold", "weight", "group" and "id" to columns; what equals the roles stays as
    open, or as settled, as it was.
    """
    if roles is None or truth != roles.truth:
        before = replace(before, truth=truth, positive=None)
    for role, column in sides.items():
        if roles is None or column != getattr(roles, role):
            # Empty text says "none of the columns", where None would mean "as detected".
            settled_role: dict[str, Any] = {role: column or ("" if roles else None)}
            before = replace(before, **settled_role)
    if roles is not None and dict(models) == dict(roles.models):
        return before
    return _with_models(before, models)


def _with_models(choices: Choices, models: Mapping[str, ModelRoles]) -> Choices:
    """Settle every column of every model: naming one of them settles them all."""
    probabilities = {name: given.probabilities for name, given in models.items()}
    scores = {
        name: given.score
        for name, given in models.items()
        if given.score is not None and given.score not in given.probabilities.values()
    }
    return replace(
        choices,
        labels=_named(models, "label"),
        scores=scores or None,
        predictions=_named(models, "prediction"),
        probabilities={name: columns for name, columns in probabilities.items() if columns} or None,
    )


def _named(models: Mapping[str, ModelRoles], part: str) -> Mapping[str, str] | None:
    found = {name: getattr(given, part) for name, given in models.items()}
    return {name: column for name, column in found.items() if column is not None} or None
