"""An offer that is taken: what was chosen before, with the one choice that it settles."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from evalcore.errors import Offer
from evalcore.intake.assignment import ModelRoles, Roles
from evalcore.intake.choices import Choices, FeatureKind, Scale, Task

THRESHOLD = "threshold"
"""An offer that is about the threshold: no choice of how a file is read."""

_BY_MODEL = ("labels", "scores", "predictions")


def taken(offer: Offer, choices: Choices, roles: Roles | None = None) -> Choices:
    """Return the choices with that of an offer; `roles` are the columns as they are used now.

    >>> taken(Offer("Read as log-odds", "scale", "logit"), Choices()).scale
    <Scale.LOGIT: 'logit'>
    """
    if offer.choice in _BY_MODEL and roles is not None:
        return with_models(choices, _moved(roles.models, str(offer.value), offer.choice))
    return replace(choices, **{offer.choice: _read(offer)})


def _read(offer: Offer) -> Any:
    match offer.choice, offer.value:
        case "task", str(value):
            return Task(value)
        case "scale", str(value):
            return Scale(value)
        case "feature_kind", str(value):
            return FeatureKind(value)
        case "reverse" | "merge_spellings", value:
            return value == "yes"
        case choice, str(value) if choice in _BY_MODEL:
            return {"": value}
        case _, value:
            return value


def _moved(models: Mapping[str, ModelRoles], column: str, role: str) -> Mapping[str, ModelRoles]:
    """Give a column another role in the model that it belongs to; a spare one is a new model."""
    only: dict[str, Any] = {role.removesuffix("s"): column}
    moved = ModelRoles(**only)
    if not any(column in model.columns for model in models.values()):
        return {**models, column: moved}
    return {name: moved if column in m.columns else m for name, m in models.items()}


def with_models(choices: Choices, models: Mapping[str, ModelRoles]) -> Choices:
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
