"""Names in which the class stands before the word for a probability: "churn_yes_score"."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from evalcore.intake.parts import Kind, Part
from evalcore.intake.words import pieces

_TRUE_AND_FALSE = {
    "0": ("no", "false", "neg", "negative"),
    "1": ("yes", "true", "pos", "positive"),
}
"""What the classes 0 and 1 are called in names of columns."""


def by_class_words(parts: Sequence[Part], classes: Collection[str]) -> list[Part]:
    """Take "yes_score" beside "no_score" for probabilities, if every class has such a column.

    With the classes 0 and 1 also "prob_true" beside "prob_false", and the like.
    """
    words = _words(classes)
    owners: dict[tuple[str, ...], dict[str, Part]] = {}
    for part in parts:
        if found := _class_in(part, words):
            of, model = found
            owners.setdefault(model, {})[of] = part
    changed = {
        part.column: _about(part, of, model)
        for model, chances in owners.items()
        if len(chances) == len(classes) > 1
        for of, part in chances.items()
    }
    return [changed.get(part.column, part) for part in parts]


def _words(classes: Collection[str]) -> Mapping[tuple[str, ...], str]:
    """Return the pieces of each class -> the class; a bare number may as well name a model."""
    if set(classes) == set(_TRUE_AND_FALSE):
        return {(word,): of for of, words in _TRUE_AND_FALSE.items() for word in words}
    return {_small(of): of for of in classes if not of.isdigit()}


def _small(name: str) -> tuple[str, ...]:
    return tuple(piece.lower() for piece in pieces(name))


def _class_in(
    part: Part, words: Mapping[tuple[str, ...], str]
) -> tuple[str, tuple[str, ...]] | None:
    """Return the class that the name of a score's model ends with, and what stands before it."""
    if part.kind is not Kind.SCORE or not part.unit:
        return None
    told, small = pieces(part.model), _small(part.model)
    found = [(at, words[small[at:]]) for at in range(len(told)) if small[at:] in words]
    return (found[0][1], told[: found[0][0]]) if found else None


def _about(part: Part, of: str, model: tuple[str, ...]) -> Part:
    reason = replace(part.reason, text=f'named after the class "{of}"')
    return replace(part, kind=Kind.PROBABILITY, of=of, model=" ".join(model), reason=reason)
