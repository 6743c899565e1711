"""Which columns of predictions are one model's."""

from collections.abc import Mapping, Sequence

from evalcore.intake.assignment import CHOSEN, ModelRoles
from evalcore.intake.choices import Task
from evalcore.intake.modelnames import model_name
from evalcore.intake.parts import Kind, Part
from evalcore.intake.words import pieces

LEADS = (Kind.SCORE, Kind.NUMBER)
"""What a nameless model is called after: its column of this kind."""


def by_model(parts: Sequence[Part], unnamed: str = "model") -> Mapping[str, list[Part]]:
    """Group the columns that belong to one model; nameless ones are told apart as far as one can.

    A nameless label, score and set of class probabilities are one model; two nameless scores are
    two models, each called like its column. What has no name at all is called `unnamed`.
    """
    groups: dict[str, list[Part]] = {}
    for part in parts:
        groups.setdefault(part.model, []).append(part)
    nameless = groups.pop("", [])
    if nameless:
        groups |= _nameless(nameless, unnamed)
    place = {part.column: place for place, part in enumerate(parts)}
    return dict(sorted(groups.items(), key=lambda item: min(place[p.column] for p in item[1])))


def _nameless(parts: Sequence[Part], called: str) -> dict[str, list[Part]]:
    leads = [part for part in parts if part.kind in LEADS]
    chances = [part for part in parts if part.kind is Kind.PROBABILITY]
    labels = [part for part in parts if part.kind is Kind.LABEL]
    groups = {lead.column: [lead] for lead in leads}
    if chances:
        beside = leads if len(leads) == 1 and len(labels) < 2 else []
        groups = {} if beside else groups
        groups[_common_name(chances) or called] = [*beside, *chances]
    if len(labels) == 1 and len(groups) == 1:
        next(iter(groups.values())).append(labels[0])
    else:
        groups |= {label.column: [label] for label in labels}
    return groups


def model_roles(
    parts: Sequence[Part], task: Task, positive: str | None, *, unnamed: str
) -> Mapping[str, ModelRoles]:
    """Return the columns of each model that has any for the task; `positive` is that of two."""
    found = {name: _one(group, task, positive) for name, group in by_model(parts, unnamed).items()}
    return {name: model for name, model in found.items() if model != ModelRoles()}


def _one(group: Sequence[Part], task: Task, positive: str | None) -> ModelRoles:
    first: dict[Kind, str] = {}
    for part in sorted(group, key=lambda part: not part.unit):
        first.setdefault(part.kind, part.column)
    chances = {p.of: p.column for p in group if p.kind is Kind.PROBABILITY and p.of is not None}
    if task is Task.REGRESSION:
        return ModelRoles(prediction=first.get(Kind.NUMBER))
    score = None
    if task is Task.BINARY:
        sole = next(iter(chances.values()), None)
        settled = [p.column for p in group if p.kind is Kind.SCORE and p.reason == CHOSEN]
        named = settled[0] if settled else chances.get(positive or "", sole)
        score = named or first.get(Kind.SCORE)
    return ModelRoles(label=first.get(Kind.LABEL), score=score, probabilities=chances)


def _common_name(chances: Sequence[Part]) -> str:
    """Name a model after the one column, or after what its probability columns have in common."""
    if len(chances) == 1:
        return chances[0].column
    stems = {pieces(part.column.removesuffix(part.of or "")) for part in chances}
    stem = "_".join(next(iter(stems))) if len(stems) == 1 else ""
    return stem if model_name(stem) else ""
