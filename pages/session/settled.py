"""From boxes filled by hand to what the user has settled."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from evalcore.intake.model import Choices, ModelRoles, Roles
from evalcore.intake.offered import with_models


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
    return with_models(before, models)
