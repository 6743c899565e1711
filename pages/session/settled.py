"""From boxes filled by hand to what the user has settled."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from evalcore.intake.model import Choices, FeatureKind, ModelRoles, Roles
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


def with_points(
    before: Choices,
    roles: Roles,
    clusters: Sequence[str],
    features: Sequence[str],
    kind: FeatureKind | None,
) -> Choices:
    """Return the choices of before with other columns of clusters, or other features.

    A clustering that has a name keeps it; without any column of clusters those of now stay. A
    column of clusters is no feature.
    """
    before = replace(before, feature_kind=kind)
    now = {column: name for name, column in roles.clusterings.items()}
    if clusters and set(clusters) != set(now):
        named = {now.get(column, column): column for column in clusters}
        before = replace(before, clusterings=named)
    kept, were = (
        tuple(column for column in columns if column not in clusters)
        for columns in (features, roles.features)
    )
    open_still = before.features is None and kept == were
    return before if open_still else replace(before, features=kept)
